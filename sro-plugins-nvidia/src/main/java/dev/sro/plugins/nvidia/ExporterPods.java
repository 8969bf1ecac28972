package dev.sro.plugins.nvidia;

import static dev.sro.plugins.nvidia.Values.configMap;
import static dev.sro.plugins.nvidia.Values.hostPath;
import static dev.sro.plugins.nvidia.Values.map;
import static dev.sro.plugins.nvidia.Values.mount;

import dev.sro.plugins.nvidia.monitoring.NvidiaMonitoring;
import java.util.List;

/** What the settings add to the pods of DCGM. Stateless. */
final class ExporterPods {

    /** The ConfigMap of the plugin's own counters. */
    private static final String COUNTERS = "nvidia-dcgm-counters";

    private ExporterPods() {}

    static void apply(Settings settings, String section, Pods pods) {
        if (settings.isDra()) {
            pods.spec()
                    .put(
                            "resourceClaims",
                            List.of(map("name", "gpus", "resourceClaimTemplateName", "nvidia-gpu-monitoring")));
            Pods.child(pods.main(), "resources").put("claims", List.of(map("name", "gpus")));
        }
        if (section.equals("dcgm")) {
            return;
        }
        String counters = settings.maybe("dcgmExporter.config.name").orElse(COUNTERS);
        if (counters.equals(COUNTERS)) {
            // The exporter reads the file once: other counters are other pods.
            pods.metadata("annotations")
                    .put(Labels.PREFIX + "sro-counters", Values.digest(NvidiaMonitoring.counters()));
        }
        pods.addVolume(configMap("metrics-config", counters));
        Pods.addMount(pods.main(), mount("metrics-config", "/etc/dcgm-exporter/config"));
        if (settings.is("dcgmExporter.hpcJobMapping.enabled")) {
            String directory = settings.text("dcgmExporter.hpcJobMapping.directory");
            pods.addVolume(hostPath("hpc-job-mapping", directory, "DirectoryOrCreate"));
            Pods.addMount(pods.main(), mount("hpc-job-mapping", directory));
        }
        if (settings.is("dcgmExporter.hostPID")) {
            pods.spec().put("hostPID", true);
        }
        settings.map("dcgmExporter.annotations")
                .forEach((key, value) -> pods.metadata("annotations").putIfAbsent(key, value));
    }
}
