package dev.sro.core.model;

import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * Images that the environment replaces by others, one by one, as bundles of the Operator Lifecycle Manager do it to have digests
 * instead of tags: {@code RELATED_IMAGE_QUAY_IO_ACME_DRIVER_1_0} says what is pulled for {@code quay.io/acme/driver:1.0}. Immutable.
 */
public final class RelatedImages {

    /** How the names of the variables begin. */
    public static final String PREFIX = "RELATED_IMAGE_";

    /** Nothing is replaced. */
    public static final RelatedImages NONE = new RelatedImages(Map.of());

    private static final Pattern OTHERS = Pattern.compile("[^A-Z0-9]");

    private static final Pattern IMAGE =
            Pattern.compile("[A-Za-z0-9][A-Za-z0-9.-]*(:[0-9]{1,5})?(/[a-z0-9]+([._-]+[a-z0-9]+)*)+"
                    + "(:[A-Za-z0-9_][A-Za-z0-9._-]{0,127})?(@sha256:[0-9a-f]{64})?");

    private final Map<String, String> byVariable;

    private RelatedImages(Map<String, String> byVariable) {
        this.byVariable = Map.copyOf(byVariable);
    }

    /**
     * Reads them.
     *
     * @param environment of the process; what does not begin with {@link #PREFIX}, or is empty, is passed over
     * @throws IllegalArgumentException if a value is no image with registry and tag or digest; the message names the variable
     */
    public static RelatedImages of(Map<String, String> environment) {
        Map<String, String> found = new TreeMap<>();
        environment.forEach((variable, image) -> {
            if (variable.startsWith(PREFIX) && !image.isBlank()) {
                String reference = image.strip();
                if (!isExact(reference)) {
                    throw new IllegalArgumentException(variable + ": \"" + reference
                            + "\" is no image with registry and tag or digest, such as quay.io/acme/driver@sha256:…");
                }
                found.put(variable, reference);
            }
        });
        return found.isEmpty() ? NONE : new RelatedImages(found);
    }

    private static boolean isExact(String image) {
        String last = image.substring(image.lastIndexOf('/') + 1);
        return IMAGE.matcher(image).matches() && (last.contains(":") || last.contains("@"));
    }

    /**
     * Which variable says what is pulled instead of an image. Images that differ in punctuation alone have the same one.
     *
     * @param image as manifests name it; a short name counts as that of Docker Hub
     */
    public static String variable(String image) {
        return PREFIX
                + OTHERS.matcher(ImageMirrors.whole(image).toUpperCase(Locale.ROOT))
                        .replaceAll("_");
    }

    /** Whether nothing is replaced. */
    public boolean isEmpty() {
        return byVariable.isEmpty();
    }

    /** What is pulled for the image. */
    public String of(String image) {
        return byVariable.isEmpty() ? image : byVariable.getOrDefault(variable(image), image);
    }
}
