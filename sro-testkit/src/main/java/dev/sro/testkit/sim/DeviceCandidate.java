package dev.sro.testkit.sim;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.jspecify.annotations.Nullable;

/** A device that may be allocated, with where it was found. */
record DeviceCandidate(DevicePool pool, ObjectNode slice, ObjectNode device, DeviceId id) {
    static DeviceCandidate of(DevicePool pool, ObjectNode slice, JsonNode device) {
        return new DeviceCandidate(
                pool, slice, (ObjectNode) device, new DeviceId(pool.driver, pool.name, JsonNodes.text(device, "name")));
    }

    boolean sharable() {
        return JsonNodes.bool(device, "allowMultipleAllocations");
    }

    /** The attribute of this name, which has a domain: that of the driver goes without saying. Null if there is none. */
    @Nullable JsonNode attribute(String qualified) {
        JsonNode attributes = device.path("attributes");
        JsonNode found = attributes.get(qualified);
        int slash = qualified.indexOf('/');
        if (found == null && slash >= 0 && qualified.substring(0, slash).equals(id.driver())) {
            found = attributes.get(qualified.substring(slash + 1));
        }
        return found;
    }
}
