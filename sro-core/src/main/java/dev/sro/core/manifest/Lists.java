package dev.sro.core.manifest;

import dev.sro.core.model.ValueTrees;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Lists of objects among documents, as {@code kubectl get -o yaml} writes them and {@code oc} takes them. Stateless. */
final class Lists {

    private static final String SUFFIX = "List";

    private Lists() {}

    /** The documents, with the items of a list instead of it. An item of a list of one kind may leave out which one. */
    static List<Map<String, Object>> flattened(String source, List<Map<String, Object>> documents) {
        List<Map<String, Object>> result = new ArrayList<>();
        documents.forEach(document -> add(source, document, result));
        return result;
    }

    private static void add(String source, Map<String, Object> document, List<Map<String, Object>> result) {
        String kind = ValueTrees.text(document, "kind");
        boolean named = !ValueTrees.text(document, "metadata", "name").isEmpty();
        if (named || !kind.endsWith(SUFFIX) || !(document.get("items") instanceof List<?> items)) {
            result.add(document);
            return;
        }
        for (Object item : items) {
            if (!(item instanceof Map<?, ?> map)) {
                throw RenderException.vendor(
                        "InvalidManifest", source + ": an item of " + kind + " is no object; remove or correct it");
            }
            Map<String, Object> object = ValueTrees.mutableCopy(cast(map));
            if (!kind.equals(SUFFIX)) {
                object.putIfAbsent("apiVersion", ValueTrees.text(document, "apiVersion"));
                object.putIfAbsent("kind", kind.substring(0, kind.length() - SUFFIX.length()));
            }
            add(source, object, result);
        }
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> cast(Map<?, ?> map) {
        return (Map<String, Object>) map;
    }
}
