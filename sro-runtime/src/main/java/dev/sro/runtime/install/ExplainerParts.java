package dev.sro.runtime.install;

import static dev.sro.core.model.TreeLiterals.list;

import java.util.List;
import java.util.Map;

/**
 * What installs {@code sro slices explainer}: for none that was not asked, as it writes annotations of claims of all namespaces. It gives nobody anything.
 * Immutable.
 *
 * @param values of the installation, or the places in a chart where they go
 */
record ExplainerParts(Installation.Values values) {
    /** Name of all of them. */
    static final String NAME = "sro-slices-explainer";

    private static final String DEVICES = "resource.k8s.io";

    /** Objects by the file that they are in. */
    Map<String, List<Map<String, Object>>> files() {
        return new SliceController(values, NAME, "explainer", 1, list("slices", "explainer"), rules(), false).files();
    }

    /** Of claims one annotation; events are listed once, to say nothing twice. */
    private static List<Object> rules() {
        return list(
                SliceParts.rule(DEVICES, "resourceslices", "list", "watch"),
                SliceParts.rule(DEVICES, "deviceclasses", "list", "watch"),
                SliceParts.rule(DEVICES, "resourceclaimtemplates", "list", "watch"),
                SliceParts.rule(DEVICES, "resourceclaims", "list", "watch", "patch"),
                SliceParts.rule("", "nodes", "list", "watch"),
                SliceParts.rule("", "pods", "list", "watch"),
                SliceParts.rule("events.k8s.io", "events", "create", "list"));
    }
}
