package dev.sro.testkit.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** Validation of volumes, claims, classes and drivers of storage. One use. */
final class StorageValidation {
    private static final String[] ACCESS_MODES = {"ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", "ReadWriteOncePod"};
    private static final long SHORTEST_TOKEN = 600;
    private static final long SHORTEST_PERIOD = 10;

    /** Sources of volumes, in the order in which the server looks for them. */
    private static final List<String> KINDS = List.of(
            "hostPath",
            "gcePersistentDisk",
            "awsElasticBlockStore",
            "glusterfs",
            "flocker",
            "nfs",
            "rbd",
            "quobyte",
            "cephfs",
            "iscsi",
            "cinder",
            "fc",
            "flexVolume",
            "azureFile",
            "vsphereVolume",
            "photonPersistentDisk",
            "portworxVolume",
            "azureDisk",
            "scaleIO",
            "local",
            "storageos",
            "csi");

    private final Checks checks = new Checks(new ArrayList<>());

    private StorageValidation() {}

    static List<FieldError> validate(String kind, ObjectNode object) {
        StorageValidation v = new StorageValidation();
        JsonNode spec = object.path("spec");
        switch (kind) {
            case "PersistentVolume" -> v.volume(spec);
            case "PersistentVolumeClaim" -> v.claim(spec, "spec");
            case "StorageClass" -> v.storageClass(object);
            case "VolumeAttachment" -> v.attachment(spec);
            case "CSIDriver" -> v.driver(spec);
            case "CSINode" -> v.node(spec);
            case "VolumeAttributesClass" -> v.attributes(object);
            case "CSIStorageCapacity" -> v.capacity(object);
            default -> {}
        }
        return v.checks.errors();
    }

    private void capacity(ObjectNode capacity) {
        checks.selector(capacity.get("nodeTopology"), "nodeTopology");
        checks.subdomain(JsonTree.text(capacity, "storageClassName"), "storageClassName");
        if (Checks.sign(capacity.path("capacity")) < 0) {
            checks.invalid("capacity", capacity.get("capacity"), Checks.NOT_NEGATIVE);
        }
    }

    private void attributes(ObjectNode attributes) {
        if (checks.present(attributes, "driverName", "")) {
            checks.labelKey(JsonTree.text(attributes, "driverName").toLowerCase(Locale.ROOT), "driverName");
        }
        attributes.path("parameters").fieldNames().forEachRemaining(name -> {
            if (name.isEmpty()) {
                checks.invalid("parameters", name, "field can not be empty.");
            }
        });
        if (attributes.path("parameters").isEmpty()) {
            checks.required("parameters", "must contain at least one key/value pair");
        }
    }

    /** The claim that a template makes. */
    static List<FieldError> claimOfTemplate(JsonNode spec, String path) {
        StorageValidation v = new StorageValidation();
        v.claim(spec, path);
        return v.checks.errors();
    }

    private void claim(JsonNode spec, String path) {
        if (spec.path("accessModes").isEmpty()) {
            checks.required(path + ".accessModes", "at least 1 access mode is required");
        }
        accessModes(spec, path);
        alone(spec, path);
        checks.selector(spec.get("selector"), path + ".selector");
        JsonNode storage = spec.path("resources").path("requests").path("storage");
        if (storage.isMissingNode()) {
            checks.required(path + ".resources[storage]", "");
        } else if (Checks.sign(storage) <= 0) {
            ResourceNames.amount("storage", storage, path + ".resources[storage]", checks);
            checks.invalid(path + ".resources[storage]", storage, "must be greater than zero");
        }
        className(spec, path);
        checks.oneOf(spec, "volumeMode", path, "Block", "Filesystem");
    }

    /** A volume for one pod is for nothing else. */
    private void alone(JsonNode spec, String path) {
        Set<String> modes = new HashSet<>();
        spec.path("accessModes").forEach(mode -> modes.add(mode.asText()));
        if (modes.size() > 1 && modes.contains("ReadWriteOncePod")) {
            checks.forbidden(path + ".accessModes", "may not use ReadWriteOncePod with other access modes");
        }
    }

    private void accessModes(JsonNode spec, String path) {
        for (JsonNode mode : spec.path("accessModes")) {
            if (!List.of(ACCESS_MODES).contains(mode.asText())) {
                checks.notSupported(path + ".accessModes", mode.asText(), ACCESS_MODES);
            }
        }
    }

