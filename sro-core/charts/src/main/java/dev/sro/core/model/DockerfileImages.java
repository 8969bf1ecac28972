package dev.sro.core.model;

import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The images that a Dockerfile builds on. Stateless. */
public final class DockerfileImages {

    private static final Pattern FROM = Pattern.compile(
            "^(\\s*FROM\\s+(?:--platform=\\S+\\s+)?)(\\S+)((?:\\s+AS\\s+(\\S+))?\\s*)$", Pattern.CASE_INSENSITIVE);

    private DockerfileImages() {}

    /**
     * The Dockerfile with the images of its {@code FROM} lines taken from mirrors. A tag or digest may be an argument; a name that begins
     * with one, that of a stage, and {@code scratch} stay as they are.
     */
    public static String mirrored(String dockerfile, ImageMirrors mirrors) {
        if (mirrors.isEmpty()) {
            return dockerfile;
        }
        Set<String> stages = new HashSet<>();
        stages.add("scratch");
        String[] lines = dockerfile.split("\n", -1);
        for (int i = 0; i < lines.length; i++) {
            Matcher from = FROM.matcher(lines[i]);
            if (!from.matches()) {
                continue;
            }
            String image = from.group(2);
            if (!stages.contains(image.toLowerCase(Locale.ROOT)) && !name(image).contains("$")) {
                lines[i] = from.group(1) + mirrors.of(image) + from.group(3);
            }
            if (from.group(4) != null) {
                stages.add(from.group(4).toLowerCase(Locale.ROOT));
            }
        }
        return String.join("\n", lines);
    }

    /** Without tag and digest. */
    private static String name(String image) {
        int end = image.indexOf('@');
        String named = end < 0 ? image : image.substring(0, end);
        int colon = named.indexOf(':', named.lastIndexOf('/') + 1);
        return colon < 0 ? named : named.substring(0, colon);
    }
}
