package dev.sro.runtime.plan;

import dev.sro.api.resource.SpecialResource;
import dev.sro.core.model.ValueTrees;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Special resources of before the definition of today. Those of the first version were in a namespace and had hardly a field; the first
 * ones of the second version (2020 and 2021) named the namespace of their operands in {@code spec.metadata}, or nowhere. Stateless.
 */
final class EarlierVersions {

    private static final String NO_NAMESPACE = "spec.namespace: Required value";

    private EarlierVersions() {}

    /** Whether it is of the first version, of which one served all recipes of its namespace. */
    static boolean isFirst(Map<String, Object> tree) {
        return isResource(tree, "v1alpha1");
    }

    /** Whether it says itself that it is of before; one that merely lacks its namespace may be new, and somebody forgot it. */
    static boolean isEarlier(Map<String, Object> tree) {
        return isFirst(tree)
                || (isResource(tree, SpecialResource.VERSION)
                        && ValueTrees.map(tree, "spec").containsKey("metadata"));
    }

    /** What an API server says of a special resource, with what to write where it has no namespace. */
    static String withFix(String error, Map<String, Object> tree) {
        String name = namespace(tree);
        if (!error.equals(NO_NAMESPACE) || !isResource(tree, SpecialResource.VERSION) || name.isEmpty()) {
            return error;
        }
        return error + "; the original took the name of the special resource, write " + name
                + (changes(tree).isEmpty() ? "" : ", or \"sro migrate FILE\" does it");
    }

    private static boolean isResource(Map<String, Object> tree, String version) {
        return ValueTrees.text(tree, "kind").equals(SpecialResource.KIND)
                && ValueTrees.text(tree, "apiVersion").equals(SpecialResource.GROUP + "/" + version);
    }

    /** What to change, field by field, to have one of today; empty for what is of today, or none. */
    static List<String> changes(Map<String, Object> tree) {
        if (isFirst(tree)) {
            return changesOfFirst(tree);
        }
        Map<String, Object> spec = ValueTrees.map(tree, "spec");
        if (!isResource(tree, SpecialResource.VERSION) || spec.isEmpty()) {
            return List.of();
        }
        List<String> changes = new ArrayList<>();
        if (spec.containsKey("metadata")) {
            changes.add("spec.metadata: remove it");
        }
        if (!spec.containsKey("namespace")) {
            changes.add("spec.namespace: write " + namespace(tree));
        }
        return changes;
    }

    private static List<String> changesOfFirst(Map<String, Object> tree) {
        List<String> changes = new ArrayList<>();
        changes.add("apiVersion: write " + SpecialResource.GROUP + "/" + SpecialResource.VERSION);
        Map<String, Object> spec = ValueTrees.map(tree, "spec");
        if (!ValueTrees.text(tree, "metadata", "namespace").isEmpty()) {
            changes.add("metadata.namespace: remove it");
        }
        if (ValueTrees.text(spec, "namespace").isEmpty()) {
            changes.add("spec.namespace: write " + namespace(tree));
        }
        if (spec.containsKey("size")) {
            changes.add("spec.size: remove it, it never meant anything");
        }
        if (spec.containsKey("dependsOn")) {
            changes.add("spec.dependsOn: leave the names; what they name has to be a special resource of its own, as"
                    + " nothing is made from images any more");
        }
        return changes;
    }

    /** Where its operands were; the original took the name where no namespace was named. */
    static String namespace(Map<String, Object> tree) {
        for (String named : List.of(
                ValueTrees.text(tree, "spec", "namespace"),
                ValueTrees.text(tree, "metadata", "namespace"),
                ValueTrees.text(tree, "spec", "metadata", "namespace"))) {
            if (!named.isEmpty()) {
                return named;
            }
        }
        return ValueTrees.text(tree, "metadata", "name");
    }
}
