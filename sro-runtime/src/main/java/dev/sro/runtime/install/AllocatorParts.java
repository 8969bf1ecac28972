package dev.sro.runtime.install;

import static dev.sro.core.model.TreeLiterals.list;
import static dev.sro.core.model.TreeLiterals.map;

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
    static final String NAME = "sro-slices-allocator";

    /** Name of the role by which it evicts. */
    private static final String EVICTION = NAME + "-eviction";

    private static final int PROBES = 8080;
    private static final String RBAC = "rbac.authorization.k8s.io";
    private static final String DEVICES = "resource.k8s.io";

    /** Objects by the file that they are in. */
    Map<String, List<Map<String, Object>>> files() {
        Map<String, List<Map<String, Object>>> files = new LinkedHashMap<>();
        files.put("serviceaccount.yaml", List.of(named("v1", "ServiceAccount", true)));
        files.put("rbac.yaml", rights());
        files.put("deployment.yaml", List.of(deployment()));
        return files;
    }

    /** Of claims finalizer, allocation and reservation; of pods the gate. From 1.36 on the API server asks for {@code resourceclaims/binding} too. */
    private List<Map<String, Object>> rights() {
        return List.of(
                named(
                        RBAC + "/v1",
                        "ClusterRole",
                        false,
                        "rules",
                        list(
                                SliceParts.rule(DEVICES, "resourceslices", "list", "watch"),
                                SliceParts.rule(DEVICES, "deviceclasses", "list", "watch"),
                                SliceParts.rule(DEVICES, "resourceclaims", "get", "list", "watch", "patch"),
                                SliceParts.rule(DEVICES, "resourceclaims/status", "patch"),
                                SliceParts.rule(DEVICES, "resourceclaims/binding", "patch", "update"),
                                SliceParts.rule("", "nodes", "list", "watch"),
                                SliceParts.rule("", "pods", "get", "list", "watch", "patch"),
                                SliceParts.rule("events.k8s.io", "events", "create"))),
                bound("ClusterRole", false),
                named(
                        RBAC + "/v1",
                        "Role",
                        true,
                        "rules",
                        list(SliceParts.rule("coordination.k8s.io", "leases", "create"), ownLease())),
                bound("Role", true));
    }

    /** To have pods end, for those who wait: not without being asked to. */
    List<Map<String, Object>> eviction() {
        Map<String, Object> role = named(
                RBAC + "/v1", "ClusterRole", false, "rules", list(SliceParts.rule("", "pods/eviction", "create")));
        Map<String, Object> binding = bound("ClusterRole", false);
        binding.put("roleRef", map("apiGroup", RBAC, "kind", "ClusterRole", "name", EVICTION));
        for (Map<String, Object> object : List.of(role, binding)) {
            object.put("metadata", map("name", EVICTION, "labels", labels()));
        }
        return List.of(role, binding);
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

    private List<Object> arguments() {
        List<Object> arguments = new ArrayList<>(
                List.of("slices", "allocator", "--lease=$(SRO_NAMESPACE)/" + NAME, "--probes=0.0.0.0:" + PROBES));
        arguments.addAll(options);
        return arguments;
    }

    private Map<String, Object> bound(String kind, boolean namespaced) {
        return named(
                RBAC + "/v1",
                kind + "Binding",
                namespaced,
                "roleRef",
                map("apiGroup", RBAC, "kind", kind, "name", NAME),
                "subjects",
                list(map("kind", "ServiceAccount", "name", NAME, "namespace", values.namespace())));
    }

    private static Map<String, Object> ownLease() {
        Map<String, Object> rule = SliceParts.rule("coordination.k8s.io", "leases", "get", "patch");
        rule.put("resourceNames", list(NAME));
        return rule;
    }

    private Map<String, Object> deployment() {
        return named(
                "apps/v1",
                "Deployment",
                true,
                "spec",
                map(
                        "replicas",
                        2,
                        "selector",
                        map("matchLabels", labels()),
                        "template",
                        map("metadata", map("labels", labels()), "spec", pod())));
    }

    private Map<String, Object> pod() {
        return map(
                "serviceAccountName",
                NAME,
                "imagePullSecrets",
                values.pullSecrets(),
                "securityContext",
                map("runAsNonRoot", true, "seccompProfile", map("type", "RuntimeDefault")),
                "containers",
                list(container()),
                "nodeSelector",
                values.nodeSelector(),
                "tolerations",
                values.tolerations(),
                "affinity",
                values.affinity(),
                "volumes",
                list(map("name", "tmp", "emptyDir", map("sizeLimit", "64Mi"))));
    }

    private Map<String, Object> container() {
        return map(
                "name",
                "allocator",
                "image",
                values.image(),
                "imagePullPolicy",
                values.pullPolicy(),
                "args",
                arguments(),
                "env",
                list(map(
                        "name", "SRO_NAMESPACE", "valueFrom", map("fieldRef", map("fieldPath", "metadata.namespace")))),
                "ports",
                list(map("name", "probes", "containerPort", PROBES)),
                "livenessProbe",
                map(
                        "httpGet",
                        map("path", "/healthz", "port", "probes"),
                        "initialDelaySeconds",
                        10,
                        "periodSeconds",
                        20),
                "readinessProbe",
                map("httpGet", map("path", "/readyz", "port", "probes"), "periodSeconds", 5),
                "resources",
                map("requests", map("cpu", "50m", "memory", "256Mi"), "limits", map("memory", "1Gi")),
                "securityContext",
                SliceParts.locked(),
                "volumeMounts",
                list(map("name", "tmp", "mountPath", "/tmp")));
    }

    private static Map<String, Object> labels() {
        return map("app.kubernetes.io/name", NAME);
    }

    private Map<String, Object> named(String apiVersion, String kind, boolean namespaced, Object... more) {
        Map<String, Object> metadata = map("name", NAME);
        if (namespaced) {
            metadata.put("namespace", values.namespace());
        }
        metadata.put("labels", labels());
        Map<String, Object> object = map("apiVersion", apiVersion, "kind", kind, "metadata", metadata);
        object.putAll(map(more));
        return object;
    }
}
