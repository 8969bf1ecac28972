package dev.sro.testkit.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import com.google.re2j.Pattern;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Validation of one device of a ResourceSlice. */
final class DeviceValidation {
    private static final int MAX_ATTRIBUTES = 32;
    private static final int MAX_VALUE = 64;
    private static final int MAX_TAINTS = 16;
    private static final int MAX_CONSUMPTIONS = 2;
    private static final int MAX_CONDITIONS = 4;
    /** A domain, a slash and an identifier. */
    private static final int MAX_KEY = 63 + 1 + 32;

    private static final Pattern VERSION = Pattern.compile("(0|[1-9]\\d*)\\.(0|[1-9]\\d*)\\.(0|[1-9]\\d*)"
            + "(-(0|[1-9]\\d*|\\d*[a-zA-Z-][0-9a-zA-Z-]*)(\\.(0|[1-9]\\d*|\\d*[a-zA-Z-][0-9a-zA-Z-]*))*)?"
            + "(\\+[0-9a-zA-Z-]+(\\.[0-9a-zA-Z-]+)*)?");
    private static final String CHOICE = "exactly one of `nodeName`, `nodeSelector`, or `allNodes` is required when"
            + " `perDeviceNodeSelection` is set to true in the ResourceSlice spec";

    private final List<FieldError> errors = new ArrayList<>();
    private final ObjectNode device;
    private final String path;

    private DeviceValidation(ObjectNode device, String path) {
        this.device = device;
        this.path = path;
    }

    static List<FieldError> device(ObjectNode device, @Nullable ObjectNode old, String path, boolean perDevice) {
        DeviceValidation v = new DeviceValidation(device, path);
        DeviceNames.label(JsonTree.text(device, "name"), path + ".name", v.errors);
        int entries = device.path("attributes").size() + device.path("capacity").size();
        if (entries > MAX_ATTRIBUTES) {
            v.errors.add(FieldError.invalid(
                    path,
                    InternalForm.number(entries),
                    "the total number of attributes and capacities must not exceed " + MAX_ATTRIBUTES));
        }
        v.attributes();
        v.capacity();
        if (old == null || !old.path("taints").equals(device.path("taints"))) {
            v.taints();
        }
        v.consumption();
        v.nodes(perDevice);
        binding(device, path, v.errors);
        return v.errors;
    }

    private static String key(String name) {
        if (name.length() <= MAX_KEY) {
            return name;
        }
        int left = MAX_KEY - 3;
        return name.substring(0, (left + 1) / 2) + "..." + name.substring(name.length() - left / 2);
    }

    private void attributes() {
        for (Map.Entry<String, JsonNode> e : device.path("attributes").properties()) {
            DeviceNames.qualified(e.getKey(), path + ".attributes", errors);
            attribute(e.getValue(), path + ".attributes[" + key(e.getKey()) + "]");
        }
    }

    private void attribute(JsonNode attribute, String at) {
        JsonNode text = attribute.path("string");
        if (text.isTextual() && DeviceNames.bytes(text.asText()) > MAX_VALUE) {
            errors.add(FieldError.tooLong(at + ".string", MAX_VALUE));
        }
        JsonNode version = attribute.path("version");
        if (version.isTextual()) {
            if (!VERSION.matches(version.asText())) {
                errors.add(FieldError.invalid(
                        at + ".version", version, "must be a string compatible with semver.org spec 2.0.0"));
            }
            if (DeviceNames.bytes(version.asText()) > MAX_VALUE) {
                errors.add(FieldError.tooLong(at + ".version", MAX_VALUE));
            }
        }
        String one = "exactly one value must be specified";
        if (attribute.isEmpty()) {
            errors.add(FieldError.invalid(at, TextNode.valueOf(""), one));
        } else if (attribute.size() > 1) {
            errors.add(InternalForm.invalid(at, "DeviceAttribute", attribute, one));
        }
    }

    private void capacity() {
        boolean several = device.path("allowMultipleAllocations").asBoolean();
        for (Map.Entry<String, JsonNode> e : device.path("capacity").properties()) {
            DeviceNames.qualified(e.getKey(), path + ".capacity", errors);
            String at = path + ".capacity[" + key(e.getKey()) + "].requestPolicy";
            JsonNode policy = e.getValue().path("requestPolicy");
            if (policy.isObject() && several) {
                errors.addAll(CapacityPolicyValidation.validate(e.getValue(), at));
            } else if (policy.isObject()) {
                errors.add(FieldError.forbidden(at, "allowMultipleAllocations must be true"));
            }
        }
    }

