package dev.sro.testkit.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import com.google.re2j.Pattern;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Validation of the status of a ResourceClaim: which devices it has, who uses it, what drivers say of the devices. */
final class AllocationValidation {
    private static final int MAX_CONSUMERS = 256;
    private static final int MAX_RESULTS = 32;
    private static final int MAX_CONFIG = 64;
    private static final int MAX_CONDITIONS = 8;
    private static final int MAX_DATA = 10 * 1024;
    private static final int MAX_IPS = 16;
    private static final int MAX_INTERFACE = 256;
    private static final int MAX_ADDRESS = 128;
    private static final List<String> SOURCES = List.of("\"FromClaim\"", "\"FromClass\"");
    private static final List<String> STATUSES = List.of("\"False\"", "\"True\"", "\"Unknown\"");

    private static final Pattern REASON = Pattern.compile("[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?");
    private static final String REASON_TEXT =
            "a condition reason must start with alphabetic character, optionally followed by a string of alphanumeric"
                    + " characters or '_,:', and must end with an alphanumeric character or '_' (e.g. 'my_name',  or"
                    + " 'MY_NAME',  or 'MyName',  or 'ReasonA,ReasonB',  or 'ReasonA:ReasonB', regex used for validation"
                    + " is '[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?')";

    private final ObjectNode claim;
    private final JsonNode before;
    private final ClaimValidation shared;
    private final List<FieldError> errors;

    private AllocationValidation(ObjectNode claim, ObjectNode old) {
        this.claim = claim;
        this.before = old.path("status");
        this.shared = new ClaimValidation(claim.path("spec").path("devices"));
        this.errors = shared.errors();
    }

    static List<FieldError> status(ObjectNode claim, ObjectNode old) {
        AllocationValidation v = new AllocationValidation(claim, old);
        JsonNode status = claim.path("status");
        v.consumers(status.path("reservedFor"));
        v.devices(JsonTree.objects(status, "devices"), status.path("allocation"));
        v.reserved(status);
        JsonNode allocation = status.path("allocation");
        if (v.before.path("allocation").isObject() && allocation.isObject()) {
            if (!allocation.equals(v.before.path("allocation"))) {
                v.errors.add(InternalForm.invalid(
                        "status.allocation", "AllocationResult", allocation, "field is immutable"));
            }
        } else if (allocation.isObject()) {
            v.allocation(allocation, "status.allocation");
        }
        return v.errors;
    }

    private void consumers(JsonNode consumers) {
        String path = "status.reservedFor";
        if (!shared.few(consumers, MAX_CONSUMERS, path)) {
            return;
        }
        List<String> uids = new ArrayList<>();
        for (JsonNode consumer : consumers) {
            for (String field : List.of("resource", "name", "uid")) {
                if (JsonTree.text(consumer, field).isEmpty()) {
                    errors.add(FieldError.required(path + "[" + uids.size() + "]." + field, ""));
                }
            }
            uids.add(JsonTree.text(consumer, "uid"));
        }
        shared.unique(uids, path);
    }

    private void reserved(JsonNode status) {
        if (status.path("reservedFor").isEmpty()) {
            return;
        }
        if (!status.path("allocation").isObject()) {
            errors.add(FieldError.forbidden("status.reservedFor", "may not be specified when `allocated` is not set"));
        } else if (claim.path("metadata").has("deletionTimestamp")) {
            Set<JsonNode> old = new HashSet<>();
            before.path("reservedFor").forEach(old::add);
            for (JsonNode consumer : status.path("reservedFor")) {
                if (!old.contains(consumer)) {
                    errors.add(FieldError.forbidden(
                            "status.reservedFor",
                            "new entries may not be added while `deallocationRequested` or `deletionTimestamp` are"
                                    + " set"));
                    return;
                }
            }
        }
    }

    /** Driver, pool, device and, of a device that several claims may have, which share of it. */
    static String id(JsonNode device) {
        String share = JsonTree.text(device, "shareID");
        String id = JsonTree.text(device, "driver") + "/" + JsonTree.text(device, "pool") + "/"
                + JsonTree.text(device, "device");
        return share.isEmpty() ? id : id + "/" + share;
    }

    private void devices(List<ObjectNode> devices, JsonNode allocation) {
        Set<String> allocated = new HashSet<>();
        allocation.path("devices").path("results").forEach(r -> allocated.add(id(r)));
        List<String> keys = new ArrayList<>();
        for (ObjectNode device : devices) {
            device(device, "status.devices[" + keys.size() + "]", allocated);
            keys.add(id(device));
        }
        Set<String> seen = new HashSet<>();
        for (int i = 0; i < keys.size(); i++) {
            if (!seen.add(keys.get(i))) {
                errors.add(FieldError.duplicate("status.devices[" + i + "]", shown(devices.get(i))));
            }
        }
    }

    /** As the server prints the identity of a device. */
    private static JsonNode shown(JsonNode device) {
        ObjectNode id = JsonNodeFactory.instance.objectNode();
        for (String field : List.of("driver", "pool", "device", "shareID")) {
            String name = Character.toUpperCase(field.charAt(0)) + field.substring(1);
            id.put(name, JsonTree.text(device, field));
        }
        return id;
    }

