package dev.sro.testkit.sim;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A constraint of a claim over its devices, while these are being chosen. */
final class DeviceConstraint {
    private final JsonNode requests;
    private final String attribute;
    private final boolean distinct;
    private final Map<String, JsonNode> values = new HashMap<>();
    private @Nullable JsonNode common;
    private int devices;

    DeviceConstraint(JsonNode constraint) {
        this.requests = constraint.path("requests");
        this.distinct = constraint.hasNonNull("distinctAttribute");
        this.attribute = JsonNodes.text(constraint, distinct ? "distinctAttribute" : "matchAttribute");
    }

    /** Takes a device in; false if the constraint does not allow it. */
    boolean add(RequestAlternative wish, DeviceCandidate candidate) {
        if (!wish.among(requests)) {
            return true;
        }
        JsonNode value = candidate.attribute(attribute);
        if (value == null) {
            return false;
        }
        if (distinct) {
            if (devices > 0 && values.containsValue(value)) {
                return false;
            }
            // One value for each request: of several devices of a request, the last one counts.
            values.put(wish.base(), value);
        } else if (devices == 0) {
            common = value;
        } else if (!value.equals(common)) {
            return false;
        }
        devices++;
        return true;
    }

    /** Takes a device out again that was taken in. */
    void remove(RequestAlternative wish) {
        if (wish.among(requests)) {
            values.remove(wish.base());
            devices--;
        }
    }
}
