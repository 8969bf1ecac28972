package dev.sro.testkit.server;

import static dev.sro.testkit.server.TableColumns.NONE;
import static dev.sro.testkit.server.TableColumns.age;
import static dev.sro.testkit.server.TableColumns.column;
import static dev.sro.testkit.server.TableColumns.wide;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sro.testkit.server.TableColumns.Column;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The columns of volumes, claims, and classes and drivers of storage. Stateless. */
final class StorageColumns {
    private static final String UNSET = "<unset>";
    private static final String DEFAULT = "storageclass.kubernetes.io/is-default-class";
    private static final Map<String, String> MODES =
            Map.of("ReadWriteOnce", "RWO", "ReadOnlyMany", "ROX", "ReadWriteMany", "RWX", "ReadWriteOncePod", "RWOP");

    static final Map<String, List<Column>> BY_KIND = Map.of(
            "PersistentVolume",
            List.of(
                    column("Capacity", o -> orZero(Json.text(o, "spec", "capacity", "storage"))),
                    column("Access Modes", o -> modes(o.path("spec").path("accessModes"))),
                    column("Reclaim Policy", o -> Json.text(o, "spec", "persistentVolumeReclaimPolicy")),
                    column("Status", StorageColumns::phase),
                    column("Claim", StorageColumns::claim),
                    column("StorageClass", o -> Json.text(o, "spec", "storageClassName")),
                    column("VolumeAttributesClass", o -> orUnset(Json.text(o, "spec", "volumeAttributesClassName"))),
                    column("Reason", o -> Json.text(o, "status", "reason")),
                    age(),
                    wide("VolumeMode", o -> orUnset(Json.text(o, "spec", "volumeMode")))),
            "PersistentVolumeClaim",
            List.of(
                    column("Status", StorageColumns::phase),
                    column("Volume", o -> Json.text(o, "spec", "volumeName")),
                    column("Capacity", StorageColumns::bound),
                    column(
                            "Access Modes",
                            o -> hasVolume(o) ? modes(o.path("status").path("accessModes")) : ""),
                    column("StorageClass", o -> Json.text(o, "spec", "storageClassName")),
                    column("VolumeAttributesClass", o -> orUnset(Json.text(o, "spec", "volumeAttributesClassName"))),
                    age(),
                    wide("VolumeMode", o -> orUnset(Json.text(o, "spec", "volumeMode")))),
            "CSIDriver",
            List.of(
                    column(
                            "AttachRequired",
                            "boolean",
                            o -> o.path("spec").path("attachRequired").asBoolean(true)),
                    column(
                            "PodInfoOnMount",
                            "boolean",
                            o -> o.path("spec").path("podInfoOnMount").asBoolean()),
                    column(
                            "StorageCapacity",
                            "boolean",
                            o -> o.path("spec").path("storageCapacity").asBoolean()),
                    column("TokenRequests", StorageColumns::audiences),
                    column(
                            "RequiresRepublish",
                            "boolean",
                            o -> o.path("spec").path("requiresRepublish").asBoolean()),
                    column("Modes", StorageColumns::lifecycles),
                    age()),
            "CSINode",
            List.of(
                    column(
                            "Drivers",
                            "integer",
                            o -> o.path("spec").path("drivers").size()),
                    age()),
            "StorageClass",
            List.of(
                    column("Provisioner", o -> Json.text(o, "provisioner")),
                    column("ReclaimPolicy", o -> Json.text(o, "reclaimPolicy")),
                    column("VolumeBindingMode", o -> Json.text(o, "volumeBindingMode")),
                    column(
                            "AllowVolumeExpansion",
                            o -> o.path("allowVolumeExpansion").asBoolean()),
                    age()),
            "VolumeAttachment",
            List.of(
                    new Column("Attacher", "string", "name", 0, o -> Json.text(o, "spec", "attacher")),
                    column("PV", o -> Json.text(o, "spec", "source", "persistentVolumeName")),
                    column("Node", o -> Json.text(o, "spec", "nodeName")),
                    column(
                            "Attached",
                            "boolean",
                            o -> o.path("status").path("attached").asBoolean()),
                    age()),
            "VolumeAttributesClass",
            List.of(column("DriverName", o -> Json.text(o, "driverName")), age()));

    private StorageColumns() {}

    /** The name as it is shown: the default class is marked. */
    static String name(JsonNode object) {
        boolean usual = Json.text(object, "kind").equals("StorageClass")
                && Json.text(object, "metadata", "annotations", DEFAULT).equals("true");
        return Json.name(object) + (usual ? " (default)" : "");
    }

    private static String orUnset(String text) {
        return text.isEmpty() ? UNSET : text;
    }

    private static String orZero(String quantity) {
        return quantity.isEmpty() ? "0" : quantity;
    }

    private static String modes(JsonNode modes) {
        List<String> known = new ArrayList<>();
        for (String mode : List.of("ReadWriteOnce", "ReadOnlyMany", "ReadWriteMany", "ReadWriteOncePod")) {
            for (JsonNode one : modes) {
                String brief = MODES.getOrDefault(mode, "");
                if (one.asText().equals(mode) && !known.contains(brief)) {
                    known.add(brief);
                }
            }
        }
        return String.join(",", known);
    }

    private static String phase(JsonNode object) {
        return Json.terminating(object) ? "Terminating" : Json.text(object, "status", "phase");
    }

    private static String claim(JsonNode volume) {
        JsonNode claim = volume.path("spec").path("claimRef");
        return claim.isObject() ? Json.text(claim, "namespace") + "/" + Json.text(claim, "name") : "";
    }

    private static boolean hasVolume(JsonNode claim) {
        return !Json.text(claim, "spec", "volumeName").isEmpty();
    }

    private static String bound(JsonNode claim) {
        return hasVolume(claim) ? orZero(Json.text(claim, "status", "capacity", "storage")) : "";
    }

    private static String audiences(JsonNode driver) {
        List<String> audiences = new ArrayList<>();
        driver.path("spec").path("tokenRequests").forEach(token -> audiences.add(Json.text(token, "audience")));
        return orUnset(String.join(",", audiences));
    }

    private static String lifecycles(JsonNode driver) {
        List<String> modes = new ArrayList<>();
        driver.path("spec").path("volumeLifecycleModes").forEach(mode -> modes.add(mode.asText()));
        return modes.isEmpty() ? NONE : String.join(",", modes);
    }
}
