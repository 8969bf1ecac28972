package dev.sro.testkit.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
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

    /** Numbers of a status that are of its replicas, in the order in which the server looks at them. */
    private static final Map<String, List<String>> PARTS = Map.of(
            "Deployment", List.of("updatedReplicas", "readyReplicas", "availableReplicas"),
            "ReplicaSet", List.of("fullyLabeledReplicas", "readyReplicas", "availableReplicas"),
            "StatefulSet", List.of("readyReplicas", "currentReplicas", "updatedReplicas", "availableReplicas"));

    private final List<FieldError> errors = new ArrayList<>();

    private WorkloadValidation() {}

    static List<FieldError> validate(String kind, ObjectNode object, @Nullable ObjectNode old) {
        WorkloadValidation v = new WorkloadValidation();
        JsonNode spec = object.path("spec");
        JsonNode before = old == null ? null : old.path("spec");
        if (!spec.equals(before)) {
            v.spec(kind, spec, before);
        }
        v.status(kind, object.path("status"));
        return v.errors;
    }

    /** In the order in which the server reports. */
    private void spec(String kind, JsonNode spec, @Nullable JsonNode before) {
        boolean daemonSet = kind.equals("DaemonSet");
        if (before != null && daemonSet) {
            immutable(kind, spec, before);
        }
        count(spec, "replicas", "spec");
        template(kind, spec, before == null);
        if (kind.equals("Deployment")) {
            errors.addAll(DeploymentStrategy.validate(spec.path("strategy")));
        }
        count(spec, "minReadySeconds", "spec");
        if (daemonSet) {
            daemonSetStrategy(spec.path("updateStrategy"));
            count(spec, "revisionHistoryLimit", "spec");
        }
        if (kind.equals("StatefulSet")) {
            statefulSet(spec);
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

    private void statefulSet(JsonNode spec) {
        Checks checks = new Checks(errors);
        String management = JsonTree.text(spec, "podManagementPolicy");
        if (!Set.of("OrderedReady", "Parallel").contains(management)) {
            checks.invalid("spec.podManagementPolicy", management, "must be 'OrderedReady' or 'Parallel'");
        }
        JsonNode strategy = spec.path("updateStrategy");
        String path = "spec.updateStrategy";
        switch (JsonTree.text(strategy, "type")) {
            case "OnDelete" -> {
                if (strategy.path("rollingUpdate").isObject()) {
                    checks.invalid(
                            path + ".rollingUpdate",
                            strategy.get("rollingUpdate"),
                            "only allowed for updateStrategy 'RollingUpdate'");
                }
            }
            case "RollingUpdate" -> count(strategy.path("rollingUpdate"), "partition", path + ".rollingUpdate");
            default -> checks.invalid(path, shownStrategy(strategy), "must be 'RollingUpdate' or 'OnDelete'");
        }
        for (String field : List.of("whenDeleted", "whenScaled")) {
            checks.oneOf(
                    spec.path("persistentVolumeClaimRetentionPolicy"),
                    field,
                    "spec.persistentVolumeClaimRetentionPolicy",
                    "Retain",
                    "Delete");
        }
        count(spec.path("ordinals"), "start", "spec.ordinals");
        String service = JsonTree.text(spec, "serviceName");
        if (!service.isEmpty()) {
            checks.label(service, "spec.serviceName");
        }
    }

    private static JsonNode shownStrategy(JsonNode strategy) {
        ObjectNode shown = JsonNodeFactory.instance.objectNode().put("Type", JsonTree.text(strategy, "type"));
        if (!strategy.path("rollingUpdate").isObject()) {
            return shown.putNull("RollingUpdate");
        }
        shown.putObject("RollingUpdate")
                .put(
                        "Partition",
                        strategy.path("rollingUpdate").path("partition").asInt())
                .putNull("MaxUnavailable");
        return shown;
    }

    private void status(String kind, JsonNode status) {
        for (Map.Entry<String, JsonNode> e : status.properties()) {
            if (e.getValue().isNumber()) {
                count(status, e.getKey(), "status");
            }
        }
        List<String> parts = PARTS.getOrDefault(kind, List.of());
        parts.forEach(part -> atMost(status, part, "replicas", "status.replicas"));
        if (!parts.isEmpty()) {
            atMost(
                    status,
                    "availableReplicas",
                    "readyReplicas",
                    kind.equals("StatefulSet") ? "status.readyReplicas" : "readyReplicas");
        }
    }

    private void atMost(JsonNode status, String field, String other, String called) {
        if (status.path(field).asLong() > status.path(other).asLong()) {
            errors.add(FieldError.invalid(
                    "status." + field,
                    JsonNodeFactory.instance.numberNode(status.path(field).asLong()),
                    "cannot be greater than " + called));
        }
    }

    private void count(JsonNode parent, String field, String path) {
        if (parent.path(field).asLong() < 0) {
            errors.add(FieldError.invalid(path + "." + field, parent.get(field), NOT_NEGATIVE));
        }
    }

    /** What stays of a StatefulSet; an empty list is none. */
    private static Map<String, JsonNode> fixed(JsonNode spec) {
        Map<String, JsonNode> fixed = new HashMap<>();
        spec.properties().forEach(field -> {
            boolean none = field.getValue().isNull()
                    || (field.getValue().isArray() && field.getValue().isEmpty());
            if (!none && !STATEFUL_MUTABLE.contains(field.getKey())) {
                fixed.put(field.getKey(), field.getValue());
            }
        });
        return fixed;
    }

    private void immutable(String kind, JsonNode spec, JsonNode old) {
        if (kind.equals("StatefulSet")) {
            if (!fixed(spec).equals(fixed(old))) {
                errors.add(FieldError.forbidden(
                        "spec",
                        "updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template',"
                                + " 'updateStrategy', 'revisionHistoryLimit',"
                                + " 'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are forbidden"));
            }
        } else if (!spec.path("selector").equals(old.path("selector"))) {
            errors.add(FieldError.invalid(
                    "spec.selector", SelectorValidation.shown(orNull(spec.get("selector"))), "field is immutable"));
        }
    }

    private static JsonNode orNull(@Nullable JsonNode node) {
        return node == null ? NullNode.getInstance() : node;
    }

    private void template(String kind, JsonNode spec, boolean created) {
        JsonNode selector = spec.get("selector");
        JsonNode labels = spec.path("template").path("metadata").get("labels");
        boolean daemonSet = kind.equals("DaemonSet");
        if (selector == null && !daemonSet) {
            errors.add(FieldError.required("spec.selector", ""));
        }
        int before = errors.size();
        new Checks(errors).selector(selector, "spec.selector");
        boolean wrong = errors.size() > before;
        if (selector != null && empty(selector)) {
            errors.add(FieldError.invalid(
                    "spec.selector",
                    SelectorValidation.shown(selector),
                    "empty selector is invalid for " + named(kind)));
        }
        if (wrong && !daemonSet) {
            errors.add(FieldError.invalid(
                    "spec.selector",
                    SelectorValidation.shown(selector),
                    kind.equals("StatefulSet") ? "" : "invalid label selector"));
            return;
        }
        boolean fits = selector != null && (empty(selector) || Selectors.matches(selector, labels));
        if (!wrong && !fits) {
            errors.add(FieldError.invalid(
                    "spec.template.metadata.labels", sorted(labels), "`selector` does not match template `labels`"));
        }
        ObjectNode pod = JsonTree.object(spec.get("template"), "spec");
        if (pod != null) {
            metadata(spec.path("template").path("metadata"), "spec.template");
            if (kind.equals("StatefulSet")) {
                // The server looks at these twice.
                metadata(spec.path("template").path("metadata"), "spec.template");
            }
            errors.addAll(PodValidation.validate(
                    kind.equals("StatefulSet") ? withClaims(pod, spec) : pod, "spec.template.spec"));
            if (created) {
                claimTemplates(spec);
            }
            String restart = JsonTree.text(pod, "restartPolicy");
            if (!restart.equals("Always") && Set.of("OnFailure", "Never").contains(restart)) {
                errors.add(FieldError.notSupported(
                        "spec.template.spec.restartPolicy", TextNode.valueOf(restart), List.of("\"Always\"")));
            }
            if (pod.hasNonNull("activeDeadlineSeconds")) {
                errors.add(FieldError.forbidden(
                        "spec.template.spec.activeDeadlineSeconds",
                        "activeDeadlineSeconds in " + (kind.equals("Deployment") ? "ReplicaSet" : kind)
                                + " is not Supported"));
            }
        }
    }

    /** As the server shows maps: in the order of their keys. */
    private static JsonNode sorted(@Nullable JsonNode map) {
        if (!(map instanceof ObjectNode object)) {
            return NullNode.getInstance();
        }
        ObjectNode sorted = object.objectNode();
        Map<String, JsonNode> fields = new TreeMap<>();
        object.properties().forEach(field -> fields.put(field.getKey(), field.getValue()));
        fields.forEach(sorted::set);
        return sorted;
    }

    private static boolean empty(JsonNode selector) {
        return selector.path("matchLabels").isEmpty()
                && selector.path("matchExpressions").isEmpty();
    }

    /** What the claim templates make can be mounted. */
    private static ObjectNode withClaims(ObjectNode pod, JsonNode spec) {
        ObjectNode all = pod.deepCopy();
        // Which the controller sets.
        all.remove(List.of("hostname", "subdomain"));
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
        new Checks(errors).labelsAndAnnotations(metadata, path);
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
                        sorted(labels),
                        "`selector` does not match template `labels`"));
                break;
            }
        }
        v.metadata(template.path("metadata"), "spec.template");
        if (template.get("spec") instanceof ObjectNode pod) {
            v.errors.addAll(PodValidation.validate(pod, "spec.template.spec"));
            if (pod.hasNonNull("activeDeadlineSeconds")) {
                v.errors.add(FieldError.forbidden(
                        "spec.template.spec.activeDeadlineSeconds",
                        "activeDeadlineSeconds in ReplicationController is not Supported"));
            }
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
        return kind.toLowerCase(Locale.ROOT);
    }

    private void daemonSetStrategy(JsonNode strategy) {
        String type = JsonTree.text(strategy, "type");
        if (type.equals("OnDelete")) {
            return;
        }
        String path = "spec.updateStrategy";
        if (!type.equals("RollingUpdate")) {
            JsonNode shown = DeploymentStrategy.shown(type, strategy.path("rollingUpdate"));
            errors.add(FieldError.notSupported(path, shown, List.of("\"RollingUpdate\"", "\"OnDelete\"")));
            return;
        }
        JsonNode rolling = strategy.path("rollingUpdate");
        Checks checks = new Checks(errors);
        checks.intOrPercent(rolling.path("maxUnavailable"), path + ".rollingUpdate.maxUnavailable");
        checks.notMoreThanAll(rolling.path("maxUnavailable"), path + ".rollingUpdate.maxUnavailable");
        checks.intOrPercent(rolling.path("maxSurge"), path + ".rollingUpdate.maxSurge");
        checks.notMoreThanAll(rolling.path("maxSurge"), path + ".rollingUpdate.maxSurge");
        boolean unavailable = some(rolling.path("maxUnavailable"));
        boolean surge = some(rolling.path("maxSurge"));
        if (unavailable && surge) {
            errors.add(FieldError.invalid(
                    path + ".rollingUpdate.maxSurge",
                    rolling.get("maxSurge"),
                    "may not be set when maxUnavailable is non-zero"));
        } else if (!unavailable && !surge) {
            errors.add(FieldError.required(path + ".rollingUpdate.maxUnavailable", "cannot be 0 when maxSurge is 0"));
        }
    }

    /** A text that is no share counts as the number that it is, if it is one. */
    private static boolean some(JsonNode intOrPercent) {
        return intOrPercent.isTextual()
                ? intOrPercent.textValue().matches("0*[1-9][0-9]*%?")
                : intOrPercent.asInt() != 0;
    }
}
