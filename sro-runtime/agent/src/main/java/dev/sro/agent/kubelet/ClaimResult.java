package dev.sro.agent.kubelet;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * What came of one claim. Immutable.
 *
 * @param devices what it has; none after it was given back
 * @param error why not; empty if all went well
 */
record ClaimResult(List<PreparedDevice> devices, String error) {
    /** Kubelet reads the text into an event. */
    private static final int LONGEST_ERROR = 1000;

    ClaimResult {
        devices = List.copyOf(devices);
    }

    static ClaimResult failed(String error) {
        return new ClaimResult(List.of(), error.substring(0, Math.min(error.length(), LONGEST_ERROR)));
    }

    /** As {@code NodePrepareResourceResponse}. */
    WireWriter writePrepared() {
        WireWriter writer = new WireWriter();
        devices.forEach(device -> writer.message(1, device.write()));
        return writer.string(2, error);
    }

    /** As {@code NodeUnprepareResourceResponse}. */
    WireWriter writeUnprepared() {
        return new WireWriter().string(1, error);
    }

    static ClaimResult readPrepared(WireReader reader) throws IOException {
        List<PreparedDevice> devices = new ArrayList<>();
        String error = "";
        while (reader.next()) {
            switch (reader.field()) {
                case 1 -> devices.add(PreparedDevice.read(reader.message()));
                case 2 -> error = reader.string();
                default -> reader.skip();
            }
        }
        return new ClaimResult(devices, error);
    }

    static ClaimResult readUnprepared(WireReader reader) throws IOException {
        String error = "";
        while (reader.next()) {
            if (reader.field() == 1) {
                error = reader.string();
            } else {
                reader.skip();
            }
        }
        return new ClaimResult(List.of(), error);
    }
}
