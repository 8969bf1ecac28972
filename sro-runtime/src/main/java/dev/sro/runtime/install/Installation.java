package dev.sro.runtime.install;

import static dev.sro.runtime.install.Tree.list;
import static dev.sro.runtime.install.Tree.map;

import dev.sro.core.client.ClientRules;
import dev.sro.core.plugin.LoadedPlugin;
import io.fabric8.kubernetes.api.model.rbac.PolicyRule;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Everything that installs the operator, but for the definition of SpecialResource: the one source of the kustomize base and of the
 * Helm chart. Immutable.
 */
final class Installation {

    /** Where probes and metrics are. */
    static final int PORT = 8080;

    private static final String API_RBAC = "rbac.authorization.k8s.io/v1";
    private static final String RBAC_GROUP = "rbac.authorization.k8s.io";
    private static final int NON_ROOT = 65_532;

    private final Values values;
    private final List<Grant> grants;

    /** What differs from one installation to the next: values, or the places in a chart where they go. */
    record Values(
            Object namespace,
            Object image,
            Object pullPolicy,
            Object pullSecrets,
            Object replicas,
            Object resources,
            Object nodeSelector,
            Object tolerations,
            Object affinity,
            Object logFormat,
            Object logLevel,
            Object extraArgs) {}

    Installation(Values values, String namespace, List<LoadedPlugin> plugins) {
        this.values = values;
        this.grants = Grant.all(namespace, plugins);
    }

    /** Objects by the file that they are in, files in the order in which to apply them. */
    Map<String, List<Map<String, Object>>> files() {
        Map<String, List<Map<String, Object>>> files = new LinkedHashMap<>();
        files.put("serviceaccount.yaml", List.of(object("v1", "ServiceAccount", values.namespace)));
        files.put("rbac.yaml", access());
        files.put("config.yaml", List.of(levels()));
        files.put("deployment.yaml", List.of(deployment()));
        files.put("service.yaml", List.of(service()));
        files.put("poddisruptionbudget.yaml", List.of(budget()));
        files.put("networkpolicy.yaml", List.of(network()));
        return files;
    }

    /** The namespace, for the base: a chart is installed into one. */
    Map<String, Object> namespace() {
        return map(
                "apiVersion",
                "v1",
                "kind",
                "Namespace",
                "metadata",
                map("name", values.namespace, "labels", map("pod-security.kubernetes.io/enforce", "restricted")));
    }

    private static Map<String, Object> labels() {
        return map("app.kubernetes.io/name", Grant.NAME);
    }

    private static Map<String, Object> object(String apiVersion, String kind, Object namespace, Object... more) {
        Map<String, Object> object = map(
                "apiVersion",
                apiVersion,
                "kind",
                kind,
                "metadata",
                map("name", Grant.NAME, "namespace", namespace, "labels", labels()));
        object.putAll(map(more));
        return object;
    }

    /** The roles of all grants and what binds them to the operator's service account. */
    List<Map<String, Object>> access() {
        List<Map<String, Object>> objects = new ArrayList<>();
        for (Grant grant : grants) {
            String kind = grant.isClusterWide() ? "ClusterRole" : "Role";
            Map<String, Object> role = metadata(grant, kind);
            role.put("rules", grant.rules().stream().map(Installation::tree).toList());
            Map<String, Object> binding = metadata(grant, kind + "Binding");
            binding.put("roleRef", map("apiGroup", RBAC_GROUP, "kind", kind, "name", grant.name()));
            binding.put(
                    "subjects", list(map("kind", "ServiceAccount", "name", Grant.NAME, "namespace", values.namespace)));
            objects.add(role);
            objects.add(binding);
        }
        return objects;
    }

    private Map<String, Object> metadata(Grant grant, String kind) {
        Map<String, Object> metadata = map("name", grant.name());
        if (!grant.isClusterWide()) {
            metadata.put(
                    "namespace",
                    grant.namespace().equals(ClientRules.EVENT_NAMESPACE) ? grant.namespace() : values.namespace);
        }
        metadata.put("labels", labels());
        return map("apiVersion", API_RBAC, "kind", kind, "metadata", metadata);
    }

