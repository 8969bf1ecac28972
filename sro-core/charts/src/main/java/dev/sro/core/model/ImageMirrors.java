package dev.sro.core.model;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * Where images are pulled from instead of where manifests say: first whole images by {@link RelatedImages}, then prefixes, of which
 * the most specific wins, and with which tags and digests stay. Immutable.
 */
public final class ImageMirrors {

    /** Nothing is replaced. */
    public static final ImageMirrors NONE = new ImageMirrors(List.of(), RelatedImages.NONE);

    /** A registry, and a repository or the beginning of one; no tag, no digest. */
    private static final Pattern PREFIX =
            Pattern.compile("[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?(:[0-9]{1,5})?(/[a-z0-9]+([._-]+[a-z0-9]+)*)*");

    private static final String DOCKER = "docker.io";

    private record Mirror(String from, String to) {}

    private final List<Mirror> mirrors;
    private final RelatedImages related;

    private ImageMirrors(List<Mirror> mirrors, RelatedImages related) {
        this.related = related;
        this.mirrors = mirrors.stream()
                .sorted(Comparator.comparingInt((Mirror mirror) -> -mirror.from.length())
                        .thenComparing(Mirror::from))
                .toList();
    }

    /**
     * Reads them.
     *
     * @param text {@code FROM=TO}, separated by commas or white space: {@code quay.io/acme=mirror.example.com/acme}
     * @throws IllegalArgumentException if it is nothing like that; the message says what
     */
    public static ImageMirrors parse(String text) {
        TreeMap<String, Mirror> found = new TreeMap<>();
        for (String pair : text.split("[,\\s]+", -1)) {
            if (pair.isEmpty()) {
                continue;
            }
            int equals = pair.indexOf('=');
            String from = equals < 0 ? "" : trimmed(pair.substring(0, equals));
            String to = trimmed(pair.substring(equals + 1));
            if (!PREFIX.matcher(from).matches() || !PREFIX.matcher(to).matches()) {
                throw new IllegalArgumentException("\"" + pair
                        + "\" is no FROM=TO of two image prefixes without tag, such as"
                        + " quay.io/acme=mirror.example.com/acme");
            }
            if (found.put(from, new Mirror(from, to)) != null) {
                throw new IllegalArgumentException("\"" + from + "\" is there twice; remove one of them");
            }
        }
        return found.isEmpty() ? NONE : new ImageMirrors(new ArrayList<>(found.values()), RelatedImages.NONE);
    }

    /** These for what is left of an image when it was replaced by one of those; for none that these had before. */
    public ImageMirrors after(RelatedImages images) {
        return new ImageMirrors(mirrors, images);
    }

    /** These, and others where these have no such prefix; the images of the others unless these have some. */
    public ImageMirrors over(ImageMirrors others) {
        if (others.isEmpty()) {
            return this;
        }
        TreeMap<String, Mirror> all = new TreeMap<>();
        others.mirrors.forEach(mirror -> all.put(mirror.from, mirror));
        mirrors.forEach(mirror -> all.put(mirror.from, mirror));
        return new ImageMirrors(new ArrayList<>(all.values()), related.isEmpty() ? others.related : related);
    }

    /** Whether nothing is replaced. */
    public boolean isEmpty() {
        return mirrors.isEmpty() && related.isEmpty();
    }

    /** Where the image is pulled from. */
    public String of(String named) {
        String image = related.of(named);
        String whole = whole(image);
        for (Mirror mirror : mirrors) {
            if (whole.startsWith(mirror.from) && ends(whole.substring(mirror.from.length()))) {
                return mirror.to + whole.substring(mirror.from.length());
            }
        }
        return image;
    }

    /** A repository below the prefix, or its tag or digest; a colon with a path behind it begins a port. */
    private static boolean ends(String rest) {
        return rest.isEmpty()
                || rest.startsWith("/")
                || rest.startsWith("@")
                || (rest.startsWith(":") && !rest.contains("/"));
    }

    /** With the registry that short names leave out, as container runtimes complete them. */
    static String whole(String image) {
        int slash = image.indexOf('/');
        String first = slash < 0 ? "" : image.substring(0, slash);
        if (first.contains(".") || first.contains(":") || first.equals("localhost")) {
            return image;
        }
        return DOCKER + (slash < 0 ? "/library/" : "/") + image;
    }

    private static String trimmed(String prefix) {
        return prefix.endsWith("/") ? prefix.substring(0, prefix.length() - 1) : prefix;
    }
}
