package dev.sro.testkit.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Validation of the kinds that make pods from a template. */
final class WorkloadValidation {
    private static final Set<String> STATEFUL_MUTABLE = Set.of(
            "replicas",
            "ordinals",
            "template",
            "updateStrategy",
            "revisionHistoryLimit",
            "persistentVolumeClaimRetentionPolicy",
            "minReadySeconds");
    private static final String NOT_NEGATIVE = "must be greater than or equal to 0";

    private final List<FieldError> errors = new ArrayList<>();

    private WorkloadValidation() {}

    static List<FieldError> validate(String kind, ObjectNode object, @Nullable ObjectNode old) {
        WorkloadValidation v = new WorkloadValidation();
        JsonNode spec = object.path("spec");
        JsonNode before = old == null ? null : old.path("spec");
        if (!spec.equals(before)) {
            v.spec(kind, spec, before);
        }
        v.status(object.path("status"));
        return v.errors;
    }

    /** In the order in which the server reports. */
    private void spec(String kind, JsonNode spec, @Nullable JsonNode before) {
        boolean daemonSet = kind.equals("DaemonSet");
        if (before != null && daemonSet) {
            immutable(kind, spec, before);
        }
        count(spec, "replicas", "spec");
        template(kind, spec);
        if (kind.equals("Deployment")) {
            errors.addAll(DeploymentStrategy.validate(spec.path("strategy")));
        }
        count(spec, "minReadySeconds", "spec");
        if (daemonSet) {
            daemonSetStrategy(spec.path("updateStrategy"));
        }
        if (kind.equals("Deployment")) {
            count(spec, "revisionHistoryLimit", "spec");
            count(spec, "progressDeadlineSeconds", "spec");
            JsonNode deadline = spec.get("progressDeadlineSeconds");
            if (deadline != null
                    && deadline.asLong() <= spec.path("minReadySeconds").asLong()) {
                errors.add(FieldError.invalid(
                        "spec.progressDeadlineSeconds", deadline, "must be greater than minReadySeconds"));
            }
        }
        if (before != null && !daemonSet) {
            immutable(kind, spec, before);
        }
    }

    private void status(JsonNode status) {
        for (Map.Entry<String, JsonNode> e : status.properties()) {
            if (e.getValue().isNumber()) {
                count(status, e.getKey(), "status");
            }
        }
    }

    private void count(JsonNode parent, String field, String path) {
        if (parent.path(field).asLong() < 0) {
            errors.add(FieldError.invalid(path + "." + field, parent.get(field), NOT_NEGATIVE));
        }
    }

    private void immutable(String kind, JsonNode spec, JsonNode old) {
        if (kind.equals("StatefulSet")) {
            for (Map.Entry<String, JsonNode> e : spec.properties()) {
                if (!STATEFUL_MUTABLE.contains(e.getKey()) && !e.getValue().equals(old.get(e.getKey()))) {
                    errors.add(FieldError.forbidden(
                            "spec",
                            "updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template',"
                                    + " 'updateStrategy', 'revisionHistoryLimit',"
                                    + " 'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are forbidden"));
                    return;
                }
            }
        } else if (!spec.path("selector").equals(old.path("selector"))) {
            errors.add(FieldError.invalid("spec.selector", orNull(spec.get("selector")), "field is immutable"));
        }
    }

    private static JsonNode orNull(@Nullable JsonNode node) {
        return node == null ? NullNode.getInstance() : node;
    }

    private void template(String kind, JsonNode spec) {
        JsonNode selector = spec.get("selector");
        JsonNode labels = spec.path("template").path("metadata").get("labels");
        if (selector == null && !kind.equals("DaemonSet")) {
            errors.add(FieldError.required("spec.selector", ""));
        } else if (selector != null && selector.isEmpty() && !kind.equals("DaemonSet")) {
            errors.add(FieldError.invalid("spec.selector", selector, "empty selector is invalid for " + named(kind)));
        }
        if (!Selectors.matches(selector, labels)) {
            errors.add(FieldError.invalid(
                    "spec.template.metadata.labels", orNull(labels), "`selector` does not match template `labels`"));
        }
        ObjectNode pod = JsonTree.object(spec.get("template"), "spec");
        if (pod != null) {
            metadata(spec.path("template").path("metadata"), "spec.template");
            errors.addAll(PodValidation.validate(
                    kind.equals("StatefulSet") ? withClaims(pod, spec) : pod, "spec.template.spec"));
            claimTemplates(spec);
            String restart = JsonTree.text(pod, "restartPolicy");
            if (!restart.equals("Always") && Set.of("OnFailure", "Never").contains(restart)) {
                errors.add(FieldError.notSupported(
                        "spec.template.spec.restartPolicy", TextNode.valueOf(restart), List.of("\"Always\"")));
            }
            if (pod.hasNonNull("activeDeadlineSeconds")) {
                errors.add(FieldError.forbidden(
                        "spec.template.spec.activeDeadlineSeconds",
                        "activeDeadlineSeconds in " + kind + " is not Supported"));
            }
        }
    }