    private static Map<String, Object> tree(PolicyRule rule) {
        Map<String, Object> tree = map("apiGroups", rule.getApiGroups(), "resources", rule.getResources());
        if (!rule.getResourceNames().isEmpty()) {
            tree.put("resourceNames", rule.getResourceNames());
        }
        tree.put("verbs", rule.getVerbs());
        return tree;
    }

    private Map<String, Object> levels() {
        return object("v1", "ConfigMap", values.namespace, "data", map("log-level", values.logLevel));
    }

    private Map<String, Object> deployment() {
        Map<String, Object> pod = map(
                "serviceAccountName",
                Grant.NAME,
                "imagePullSecrets",
                values.pullSecrets,
                "securityContext",
                map(
                        "runAsNonRoot",
                        true,
                        "runAsUser",
                        NON_ROOT,
                        "runAsGroup",
                        NON_ROOT,
                        "seccompProfile",
                        map("type", "RuntimeDefault")),
                "terminationGracePeriodSeconds",
                30,
                "containers",
                list(container()),
                "nodeSelector",
                values.nodeSelector,
                "tolerations",
                values.tolerations,
                "affinity",
                values.affinity,
                "topologySpreadConstraints",
                list(map(
                        "maxSkew",
                        1,
                        "topologyKey",
                        "kubernetes.io/hostname",
                        "whenUnsatisfiable",
                        "ScheduleAnyway",
                        "labelSelector",
                        map("matchLabels", labels()))),
                "volumes",
                list(
                        map("name", "tmp", "emptyDir", map("sizeLimit", "256Mi")),
                        map("name", "config", "configMap", map("name", Grant.NAME, "optional", true))));
        return object(
                "apps/v1",
                "Deployment",
                values.namespace,
                "spec",
                map(
                        "replicas", values.replicas,
                        "selector", map("matchLabels", labels()),
                        "template", map("metadata", map("labels", labels()), "spec", pod)));
    }

    private Map<String, Object> container() {
        return map(
                "name", "operator",
                "image", values.image,
                "imagePullPolicy", values.pullPolicy,
                "args", values.extraArgs,
                "env",
                        list(
                                map(
                                        "name",
                                        "SRO_NAMESPACE",
                                        "valueFrom",
                                        map("fieldRef", map("fieldPath", "metadata.namespace"))),
                                map("name", "SRO_LOG_FORMAT", "value", values.logFormat),
                                map("name", "SRO_LOG_LEVEL_FILE", "value", "/etc/sro/log-level")),
                "ports", list(map("name", "http", "containerPort", PORT)),
                "livenessProbe",
                        map(
                                "httpGet", map("path", "/livez", "port", "http"),
                                "initialDelaySeconds", 10,
                                "periodSeconds", 20,
                                "failureThreshold", 3),
                "readinessProbe", map("httpGet", map("path", "/readyz", "port", "http"), "periodSeconds", 5),
                "resources", values.resources,
                "securityContext",
                        map(
                                "allowPrivilegeEscalation", false,
                                "readOnlyRootFilesystem", true,
                                "capabilities", map("drop", list("ALL"))),
                "volumeMounts",
                        list(
                                map("name", "tmp", "mountPath", "/tmp"),
                                map("name", "config", "mountPath", "/etc/sro", "readOnly", true)));
    }

    private Map<String, Object> service() {
        return object(
                "v1",
                "Service",
                values.namespace,
                "spec",
                map(
                        "selector", labels(),
                        "ports", list(map("name", "http", "port", PORT, "targetPort", "http"))));
    }

    private Map<String, Object> budget() {
        return object(
                "policy/v1",
                "PodDisruptionBudget",
                values.namespace,
                "spec",
                map("maxUnavailable", 1, "selector", map("matchLabels", labels())));
    }

    /** In: probes and metrics. Out: names and the API server, whose address no policy can name. */
    private Map<String, Object> network() {
        return object(
                "networking.k8s.io/v1",
                "NetworkPolicy",
                values.namespace,
                "spec",
                map(
                        "podSelector", map("matchLabels", labels()),
                        "policyTypes", list("Ingress", "Egress"),
                        "ingress", list(map("ports", list(port("TCP", PORT)))),
                        "egress",
                                list(map(
                                        "ports",
                                        list(port("UDP", 53), port("TCP", 53), port("TCP", 443), port("TCP", 6443))))));
    }

    private static Map<String, Object> port(String protocol, int number) {
        return map("protocol", protocol, "port", number);
    }
}
