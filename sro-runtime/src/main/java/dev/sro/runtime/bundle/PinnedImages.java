package dev.sro.runtime.bundle;

import static dev.sro.core.model.TreeLiterals.map;

import dev.sro.core.model.RelatedImages;
import dev.sro.runtime.UnusableInputException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Images of a bundle, each with the reference that is pulled for it. Immutable. */
final class PinnedImages {

    private static final Pattern LINE = Pattern.compile("(\\S+)\\s+(?:\\S+@)?(sha256:[0-9a-f]{64})");

    private final SortedMap<String, String> pulled;

    private PinnedImages(SortedMap<String, String> pulled) {
        this.pulled = pulled;
    }

    /**
     * Reads a list of digests.
     *
     * @param file for messages
     * @param text {@code IMAGE sha256:…} a line; the digest may have the image without its tag before it. {@code #} begins a comment
     * @throws UnusableInputException for a line that is none of this, or an image with two digests
     */
    static Map<String, String> digests(String file, String text) {
        Map<String, String> digests = new LinkedHashMap<>();
        List<String> lines = text.lines().toList();
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i).replaceFirst("(^|\\s)#.*", "").strip();
            if (line.isEmpty()) {
                continue;
            }
            String where = file + " line " + (i + 1);
            Matcher pair = LINE.matcher(line);
            if (!pair.matches()) {
                throw new UnusableInputException(
                        where,
                        "\"" + line + "\" is not an image and its digest, such as"
                                + " quay.io/acme/driver:1.0 sha256:<64 hexadecimal digits>");
            }
            String other = digests.put(pair.group(1), pair.group(2));
            if (other != null && !other.equals(pair.group(2))) {
                throw new UnusableInputException(
                        where, pair.group(1) + " has another digest in a line before; remove one");
            }
        }
        return digests;
    }

    /**
     * Pins what the list has.
     *
     * @param images as manifests name them
     * @throws UnusableInputException for images that the operator could not tell apart
     */
    static PinnedImages of(Collection<String> images, Map<String, String> digests) {
        SortedMap<String, String> pulled = new TreeMap<>();
        Map<String, String> variables = new TreeMap<>();
        for (String image : images) {
            String other = variables.putIfAbsent(RelatedImages.variable(image), image);
            if (other != null && !other.equals(image)) {
                throw new UnusableInputException(
                        "image " + image,
                        "differs from " + other + " in punctuation alone: no variable can name both; rename one");
            }
            pulled.put(image, pinned(image, digests));
        }
        return new PinnedImages(pulled);
    }

    /** The image by its digest if there is one, as it is otherwise. */
    static String pinned(String image, Map<String, String> digests) {
        String digest = digests.get(image);
        if (digest == null || image.contains("@")) {
            return image;
        }
        int colon = image.lastIndexOf(':');
        return (colon > image.lastIndexOf('/') ? image.substring(0, colon) : image) + "@" + digest;
    }

    /** Whether each of them is what it is for ever. */
    boolean areDigests() {
        return pulled.values().stream().allMatch(image -> image.contains("@sha256:"));
    }

    /** Variables of the operator, for those that are not pulled by the name that manifests have. */
    List<Map<String, Object>> variables() {
        List<Map<String, Object>> variables = new ArrayList<>();
        pulled.forEach((image, reference) -> {
            if (!image.equals(reference)) {
                variables.add(map("name", RelatedImages.variable(image), "value", reference));
            }
        });
        return variables;
    }

    /** Names and references, for whoever mirrors them. */
    List<Map<String, Object>> related() {
        List<Map<String, Object>> related = new ArrayList<>();
        pulled.forEach((image, reference) -> related.add(map("name", name(image), "image", reference)));
        return related;
    }

    private static String name(String image) {
        return RelatedImages.variable(image)
                .substring(RelatedImages.PREFIX.length())
                .toLowerCase(Locale.ROOT)
                .replace('_', '-');
    }
}
