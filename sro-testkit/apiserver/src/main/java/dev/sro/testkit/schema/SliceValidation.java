package dev.sro.testkit.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Validation of ResourceSlices: of their pool, of where their devices are, and of the counters that devices share. */
final class SliceValidation {
    private static final int MAX_DEVICES = 128;
    /** Where a device has taints or takes from counters. */
    private static final int MAX_RICH_DEVICES = 64;

    private static final int MAX_COUNTER_SETS = 8;
    private static final int MAX_COUNTERS = 32;
    private static final String ONE =
            "exactly one of `nodeName`, `nodeSelector`, `allNodes`, `perDeviceNodeSelection` is required";

    private final List<FieldError> errors = new ArrayList<>();
    private final JsonNode spec;
    private final @Nullable JsonNode before;

    private SliceValidation(JsonNode spec, @Nullable JsonNode before) {
        this.spec = spec;
        this.before = before;
    }

    static List<FieldError> validate(ObjectNode slice, @Nullable ObjectNode old) {
        SliceValidation v = new SliceValidation(slice.path("spec"), old == null ? null : old.path("spec"));
        DeviceNames.driver(JsonTree.text(v.spec, "driver"), "spec.driver", v.errors);
        v.pool(v.spec.path("pool"));
        v.immutable("spec.pool.name", v.spec.path("pool").path("name"), "pool", "name");
        v.immutable("spec.driver", v.spec.path("driver"), "driver");
        v.immutable("spec.nodeName", v.spec.path("nodeName"), "nodeName");
        v.nodes();
        if (v.spec.has("sharedCounters") && v.spec.has("devices")) {
            v.errors.add(FieldError.invalid(
                    "spec", TextNode.valueOf(""), "only one of `sharedCounters` or `devices` is allowed"));
        }
        v.devices();
        v.counterSets();
        return v.errors;
    }

    private void immutable(String path, JsonNode value, String... at) {
        JsonNode old = before;
        if (old == null) {
            return;
        }
        for (String step : at) {
            old = old.path(step);
        }
        if (!value.asText().equals(old.asText())) {
            // The node is a pointer in the server's type, the others are texts.
            JsonNode shown = path.equals("spec.nodeName") ? InternalForm.NULL : TextNode.valueOf("");
            errors.add(FieldError.invalid(path, value.isTextual() ? value : shown, "field is immutable"));
        }
    }

    private void pool(JsonNode pool) {
        DeviceNames.pool(JsonTree.text(pool, "name"), "spec.pool.name", errors);
        long count = pool.path("resourceSliceCount").asLong();
        if (count <= 0) {
            errors.add(FieldError.invalid(
                    "spec.pool.resourceSliceCount", InternalForm.number(count), "must be greater than zero"));
        }
        long generation = pool.path("generation").asLong();
        if (generation < 0) {
            errors.add(FieldError.invalid(
                    "spec.pool.generation", InternalForm.number(generation), "must be greater than or equal to zero"));
        }
    }

    private void nodes() {
        List<String> set = new ArrayList<>();
        nodeName(spec, "spec", "must be either unset or set to a non-empty string", set, errors);
        if (spec.path("nodeSelector").isObject()) {
            set.add("`nodeSelector`");
            NodeSelectorValidation.validate(spec.path("nodeSelector"), "spec.nodeSelector", errors);
            JsonNode terms = spec.path("nodeSelector").path("nodeSelectorTerms");
            if (terms.size() != 1) {
                errors.add(InternalForm.invalid(
                        "spec.nodeSelector.nodeSelectorTerms",
                        "[NodeSelectorTerm]",
                        terms,
                        "must have exactly one node selector term"));
            }
        }
        flag(spec, "allNodes", "spec", set, errors);
        flag(spec, "perDeviceNodeSelection", "spec", set, errors);
        if (set.isEmpty()) {
            errors.add(FieldError.required("spec", ONE));
        } else if (set.size() > 1) {
            errors.add(FieldError.invalid(
                    "spec",
                    TextNode.valueOf("{" + String.join(", ", set) + "}"),
                    ONE + ", but multiple fields are set"));
        }
    }

