package dev.sro.runtime.install;

import static dev.sro.core.model.TreeLiterals.list;
import static dev.sro.core.model.TreeLiterals.map;

import dev.sro.core.client.rights.Grant;
import dev.sro.core.model.RecipeAccount;
import dev.sro.core.plugin.LoadedPlugin;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Everything that installs the operator, but for the definition of SpecialResource: the one source of the kustomize base and of the
 * Helm chart. Immutable.
 */
final class Installation {

    /** Where probes are, and metrics that everybody may read. */
    static final int PORT = 8080;

    /** Where metrics are that not everybody may read. */
    static final int METRICS_PORT = 8443;

    /** What the ports of the Service are called. */
    static final String PORT_NAME = "http";

    static final String METRICS_PORT_NAME = "metrics";

    /** Where admission webhooks are, if they are. */
    static final int WEBHOOK_PORT = 9443;

    /** Of the webhooks: the Service, and the Secret with the certificate. */
    static final String WEBHOOK = Grant.NAME + "-webhook";

    private final Values values;
    private final List<Grant> grants;
    private final RoleObjects roles;

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
            Object runtimeImage,
            Object webhookAddress,
            Object webhookAnnotations,
            Object webhookServiceAnnotations,
            Object extraArgs,
            Object monitoringLabels,
            Openings openings) {

        /** With a server of admission webhooks. */
        Values withWebhook(String address, String annotations, Map<String, Object> serviceAnnotations) {
            return new Values(
                    namespace,
                    image,
                    pullPolicy,
                    pullSecrets,
                    replicas,
                    resources,
                    nodeSelector,
                    tolerations,
                    affinity,
                    logFormat,
                    logLevel,
                    runtimeImage,
                    address,
                    annotations,
                    serviceAnnotations,
                    extraArgs,
                    monitoringLabels,
                    openings);
        }
    }

    /** By whose rights it applies recipes, whom it reaches, who reaches it, and what is mounted into it. */
    record Openings(
            Object recipeAccount,
            Object outgoing,
            Object extraEnv,
            Object extraVolumes,
            Object extraVolumeMounts,
            Object metricsAddress,
            Object metricsPort,
            Object metricsScheme,
            Object metricsNumber,
            Object metricsFrom,
            Object egressPorts) {}

    /** @param further what is granted whatever the plugins are */
    Installation(Values values, String namespace, List<LoadedPlugin> plugins, Grant.Further further) {
        this.values = values;
        this.roles = new RoleObjects(values.namespace);
        this.grants = Grant.all(namespace, plugins, further);
    }

    /** Objects by the file that they are in, files in the order in which to apply them. */
    Map<String, List<Map<String, Object>>> files() {
        Map<String, List<Map<String, Object>>> files = new LinkedHashMap<>();
        files.put("serviceaccount.yaml", List.of(object("v1", "ServiceAccount", values.namespace)));
        Grant accounts = Grant.recipeAccounts(RecipeAccount.DEFAULT);
        files.put(
                "rbac.yaml",
                roles.of(grants.stream()
                        .filter(grant -> !grant.name().equals(accounts.name()))
                        .toList()));
        List<Map<String, Object>> recipes = roles.of(List.of(accounts));
        recipes.add(RoleObjects.recipes());
        files.put("rbac-recipes.yaml", recipes);
        files.put("config.yaml", List.of(levels()));
        files.put("deployment.yaml", List.of(deployment()));
        files.put("service.yaml", List.of(service()));
        files.put("webhook.yaml", List.of(webhook()));
        files.put("poddisruptionbudget.yaml", List.of(budget()));
        files.put("networkpolicy.yaml", List.of(network()));
        return files;
    }

    /** What watches the operator, by file: for clusters with the operator of Prometheus and the sidecar of Grafana. */
    Map<String, List<Map<String, Object>>> monitoring() {
        return new MonitoringManifests(values.namespace, values.monitoringLabels, values.openings).files();
    }

    /** The dashboard of {@link #monitoring} for clusters with the operator of Grafana, by file. */
    Map<String, List<Map<String, Object>>> grafana() {
        return new MonitoringManifests(values.namespace, values.monitoringLabels, values.openings).grafana();
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

    static Map<String, Object> labels() {
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
        List<Map<String, Object>> objects = roles.of(grants);
        objects.add(RoleObjects.recipes());
        return objects;
    }

    /** Those of builds of images; empty where that is granted anyway. */
    Optional<List<Map<String, Object>>> optionalBuilds() {
        return optional(Grant.builds());
    }

    /** Those of partitioning; empty where that is granted anyway. */
    Optional<List<Map<String, Object>>> optionalPartitioning() {
        return optional(Grant.partitioning());
    }

    private Optional<List<Map<String, Object>>> optional(Grant further) {
        return grants.stream().anyMatch(grant -> grant.name().equals(further.name()))
                ? Optional.empty()
                : Optional.of(roles.of(List.of(further)));
    }

    /** Those of one plugin. */
    List<Map<String, Object>> access(LoadedPlugin plugin) {
        return roles.of(Grant.plugin(plugin).stream().toList());
    }

    private Map<String, Object> levels() {
        return object("v1", "ConfigMap", values.namespace, "data", map("log-level", values.logLevel));
    }

    Map<String, Object> deployment() {
        Map<String, Object> template = map("metadata", map("labels", labels()), "spec", new OperatorPod(values).spec());
        return object(
                "apps/v1",
                "Deployment",
                values.namespace,
                "spec",
                map("replicas", values.replicas, "selector", map("matchLabels", labels()), "template", template));
    }

    Map<String, Object> service() {
        return object(
                "v1",
                "Service",
                values.namespace,
                "spec",
                map(
                        "selector", labels(),
                        "ports",
                                list(
                                        map("name", PORT_NAME, "port", PORT, "targetPort", "http"),
                                        map(
                                                "name",
                                                METRICS_PORT_NAME,
                                                "port",
                                                METRICS_PORT,
                                                "targetPort",
                                                METRICS_PORT_NAME))));
    }

    /** By which the API server reaches the webhooks; OpenShift makes the certificate where an annotation asks for it. */
    Map<String, Object> webhook() {
        return map(
                "apiVersion",
                "v1",
                "kind",
                "Service",
                "metadata",
                map(
                        "name",
                        WEBHOOK,
                        "namespace",
                        values.namespace,
                        "labels",
                        labels(),
                        "annotations",
                        values.webhookServiceAnnotations),
                "spec",
                map(
                        "selector", labels(),
                        "ports", list(map("name", "webhook", "port", 443, "targetPort", "webhook"))));
    }

    Map<String, Object> budget() {
        return object(
                "policy/v1",
                "PodDisruptionBudget",
                values.namespace,
                "spec",
                map("maxUnavailable", 1, "selector", map("matchLabels", labels())));
    }

    /**
     * In: metrics from pods of the cluster, and webhooks, as no policy can name an API server; kubelet's probes come from the node, which
     * no policy keeps out. Out: names (OpenShift's DNS listens on 5353), the API server, charts and registries.
     */
    private Map<String, Object> network() {
        List<Object> in = new ArrayList<>();
        in.add(map(
                "ports",
                list(map("protocol", "TCP", "port", values.openings.metricsNumber())),
                "from",
                values.openings.metricsFrom()));
        in.add(map("ports", list(port("TCP", WEBHOOK_PORT))));
        return object(
                "networking.k8s.io/v1",
                "NetworkPolicy",
                values.namespace,
                "spec",
                map(
                        "podSelector", map("matchLabels", labels()),
                        "policyTypes", list("Ingress", "Egress"),
                        "ingress", in,
                        "egress",
                                list(map(
                                        "ports",
                                        more(
                                                values.openings.egressPorts(),
                                                port("UDP", 53),
                                                port("TCP", 53),
                                                port("UDP", 5353),
                                                port("TCP", 5353),
                                                port("TCP", 80),
                                                port("TCP", 443),
                                                port("TCP", 5000),
                                                port("TCP", 6443),
                                                port("TCP", 8443))))));
    }

    /** A list with what somebody adds: items, or the place in a chart where they go. */
    static List<Object> more(Object added, Object... items) {
        List<Object> all = new ArrayList<>(List.of(items));
        if (added instanceof List<?> given) {
            all.addAll(given);
        } else {
            all.add(added);
        }
        return all;
    }

    private static Map<String, Object> port(String protocol, int number) {
        return map("protocol", protocol, "port", number);
    }
}
