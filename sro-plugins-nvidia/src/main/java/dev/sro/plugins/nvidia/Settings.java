package dev.sro.plugins.nvidia;

import dev.sro.api.RecipeContext;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a special resource, over the defaults of {@code config-fields.txt} and the images of the catalogue. Reads
 * values that have not been checked as well as it can: what is of the wrong type counts as not there, and {@link ConfigCheck}
 * says so. Immutable.
 */
final class Settings {

    private final Map<String, Object> config;
    private final boolean openShift;

    Settings(RecipeContext context) {
        this.config = context.config();
        this.openShift = context.cluster().isOpenShift();
    }

    private @Nullable Object raw(String path) {
        Object at = config;
        for (String name : path.split("\\.", -1)) {
            at = at instanceof Map<?, ?> map ? map.get(name) : null;
        }
        return at;
    }

    private static String standard(String path) {
        return ConfigFields.OWN.field(path).map(ConfigFields.Field::standard).orElse("");
    }

    boolean isOpenShift() {
        return openShift;
    }

    /** A switch, by its default where nothing is said. */
    boolean is(String path) {
        return flag(path).orElseGet(() -> Boolean.parseBoolean(standard(path)));
    }

    /** A switch for which it matters whether anything is said. */
    Optional<Boolean> flag(String path) {
        return raw(path) instanceof Boolean flag ? Optional.of(flag) : Optional.empty();
    }

    /** A text, or its default; may be empty. */
    String text(String path) {
        Object value = raw(path);
        return value instanceof String || value instanceof Number ? String.valueOf(value) : standard(path);
    }

    /** A text that is not empty. */
    Optional<String> maybe(String path) {
        String text = text(path);
        return text.isEmpty() ? Optional.empty() : Optional.of(text);
    }

    /** A whole number, or its default, or 0. */
    long number(String path) {
        if (raw(path) instanceof Number number) {
            return number.longValue();
        }
        String standard = standard(path);
        return standard.isEmpty() ? 0 : Long.parseLong(standard);
    }

    /** A map; empty when there is none. */
    Map<String, Object> map(String path) {
        Map<String, Object> result = new LinkedHashMap<>();
        if (raw(path) instanceof Map<?, ?> map) {
            map.forEach((key, value) -> result.put(String.valueOf(key), value));
        }
        return result;
    }

    /** A list of maps; empty when there is none. */
    List<Map<String, Object>> maps(String path) {
        return raw(path) instanceof List<?> list
                ? list.stream()
                        .filter(Map.class::isInstance)
                        .map(one -> {
                            Map<String, Object> copy = new LinkedHashMap<>();
                            ((Map<?, ?>) one).forEach((key, value) -> copy.put(String.valueOf(key), value));
                            return copy;
                        })
                        .toList()
                : List.of();
    }

    /** A list of texts; empty when there is none. */
    List<String> texts(String path) {
        return raw(path) instanceof List<?> list
                ? list.stream().map(String::valueOf).toList()
                : List.of();
    }

    /** The image of a section: each part as the settings say, or else as the catalogue. */
    Catalogue.Entry image(String section) {
        Catalogue.Entry own = Catalogue.OWN.entry(section).orElse(new Catalogue.Entry("", "", ""));
        String image = text(section + ".image");
        if (!image.isEmpty()
                && text(section + ".repository").isEmpty()
                && (image.contains("/") || image.contains(":"))) {
            // All of a reference, as the environment of NVIDIA's operator has it.
            return new Catalogue.Entry("", image, image.contains("@") || isTagged(image) ? "" : own.version());
        }
        return new Catalogue.Entry(
                maybe(section + ".repository").orElse(own.repository()),
                image.isEmpty() ? own.image() : image,
                maybe(section + ".version").orElse(own.version()));
    }

    private static boolean isTagged(String image) {
        return image.lastIndexOf(':') > image.lastIndexOf('/');
    }

    /** The reference of a section's image; a name that cannot be pulled where neither says one. */
    String reference(String section) {
        String reference = image(section).reference();
        return reference.isEmpty() || reference.equals("/") ? "nvidia.invalid/unnamed:none" : reference;
    }

    boolean hasDriver() {
        return is("driver.enabled");
    }

    boolean isDra() {
        return is("dra.enabled");
    }

    /** Whether nodes may offer slices by SRO's agent. */
    boolean hasSlices() {
        return is("slices.enabled");
    }

    /** Whether GPUs of such nodes are reset, each node drained before. */
    boolean hasResets() {
        return hasSlices() && !isDra() && is("slices.resets");
    }

    boolean hasSandboxes() {
        return is("sandboxWorkloads.enabled");
    }

    boolean isKata() {
        return "kata".equals(text("sandboxWorkloads.mode"));
    }

    /** The container runtime of the nodes. */
    String runtime() {
        return maybe("operator.defaultRuntime").orElse(openShift ? "crio" : "containerd");
    }
}
