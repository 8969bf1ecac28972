package dev.sro.testkit.sim;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/**
 * One request of a claim, or one alternative of it.
 *
 * @param parent name of the request whose alternative it is; empty for a request
 * @param spec what is asked for, as it stands in the claim
 * @param deviceClass the class that it names
 * @param count how many devices
 * @param all for all devices there are: these; otherwise empty
 */
record RequestAlternative(
        String parent, String name, JsonNode spec, ObjectNode deviceClass, int count, List<DeviceCandidate> all) {
    boolean wantsAll() {
        return JsonNodes.text(spec, "allocationMode").equals("All");
    }

    boolean admin() {
        return JsonNodes.bool(spec, "adminAccess");
    }

    /** How results name it. */
    String reference() {
        return parent.isEmpty() ? name : parent + "/" + name;
    }

    /** Whether a list of names of requests has it; an empty list has all. */
    boolean among(JsonNode references) {
        if (references.isEmpty()) {
            return true;
        }
        for (JsonNode r : references) {
            if (r.asText().equals(reference())
                    || (!parent.isEmpty() && r.asText().equals(parent))) {
                return true;
            }
        }
        return false;
    }

    /** The key under which constraints remember: the request, whatever alternative was taken. */
    String base() {
        return parent.isEmpty() ? name : parent;
    }
}
