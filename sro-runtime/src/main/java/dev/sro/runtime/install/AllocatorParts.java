package dev.sro.runtime.install;

import static dev.sro.core.model.TreeLiterals.list;

import java.util.List;
import java.util.Map;

/**
 * What installs {@code sro slices allocator}: for clusters whose agents keep devices for it, and for none that was not asked, as who may write allocations
 * of claims may give any device of the cluster to any pod. Immutable.
 *
 * @param values of the installation, or the places in a chart where they go
 */
record AllocatorParts(Installation.Values values) {
    /** Name of all of them. */
    static final String NAME = "sro-slices-allocator";

    private static final String DEVICES = "resource.k8s.io";

    /** Objects by the file that they are in. */
    Map<String, List<Map<String, Object>>> files() {
        return new SliceController(values, NAME, "allocator", 2, list("slices", "allocator"), rules()).files();
    }

    /** Of claims finalizer, allocation and reservation; of pods the gate. From 1.36 on the API server asks for {@code resourceclaims/binding} too. */
    private static List<Object> rules() {
        return list(
                SliceParts.rule(DEVICES, "resourceslices", "list", "watch"),
                SliceParts.rule(DEVICES, "deviceclasses", "list", "watch"),
                SliceParts.rule(DEVICES, "resourceclaims", "get", "list", "watch", "patch"),
                SliceParts.rule(DEVICES, "resourceclaims/status", "patch"),
                SliceParts.rule(DEVICES, "resourceclaims/binding", "patch", "update"),
                SliceParts.rule("", "nodes", "list", "watch"),
                SliceParts.rule("", "pods", "get", "list", "watch", "patch"),
                SliceParts.rule("events.k8s.io", "events", "create"));
    }
}
