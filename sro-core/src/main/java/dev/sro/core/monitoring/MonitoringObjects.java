package dev.sro.core.monitoring;

import dev.sro.api.PluginDescriptor;
import dev.sro.api.RecipeContext;
import dev.sro.api.operation.Monitoring;
import dev.sro.core.model.KubeObject;
import dev.sro.core.model.MetadataKeys;
import dev.sro.core.model.ValueTrees;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The objects of a {@link Monitoring}: a ServiceMonitor, a PrometheusRule, and each dashboard as a ConfigMap for the sidecar of Grafana
 * and as a GrafanaDashboard for its operator. Nothing waits for any of them. Stateless.
 */
public final class MonitoringObjects {

    /** The name of the state behind its four digits. */
    public static final String STATE = "monitoring";

    /** What the cluster need not serve, as {@code plural.group}. */
    public static final Set<String> OPTIONAL = Set.of(
            "servicemonitors.monitoring.coreos.com",
            "prometheusrules.monitoring.coreos.com",
            "grafanadashboards.grafana.integreatly.org");

    /** What OpenShift's monitoring of the platform asks for, on the namespace of the operands. */
    public static final String CLUSTER_MONITORING = "openshift.io/cluster-monitoring";

    private static final int MAX_NAME = 63;

    private final RecipeContext context;
    private final Monitoring monitoring;

    /** What of a plugin's operands the cluster need not serve, as {@code plural.group}: what it says itself, and its monitoring. */
    public static SortedSet<String> optional(PluginDescriptor plugin) {
        SortedSet<String> optional = new TreeSet<>(plugin.operandResources());
        optional.retainAll(OPTIONAL);
        optional.addAll(plugin.optionalCrds());
        return optional;
    }

    private MonitoringObjects(RecipeContext context, Monitoring monitoring) {
        this.context = context;
        this.monitoring = monitoring;
    }

    /**
     * The objects, as a recipe would have them: without namespace, owner and labels of SRO's.
     *
     * @param context the special resource and the cluster
     */
    public static List<KubeObject> render(RecipeContext context, Monitoring monitoring) {
        return new MonitoringObjects(context, monitoring).all();
    }

    private List<KubeObject> all() {
        List<KubeObject> objects = new ArrayList<>();
        monitoring.service().ifPresent(service -> objects.add(serviceMonitor(service)));
        Map<String, Object> rules = new PrometheusRules(context.name(), monitoring).spec();
        if (!rules.isEmpty()) {
            objects.add(
                    object("monitoring.coreos.com/v1", "PrometheusRule", "alerts", monitoring.labels(), "spec", rules));
        }
        new TreeMap<>(monitoring.dashboards()).forEach((name, json) -> {
            objects.add(configMap(name, json));
            objects.add(dashboard(name, json));
        });
        if (isClusterMonitoring(context, monitoring)) {
            objects.addAll(readByPrometheus());
        }
        return objects;
    }

    /** Whether OpenShift's own Prometheus is to read the metrics. */
    public static boolean isClusterMonitoring(RecipeContext context, Monitoring monitoring) {
        return monitoring.clusterMonitoring() && context.cluster().isOpenShift();
    }

    private String name(String part) {
        String suffix = "-" + MetadataKeys.fit(part, MAX_NAME / 2);
        return MetadataKeys.fit(context.name(), MAX_NAME - suffix.length()) + suffix;
    }

    private KubeObject object(
            String apiVersion, String kind, String part, Map<String, String> labels, String field, Object content) {
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("apiVersion", apiVersion);
        tree.put("kind", kind);
        Map<String, Object> metadata = new LinkedHashMap<>();
        metadata.put("name", name(part));
        metadata.put("labels", new TreeMap<>(labels));
        metadata.put("annotations", Map.of(MetadataKeys.WAIT, "false"));
        tree.put("metadata", metadata);
        tree.put(field, content);
        return KubeObject.of(tree);
    }

    /** A Service is known by its name, by which a ServiceMonitor cannot select: only by labels, which all of them have. */
    private KubeObject serviceMonitor(String service) {
        Map<String, Object> named = new LinkedHashMap<>();
        named.put("sourceLabels", List.of("__meta_kubernetes_service_name"));
        named.put("regex", service);
        named.put("action", "keep");
        Map<String, Object> node = new LinkedHashMap<>();
        node.put("sourceLabels", List.of("__meta_kubernetes_pod_node_name"));
        node.put("targetLabel", "node");
        node.put("action", "replace");
        Map<String, Object> endpoint = new LinkedHashMap<>();
        endpoint.put("port", monitoring.port());
        endpoint.put("path", monitoring.path());
        endpoint.put("interval", PrometheusRules.duration(monitoring.interval()));
        endpoint.put("relabelings", List.of(named, node));
        Map<String, Object> spec = new LinkedHashMap<>();
        spec.put(
                "selector",
                Map.of(
                        "matchLabels",
                        Map.of(MetadataKeys.SPECIAL_RESOURCE, MetadataKeys.specialResourceLabel(context.name()))));
        spec.put("endpoints", List.of(endpoint));
        return object("monitoring.coreos.com/v1", "ServiceMonitor", "exporter", monitoring.labels(), "spec", spec);
    }

    private KubeObject configMap(String name, String json) {
        Map<String, String> labels = new TreeMap<>(monitoring.labels());
        labels.put("grafana_dashboard", "1");
        return object("v1", "ConfigMap", name, labels, "data", Map.of(name + ".json", json));
    }

    private KubeObject dashboard(String name, String json) {
        Map<String, Object> spec = new LinkedHashMap<>();
        spec.put("instanceSelector", Map.of("matchLabels", new TreeMap<>(monitoring.grafanaSelector())));
        spec.put("allowCrossNamespaceImport", true);
        spec.put("json", json);
        // The selector of one that exists cannot be changed, so another selector is another object.
        String part = monitoring.grafanaSelector().equals(Monitoring.DEFAULT_GRAFANA)
                ? name
                : name + "-" + ValueTrees.digest(monitoring.grafanaSelector()).substring(0, 8);
        return object("grafana.integreatly.org/v1beta1", "GrafanaDashboard", part, monitoring.labels(), "spec", spec);
    }

    /** What the account of OpenShift's Prometheus needs to find what it reads. */
    private List<KubeObject> readByPrometheus() {
        String group = "rbac.authorization.k8s.io";
        Map<String, Object> rule = new LinkedHashMap<>();
        rule.put("apiGroups", List.of(""));
        rule.put("resources", List.of("services", "endpoints", "pods"));
        rule.put("verbs", List.of("get", "list", "watch"));
        KubeObject role = object(group + "/v1", "Role", "prometheus", Map.of(), "rules", List.of(rule));
        Map<String, Object> account = new LinkedHashMap<>();
        account.put("kind", "ServiceAccount");
        account.put("name", "prometheus-k8s");
        account.put("namespace", "openshift-monitoring");
        Map<String, Object> bound = new LinkedHashMap<>();
        bound.put("apiGroup", group);
        bound.put("kind", "Role");
        bound.put("name", name("prometheus"));
        KubeObject binding = object(group + "/v1", "RoleBinding", "prometheus", Map.of(), "subjects", List.of(account))
                .edit(tree -> tree.put("roleRef", bound));
        return List.of(role, binding);
    }
}
