package dev.sro.runtime.install;

import static dev.sro.core.model.TreeLiterals.list;
import static dev.sro.core.model.TreeLiterals.map;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What installs a command about slices that runs under a Lease of its own, beside the operator: an account, its rights, a Deployment. Immutable.
 *
 * @param values of the installation, or the places in a chart where they go
 * @param name of all of them, and of the Lease
 * @param container its name
 * @param replicas of which one works
 * @param arguments of the command, before those for Lease and probes
 * @param rules of its ClusterRole
 * @param webhook whether it may answer one: its pods have a port for it, and the Secret of its certificate if there is one
 */
record SliceController(
        Installation.Values values,
        String name,
        String container,
        int replicas,
        List<Object> arguments,
        List<Object> rules,
        boolean webhook) {
    /** Where a webhook listens. */
    static final int WEBHOOK = 9443;

    private static final int PROBES = 8080;
    private static final String CERTIFICATES = "/etc/sro-webhook";
    private static final String RBAC = "rbac.authorization.k8s.io";

    /** Objects by the file that they are in. */
    Map<String, List<Map<String, Object>>> files() {
        Map<String, List<Map<String, Object>>> files = new LinkedHashMap<>();
        files.put("serviceaccount.yaml", List.of(named("v1", "ServiceAccount", true)));
        files.put("rbac.yaml", rights());
        files.put("deployment.yaml", List.of(deployment()));
        return files;
    }

    private List<Map<String, Object>> rights() {
        List<Map<String, Object>> rights = new ArrayList<>(clusterRole(name));
        rights.add(named(
                RBAC + "/v1",
                "Role",
                true,
                "rules",
                list(SliceParts.rule("coordination.k8s.io", "leases", "create"), ownLease())));
        rights.add(bound("Role", true, name));
        return rights;
    }

    /** A ClusterRole with the rules, bound to an account of the namespace. */
    List<Map<String, Object>> clusterRole(String account) {
        return List.of(named(RBAC + "/v1", "ClusterRole", false, "rules", rules), bound("ClusterRole", false, account));
    }

    private Map<String, Object> bound(String kind, boolean namespaced, String account) {
        return named(
                RBAC + "/v1",
                kind + "Binding",
                namespaced,
                "roleRef",
                map("apiGroup", RBAC, "kind", kind, "name", name),
                "subjects",
                list(map("kind", "ServiceAccount", "name", account, "namespace", values.namespace())));
    }

    private Map<String, Object> ownLease() {
        Map<String, Object> rule = SliceParts.rule("coordination.k8s.io", "leases", "get", "patch");
        rule.put("resourceNames", list(name));
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
                        replicas,
                        "selector",
                        map("matchLabels", labels()),
                        "template",
                        map("metadata", map("labels", labels()), "spec", pod())));
    }

    private Map<String, Object> pod() {
        return map(
                "serviceAccountName",
                name,
                "imagePullSecrets",
                values.pullSecrets(),
                "securityContext",
                map("runAsNonRoot", true, "seccompProfile", map("type", "RuntimeDefault")),
                "containers",
                list(spec()),
                "nodeSelector",
                values.nodeSelector(),
                "tolerations",
                values.tolerations(),
                "affinity",
                values.affinity(),
                "volumes",
                volumes());
    }

    private List<Object> volumes() {
        Map<String, Object> own = map("name", "tmp", "emptyDir", map("sizeLimit", "64Mi"));
        return webhook
                ? list(own, map("name", "webhook", "secret", map("secretName", secret(), "optional", true)))
                : list(own);
    }

    private List<Object> mounts() {
        Map<String, Object> own = map("name", "tmp", "mountPath", "/tmp");
        return webhook ? list(own, map("name", "webhook", "mountPath", CERTIFICATES, "readOnly", true)) : list(own);
    }

    private List<Object> ports() {
        Map<String, Object> own = map("name", "probes", "containerPort", PROBES);
        return webhook ? list(own, map("name", "webhook", "containerPort", WEBHOOK)) : list(own);
    }

    /** Of the webhook's certificate. */
    String secret() {
        return name + "-webhook";
    }

    /**
     * By which the API server reaches the webhook.
     *
     * @param annotations by which OpenShift makes the certificate
     */
    Map<String, Object> service(Object annotations) {
        Map<String, Object> service = named(
                "v1",
                "Service",
                true,
                "spec",
                map("selector", labels(), "ports", list(map("name", "webhook", "port", 443, "targetPort", "webhook"))));
        Map<String, Object> metadata = map("name", name, "namespace", values.namespace(), "labels", labels());
        metadata.put("annotations", annotations);
        service.put("metadata", metadata);
        return service;
    }

    /** While one goes, another one answers. */
    Map<String, Object> disruptionBudget() {
        return named(
                "policy/v1",
                "PodDisruptionBudget",
                true,
                "spec",
                map("maxUnavailable", 1, "selector", map("matchLabels", labels())));
    }

    private Map<String, Object> spec() {
        List<Object> args = new ArrayList<>(arguments);
        args.add("--lease=$(SRO_NAMESPACE)/" + name);
        args.add("--probes=0.0.0.0:" + PROBES);
        return map(
                "name",
                container,
                "image",
                values.image(),
                "imagePullPolicy",
                values.pullPolicy(),
                "args",
                args,
                "env",
                list(map(
                        "name", "SRO_NAMESPACE", "valueFrom", map("fieldRef", map("fieldPath", "metadata.namespace")))),
                "ports",
                ports(),
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
                mounts());
    }

    private Map<String, Object> labels() {
        return map("app.kubernetes.io/name", name);
    }

    private Map<String, Object> named(String apiVersion, String kind, boolean namespaced, Object... more) {
        Map<String, Object> metadata = map("name", name);
        if (namespaced) {
            metadata.put("namespace", values.namespace());
        }
        metadata.put("labels", labels());
        Map<String, Object> object = map("apiVersion", apiVersion, "kind", kind, "metadata", metadata);
        object.putAll(map(more));
        return object;
    }
}
