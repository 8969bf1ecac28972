package dev.sro.runtime.install;

import static dev.sro.core.model.TreeLiterals.list;
import static dev.sro.core.model.TreeLiterals.map;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * What installs {@code sro slices allocator}: for clusters whose agents keep devices for it, and for none that was not asked, as who may write allocations
 * of claims may give any device of the cluster to any pod. Immutable.
 *
 * @param values of the installation, or the places in a chart where they go
 * @param options arguments of the command, beside those that it always has
 */
record AllocatorParts(Installation.Values values, List<Object> options) {
    /** Name of all of them. */
    static final String NAME = "sro-slices-allocator";

    /** Name of the role by which it evicts. */
    private static final String EVICTION = NAME + "-eviction";

    private static final String DEVICES = "resource.k8s.io";

    /** Objects by the file that they are in. */
    Map<String, List<Map<String, Object>>> files() {
        List<Object> arguments = new ArrayList<>(List.of("slices", "allocator"));
        arguments.addAll(options);
        return controller(NAME, arguments, rules()).files();
    }

    /** To have pods end, for those who wait: not without being asked to. */
    List<Map<String, Object>> eviction() {
        return controller(EVICTION, list(), list(SliceParts.rule("", "pods/eviction", "create")))
                .clusterRole(NAME);
    }

    /** What has the installed one make room. */
    Map<String, Object> makeRoomPatch() {
        return map(
                "target",
                map("kind", "Deployment", "name", NAME),
                "patch",
                Yaml.list(List.of(map(
                        "op",
                        "add",
                        "path",
                        "/spec/template/spec/containers/0/args/-",
                        "value",
                        "--make-room=evict"))));
    }

    private SliceController controller(String name, List<Object> arguments, List<Object> rules) {
        return new SliceController(values, name, "allocator", 2, arguments, rules);
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