    private void taints() {
        List<ObjectNode> taints = JsonTree.objects(device, "taints");
        if (taints.size() > MAX_TAINTS) {
            errors.add(FieldError.tooMany(path + ".taints", taints.size(), MAX_TAINTS));
            return;
        }
        for (int i = 0; i < taints.size(); i++) {
            ObjectNode taint = taints.get(i);
            String at = path + ".taints[" + i + "]";
            DeviceNames.labelKey(JsonTree.text(taint, "key"), at + ".key", errors);
            DeviceNames.labelValue(JsonTree.text(taint, "value"), at + ".value", errors);
            String effect = JsonTree.text(taint, "effect");
            if (effect.isEmpty()) {
                errors.add(FieldError.required(at + ".effect", ""));
            } else if (!ClaimValidation.EFFECTS.contains("\"" + effect + "\"")) {
                errors.add(FieldError.notSupported(at + ".effect", TextNode.valueOf(effect), ClaimValidation.EFFECTS));
            }
        }
    }

    private void consumption() {
        List<ObjectNode> consumed = JsonTree.objects(device, "consumesCounters");
        if (consumed.size() > MAX_CONSUMPTIONS) {
            errors.add(FieldError.tooMany(path + ".consumesCounters", consumed.size(), MAX_CONSUMPTIONS));
            return;
        }
        Set<String> names = new HashSet<>();
        List<FieldError> doubles = new ArrayList<>();
        for (int i = 0; i < consumed.size(); i++) {
            String at = path + ".consumesCounters[" + i + "]";
            SliceValidation.counters(consumed.get(i), "counterSet", at, errors);
            String name = JsonTree.text(consumed.get(i), "counterSet");
            if (!names.add(name)) {
                doubles.add(FieldError.duplicate(at, TextNode.valueOf(name)));
            }
        }
        errors.addAll(doubles);
    }

    private void nodes(boolean perDevice) {
        if (!perDevice) {
            if (device.hasNonNull("nodeName") || device.hasNonNull("nodeSelector") || device.hasNonNull("allNodes")) {
                errors.add(FieldError.invalid(
                        path,
                        InternalForm.NULL,
                        "`nodeName`, `nodeSelector` and `allNodes` can only be set if `perDeviceNodeSelection` is set"
                                + " to true in the ResourceSlice spec"));
            }
            return;
        }
        List<String> set = new ArrayList<>();
        SliceValidation.nodeName(device, path, "must not be empty", set, errors);
        if (device.path("nodeSelector").isObject()) {
            set.add("`nodeSelector`");
            NodeSelectorValidation.validate(device.path("nodeSelector"), path + ".nodeSelector", errors);
        }
        SliceValidation.flag(device, "allNodes", path, set, errors);
        if (set.isEmpty()) {
            errors.add(FieldError.required(path, CHOICE));
        } else if (set.size() > 1) {
            errors.add(FieldError.invalid(path, TextNode.valueOf("{" + String.join(", ", set) + "}"), CHOICE));
        }
    }

    /** The conditions that bind a device or tell that it cannot be bound; of a device or of an allocated one. */
    static void binding(JsonNode of, String path, List<FieldError> errors) {
        JsonNode wanted = of.path("bindingConditions");
        JsonNode failed = of.path("bindingFailureConditions");
        keys(wanted, path + ".bindingConditions", errors);
        keys(failed, path + ".bindingFailureConditions", errors);
        Set<String> names = new HashSet<>();
        doubles(wanted, path + ".bindingConditions", names, Set.of(), errors);
        doubles(failed, path + ".bindingFailureConditions", new HashSet<>(), names, errors);
        if (wanted.isEmpty() && !failed.isEmpty()) {
            errors.add(FieldError.invalid(
                    path + ".bindingConditions",
                    wanted.isArray() ? wanted : InternalForm.NULL,
                    "bindingConditions are required to use bindingFailureConditions"));
        }
        if (failed.isEmpty() && !wanted.isEmpty()) {
            errors.add(FieldError.invalid(
                    path + ".bindingFailureConditions",
                    failed.isArray() ? failed : InternalForm.NULL,
                    "bindingFailureConditions are required to use bindingConditions"));
        }
    }

    private static void keys(JsonNode conditions, String path, List<FieldError> errors) {
        if (conditions.size() > MAX_CONDITIONS) {
            errors.add(FieldError.tooMany(path, conditions.size(), MAX_CONDITIONS));
            return;
        }
        int i = 0;
        for (JsonNode condition : conditions) {
            DeviceNames.labelKey(condition.asText(), path + "[" + i++ + "]", errors);
        }
    }

    private static void doubles(
            JsonNode conditions, String path, Set<String> seen, Set<String> others, List<FieldError> errors) {
        int i = 0;
        for (JsonNode condition : conditions) {
            String at = path + "[" + i++ + "]";
            if (!seen.add(condition.asText())) {
                errors.add(FieldError.duplicate(at, condition));
            }
            if (others.contains(condition.asText())) {
                errors.add(FieldError.invalid(
                        at, condition, "bindingFailureConditions must not overlap with bindingConditions"));
            }
        }
    }
}
