package dev.sro.runtime.plan;

import dev.sro.api.resource.SpecialResource;
import dev.sro.core.model.Trees;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Special resources of the first version: they were in a namespace and had hardly a field. Stateless. */
final class FirstVersion {

    private FirstVersion() {}

    /** What to change, field by field, to have one of today; empty for what is not of the first version. */
    static List<String> changes(Map<String, Object> tree) {
        List<String> changes = new ArrayList<>();
        if (!Trees.text(tree, "kind").equals(SpecialResource.KIND)
                || !Trees.text(tree, "apiVersion").equals(SpecialResource.GROUP + "/v1alpha1")) {
            return changes;
        }
        changes.add("apiVersion: write " + SpecialResource.GROUP + "/" + SpecialResource.VERSION);
        String namespace = Trees.text(tree, "metadata", "namespace");
        Map<String, Object> spec = Trees.map(tree, "spec");
        if (!namespace.isEmpty()) {
            changes.add("metadata.namespace: remove it"
                    + (Trees.text(spec, "namespace").isEmpty() ? ", and write spec.namespace: " + namespace : ""));
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
}
