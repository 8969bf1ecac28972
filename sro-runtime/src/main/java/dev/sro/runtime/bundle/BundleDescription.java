package dev.sro.runtime.bundle;

import dev.sro.core.model.FileErrors;
import dev.sro.core.model.ValueTrees;
import dev.sro.runtime.UnusableInputException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a catalogue says of the operator: SRO's own words, and those of whoever publishes a bundle. Immutable.
 *
 * @param words by key of {@code about.yaml}
 * @param icon its bytes, in base64
 * @param mediaType of the icon
 */
record BundleDescription(Map<String, Object> words, String icon, String mediaType) {

    private static final String OWN = "about.yaml";

    private static final String ICON = "icon";

    private static final Map<String, String> MEDIA_TYPES = Map.of(
            "svg", "image/svg+xml", "png", "image/png", "jpg", "image/jpeg", "jpeg", "image/jpeg", "gif", "image/gif");

    /**
     * Reads them.
     *
     * @param file keys that replace SRO's own; null for none
     * @throws UnusableInputException for a key that is not known, or a file that is not there
     */
    static BundleDescription read(@Nullable Path file) {
        Map<String, Object> words = new LinkedHashMap<>(document(OWN, Resources.text(OWN)));
        Map<String, Object> others = file == null ? Map.of() : document(file.toString(), text(file));
        others.forEach((key, value) -> {
            if (!words.containsKey(key)) {
                throw new UnusableInputException(
                        file + ": " + key, "is none of " + String.join(", ", words.keySet()) + "; remove it");
            }
            words.put(key, value);
        });
        String name = ValueTrees.text(words, ICON);
        String mediaType =
                MEDIA_TYPES.get(name.substring(name.lastIndexOf('.') + 1).toLowerCase(Locale.ROOT));
        if (mediaType == null) {
            throw new UnusableInputException(
                    file + ": icon", "\"" + name + "\" is no file of type svg, png, jpg or gif");
        }
        byte[] icon =
                file == null || !others.containsKey(ICON) ? Resources.bytes(name) : bytes(file.resolveSibling(name));
        return new BundleDescription(words, Base64.getEncoder().encodeToString(icon), mediaType);
    }

    private static Map<String, Object> document(String source, String text) {
        List<Map<String, Object>> documents = Documents.parse(source, text);
        if (documents.size() != 1) {
            throw new UnusableInputException(source, "must have one YAML document, not " + documents.size());
        }
        return documents.get(0);
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UnusableInputException(file.toString(), "cannot be read: " + FileErrors.text(e));
        }
    }

    private static byte[] bytes(Path file) {
        try {
            return Files.readAllBytes(file);
        } catch (IOException e) {
            throw new UnusableInputException(file.toString(), "the icon cannot be read: " + FileErrors.text(e));
        }
    }

    String text(String key) {
        return ValueTrees.text(words, key);
    }

    /** A list or a map, as it was written. */
    Object value(String key) {
        Object value = words.get(key);
        return value == null ? List.of() : value;
    }
}