    /** What the claim templates make can be mounted. */
    private static ObjectNode withClaims(ObjectNode pod, JsonNode spec) {
        ObjectNode all = pod.deepCopy();
        ArrayNode volumes = all.get("volumes") instanceof ArrayNode some ? some : all.putArray("volumes");
        for (JsonNode claim : spec.path("volumeClaimTemplates")) {
            String name = claim.path("metadata").path("name").asText();
            if (!has(volumes, name)) {
                volumes.addObject()
                        .put("name", name)
                        .putObject("persistentVolumeClaim")
                        .put("claimName", name);
            }
        }
        return all;
    }

    private static boolean has(ArrayNode volumes, String name) {
        for (JsonNode volume : volumes) {
            if (volume.path("name").asText().equals(name)) {
                return true;
            }
        }
        return false;
    }

    private void claimTemplates(JsonNode spec) {
        JsonNode templates = spec.path("volumeClaimTemplates");
        for (int i = 0; i < templates.size(); i++) {
            errors.addAll(StorageValidation.claimOfTemplate(
                    templates.get(i).path("spec"), "spec.volumeClaimTemplates[" + i + "].spec"));
        }
    }

    /** Labels and annotations of a template; the server's path leaves the metadata out. */
    private void metadata(JsonNode metadata, String path) {
        Checks checks = new Checks(errors);
        checks.labels(metadata.path("labels"), path + ".labels");
        for (Map.Entry<String, JsonNode> annotation :
                metadata.path("annotations").properties()) {
            DeviceNames.labelKey(
                    annotation.getKey().toLowerCase(Locale.ROOT), annotation.getKey(), path + ".annotations", errors);
        }
    }

    static List<FieldError> replicationController(ObjectNode object) {
        WorkloadValidation v = new WorkloadValidation();
        JsonNode spec = object.path("spec");
        v.count(spec, "minReadySeconds", "spec");
        JsonNode selector = spec.path("selector");
        if (selector.isEmpty()) {
            v.errors.add(FieldError.required("spec.selector", ""));
        }
        v.count(spec, "replicas", "spec");
        if (!(spec.get("template") instanceof ObjectNode template)) {
            v.errors.add(FieldError.required("spec.template", ""));
            return v.errors;
        }
        JsonNode labels = template.path("metadata").get("labels");
        for (Map.Entry<String, JsonNode> wanted : selector.properties()) {
            if (labels == null || !wanted.getValue().equals(labels.get(wanted.getKey()))) {
                v.errors.add(FieldError.invalid(
                        "spec.template.metadata.labels",
                        orNull(labels),
                        "`selector` does not match template `labels`"));
                break;
            }
        }
        v.metadata(template.path("metadata"), "spec.template");
        if (template.get("spec") instanceof ObjectNode pod) {
            v.errors.addAll(PodValidation.validate(pod, "spec.template.spec"));
            String restart = JsonTree.text(pod, "restartPolicy");
            if (Set.of("OnFailure", "Never").contains(restart)) {
                v.errors.add(FieldError.notSupported(
                        "spec.template.spec.restartPolicy", TextNode.valueOf(restart), List.of("\"Always\"")));
            }
        }
        return v.errors;
    }

    private static String named(String kind) {
        if (kind.equals("ReplicaSet")) {
            // The rule was written for the other one.
            return "deployment";
        }
        return Character.toLowerCase(kind.charAt(0)) + kind.substring(1);
    }

    private void daemonSetStrategy(JsonNode strategy) {
        String type = JsonTree.text(strategy, "type");
        if (type.equals("OnDelete")) {
            return;
        }
        String path = "spec.updateStrategy";
        if (!type.equals("RollingUpdate")) {
            ObjectNode shown = JsonNodeFactory.instance.objectNode().put("Type", type);
            shown.set("RollingUpdate", NullNode.getInstance());
            errors.add(FieldError.notSupported(path, shown, List.of("\"RollingUpdate\"", "\"OnDelete\"")));
            return;
        }
        JsonNode rolling = strategy.path("rollingUpdate");
        Checks checks = new Checks(errors);
        checks.intOrPercent(rolling.path("maxUnavailable"), path + ".rollingUpdate.maxUnavailable");
        checks.intOrPercent(rolling.path("maxSurge"), path + ".rollingUpdate.maxSurge");
        boolean unavailable = positive(rolling.path("maxUnavailable"));
        boolean surge = positive(rolling.path("maxSurge"));
        if (unavailable && surge) {
            errors.add(FieldError.invalid(
                    path + ".rollingUpdate.maxSurge",
                    rolling.get("maxSurge"),
                    "may not be set when maxUnavailable is non-zero"));
        } else if (!unavailable && !surge) {
            errors.add(FieldError.required(path + ".rollingUpdate.maxUnavailable", "cannot be 0 when maxSurge is 0"));
        }
    }

    /** A text that is no share counts as nothing. */
    private static boolean positive(JsonNode intOrPercent) {
        return intOrPercent.isTextual() ? intOrPercent.textValue().matches("0*[1-9][0-9]*%") : intOrPercent.asInt() > 0;
    }

