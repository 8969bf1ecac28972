package dev.sro.testkit.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What may not change in a volume and in a claim. To "is immutable" the server adds a difference in its own notation, which is left
 * out here. Stateless.
 */
final class VolumeUpdateValidation {
    private static final String BETA_CLASS = "volume.beta.kubernetes.io/storage-class";

    /** Fields of a volume that are not its source. */
    private static final Set<String> OF_VOLUME = Set.of(
            "capacity",
            "accessModes",
            "claimRef",
            "persistentVolumeReclaimPolicy",
            "storageClassName",
            "mountOptions",
            "volumeMode",
            "nodeAffinity",
            "volumeAttributesClassName");

    private VolumeUpdateValidation() {}

    static List<FieldError> volume(ObjectNode object, ObjectNode old) {
        List<FieldError> errors = new ArrayList<>();
        JsonNode spec = object.path("spec");
        JsonNode before = old.path("spec");
        if (!source(spec, before).equals(source(before, before))) {
            errors.add(FieldError.forbidden(
                    "spec.persistentvolumesource", "spec.persistentvolumesource is immutable after creation\n"));
        }
        if (before.has("nodeAffinity") && !spec.path("nodeAffinity").equals(before.path("nodeAffinity"))) {
            errors.add(InternalForm.invalid(
                    "nodeAffinity",
                    "*VolumeNodeAffinity",
                    spec.path("nodeAffinity"),
                    "field is immutable, except for updating from beta label to GA"));
        }
        if (before.hasNonNull("volumeAttributesClassName") && !spec.hasNonNull("volumeAttributesClassName")) {
            errors.add(FieldError.forbidden(
                    "spec.volumeAttributesClassName", "update from non-nil value to nil is forbidden"));
        }
        return errors;
    }

    /** A secret for growing may be added later. */
    private static JsonNode source(JsonNode spec, JsonNode old) {
        ObjectNode copy = spec.deepCopy();
        copy.remove(OF_VOLUME);
        if (copy.get("csi") instanceof ObjectNode csi
                && old.path("csi").path("controllerExpandSecretRef").isMissingNode()) {
            csi.remove("controllerExpandSecretRef");
        }
        return copy;
    }

    static List<FieldError> claim(ObjectNode object, ObjectNode old) {
        List<FieldError> errors = new ArrayList<>();
        JsonNode spec = object.path("spec");
        JsonNode before = old.path("spec");
        if (!wanted(object, old).equals(stored(object, old))) {
            errors.add(FieldError.forbidden(
                    "spec",
                    "spec is immutable after creation except resources.requests and volumeAttributesClassName for"
                            + " bound claims\n"));
        }
        BigDecimal now = storage(spec.path("resources").path("requests"));
        boolean less = now.compareTo(storage(before.path("resources").path("requests"))) < 0;
        if (less && now.compareTo(storage(old.path("status").path("capacity"))) <= 0) {
            errors.add(FieldError.forbidden(
                    "spec.resources.requests.storage", "field can not be less than status.capacity"));
        }
        if (!spec.path("volumeMode").equals(before.path("volumeMode"))) {
            errors.add(FieldError.invalid(
                    "volumeMode",
                    spec.has("volumeMode") ? spec.get("volumeMode") : InternalForm.NULL,
                    "field is immutable"));
        }
        if (old.path("status").hasNonNull("currentVolumeAttributesClassName")) {
            attributesClass(spec, errors);
        }
        return errors;
    }

    private static void attributesClass(JsonNode spec, List<FieldError> errors) {
        JsonNode name = spec.path("volumeAttributesClassName");
        if (name.asText().isEmpty()) {
            errors.add(FieldError.forbidden(
                    "spec.volumeAttributesClassName",
                    "update to " + (name.isTextual() ? "empty string" : "nil")
                            + " is forbidden when status.currentVolumeAttributesClassName is not nil"));
        }
    }

    private static boolean isBound(ObjectNode object) {
        return object.path("status").path("phase").asText().equals("Bound");
    }

    private static JsonNode stored(ObjectNode object, ObjectNode old) {
        ObjectNode copy = old.path("spec").deepCopy();
        if (JsonTree.text(copy, "volumeName").isEmpty()) {
            copy.remove("volumeName");
            if (object.path("spec").has("volumeName")) {
                copy.set("volumeName", object.path("spec").get("volumeName"));
            }
        }
        return copy;
    }

    /** The spec with what may change as it was. */
    private static JsonNode wanted(ObjectNode object, ObjectNode old) {
        ObjectNode copy = object.path("spec").deepCopy();
        JsonNode before = old.path("spec");
        boolean named = old.path("metadata").path("annotations").has(BETA_CLASS);
        if (!named && !before.has("storageClassName")) {
            copy.remove("storageClassName");
        }
        if (isBound(object)) {
            copy.remove("volumeAttributesClassName");
            if (before.has("volumeAttributesClassName")) {
                copy.set("volumeAttributesClassName", before.get("volumeAttributesClassName"));
            }
            JsonNode size = before.path("resources").path("requests").get("storage");
            if (copy.path("resources").get("requests") instanceof ObjectNode requests && size != null) {
                requests.set("storage", size);
            }
        }
        return copy;
    }

    private static BigDecimal storage(JsonNode amounts) {
        return Quantities.value(amounts.path("storage").asText()).orElse(BigDecimal.ZERO);
    }

    /** Drivers that a node has already; how many volumes they take may change. */
    static List<FieldError> drivers(ObjectNode object, ObjectNode old) {
        List<FieldError> errors = new ArrayList<>();
        for (JsonNode before : old.path("spec").path("drivers")) {
            for (JsonNode now : object.path("spec").path("drivers")) {
                if (now.path("name").equals(before.path("name")) && !bare(now).equals(bare(before))) {
                    errors.add(InternalForm.invalid("spec.drivers", "CSINodeDriver", bare(now), "field is immutable"));
                }
            }
        }
        return errors;
    }

    private static JsonNode bare(JsonNode driver) {
        ObjectNode copy = driver.deepCopy();
        copy.remove("allocatable");
        for (Map.Entry<String, JsonNode> field : driver.properties()) {
            if (field.getValue().isNull()
                    || (field.getValue().isArray() && field.getValue().isEmpty())) {
                copy.remove(field.getKey());
            }
        }
        return copy;
    }
}
