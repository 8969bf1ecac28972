package dev.sro.agent.kubelet;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;

/**
 * A device of a device plugin: {@code v1beta1.Device}. Immutable.
 *
 * @param id by which kubelet asks for it
 * @param healthy whether containers may have it
 * @param numaNode near which it sits, where that is known
 */
public record PluginDevice(String id, boolean healthy, OptionalInt numaNode) {
    private static final String HEALTHY = "Healthy";
    private static final String UNHEALTHY = "Unhealthy";

    static WireWriter writeAll(List<PluginDevice> devices) {
        WireWriter writer = new WireWriter();
        for (PluginDevice device : devices) {
            WireWriter one = new WireWriter().string(1, device.id).string(2, device.healthy ? HEALTHY : UNHEALTHY);
            device.numaNode.ifPresent(node ->
                    one.message(3, new WireWriter().message(1, new WireWriter().number(1, node))));
            writer.message(1, one);
        }
        return writer;
    }

    static List<PluginDevice> readAll(WireReader reader) throws IOException {
        List<PluginDevice> devices = new ArrayList<>();
        while (reader.next()) {
            if (reader.field() == 1) {
                devices.add(read(reader.message()));
            } else {
                reader.skip();
            }
        }
        return devices;
    }

    private static PluginDevice read(WireReader reader) throws IOException {
        String id = "";
        String health = "";
        OptionalInt node = OptionalInt.empty();
        while (reader.next()) {
            switch (reader.field()) {
                case 1 -> id = reader.string();
                case 2 -> health = reader.string();
                case 3 -> node = topology(reader.message());
                default -> reader.skip();
            }
        }
        return new PluginDevice(id, health.equals(HEALTHY), node);
    }

    private static OptionalInt topology(WireReader reader) throws IOException {
        OptionalInt node = OptionalInt.empty();
        while (reader.next()) {
            if (reader.field() == 1) {
                WireReader numa = reader.message();
                // Node 0 is left out on the wire.
                int number = 0;
                while (numa.next()) {
                    if (numa.field() == 1) {
                        number = (int) numa.number();
                    } else {
                        numa.skip();
                    }
                }
                node = OptionalInt.of(number);
            } else {
                reader.skip();
            }
        }
        return node;
    }
}
