package dev.sro.testkit.sim;

import com.fasterxml.jackson.databind.JsonNode;

/** Names a device in the cluster. */
record DeviceId(String driver, String pool, String device) {
    /** Of a device in an allocation or in the status of one. */
    static DeviceId of(JsonNode result) {
        return new DeviceId(
                JsonNodes.text(result, "driver"), JsonNodes.text(result, "pool"), JsonNodes.text(result, "device"));
    }

    @Override
    public String toString() {
        return driver + "/" + pool + "/" + device;
    }
}