    private void className(JsonNode spec, String path) {
        String name = JsonTree.text(spec, "storageClassName");
        if (!name.isEmpty()) {
            checks.subdomain(name, path + ".storageClassName");
        }
    }

    private void volume(JsonNode spec) {
        if (spec.path("accessModes").isEmpty()) {
            checks.required("spec.accessModes", "");
        }
        accessModes(spec, "spec");
        JsonNode capacity = spec.path("capacity");
        if (capacity.isEmpty()) {
            checks.required("spec.capacity", "");
        }
        if (capacity.size() != 1 || !capacity.has("storage")) {
            JsonNode shown = capacity.isMissingNode() ? JsonNodeFactory.instance.nullNode() : capacity;
            checks.add(FieldError.notSupported("spec.capacity", ImmutableFields.sorted(shown), List.of("\"storage\"")));
        }
        for (var amount : capacity.properties()) {
            String at = "spec.capacity[" + amount.getKey() + "]";
            if (Checks.sign(amount.getValue()) < 0) {
                checks.invalid(at, amount.getValue(), "must be a valid resource quantity");
            }
            if (Checks.sign(amount.getValue()) <= 0) {
                checks.invalid(at, amount.getValue(), "must be greater than zero");
            }
        }
        checks.oneOf(spec, "persistentVolumeReclaimPolicy", "spec", "Delete", "Recycle", "Retain");
        if (spec.get("nodeAffinity") instanceof ObjectNode affinity) {
            if (affinity.get("required") instanceof ObjectNode required) {
                NodeSelectorValidation.validate(required, "spec.nodeAffinity.required", checks.errors());
            } else {
                checks.required("spec.nodeAffinity.required", "must specify required node constraints");
            }
        }
        source(spec);
        if (spec.get("hostPath") instanceof ObjectNode path && checks.present(path, "path", "spec.hostPath")) {
            checks.noStepUp(JsonTree.text(path, "path"), "spec.hostPath.path");
        }
        VolumeValidation.hostPathType(checks, spec.path("hostPath"), "spec.hostPath");
        className(spec, "spec");
        checks.oneOf(spec, "volumeMode", "spec", "Block", "Filesystem");
    }

    private void source(JsonNode spec) {
        List<String> kinds =
                KINDS.stream().filter(kind -> spec.path(kind).isObject()).toList();
        if (kinds.isEmpty()) {
            checks.required("spec", "must specify a volume type");
        } else {
            new PluginVolumeValidation(checks)
                    .source(kinds.get(0), JsonTree.ensure((ObjectNode) spec, kinds.get(0)), "spec");
        }
        for (String kind : kinds.subList(Math.min(1, kinds.size()), kinds.size())) {
            checks.forbidden(
                    "spec." + VolumeValidation.SHOWN.getOrDefault(kind, kind),
                    "may not specify more than 1 volume type");
        }
    }

    private void storageClass(ObjectNode storageClass) {
        if (checks.present(storageClass, "provisioner", "")) {
            checks.labelKey(JsonTree.text(storageClass, "provisioner").toLowerCase(Locale.ROOT), "provisioner");
        }
        if (!JsonTree.text(storageClass, "reclaimPolicy").isEmpty()) {
            checks.oneOf(storageClass, "reclaimPolicy", "", "Delete", "Retain");
        }
        checks.oneOf(storageClass, "volumeBindingMode", "", "Immediate", "WaitForFirstConsumer");
        List<ObjectNode> topologies = JsonTree.objects(storageClass, "allowedTopologies");
        // The server compares with as many empty terms as there are terms, and with those before.
        List<Map<String, Set<String>>> known = new ArrayList<>(Collections.nCopies(topologies.size(), Map.of()));
        for (int i = 0; i < topologies.size(); i++) {
            String path = "allowedTopologies[" + i + "].matchLabelExpressions";
            List<ObjectNode> expressions = JsonTree.objects(topologies.get(i), "matchLabelExpressions");
            Set<String> keys = new HashSet<>();
            for (int j = 0; j < expressions.size(); j++) {
                String at = path + "[" + j + "]";
                String key = JsonTree.text(expressions.get(j), "key");
                if (expressions.get(j).path("values").isEmpty()) {
                    checks.required(at + ".values", "");
                }
                Set<String> values = new HashSet<>();
                for (int k = 0; k < expressions.get(j).path("values").size(); k++) {
                    JsonNode value = expressions.get(j).path("values").get(k);
                    if (!values.add(value.asText())) {
                        checks.add(FieldError.duplicate(at + ".values[" + k + "]", value));
                    }
                }
                checks.labelKey(key, at + ".key");
                if (!keys.add(key)) {
                    checks.add(FieldError.duplicate(at + ".key", TextNode.valueOf(key)));
                }
            }
            Map<String, Set<String>> term = term(expressions);
            known.stream()
                    .filter(term::equals)
                    .forEach(same -> checks.add(FieldError.duplicate(path, TextNode.valueOf(""))));
            known.add(term);
        }
    }

