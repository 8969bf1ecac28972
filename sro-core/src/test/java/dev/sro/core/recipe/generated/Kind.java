package dev.sro.core.recipe.generated;

import java.util.List;

/** Kinds of recipes, in the order in which helm installs them. */
enum Kind {
    NAMESPACE("v1", "Namespace", true),
    SERVICE_ACCOUNT("v1", "ServiceAccount", false),
    SECRET("v1", "Secret", false),
    CONFIG_MAP("v1", "ConfigMap", false),
    DEFINITION("apiextensions.k8s.io/v1", "CustomResourceDefinition", true),
    CLUSTER_ROLE("rbac.authorization.k8s.io/v1", "ClusterRole", true),
    ROLE("rbac.authorization.k8s.io/v1", "Role", false),
    ROLE_BINDING("rbac.authorization.k8s.io/v1", "RoleBinding", false),
    CONSTRAINTS("security.openshift.io/v1", "SecurityContextConstraints", true),
    IMAGE_STREAM("image.openshift.io/v1", "ImageStream", false),
    BUILD_CONFIG("build.openshift.io/v1", "BuildConfig", false, "spec"),
    SERVICE("v1", "Service", false),
    DAEMON_SET("apps/v1", "DaemonSet", false, "spec", "template", "spec"),
    POD("v1", "Pod", false, "spec"),
    DEPLOYMENT("apps/v1", "Deployment", false, "spec", "template", "spec"),
    STATEFUL_SET("apps/v1", "StatefulSet", false, "spec", "template", "spec"),
    JOB("batch/v1", "Job", false, "spec", "template", "spec"),
    CRON_JOB("batch/v1", "CronJob", false, "spec", "jobTemplate", "spec", "template", "spec"),
    PROMETHEUS_RULE("monitoring.coreos.com/v1", "PrometheusRule", false),
    SERVICE_MONITOR("monitoring.coreos.com/v1", "ServiceMonitor", false);

    static final List<Kind> ALL = List.of(values());

    final String apiVersion;
    final String word;
    final boolean cluster;

    /** Where its node selector is, with slashes; empty for kinds that are on no node. */
    private final String path;

    Kind(String apiVersion, String word, boolean cluster, String... nodes) {
        this.apiVersion = apiVersion;
        this.word = word;
        this.cluster = cluster;
        this.path = String.join("/", nodes);
    }

    boolean runs() {
        return !path.isEmpty();
    }

    /** Where its node selector is; empty for kinds that are on no node. */
    List<String> nodes() {
        return runs() ? List.of(path.split("/")) : List.of();
    }

    /** Its place among those that are installed; the last ones, of which helm knows nothing, share one. */
    int rank() {
        return Math.min(ALL.indexOf(this), ALL.indexOf(PROMETHEUS_RULE));
    }

    /** Whose {@code app} labels carry the name of the object. */
    boolean hasApp() {
        return this == DAEMON_SET || this == DEPLOYMENT || this == STATEFUL_SET;
    }

    /** Whose pods have logs that can be waited for. */
    boolean hasLogs() {
        return hasApp() || this == POD || this == JOB;
    }

    /** Whose readiness can be told from that they are there. */
    boolean hasRule() {
        return (runs() && this != CRON_JOB) || this == DEFINITION;
    }
}
