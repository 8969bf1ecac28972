package dev.sro.runtime.install;

import static dev.sro.core.model.TreeLiterals.list;
import static dev.sro.core.model.TreeLiterals.map;

import dev.sro.core.placement.SliceWebhook;
import java.util.ArrayList;
import java.util.LinkedHashMap;
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
    static final String NAME = SliceWebhook.LIMITS_NAME;

    /** Name of the role by which it evicts. */
    private static final String EVICTION = NAME + "-eviction";

    /** Name of the role by which it makes templates for pods that ask by limits. */
    private static final String LIMITS = NAME + "-limits";

    private static final String DEVICES = "resource.k8s.io";

    /** Objects by the file that they are in. */
    Map<String, List<Map<String, Object>>> files() {
        List<Object> arguments = new ArrayList<>(List.of("slices", "allocator"));
        arguments.addAll(options);
        return controller(NAME, arguments, rules()).files();
    }

    /**
     * What it needs for pods that ask by limits, by the file, without what makes the API server ask.
     *
     * @param serviceAnnotations of the Service, by which OpenShift makes the certificate
     */
    Map<String, List<Map<String, Object>>> limits(Object serviceAnnotations) {
        SliceController own = controller(NAME, list(), list());
        List<Object> rules =
                list(SliceParts.rule(DEVICES, "resourceclaimtemplates", "get", "list", "watch", "create", "delete"));
        Map<String, List<Map<String, Object>>> files = new LinkedHashMap<>();
        files.put("limits-rbac.yaml", controller(LIMITS, list(), rules).clusterRole(NAME));
        files.put("service.yaml", List.of(own.service(serviceAnnotations)));
        files.put("poddisruptionbudget.yaml", List.of(own.disruptionBudget()));
        return files;
    }

    /** The Secret of the webhook's certificate. */
    String secret() {
        return controller(NAME, list(), list()).secret();
    }

    /** To have pods end, for those who wait: not without being asked to. */
    List<Map<String, Object>> eviction() {
        return controller(EVICTION, list(), list(SliceParts.rule("", "pods/eviction", "create")))
                .clusterRole(NAME);
    }

    /** What has the installed one make room. */
    Map<String, Object> makeRoomPatch() {
        return argument("--make-room=evict");
    }

    /** What has the installed one answer the webhook. */
    Map<String, Object> limitsPatch() {
        return argument("--webhook=0.0.0.0:" + SliceController.WEBHOOK);
    }

    private static Map<String, Object> argument(String argument) {
        return map(
                "target",
                map("kind", "Deployment", "name", NAME),
                "patch",
                Yaml.list(List.of(
                        map("op", "add", "path", "/spec/template/spec/containers/0/args/-", "value", argument))));
    }

    private SliceController controller(String name, List<Object> arguments, List<Object> rules) {
        return new SliceController(values, name, "allocator", 2, arguments, rules, true);
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
