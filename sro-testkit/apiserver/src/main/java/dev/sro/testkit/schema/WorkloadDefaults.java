package dev.sro.testkit.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** Defaults of DaemonSets, Deployments and the other kinds that make pods. */
final class WorkloadDefaults {
    private WorkloadDefaults() {}

    private static ObjectNode withTemplate(ObjectNode object) {
        ObjectNode spec = JsonTree.ensure(object, "spec");
        PodDefaults.template(JsonTree.ensure(spec, "template"));
        return spec;
    }

    static void daemonSet(ObjectNode object) {
        // A field of old versions, which lives on as an annotation; the server counts it.
        ObjectNode annotations = JsonTree.ensure(JsonTree.ensure(object, "metadata"), "annotations");
        JsonTree.absent(annotations, "deprecated.daemonset.template.generation", "0");
        ObjectNode spec = withTemplate(object);
        ObjectNode strategy = JsonTree.ensure(spec, "updateStrategy");
        JsonTree.text(strategy, "type", "RollingUpdate");
        if (JsonTree.text(strategy, "type").equals("RollingUpdate")) {
            ObjectNode rolling = JsonTree.ensure(strategy, "rollingUpdate");
            JsonTree.number(rolling, "maxUnavailable", 1);
            JsonTree.number(rolling, "maxSurge", 0);
        } else if (JsonTree.object(strategy, "rollingUpdate") != null) {
            // Given in vain, but the server has no way to leave its numbers out.
            ObjectNode rolling = JsonTree.ensure(strategy, "rollingUpdate");
            JsonTree.number(rolling, "maxUnavailable", 0);
            JsonTree.number(rolling, "maxSurge", 0);
        }
        JsonTree.number(spec, "revisionHistoryLimit", 10);
    }

    static void deployment(ObjectNode object) {
        ObjectNode spec = withTemplate(object);
        JsonTree.number(spec, "replicas", 1);
        ObjectNode strategy = JsonTree.ensure(spec, "strategy");
        JsonTree.text(strategy, "type", "RollingUpdate");
        if (JsonTree.text(strategy, "type").equals("RollingUpdate")) {
            ObjectNode rolling = JsonTree.ensure(strategy, "rollingUpdate");
            percentage(rolling, "maxUnavailable");
            percentage(rolling, "maxSurge");
        }
        JsonTree.number(spec, "revisionHistoryLimit", 10);
        JsonTree.number(spec, "progressDeadlineSeconds", 600);
    }

    private static void percentage(ObjectNode rolling, String field) {
        if (!rolling.hasNonNull(field)) {
            rolling.put(field, "25%");
        }
    }

    static void replicaSet(ObjectNode object) {
        JsonTree.number(withTemplate(object), "replicas", 1);
    }

    static void replicationController(ObjectNode object) {
        ObjectNode spec = JsonTree.ensure(object, "spec");
        if (JsonTree.object(spec, "template") != null) {
            PodDefaults.template(JsonTree.ensure(spec, "template"));
        }
        JsonTree.number(spec, "replicas", 1);
        JsonNode labels = spec.path("template").path("metadata").get("labels");
        if (labels != null && !labels.isEmpty()) {
            if (spec.path("selector").isEmpty()) {
                spec.set("selector", labels.deepCopy());
            }
            ObjectNode metadata = JsonTree.ensure(object, "metadata");
            if (metadata.path("labels").isEmpty()) {
                metadata.set("labels", labels.deepCopy());
            }
        }
    }

    static void statefulSet(ObjectNode object) {
        ObjectNode spec = withTemplate(object);
        JsonTree.text(spec, "podManagementPolicy", "OrderedReady");
        JsonTree.number(spec, "replicas", 1);
        JsonTree.number(spec, "revisionHistoryLimit", 10);
        ObjectNode strategy = JsonTree.ensure(spec, "updateStrategy");
        if (JsonTree.text(strategy, "type").isEmpty()) {
            strategy.put("type", "RollingUpdate");
            JsonTree.ensure(strategy, "rollingUpdate");
        }
        ObjectNode rolling = JsonTree.object(strategy, "rollingUpdate");
        if (rolling != null && JsonTree.text(strategy, "type").equals("RollingUpdate")) {
            JsonTree.number(rolling, "partition", 0);
        }
        ObjectNode retention = JsonTree.ensure(spec, "persistentVolumeClaimRetentionPolicy");
        JsonTree.text(retention, "whenDeleted", "Retain");
        JsonTree.text(retention, "whenScaled", "Retain");
        for (ObjectNode claim : JsonTree.objects(spec, "volumeClaimTemplates")) {
            claim.put("apiVersion", "v1").put("kind", "PersistentVolumeClaim");
            BuiltinDefaults.claimSpec(JsonTree.ensure(claim, "spec"));
            JsonTree.text(JsonTree.ensure(claim, "status"), "phase", "Pending");
        }
    }

    static void job(ObjectNode object) {
        ObjectNode spec = JsonTree.ensure(object, "spec");
        JsonNode labels = spec.path("template").path("metadata").path("labels");
        ObjectNode metadata = JsonTree.ensure(object, "metadata");
        if (!labels.isEmpty() && metadata.path("labels").isEmpty()) {
            metadata.set("labels", labels.deepCopy());
        }
        PodDefaults.template(JsonTree.ensure(spec, "template"));
        if (!spec.hasNonNull("completions") && !spec.hasNonNull("parallelism")) {
            spec.put("completions", 1);
        }
        JsonTree.number(spec, "parallelism", 1);
        boolean perIndex = spec.hasNonNull("backoffLimitPerIndex");
        JsonTree.number(spec, "backoffLimit", perIndex ? Integer.MAX_VALUE : 6);
        JsonTree.absent(spec, "completionMode", "NonIndexed");
        JsonTree.flag(spec, "suspend", false);
        JsonTree.flag(spec, "manualSelector", false);
        boolean hasFailurePolicy = spec.hasNonNull("podFailurePolicy");
        JsonTree.absent(spec, "podReplacementPolicy", hasFailurePolicy ? "Failed" : "TerminatingOrFailed");
        for (ObjectNode rule : JsonTree.objects(spec.get("podFailurePolicy"), "rules")) {
            for (ObjectNode pattern : JsonTree.objects(rule, "onPodConditions")) {
                JsonTree.text(pattern, "status", "True");
            }
        }
    }

    static void cronJob(ObjectNode object) {
        ObjectNode spec = JsonTree.ensure(object, "spec");
        JsonTree.text(spec, "concurrencyPolicy", "Allow");
        JsonTree.flag(spec, "suspend", false);
        JsonTree.number(spec, "successfulJobsHistoryLimit", 3);
        JsonTree.number(spec, "failedJobsHistoryLimit", 1);
        ObjectNode job = JsonTree.ensure(JsonTree.ensure(spec, "jobTemplate"), "spec");
        PodDefaults.template(JsonTree.ensure(job, "template"));
    }
}
