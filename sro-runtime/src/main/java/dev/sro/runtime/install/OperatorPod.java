package dev.sro.runtime.install;

import static dev.sro.core.model.TreeLiterals.list;
import static dev.sro.core.model.TreeLiterals.map;

import dev.sro.core.client.rights.Grant;
import java.util.Map;

/** The pod that runs the operator. Immutable. */
final class OperatorPod {
    private final Installation.Values values;

    OperatorPod(Installation.Values values) {
        this.values = values;
    }

    Map<String, Object> spec() {
        return map(
                "serviceAccountName",
                Grant.NAME,
                "imagePullSecrets",
                values.pullSecrets(),
                "securityContext",
                // The user is that of the image: OpenShift gives pods one of the namespace, and refuses one that is
                // named.
                map("runAsNonRoot", true, "seccompProfile", map("type", "RuntimeDefault")),
                "terminationGracePeriodSeconds",
                30,
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
                        map("matchLabels", Installation.labels()))),
                "volumes",
                Installation.more(
                        values.openings().extraVolumes(),
                        map("name", "tmp", "emptyDir", map("sizeLimit", "256Mi")),
                        map("name", "config", "configMap", map("name", Grant.NAME, "optional", true)),
                        map("name", "webhook", "secret", map("secretName", Installation.WEBHOOK, "optional", true))));
    }

    private Map<String, Object> container() {
        return map(
                "name", "operator",
                "image", values.image(),
                "imagePullPolicy", values.pullPolicy(),
                "args", values.extraArgs(),
                "env",
                        Installation.more(
                                values.openings().extraEnv(),
                                map(
                                        "name",
                                        "SRO_NAMESPACE",
                                        "valueFrom",
                                        map("fieldRef", map("fieldPath", "metadata.namespace"))),
                                map("name", "SRO_LOG_FORMAT", "value", values.logFormat()),
                                map("name", "SRO_LOG_LEVEL_FILE", "value", "/etc/sro/log-level"),
                                map("name", "SRO_RUNTIME_IMAGE", "value", values.runtimeImage()),
                                map(
                                        "name",
                                        "SRO_RECIPE_ACCOUNT",
                                        "value",
                                        values.openings().recipeAccount()),
                                map(
                                        "name",
                                        "SRO_OUTGOING",
                                        "value",
                                        values.openings().outgoing()),
                                map(
                                        "name",
                                        "SRO_METRICS_ADDRESS",
                                        "value",
                                        values.openings().metricsAddress()),
                                map("name", "SRO_WEBHOOK_ADDRESS", "value", values.webhookAddress()),
                                map("name", "SRO_WEBHOOK_ANNOTATIONS", "value", values.webhookAnnotations())),
                "ports",
                        list(
                                map("name", "http", "containerPort", Installation.PORT),
                                map("name", Installation.METRICS_PORT_NAME, "containerPort", Installation.METRICS_PORT),
                                map("name", "webhook", "containerPort", Installation.WEBHOOK_PORT)),
                "livenessProbe",
                        map(
                                "httpGet", map("path", "/livez", "port", "http"),
                                "initialDelaySeconds", 10,
                                "periodSeconds", 20,
                                "failureThreshold", 3),
                "readinessProbe", map("httpGet", map("path", "/readyz", "port", "http"), "periodSeconds", 5),
                "resources", values.resources(),
                "securityContext",
                        map(
                                "allowPrivilegeEscalation", false,
                                "readOnlyRootFilesystem", true,
                                "capabilities", map("drop", list("ALL"))),
                "volumeMounts",
                        Installation.more(
                                values.openings().extraVolumeMounts(),
                                map("name", "tmp", "mountPath", "/tmp"),
                                map("name", "config", "mountPath", "/etc/sro", "readOnly", true),
                                map("name", "webhook", "mountPath", "/etc/sro-webhook", "readOnly", true)));
    }
}