    private static Map<String, Set<String>> term(List<ObjectNode> expressions) {
        Map<String, Set<String>> term = new HashMap<>();
        for (ObjectNode expression : expressions) {
            Set<String> values = new HashSet<>();
            expression.path("values").forEach(value -> values.add(value.asText()));
            term.put(JsonTree.text(expression, "key"), values);
        }
        return term;
    }

    private void attachment(JsonNode spec) {
        driverName(JsonTree.text(spec, "attacher"), "spec.attacher");
        JsonNode source = spec.path("source");
        boolean inline = source.get("inlineVolumeSpec") instanceof ObjectNode;
        boolean named = source.path("persistentVolumeName").isTextual();
        if (named && !inline) {
            checks.present(
                    source, "persistentVolumeName", "spec.source", "must specify non empty persistentVolumeName");
        }
        String one = "must specify exactly one of inlineVolumeSpec and persistentVolumeName";
        if (inline && named) {
            checks.forbidden("spec.source", one);
        } else if (!inline && !named) {
            checks.required("spec.source", one);
        } else if (named) {
            checks.subdomain(source.path("persistentVolumeName").asText(), "spec.source.persistentVolumeName");
        }
        checks.subdomain(JsonTree.text(spec, "nodeName"), "spec.nodeName");
    }

    private void driverName(String name, String path) {
        DeviceNames.driver(name, path, checks.errors());
    }

    private void driver(JsonNode spec) {
        checks.oneOf(spec, "fsGroupPolicy", "spec", "File", "None", "ReadWriteOnceWithFSType");
        JsonNode period = spec.path("nodeAllocatableUpdatePeriodSeconds");
        if (period.isNumber() && period.asLong() < SHORTEST_PERIOD) {
            checks.invalid(
                    "spec.nodeAllocatableUpdatePeriodSeconds", period, "must be greater than or equal to 10 seconds");
        }
        for (JsonNode mode : spec.path("volumeLifecycleModes")) {
            if (!List.of("Persistent", "Ephemeral").contains(mode.asText())) {
                checks.notSupported("spec.volumeLifecycleModes", mode.asText(), "Persistent", "Ephemeral");
            }
        }
        List<ObjectNode> tokens = JsonTree.objects(spec, "tokenRequests");
        Set<String> audiences = new HashSet<>();
        for (int i = 0; i < tokens.size(); i++) {
            String audience = JsonTree.text(tokens.get(i), "audience");
            if (!audiences.add(audience)) {
                checks.add(FieldError.duplicate("spec.tokenRequests[" + i + "].audience", TextNode.valueOf(audience)));
            }
            JsonNode seconds = tokens.get(i).path("expirationSeconds");
            if (seconds.isNumber() && seconds.asLong() < SHORTEST_TOKEN) {
                checks.invalid(
                        "spec.tokenRequests[" + i + "].expirationSeconds",
                        seconds,
                        "may not specify a duration less than 10 minutes");
            }
        }
    }

    private void node(JsonNode spec) {
        List<ObjectNode> drivers = JsonTree.objects(spec, "drivers");
        Set<String> names = new HashSet<>();
        for (int i = 0; i < drivers.size(); i++) {
            String at = "spec.drivers[" + i + "]";
            String name = JsonTree.text(drivers.get(i), "name");
            driverName(name, at + ".name");
            checks.present(drivers.get(i), "nodeID", at);
            if (!names.add(name)) {
                checks.add(FieldError.duplicate(at + ".name", TextNode.valueOf(name)));
            }
            Set<String> keys = new HashSet<>();
            for (JsonNode key : drivers.get(i).path("topologyKeys")) {
                if (key.asText().isEmpty()) {
                    checks.required(at, "");
                }
                checks.labelKey(key.asText(), at);
                if (!keys.add(key.asText())) {
                    checks.add(FieldError.duplicate(at, key));
                }
            }
        }
    }
}