    private void device(ObjectNode device, String path, Set<String> allocated) {
        DeviceNames.driver(JsonTree.text(device, "driver"), path + ".driver", errors);
        DeviceNames.pool(JsonTree.text(device, "pool"), path + ".pool", errors);
        DeviceNames.label(JsonTree.text(device, "device"), path + ".device", errors);
        if (device.path("shareID").isTextual()) {
            DeviceNames.uid(device.path("shareID").asText(), path + ".shareID", errors);
        }
        if (!allocated.contains(id(device))) {
            errors.add(FieldError.invalid(path, shown(device), "must be an allocated device in the claim"));
        }
        conditions(JsonTree.objects(device, "conditions"), path + ".conditions");
        if (device.hasNonNull("data")) {
            ClaimValidation.json(device.get("data"), path + ".data", MAX_DATA, errors);
        }
        network(device.path("networkData"), path + ".networkData");
    }

    private void conditions(List<ObjectNode> conditions, String path) {
        if (conditions.size() > MAX_CONDITIONS) {
            errors.add(FieldError.tooMany(path, conditions.size(), MAX_CONDITIONS));
        }
        Set<String> types = new HashSet<>();
        for (int i = 0; i < conditions.size(); i++) {
            ObjectNode condition = conditions.get(i);
            String at = path + "[" + i + "]";
            String type = JsonTree.text(condition, "type");
            if (!types.add(type)) {
                errors.add(FieldError.duplicate(at + ".type", TextNode.valueOf(type)));
            }
            DeviceNames.labelKey(type, at + ".type", errors);
            String status = JsonTree.text(condition, "status");
            if (!STATUSES.contains("\"" + status + "\"")) {
                errors.add(FieldError.notSupported(at + ".status", TextNode.valueOf(status), STATUSES));
            }
            if (JsonTree.text(condition, "lastTransitionTime").isEmpty()) {
                errors.add(FieldError.required(at + ".lastTransitionTime", ""));
            }
            String reason = JsonTree.text(condition, "reason");
            if (reason.isEmpty()) {
                errors.add(FieldError.required(at + ".reason", ""));
            } else if (!REASON.matches(reason)) {
                errors.add(FieldError.invalid(at + ".reason", TextNode.valueOf(reason), REASON_TEXT));
            }
        }
    }

    private void network(JsonNode network, String path) {
        if (DeviceNames.bytes(JsonTree.text(network, "interfaceName")) > MAX_INTERFACE) {
            errors.add(FieldError.tooLong(path + ".interfaceName", MAX_INTERFACE));
        }
        if (DeviceNames.bytes(JsonTree.text(network, "hardwareAddress")) > MAX_ADDRESS) {
            errors.add(FieldError.tooLong(path + ".hardwareAddress", MAX_ADDRESS));
        }
        JsonNode ips = network.path("ips");
        if (shared.few(ips, MAX_IPS, path + ".ips")) {
            List<String> keys = new ArrayList<>();
            for (JsonNode ip : ips) {
                if (!Formats.matches("cidr", ip.asText())) {
                    errors.add(FieldError.invalid(
                            path + ".ips[" + keys.size() + "]",
                            ip,
                            "must be a valid address in CIDR form, (e.g. 10.9.8.7/24 or 2001:db8::1/64)"));
                }
                keys.add(ip.asText());
            }
            shared.unique(keys, path + ".ips");
        }
    }

    private void allocation(JsonNode allocation, String path) {
        JsonNode devices = allocation.path("devices");
        if (shared.few(devices.path("results"), MAX_RESULTS, path + ".devices.results")) {
            int i = 0;
            for (ObjectNode result : JsonTree.objects(devices, "results")) {
                result(result, path + ".devices.results[" + i++ + "]");
            }
        }
        if (shared.few(devices.path("config"), MAX_CONFIG, path + ".devices.config")) {
            int i = 0;
            for (ObjectNode config : JsonTree.objects(devices, "config")) {
                config(config, path + ".devices.config[" + i++ + "]");
            }
        }
        if (allocation.path("nodeSelector").isObject()) {
            NodeSelectorValidation.validate(allocation.path("nodeSelector"), path + ".nodeSelector", errors);
        }
    }

    private void result(ObjectNode result, String path) {
        shared.reference(JsonTree.text(result, "request"), path + ".request");
        DeviceNames.driver(JsonTree.text(result, "driver"), path + ".driver", errors);
        DeviceNames.pool(JsonTree.text(result, "pool"), path + ".pool", errors);
        DeviceNames.label(JsonTree.text(result, "device"), path + ".device", errors);
        DeviceValidation.binding(result, path, errors);
        if (result.path("shareID").isTextual()) {
            DeviceNames.uid(result.path("shareID").asText(), path + ".shareID", errors);
        }
    }

    private void config(ObjectNode config, String path) {
        String source = JsonTree.text(config, "source");
        if (source.isEmpty()) {
            errors.add(FieldError.required(path + ".source", ""));
        } else if (!SOURCES.contains("\"" + source + "\"")) {
            errors.add(FieldError.notSupported(path + ".source", JsonNodeFactory.instance.textNode(source), SOURCES));
        }
        shared.references(config.path("requests"), path + ".requests");
        shared.opaque(config, path);
    }
}
