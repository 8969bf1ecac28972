package dev.sro.runtime.install;

import static dev.sro.core.model.TreeLiterals.list;
import static dev.sro.core.model.TreeLiterals.map;

import dev.sro.core.das.DasNames;
import dev.sro.core.placement.SliceWebhook;
import dev.sro.core.slicing.catalogue.Catalogue;
import dev.sro.runtime.scheduler.SchedulerConfig;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What installs {@code sro slices scheduler}: for clusters where slices come from device plugins, and for none that was not asked. Immutable.
 *
 * @param values of the installation, or the places in a chart where they go
 * @param webhook likewise
 * @param arguments of the command, beside its own
 */
record SliceParts(Installation.Values values, Webhook webhook, List<Object> arguments) {
    /** Name of all of them. */
    static final String NAME = SliceWebhook.NAME;

    private static final int PROBES = 8080;
    private static final int WEBHOOK = 9443;
    static final String SECRET = NAME + "-webhook";
    private static final String CERTIFICATES = "/etc/sro-webhook";
    private static final String RBAC = "rbac.authorization.k8s.io";

    /** By which pods choose the second scheduler. */
    private static final String SCHEDULER = NAME;

    /** The release whose scheduler is taken where nobody says; it has to be that of the cluster. */
    private static final String SCHEDULER_IMAGE = "registry.k8s.io/kube-scheduler:v1.35.0";

    /**
     * How the API server asks.
     *
     * @param path of the rules for pods
     * @param annotations of the configuration, by which somebody writes the CA
     * @param caBundle base64 of PEM
     * @param serviceAnnotations of the Service, by which OpenShift makes the certificate
     */
    record Webhook(Object path, Object annotations, Object caBundle, Object serviceAnnotations) {}

    /** Objects by the file that they are in. The definitions are not among them. */
    Map<String, List<Map<String, Object>>> files() {
        Map<String, List<Map<String, Object>>> files = new LinkedHashMap<>();
        files.put("serviceaccount.yaml", List.of(own("v1", "ServiceAccount")));
        files.put("rbac.yaml", rights());
        files.put("deployment.yaml", List.of(deployment()));
        Map<String, Object> service = own(
                "v1",
                "Service",
                "spec",
                map("selector", labels(), "ports", list(map("name", "webhook", "port", 443, "targetPort", "webhook"))));
        Map<String, Object> metadata = map("name", NAME, "namespace", values.namespace(), "labels", labels());
        metadata.put("annotations", webhook.serviceAnnotations());
        service.put("metadata", metadata);
        files.put("service.yaml", List.of(service));
        files.put(
                "poddisruptionbudget.yaml",
                List.of(own(
                        "policy/v1",
                        "PodDisruptionBudget",
                        "spec",
                        map("maxUnavailable", 1, "selector", map("matchLabels", labels())))));
        return files;
    }

    /** What makes the API server ask: only once something answers. */
    Map<String, Object> configuration() {
        return SliceWebhook.configuration(
                webhook.path(), values.namespace(), webhook.annotations(), webhook.caBundle());
    }

    /** A scheduler beside it that asks it: its configuration and its rights. */
    List<Map<String, Object>> extender() {
        String config = Yaml.write(new SchedulerConfig(
                        "http://127.0.0.1:8888", SCHEDULER, 10, Optional.empty(), Optional.empty(), false, "", "")
                .tree(Catalogue.builtin().models()));
        return List.of(
                named("v1", "ConfigMap", NAME + "-config", true, "data", map("config.yaml", config)),
                binding("system:kube-scheduler"),
                binding("system:volume-scheduler"));
    }

    /** What it changes of the Deployment: one replica, as each scheduler asks the extender of its own pod. */
    Map<String, Object> extenderPatch() {
        Map<String, Object> scheduler = map(
                "name",
                "kube-scheduler",
                "image",
                SCHEDULER_IMAGE,
                "command",
                list("kube-scheduler", "--config=/etc/sro-slices/config.yaml", "--secure-port=0"),
                "resources",
                map("requests", map("cpu", "50m", "memory", "64Mi")),
                "securityContext",
                locked(),
                "volumeMounts",
                list(map("name", "config", "mountPath", "/etc/sro-slices", "readOnly", true)));
        String pod = "/spec/template/spec/";
        return map(
                "target",
                map("kind", "Deployment", "name", NAME),
                "patch",
                Yaml.list(List.of(
                        map("op", "replace", "path", "/spec/replicas", "value", 1),
                        map("op", "add", "path", "/spec/strategy", "value", map("type", "Recreate")),
                        map("op", "add", "path", pod + "containers/0/args/-", "value", "--extender=127.0.0.1:8888"),
                        map("op", "add", "path", pod + "containers/-", "value", scheduler),
                        map(
                                "op",
                                "add",
                                "path",
                                pod + "volumes/-",
                                "value",
                                map("name", "config", "configMap", map("name", NAME + "-config"))))));
    }