    static List<FieldError> job(String kind, ObjectNode object, @Nullable ObjectNode old) {
        WorkloadValidation v = new WorkloadValidation();
        boolean cron = kind.equals("CronJob");
        JsonNode spec = object.path("spec");
        if (old != null && spec.equals(old.path("spec"))) {
            return v.errors;
        }
        if (cron && JsonTree.text(spec, "schedule").isEmpty()) {
            v.errors.add(FieldError.required("spec.schedule", ""));
        }
        if (cron) {
            new Checks(v.errors).oneOf(spec, "concurrencyPolicy", "spec", "Allow", "Forbid", "Replace");
        }
        v.jobSpec(spec, cron, old != null);
        if (!cron && old != null) {
            // The server looks at a changed job twice.
            v.jobSpec(spec, cron, true);
        }
        if (!cron && old != null) {
            v.jobUpdate(spec, old.path("spec"));
        }
        return v.errors;
    }

    private void jobSpec(JsonNode spec, boolean cron, boolean update) {
        JsonNode job = cron ? spec.path("jobTemplate").path("spec") : spec;
        String path = cron ? "spec.jobTemplate.spec" : "spec";
        for (String field : new String[] {"parallelism", "completions", "backoffLimit", "activeDeadlineSeconds"}) {
            count(job, field, path);
        }
        Checks checks = new Checks(errors);
        checks.oneOf(job, "completionMode", path, "NonIndexed", "Indexed");
        if (job.path("podFailurePolicy").isObject()) {
            checks.oneOf(job, "podReplacementPolicy", path, "Failed");
        } else {
            checks.oneOf(job, "podReplacementPolicy", path, "Failed", "TerminatingOrFailed");
        }
        if (!cron && update) {
            jobSelector(spec);
        }
        ObjectNode pod = JsonTree.object(job.get("template"), "spec");
        if (pod != null) {
            errors.addAll(PodValidation.validate(pod, path + ".template.spec"));
            metadata(job.path("template").path("metadata"), path + ".template");
            String restart = JsonTree.text(pod, "restartPolicy");
            if (restart.equals("Always") || restart.isEmpty()) {
                errors.add(FieldError.required(
                        path + ".template.spec.restartPolicy", "valid values: \"OnFailure\", \"Never\""));
            } else {
                checks.oneOf(pod, "restartPolicy", path + ".template.spec", "OnFailure", "Never");
            }
            failurePolicy(job.path("podFailurePolicy"), pod, path + ".podFailurePolicy");
        }
    }

    private void failurePolicy(JsonNode policy, ObjectNode pod, String path) {
        Set<String> containers = new HashSet<>();
        for (String list : List.of("containers", "initContainers")) {
            JsonTree.objects(pod, list).forEach(one -> containers.add(JsonTree.text(one, "name")));
        }
        List<ObjectNode> rules = JsonTree.objects(policy, "rules");
        for (int i = 0; i < rules.size(); i++) {
            JsonNode name = rules.get(i).path("onExitCodes").path("containerName");
            if (name.isTextual() && !containers.contains(name.asText())) {
                errors.add(FieldError.invalid(
                        path + ".rules[" + i + "].onExitCodes.containerName",
                        name,
                        "must be one of the container or initContainer names in the pod template"));
            }
            String action = JsonTree.text(rules.get(i), "action");
            if (action.isEmpty()) {
                errors.add(FieldError.required(
                        path + ".rules[" + i + "].action",
                        "valid values: [\"Count\" \"FailIndex\" \"FailJob\" \"Ignore\"]"));
            } else {
                new Checks(errors)
                        .oneOf(
                                rules.get(i),
                                "action",
                                path + ".rules[" + i + "]",
                                "Count",
                                "FailIndex",
                                "FailJob",
                                "Ignore");
            }
        }
    }

    private void jobSelector(JsonNode spec) {
        JsonNode selector = spec.path("selector");
        if (selector.isMissingNode()) {
            errors.add(FieldError.required("spec.selector", ""));
        }
        JsonNode labels = spec.path("template").path("metadata").get("labels");
        if (selector.isMissingNode() || !Selectors.matches(selector, labels)) {
            errors.add(FieldError.invalid(
                    "spec.template.metadata.labels", orNull(labels), "`selector` does not match template `labels`"));
        }
    }

    /** The labels of a job's template are the selector's business. */
    private static boolean sameButLabels(JsonNode template, JsonNode old) {
        return template.path("spec").equals(old.path("spec"))
                && template.path("metadata")
                        .path("annotations")
                        .equals(old.path("metadata").path("annotations"));
    }

    private void jobUpdate(JsonNode spec, JsonNode old) {
        for (String field : new String[] {"completions", "selector", "template"}) {
            boolean same = field.equals("template")
                    ? sameButLabels(spec.path(field), old.path(field))
                    : spec.path(field).equals(old.path(field));
            if (!same) {
                errors.add(FieldError.invalid("spec." + field, orNull(spec.get(field)), "field is immutable"));
            }
        }
    }
}
