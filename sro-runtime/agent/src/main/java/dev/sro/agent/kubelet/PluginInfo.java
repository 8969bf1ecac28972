package dev.sro.agent.kubelet;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Who a plugin is: {@code pluginregistration.PluginInfo}. Immutable.
 *
 * @param type {@code DRAPlugin}
 * @param name of the driver
 * @param endpoint path of the socket of the service
 * @param versions services that it has, the best first
 */
record PluginInfo(String type, String name, String endpoint, List<String> versions) {
    PluginInfo {
        versions = List.copyOf(versions);
    }

    WireWriter write() {
        WireWriter writer = new WireWriter().string(1, type).string(2, name).string(3, endpoint);
        versions.forEach(version -> writer.element(4, version));
        return writer;
    }

    static PluginInfo read(WireReader reader) throws IOException {
        String type = "";
        String name = "";
        String endpoint = "";
        List<String> versions = new ArrayList<>();
        while (reader.next()) {
            switch (reader.field()) {
                case 1 -> type = reader.string();
                case 2 -> name = reader.string();
                case 3 -> endpoint = reader.string();
                case 4 -> versions.add(reader.string());
                default -> reader.skip();
            }
        }
        return new PluginInfo(type, name, endpoint, versions);
    }
}
