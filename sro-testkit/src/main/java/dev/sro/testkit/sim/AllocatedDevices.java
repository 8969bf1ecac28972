package dev.sro.testkit.sim;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.math.BigDecimal;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The devices that claims have, and what they take of those that they share. Admin access takes nothing. */
final class AllocatedDevices {
    final Set<DeviceId> whole = new HashSet<>();
    final Map<DeviceId, Map<String, BigDecimal>> shared = new HashMap<>();

    static AllocatedDevices of(List<ObjectNode> claims) {
        AllocatedDevices all = new AllocatedDevices();
        for (ObjectNode claim : claims) {
            for (JsonNode result : JsonNodes.at(claim, "status", "allocation", "devices", "results")) {
                if (!JsonNodes.bool(result, "adminAccess")) {
                    all.add(result);
                }
            }
        }
        return all;
    }

    private void add(JsonNode result) {
        DeviceId id = DeviceId.of(result);
        if (JsonNodes.text(result, "shareID").isEmpty()) {
            whole.add(id);
            return;
        }
        Map<String, BigDecimal> taken = shared.computeIfAbsent(id, i -> new HashMap<>());
        result.path("consumedCapacity")
                .properties()
                .forEach(e ->
                        taken.merge(e.getKey(), Quantities.value(e.getValue().asText()), BigDecimal::add));
    }

    boolean has(DeviceId id) {
        return whole.contains(id) || shared.containsKey(id);
    }
}
