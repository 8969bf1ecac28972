package dev.sro.testkit.server;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.sro.testkit.schema.BuiltinValidation;
import dev.sro.testkit.schema.FieldError;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The subresources of pods that change a part of their spec: {@code ephemeralcontainers} and {@code resize}. Stateless. */
final class PodSubresources {
    private static final String EPHEMERAL = "ephemeralContainers";
    private static final List<String> CONTAINERS = List.of("containers", "initContainers");
    private static final Set<String> RESIZABLE = Set.of("cpu", "memory");
    private static final List<String> NOT_EPHEMERAL = List.of(
            "ports",
            "livenessProbe",
            "readinessProbe",
            "startupProbe",
            "lifecycle",
            "resources",
            "resizePolicy",
            "restartPolicy",
            "restartPolicyRules");

    private PodSubresources() {}

    static boolean isOne(String subresource) {
        return subresource.equals("ephemeralcontainers") || subresource.equals("resize");
    }

    /** Leaves of a changed pod only what the subresource is about. */
    static void reduce(ObjectNode next, ObjectNode old, String subresource) {
        JsonNode sent = next.path("spec").deepCopy();
        JsonNode version = next.path("metadata").path("resourceVersion");
        JsonNode managers = next.path("metadata").path("managedFields");
        next.removeAll();
        next.setAll(old.deepCopy());
        ObjectNode metadata = Json.metadata(next);
        if (!version.isMissingNode()) {
            metadata.set("resourceVersion", version);
        }
        if (!managers.isMissingNode()) {
            metadata.set("managedFields", managers);
        }
        ObjectNode spec = KindHooks.own(next, "spec");
        if (subresource.equals("ephemeralcontainers")) {
            spec.remove(EPHEMERAL);
            if (!sent.path(EPHEMERAL).isEmpty()) {
                spec.set(EPHEMERAL, sent.get(EPHEMERAL));
            }
            return;
        }
        for (String list : CONTAINERS) {
            if (spec.get(list) instanceof ArrayNode containers) {
                for (JsonNode container : containers) {
                    JsonNode wanted = named(sent.path(list), Json.text(container, "name"));
                    for (String field : List.of("resources", "resizePolicy")) {
                        if (container instanceof ObjectNode own && wanted.has(field)) {
                            own.set(field, wanted.get(field));
                        }
                    }
                }
            }
        }
    }

    private static JsonNode named(JsonNode containers, String name) {
        for (JsonNode container : containers) {
            if (Json.text(container, "name").equals(name)) {
                return container;
            }
        }
        return Json.object();
    }

    static List<FieldError> validate(ObjectNode next, ObjectNode old, String subresource) {
        if (!subresource.equals("resize")) {
            return ephemeral(next.path("spec"), old.path("spec"));
        }
        List<FieldError> errors = new ArrayList<>();
        if (!next.path("spec").equals(old.path("spec"))) {
            errors.addAll(BuiltinValidation.podSpec(next));
        }
        errors.addAll(resize(next.path("spec"), old.path("spec")));
        return errors;
    }

    private static List<FieldError> resize(JsonNode next, JsonNode old) {
        List<FieldError> errors = new ArrayList<>();
        String before = PodHooks.qosClass(old);
        if (!PodHooks.qosClass(next).equals(before)) {
            errors.add(FieldError.invalid(
                    "spec", TextNode.valueOf(before), "Pod QOS Class may not change as a result of resizing"));
        }
        for (String list : CONTAINERS) {
            for (int i = 0; i < old.path(list).size(); i++) {
                String at = "spec." + list + "[" + i + "].resources";
                for (String kind : List.of("limits", "requests")) {
                    amounts(
                            next.path(list).path(i).path("resources").path(kind),
                            old.path(list).path(i).path("resources").path(kind),
                            at + "." + kind,
                            errors);
                }
            }
        }
        return errors;
    }

    private static void amounts(JsonNode next, JsonNode old, String at, List<FieldError> errors) {
        String kind = at.endsWith("limits") ? "limits" : "requests";
        for (Map.Entry<String, JsonNode> e : old.properties()) {
            if (!next.has(e.getKey())) {
                errors.add(FieldError.forbidden(at, "resource " + kind + " cannot be removed"));
                return;
            }
        }
        for (Map.Entry<String, JsonNode> e : next.properties()) {
            if (!RESIZABLE.contains(e.getKey()) && !e.getValue().equals(old.get(e.getKey()))) {
                errors.add(FieldError.forbidden("spec", "only cpu and memory resources are mutable"));
                return;
            }
        }
    }

    private static List<FieldError> ephemeral(JsonNode next, JsonNode old) {
        List<FieldError> errors = new ArrayList<>();
        Set<String> names = new HashSet<>();
        for (String list : CONTAINERS) {
            next.path(list).forEach(container -> names.add(Json.text(container, "name")));
        }
        Set<String> targets = Set.copyOf(names);
        for (int i = 0; i < next.path(EPHEMERAL).size(); i++) {
            one(next.path(EPHEMERAL).get(i), "spec." + EPHEMERAL + "[" + i + "]", names, targets, errors);
        }
        if (!errors.isEmpty()) {
            return errors;
        }
        for (JsonNode before : old.path(EPHEMERAL)) {
            String name = Json.text(before, "name");
            JsonNode now = named(next.path(EPHEMERAL), name);
            if (now.isEmpty()) {
                errors.add(existing(name, "removed\n"));
            } else if (!now.equals(before)) {
                errors.add(existing(name, "changed\n"));
            }
        }
        return errors;
    }

    private static FieldError existing(String name, String what) {
        return FieldError.forbidden(
                "spec." + EPHEMERAL, "existing ephemeral containers \"" + name + "\" may not be " + what);
    }

    private static void one(
            JsonNode container, String at, Set<String> names, Set<String> targets, List<FieldError> errors) {
        String name = Json.text(container, "name");
        if (name.isEmpty()) {
            errors.add(FieldError.required(at + ".name", ""));
        } else if (!names.add(name)) {
            errors.add(new FieldError("FieldValueDuplicate", "Duplicate value: \"" + name + "\"", at + ".name"));
        } else {
            Labels.labelFaults(name)
                    .forEach(fault -> errors.add(FieldError.invalid(at + ".name", container.get("name"), fault)));
        }
        if (Json.text(container, "image").isEmpty()) {
            errors.add(FieldError.required(at + ".image", ""));
        }
        String target = Json.text(container, "targetContainerName");
        if (!target.isEmpty() && !targets.contains(target)) {
            errors.add(
                    new FieldError("FieldValueNotFound", "Not found: \"" + target + "\"", at + ".targetContainerName"));
        }
        for (String field : NOT_EPHEMERAL) {
            if (!Json.isEmpty(container.get(field))) {
                errors.add(FieldError.forbidden(at + "." + field, "cannot be set for an Ephemeral Container"));
            }
        }
    }
}
