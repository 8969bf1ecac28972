package dev.sro.testkit.sim;

import com.fasterxml.jackson.databind.JsonNode;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** How much of the capacities of a device that several claims may have a request takes. Stateless. */
final class DeviceCapacity {
    private DeviceCapacity() {}

    /** Whether what a request takes, with what is taken already, stays within the capacities of the device. */
    static boolean fits(JsonNode request, JsonNode device, Map<String, BigDecimal> taken) {
        JsonNode capacities = device.path("capacity");
        for (Map.Entry<String, JsonNode> wanted :
                JsonNodes.at(request, "capacity", "requests").properties()) {
            if (!capacities.has(wanted.getKey())) {
                return false;
            }
        }
        for (Map.Entry<String, JsonNode> e : capacities.properties()) {
            String text = consumed(request, e.getKey(), e.getValue());
            BigDecimal value = Quantities.value(text);
            if (violates(value, e.getValue().path("requestPolicy"))) {
                return false;
            }
            BigDecimal sum = value.add(taken.getOrDefault(e.getKey(), BigDecimal.ZERO));
            if (sum.compareTo(Quantities.value(JsonNodes.text(e.getValue(), "value"))) > 0) {
                return false;
            }
        }
        return true;
    }

    /** What a request takes of each capacity. */
    static Map<String, String> consumption(JsonNode request, JsonNode device) {
        Map<String, String> all = new TreeMap<>();
        device.path("capacity")
                .properties()
                .forEach(e -> all.put(e.getKey(), consumed(request, e.getKey(), e.getValue())));
        return all;
    }

    private static String consumed(JsonNode request, String name, JsonNode capacity) {
        String wanted = JsonNodes.text(request, "capacity", "requests", name);
        JsonNode policy = capacity.path("requestPolicy");
        if (wanted.isEmpty()) {
            String usual = JsonNodes.text(policy, "default");
            return usual.isEmpty() ? JsonNodes.text(capacity, "value") : usual;
        }
        JsonNode range = policy.path("validRange");
        if (range.has("min")) {
            return inRange(wanted, range);
        }
        for (JsonNode valid : policy.path("validValues")) {
            if (Quantities.value(wanted).compareTo(Quantities.value(valid.asText())) <= 0) {
                return valid.asText();
            }
        }
        return wanted;
    }

    private static String inRange(String wanted, JsonNode range) {
        BigDecimal min = Quantities.value(JsonNodes.text(range, "min"));
        if (Quantities.value(wanted).compareTo(min) < 0) {
            return JsonNodes.text(range, "min");
        }
        if (!range.has("step")) {
            return wanted;
        }
        BigInteger low = whole(min);
        BigInteger step = whole(Quantities.value(JsonNodes.text(range, "step")));
        BigInteger[] steps = whole(Quantities.value(wanted)).subtract(low).divideAndRemainder(step);
        BigInteger count = steps[1].signum() == 0 ? steps[0] : steps[0].add(BigInteger.ONE);
        return Quantities.binary(low.add(step.multiply(count)));
    }

    private static BigInteger whole(BigDecimal value) {
        return value.setScale(0, RoundingMode.UP).toBigInteger();
    }

    private static boolean violates(BigDecimal value, JsonNode policy) {
        JsonNode range = policy.path("validRange");
        if (range.isObject()) {
            boolean above = range.has("max") && value.compareTo(Quantities.value(JsonNodes.text(range, "max"))) > 0;
            return above || (range.has("step") && offStep(value, range));
        }
        JsonNode values = policy.path("validValues");
        Optional<BigDecimal> usual = policy.has("default")
                ? Optional.of(Quantities.value(JsonNodes.text(policy, "default")))
                : Optional.empty();
        if (values.isEmpty() || (usual.isPresent() && usual.get().compareTo(value) == 0)) {
            return false;
        }
        for (JsonNode valid : values) {
            if (Quantities.value(valid.asText()).compareTo(value) == 0) {
                return false;
            }
        }
        return true;
    }

    private static boolean offStep(BigDecimal value, JsonNode range) {
        BigInteger step = whole(Quantities.value(JsonNodes.text(range, "step")));
        BigInteger above = whole(value).subtract(whole(Quantities.value(JsonNodes.text(range, "min"))));
        return above.mod(step).signum() != 0;
    }
}
