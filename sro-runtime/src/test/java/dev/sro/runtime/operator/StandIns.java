package dev.sro.runtime.operator;

import dev.sro.runtime.Repository;
import dev.sro.testkit.node.KubeletCluster;
import dev.sro.testkit.node.StandIn;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Images for plugins whose hardware is not here: they do what the entry points of the real ones promise, and nothing more. Stateless. */
final class StandIns {
    private static final Path SCRIPTS =
            Repository.file("sro-runtime/src/test/resources/dev/sro/runtime/operator/stand-ins");

    private StandIns() {}

    /** Of all images that the plugin's catalogue names, and of those of the driver for a system. */
    static void nvidia(KubeletCluster nodes, String system) throws IOException {
        Map<String, StandIn> images = new TreeMap<>();
        Properties catalogue = new Properties();
        try (InputStream in = Files.newInputStream(
                Repository.file("sro-plugins-nvidia/src/main/resources/dev/sro/plugins/nvidia/operands.properties"))) {
            catalogue.load(in);
        }
        catalogue.forEach((section, image) -> {
            String[] parts = String.valueOf(image).split(" ");
            if (section.equals("systems")) {
                return;
            }
            String name = parts[0].substring(parts[0].indexOf('/') + 1) + "/" + parts[1] + ":" + parts[2];
            images.put(
                    section.equals("driver") ? name + "-" + system : name,
                    section.equals("dcgmExporter")
                            ? new StandIn(List.of("/usr/bin/dcgm-exporter"), List.of("NVIDIA_VISIBLE_DEVICES=all"))
                            : StandIn.withoutEntry());
        });
        Map<String, String> files = scripts("nvidia", "/usr/bin/");
        // The driver and the runtime bring it.
        for (String brought : List.of("nvidia-smi", "nvidia-container-runtime")) {
            files.put("/opt/" + brought, files.remove("/usr/bin/" + brought));
        }
        nodes.addStandIns(files, images);
    }

    /** Of those that {@code StandInPluginsNodeTest} names, for a kernel. */
    static void onload(KubeletCluster nodes, String kernel) throws IOException {
        Map<String, String> files = scripts("onload", "/usr/local/bin/");
        files.put("/opt/onload/usr/lib64/libonload.so", "no library");
        files.put("/opt/onload/usr/bin/onload", "#!/bin/sh\n");
        for (String place : List.of("", "/opt")) {
            files.put(place + "/lib/modules/" + kernel + "/modules.dep", "");
        }
        files.put("/stand-in/proc/modules", "");
        nodes.addStandIns(
                files,
                Map.of(
                        // What places the files for container runtimes.
                        "library/busybox:1.37.0",
                        StandIn.withoutEntry(),
                        "onload/user:9.0.1",
                        StandIn.withoutEntry(),
                        "onload/module:9.0.1-" + kernel,
                        new StandIn(List.of("/bin/false"), List.of("SRO_PROC=/stand-in/proc", "SRO_SYS=/stand-in/sys")),
                        "onload/device-plugin:3.0.0",
                        new StandIn(List.of("/usr/local/bin/onload-device-plugin"), List.of())));
    }

    /** Of the made-up card that {@code CardForPodsNodeTest} has. */
    static void card(KubeletCluster nodes) throws IOException {
        nodes.addStandIns(scripts("card", "/usr/bin/"), Map.of("card:1", StandIn.withoutEntry()));
    }

    private static Map<String, String> scripts(String folder, String place) throws IOException {
        Map<String, String> scripts = new TreeMap<>();
        try (Stream<Path> found = Files.list(SCRIPTS.resolve(folder))) {
            for (Path file : found.sorted().toList()) {
                scripts.put(place + file.getFileName(), Files.readString(file, StandardCharsets.UTF_8));
            }
        }
        return scripts;
    }
}