    /** To act on a DASOperator: it is read, its status is written, and of the agents' DaemonSet what it asks for. Claims are looked at before agents go. */
    List<Map<String, Object>> dasRights() {
        String name = NAME + "-das-operator";
        Map<String, Object> agents = rule("apps", "daemonsets", "get", "list", "watch", "patch");
        agents.put("resourceNames", list("sro-agent"));
        return List.of(
                named(
                        RBAC + "/v1",
                        "ClusterRole",
                        name,
                        false,
                        "rules",
                        list(
                                rule(DasNames.GROUP, "dasoperators", "get", "list", "watch"),
                                rule(DasNames.GROUP, "dasoperators/status", "patch"),
                                agents,
                                rule("resource.k8s.io", "resourceclaims", "list"))),
                named(
                        RBAC + "/v1",
                        "ClusterRoleBinding",
                        name,
                        false,
                        "roleRef",
                        map("apiGroup", RBAC, "kind", "ClusterRole", "name", name),
                        "subjects",
                        subjects()));
    }

    /** What has the installed one act on a DASOperator. */
    static Map<String, Object> dasPatch() {
        return map(
                "target",
                map("kind", "Deployment", "name", NAME),
                "patch",
                Yaml.list(List.of(map(
                        "op", "add", "path", "/spec/template/spec/containers/0/args/-", "value", "--das-operator"))));
    }

    private Map<String, Object> binding(String role) {
        return named(
                RBAC + "/v1",
                "ClusterRoleBinding",
                NAME + "-" + role.substring(role.indexOf(':') + 1),
                false,
                "roleRef",
                map("apiGroup", RBAC, "kind", "ClusterRole", "name", role),
                "subjects",
                subjects());
    }

    private List<Map<String, Object>> rights() {
        Map<String, Object> reference = map("apiGroup", RBAC, "kind", "ClusterRole", "name", NAME);
        Map<String, Object> lease = map("apiGroup", RBAC, "kind", "Role", "name", NAME);
        return List.of(
                named(
                        RBAC + "/v1",
                        "ClusterRole",
                        NAME,
                        false,
                        "rules",
                        list(
                                rule(DasNames.GROUP, DasNames.NODES, "list", "watch"),
                                rule(DasNames.GROUP, DasNames.CLAIMS, "get", "list", "watch", "create", "delete"),
                                rule("", "nodes", "list", "watch"),
                                rule("", "pods", "get", "list", "watch", "patch"))),
                named(RBAC + "/v1", "ClusterRoleBinding", NAME, false, "roleRef", reference, "subjects", subjects()),
                named(
                        RBAC + "/v1",
                        "Role",
                        NAME,
                        true,
                        "rules",
                        list(rule("coordination.k8s.io", "leases", "create"), ownLease())),
                named(RBAC + "/v1", "RoleBinding", NAME, true, "roleRef", lease, "subjects", subjects()));
    }

    private static Map<String, Object> ownLease() {
        Map<String, Object> rule = rule("coordination.k8s.io", "leases", "get", "patch");
        rule.put("resourceNames", list(NAME));
        return rule;
    }

    static Map<String, Object> rule(String group, String resource, Object... verbs) {
        return map("apiGroups", list(group), "resources", list(resource), "verbs", list(verbs));
    }

    private List<Object> subjects() {
        return list(map("kind", "ServiceAccount", "name", NAME, "namespace", values.namespace()));
    }

    private Map<String, Object> deployment() {
        return own(
                "apps/v1",
                "Deployment",
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
                        map("name", "tmp", "emptyDir", map("sizeLimit", "64Mi")),
                        map("name", "webhook", "secret", map("secretName", SECRET, "optional", true))));
    }

    private Map<String, Object> container() {
        return map(
                "name",
                "slices",
                "image",
                values.image(),
                "imagePullPolicy",
                values.pullPolicy(),
                "args",
                args(),
                "env",
                list(map(
                        "name", "SRO_NAMESPACE", "valueFrom", map("fieldRef", map("fieldPath", "metadata.namespace")))),
                "ports",
                list(map("name", "probes", "containerPort", PROBES), map("name", "webhook", "containerPort", WEBHOOK)),
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
                map("requests", map("cpu", "50m", "memory", "192Mi"), "limits", map("memory", "512Mi")),
                "securityContext",
                locked(),
                "volumeMounts",
                list(
                        map("name", "tmp", "mountPath", "/tmp"),
                        map("name", "webhook", "mountPath", CERTIFICATES, "readOnly", true)));
    }

    private List<Object> args() {
        List<Object> args = new ArrayList<>(list(
                "slices",
                "scheduler",
                "--gates",
                "--lease=$(SRO_NAMESPACE)/" + NAME,
                "--webhook=0.0.0.0:" + WEBHOOK,
                "--webhook-certificates=" + CERTIFICATES,
                "--probes=0.0.0.0:" + PROBES));
        args.addAll(arguments);
        return args;
    }

    static Map<String, Object> locked() {
        return map(
                "allowPrivilegeEscalation",
                false,
                "readOnlyRootFilesystem",
                true,
                "capabilities",
                map("drop", list("ALL")));
    }

    private static Map<String, Object> labels() {
        return map("app.kubernetes.io/name", NAME);
    }

    private Map<String, Object> own(String apiVersion, String kind, Object... more) {
        return named(apiVersion, kind, NAME, true, more);
    }

    private Map<String, Object> named(String apiVersion, String kind, String name, boolean namespaced, Object... more) {
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