    /** The name of a node, if it is there: added to what is set if it is not empty. */
    static void nodeName(JsonNode of, String path, String empty, List<String> set, List<FieldError> errors) {
        JsonNode name = of.path("nodeName");
        if (!name.isTextual()) {
            return;
        }
        if (name.asText().isEmpty()) {
            errors.add(FieldError.invalid(path + ".nodeName", name, empty));
        } else {
            set.add("`nodeName`");
            DeviceNames.subdomain(name.asText(), path + ".nodeName", errors);
        }
    }

    /** A flag that is true or not there. */
    static void flag(JsonNode of, String field, String path, List<String> set, List<FieldError> errors) {
        JsonNode flag = of.path(field);
        if (flag.isBoolean() && flag.asBoolean()) {
            set.add("`" + field + "`");
        } else if (flag.isBoolean()) {
            errors.add(FieldError.invalid(path + "." + field, flag, "must be either unset or set to true"));
        }
    }

    private void devices() {
        List<ObjectNode> devices = JsonTree.objects(spec, "devices");
        boolean rich = devices.stream()
                .anyMatch(d -> !d.path("taints").isEmpty()
                        || !d.path("consumesCounters").isEmpty());
        int max = rich ? MAX_RICH_DEVICES : MAX_DEVICES;
        if (devices.size() > max) {
            errors.add(FieldError.tooMany("spec.devices", devices.size(), max));
            return;
        }
        Map<String, ObjectNode> known = new HashMap<>();
        JsonTree.objects(before, "devices").forEach(d -> known.putIfAbsent(JsonTree.text(d, "name"), d));
        boolean perDevice = spec.path("perDeviceNodeSelection").asBoolean();
        Set<String> names = new HashSet<>();
        List<FieldError> doubles = new ArrayList<>();
        for (int i = 0; i < devices.size(); i++) {
            String path = "spec.devices[" + i + "]";
            String name = JsonTree.text(devices.get(i), "name");
            errors.addAll(DeviceValidation.device(devices.get(i), known.get(name), path, perDevice));
            if (!names.add(name)) {
                doubles.add(FieldError.duplicate(path, TextNode.valueOf(name)));
            }
        }
        errors.addAll(doubles);
    }

    private void counterSets() {
        List<ObjectNode> sets = JsonTree.objects(spec, "sharedCounters");
        if (sets.size() > MAX_COUNTER_SETS) {
            errors.add(FieldError.tooMany("spec.sharedCounters", sets.size(), MAX_COUNTER_SETS));
            return;
        }
        Set<String> names = new HashSet<>();
        List<FieldError> doubles = new ArrayList<>();
        for (int i = 0; i < sets.size(); i++) {
            String path = "spec.sharedCounters[" + i + "]";
            counters(sets.get(i), "name", path, errors);
            String name = JsonTree.text(sets.get(i), "name");
            if (!names.add(name)) {
                doubles.add(FieldError.duplicate(path, TextNode.valueOf(name)));
            }
        }
        errors.addAll(doubles);
    }

    /** A set of counters, or what a device takes of one: the name under this field, and the counters. */
    static void counters(ObjectNode set, String nameField, String path, List<FieldError> errors) {
        String name = JsonTree.text(set, nameField);
        if (name.isEmpty()) {
            errors.add(FieldError.required(path + "." + nameField, ""));
        } else {
            DeviceNames.label(name, path + "." + nameField, errors);
        }
        JsonNode counters = set.path("counters");
        if (counters.isEmpty()) {
            errors.add(FieldError.required(path + ".counters", ""));
        } else if (counters.size() > MAX_COUNTERS) {
            errors.add(FieldError.tooMany(path + ".counters", counters.size(), MAX_COUNTERS));
        } else {
            counters.fieldNames().forEachRemaining(n -> DeviceNames.label(n, path + ".counters", errors));
        }
    }
}
