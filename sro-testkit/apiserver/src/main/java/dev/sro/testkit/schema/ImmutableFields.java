package dev.sro.testkit.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What an update of the smaller kinds may not change. Stateless. */
final class ImmutableFields {
    private static final String DETAIL = "field is immutable";

    /** Fields, as they are and as the server names them, by kind. */
    private static final Map<String, List<String>> FIELDS = Map.of(
            "StorageClass", List.of("parameters", "provisioner", "reclaimPolicy", "volumeBindingMode"),
            "CSIDriver", List.of("spec.attachRequired spec.attachedRequired", "spec.volumeLifecycleModes"),
            "PriorityClass", List.of("preemptionPolicy"),
            "RuntimeClass", List.of("handler"),
            "CSIStorageCapacity", List.of("nodeTopology", "storageClassName"),
            "IngressClass", List.of("spec.controller"),
            "ControllerRevision", List.of("data"),
            "ResourceQuota", List.of("spec.scopes"),
            "PersistentVolume", List.of("spec.volumeMode volumeMode"));

    /** The same of events in their own group. */
    private static final List<String> EVENT = List.of(
            "regarding involvedObject",
            "reason",
            "note message",
            "reason",
            "type",
            "eventTime",
            "action",
            "related",
            "reportingController",
            "reportingInstance");

    private ImmutableFields() {}

    /** What was changed that may not be. */
    static List<FieldError> changed(String group, String kind, ObjectNode object, ObjectNode old) {
        List<FieldError> errors = new ArrayList<>();
        List<String> fields = group.equals("events.k8s.io") ? EVENT : FIELDS.getOrDefault(kind, List.of());
        for (String field : fields) {
            String[] names = field.split(" ", 2);
            JsonNode now = at(object, names[0]);
            if (!now.equals(at(old, names[0]))) {
                boolean reference = names[0].equals("regarding") || names[0].equals("related");
                JsonNode shown = now.isMissingNode()
                        ? none(names[0])
                        : reference ? reference(now) : SelectorValidation.shown(sorted(now));
                errors.add(FieldError.invalid(names[names.length - 1], shown, DETAIL));
            }
        }
        switch (kind) {
            case "PriorityClass" -> {
                if (!object.path("value").equals(old.path("value"))) {
                    errors.add(FieldError.forbidden("value", "may not be changed in an update."));
                }
            }
            case "VolumeAttributesClass" -> {
                for (String field : List.of("driverName", "parameters")) {
                    if (!object.path(field).equals(old.path(field))) {
                        errors.add(FieldError.forbidden(field, "updates to " + field + " are forbidden."));
                    }
                }
            }
            case "VolumeAttachment" -> {
                if (!object.path("spec").equals(old.path("spec"))) {
                    errors.add(FieldError.invalid("spec", attachment(object.path("spec")), DETAIL));
                }
            }
            default -> {}
        }
        return errors;
    }

    private static JsonNode at(JsonNode object, String path) {
        JsonNode value = object;
        for (String step : List.of(path.split("\\.", -1))) {
            value = value.path(step);
        }
        return value;
    }

    /** With the fields of objects in order, as the server writes maps. */
    static JsonNode sorted(JsonNode value) {
        if (!value.isObject()) {
            return value;
        }
        ObjectNode sorted = JsonNodeFactory.instance.objectNode();
        TreeMap<String, JsonNode> fields = new TreeMap<>();
        value.properties().forEach(field -> fields.put(field.getKey(), field.getValue()));
        fields.forEach((name, inner) -> sorted.set(name, sorted(inner)));
        return sorted;
    }

    private static JsonNode none(String field) {
        return field.matches("reason|note|type|action|reporting.*|handler|provisioner|storageClassName|spec.controller")
                ? TextNode.valueOf("")
                : NullNode.getInstance();
    }

    private static JsonNode reference(JsonNode reference) {
        ObjectNode shown = JsonNodeFactory.instance.objectNode();
        for (String field : List.of("kind", "namespace", "name", "uid", "apiVersion", "resourceVersion", "fieldPath")) {
            String name = switch (field) {
                case "uid" -> "UID";
                case "apiVersion" -> "APIVersion";
                default -> Character.toUpperCase(field.charAt(0)) + field.substring(1);
            };
            shown.put(name, JsonTree.text(reference, field));
        }
        return shown;
    }

    private static JsonNode attachment(JsonNode spec) {
        ObjectNode shown = JsonNodeFactory.instance.objectNode().put("Attacher", JsonTree.text(spec, "attacher"));
        JsonNode volume = spec.path("source").path("persistentVolumeName");
        ObjectNode source = shown.putObject("Source");
        source.set("PersistentVolumeName", volume.isTextual() ? volume : NullNode.getInstance());
        source.putNull("InlineVolumeSpec");
        return shown.put("NodeName", JsonTree.text(spec, "nodeName"));
    }
}
