package dev.sro.core.recipe;

import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The word that recipes of 2019 have where the kernel belongs, before there were templates. Only where nothing else can be meant:
 * in images and node selectors, not in scripts, where a variable may have this name. Stateless.
 */
public final class KernelPlaceholder {

    /** The word. */
    public static final String WORD = "KERNEL_FULL_VERSION";

    private KernelPlaceholder() {}

    /** Replaces it in the images and node selectors of a tree, in place. */
    public static void replace(Map<String, Object> tree, String kernel) {
        tree.replaceAll((key, value) -> {
            if (value instanceof String text) {
                return key.equals("image") ? text.replace(WORD, kernel) : text;
            }
            if (key.equals("nodeSelector") && value instanceof Map<?, ?> selector) {
                cast(selector)
                        .replaceAll(
                                (label, wanted) -> wanted instanceof String text ? text.replace(WORD, kernel) : wanted);
            } else {
                descend(value, kernel);
            }
            return value;
        });
    }

    private static void descend(Object value, String kernel) {
        if (value instanceof Map<?, ?> map) {
            replace(cast(map), kernel);
        } else if (value instanceof List<?> list) {
            list.forEach(item -> descend(item, kernel));
        }
    }

    /** A kernel as part of an object's name: what no name can have becomes a dash. */
    public static String inName(String name, String kernel) {
        return name.replace(WORD, kernel.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9.-]", "-"));
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> cast(Map<?, ?> map) {
        return (Map<String, Object>) map;
    }
}
