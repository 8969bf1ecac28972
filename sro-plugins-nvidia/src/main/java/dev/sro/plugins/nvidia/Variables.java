package dev.sro.plugins.nvidia;

import static dev.sro.plugins.nvidia.Values.env;
import static dev.sro.plugins.nvidia.Values.environment;
import static dev.sro.plugins.nvidia.Values.field;
import static dev.sro.plugins.nvidia.Values.hostPath;
import static dev.sro.plugins.nvidia.Values.map;
import static dev.sro.plugins.nvidia.Values.mount;

import dev.sro.plugins.nvidia.monitoring.NvidiaMonitoring;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Values for the placeholders of the manifests. Immutable. */
final class Variables {

    private static final String ALL = "all";

    private final Settings settings;

    Variables(Settings settings) {
        this.settings = settings;
    }

    /**
     * All of them.
     *
     * @param account service account of the operand
     * @param needsToken whether it talks to the API server
     */
    Map<String, Object> all(String account, boolean needsToken) {
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("account", account);
        all.put("needsToken", needsToken);
        all.put("images", images());
        all.put("runtimeClass", settings.text("operator.runtimeClass"));
        all.put("driverRoot", driverRoot());
        all.put("hostRoot", settings.text("hostPaths.rootFS"));
        all.put("kubeletRoot", settings.text("hostPaths.kubeletRootDir"));
        all.put("cdiEnabled", String.valueOf(settings.is("cdi.enabled")));
        barriers(all);
        driver(all);
        toolkit(all);
        devicePlugin(all);
        monitoring(all);
        features(all);
        sandboxes(all);
        return all;
    }

    private String driverRoot() {
        return settings.hasDriver() ? settings.text("hostPaths.driverInstallDir") : "/run/nvidia/driver";
    }

    private Map<String, Object> images() {
        Map<String, Object> images = new LinkedHashMap<>();
        Catalogue.OWN.entries().keySet().stream()
                .filter(section -> !section.equals("driver"))
                .forEach(section -> images.put(
                        switch (section) {
                            case "driver.manager" -> "driverManager";
                            case "operator.initContainer" -> "init";
                            default -> section;
                        },
                        settings.reference(section)));
        // Nobody publishes it, so that it is not in the catalogue.
        images.put("slices", settings.reference("slices"));
        return images;
    }

    private void barriers(Map<String, Object> all) {
        String sandbox = "vfio-pci-ready ] || [ -f " + Barriers.DIRECTORY + "/vgpu-devices-ready";
        all.put(
                "barriers",
                map(
                        "driver",
                        Barriers.wait(settings, "driver", "driver-ready"),
                        "toolkit",
                        Barriers.wait(settings, "toolkit", "toolkit-ready"),
                        "vgpuManager",
                        Barriers.wait(settings, "vgpu-manager", "vgpu-manager-ready"),
                        "sandbox",
                        Barriers.wait(settings, "sandbox", sandbox)));
        all.put(
                "barrierScripts",
                map(
                        "driverUp",
                        Barriers.driverUp(
                                driverRoot(),
                                settings.is("gds.enabled"),
                                settings.is("gdrcopy.enabled"),
                                settings.is("driver.rdma.enabled")),
                        "driverDown",
                        Barriers.driverDown(),
                        "hostDriverUp",
                        Barriers.hostDriverUp()));
    }

    private void driver(Map<String, Object> all) {
        String digest = DriverDigest.compute(settings);
        all.put("driverDigest", digest);
        all.put("driverVersion", settings.image("driver").version());
        all.put("driverCommand", List.of("nvidia-driver"));
        all.put("driverArgs", List.of("init"));
        all.put("kernelModuleType", DriverImages.moduleType(settings));
        all.put("rdma", String.valueOf(settings.is("driver.rdma.enabled")));
        all.put("hostMofed", String.valueOf(settings.is("driver.rdma.useHostMofed")));
        Map<String, Object> startup = new LinkedHashMap<>();
        for (String name : List.of("initialDelaySeconds", "periodSeconds", "timeoutSeconds", "failureThreshold")) {
            startup.put(name, settings.number("driver.startupProbe." + name));
        }
        all.put("startup", startup);
        all.put(
                "managerEnv",
                List.of(
                        field("NODE_NAME", "spec.nodeName"),
                        field("OPERATOR_NAMESPACE", "metadata.namespace"),
                        env("NVIDIA_VISIBLE_DEVICES", "void"),
                        env("ENABLE_GPU_POD_EVICTION", "true"),
                        env("ENABLE_AUTO_DRAIN", "false")));
    }

    private void toolkit(Map<String, Object> all) {
        String runtime = settings.runtime();
        boolean cdi = settings.is("cdi.enabled");
        String directory = "/etc/" + runtime;
        String dropIns = directory + (runtime.equals("crio") ? "/crio.conf.d" : "/conf.d");
        String socket = "/run/" + (runtime.equals("docker") ? "" : runtime);
        all.put("toolkitInstallDir", settings.text("toolkit.installDir"));
        all.put("runtimePaths", map("config", directory, "dropIns", dropIns, "socket", socket));
        List<Object> env = toolkitEnv(runtime, dropIns, cdi);
        if (cdi) {
            env.addAll(environment(
                    "NVIDIA_CONTAINER_RUNTIME_MODE", "cdi",
                    "NVIDIA_CONTAINER_RUNTIME_MODES_CDI_DEFAULT_KIND", "management.nvidia.com/gpu",
                    "CDI_OUTPUT_DIR", "/var/run/cdi"));
        }
        if (settings.is("cdi.nriPluginEnabled")) {
            env.addAll(environment("ENABLE_NRI_PLUGIN", "true"));
        }
        all.put("toolkitEnv", env);
    }

    private List<Object> toolkitEnv(String runtime, String dropIns, boolean cdi) {
        return new ArrayList<>(environment(
                "ROOT",
                settings.text("toolkit.installDir"),
                "NVIDIA_VISIBLE_DEVICES",
                "void",
                "TOOLKIT_PID_FILE",
                "/run/nvidia/toolkit/toolkit.pid",
                "RUNTIME",
                runtime,
                "RUNTIME_CONFIG",
                "/runtime/config-dir/" + (runtime.equals("docker") ? "daemon.json" : "config.toml"),
                "RUNTIME_DROP_IN_CONFIG",
                "/runtime/config-dir.d/99-nvidia.toml",
                "RUNTIME_DROP_IN_CONFIG_HOST_PATH",
                dropIns + "/99-nvidia.toml",
                "RUNTIME_SOCKET",
                "/runtime/sock-dir/" + runtime + ".sock",
                "CDI_ENABLED",
                String.valueOf(cdi),
                "NVIDIA_RUNTIME_SET_AS_DEFAULT",
                String.valueOf(!cdi),
                "CRIO_CONFIG_MODE",
                "config"));
    }

    private void devicePlugin(Map<String, Object> all) {
        String mps = settings.text("devicePlugin.mps.root");
        List<Object> env = new ArrayList<>(List.of(
                field("NODE_NAME", "spec.nodeName"),
                env("NVIDIA_VISIBLE_DEVICES", ALL),
                env("NVIDIA_DRIVER_CAPABILITIES", ALL),
                env("MIG_STRATEGY", settings.text("mig.strategy")),
                env("NVIDIA_MIG_MONITOR_DEVICES", ALL),
                env("PASS_DEVICE_SPECS", "true"),
                env("FAIL_ON_INIT_ERROR", "true"),
                env("MPS_ROOT", mps)));
        env.addAll(
                settings.is("cdi.enabled")
                        ? environment(
                                "CDI_ENABLED", "true",
                                "DEVICE_LIST_STRATEGY", "cdi-annotations,cdi-cri",
                                "CDI_ANNOTATION_PREFIX", "cdi.k8s.io/",
                                "NVIDIA_CDI_HOOK_PATH",
                                        settings.text("toolkit.installDir") + "/toolkit/nvidia-cdi-hook")
                        : environment("DEVICE_LIST_STRATEGY", "envvar"));
        all.put("devicePluginEnv", env);
        all.put(
                "countDevices",
                "STRATEGY=" + Exposures.migStrategy(settings) + "\n" + Resources.text("count-devices.sh"));
        all.put("mpsRoot", mps);
        all.put(
                "mpsEnv",
                List.of(
                        field("NODE_NAME", "spec.nodeName"),
                        env("NVIDIA_VISIBLE_DEVICES", ALL),
                        env("NVIDIA_DRIVER_CAPABILITIES", "compute,utility"),
                        env("MIG_STRATEGY", settings.text("mig.strategy"))));
        all.put("mpsMounts", List.of(mount("mps-shm", "/dev/shm"), mount("mps-root", "/mps")));
        all.put(
                "mpsVolumes",
                List.of(
                        hostPath("run-nvidia-validations", Barriers.DIRECTORY, "DirectoryOrCreate"),
                        hostPath("mps-root", mps, "DirectoryOrCreate"),
                        hostPath("mps-shm", mps + "/shm", "DirectoryOrCreate")));
    }

    private List<Object> exporterEnv() {
        List<Object> env = new ArrayList<>(List.of(
                field("NODE_NAME", "spec.nodeName"),
                env("NVIDIA_DRIVER_CAPABILITIES", "compute,utility"),
                env("DCGM_EXPORTER_LISTEN", ":9400"),
                env("DCGM_EXPORTER_KUBERNETES", "true")));
        if (settings.isDra()) {
            // Without it, metrics of GPUs that pods have by claims name no pod.
            env.add(env("KUBERNETES_ENABLE_DRA", "true"));
        }
        if (settings.is("dcgm.enabled")) {
            env.add(env("DCGM_REMOTE_HOSTENGINE_INFO", "nvidia-dcgm:5555"));
        }
        env.add(env("DCGM_EXPORTER_COLLECTORS", "/etc/dcgm-exporter/config/dcgm-metrics.csv"));
        if (settings.is("dcgmExporter.enablePodLabels")) {
            env.add(env("DCGM_EXPORTER_KUBERNETES_ENABLE_POD_LABELS", "true"));
        }
        if (settings.is("dcgmExporter.enablePodUID")) {
            env.add(env("DCGM_EXPORTER_KUBERNETES_ENABLE_POD_UID", "true"));
        }
        List<String> allowed = settings.texts("dcgmExporter.podLabelAllowlistRegex");
        if (!allowed.isEmpty()) {
            env.add(env("DCGM_EXPORTER_KUBERNETES_POD_LABEL_ALLOWLIST_REGEX", String.join(",", allowed)));
        }
        if (settings.is("dcgmExporter.hpcJobMapping.enabled")) {
            env.add(env("DCGM_HPC_JOB_MAPPING_DIR", settings.text("dcgmExporter.hpcJobMapping.directory")));
        }
        return env;
    }

    private void monitoring(Map<String, Object> all) {
        all.put("exporterEnv", exporterEnv());
        all.put("exporterCounters", NvidiaMonitoring.counters());
        all.put("exporterRuntimeClass", settings.isDra() ? "" : settings.text("operator.runtimeClass"));
        all.put(
                "exporterBarrier",
                Barriers.wait(
                        settings,
                        settings.isDra() ? "driver" : "toolkit",
                        settings.isDra() ? "driver-ready" : "toolkit-ready"));
        all.put(
                "exporterService",
                map(
                        "type",
                        settings.text("dcgmExporter.service.type"),
                        "internalTrafficPolicy",
                        settings.text("dcgmExporter.service.internalTrafficPolicy")));
        all.put("statusMonitorInterval", settings.text("dcgmExporter.serviceMonitor.interval"));
        all.put("statusMonitorLabels", monitorLabels("nvidia-node-status-exporter"));
        all.put("slicesMonitorLabels", monitorLabels("nvidia-slices-agent"));
        long port = settings.number("dcgm.hostPort");
        all.put(
                "dcgmPort",
                port == 0
                        ? map("name", "dcgm", "containerPort", 5555)
                        : map("name", "dcgm", "containerPort", 5555, "hostPort", port));
    }

    /** With those by which the administrator's Prometheus finds it. */
    private Map<String, Object> monitorLabels(String app) {
        Map<String, Object> labels = map("app", app);
        settings.map("monitoring.labels").forEach((key, value) -> labels.put(key, String.valueOf(value)));
        return labels;
    }

    private void features(Map<String, Object> all) {
        all.put(
                "gfdEnv",
                List.of(
                        field("NODE_NAME", "spec.nodeName"),
                        field("NAMESPACE", "metadata.namespace"),
                        env("GFD_SLEEP_INTERVAL", "60s"),
                        env("GFD_FAIL_ON_INIT_ERROR", "true"),
                        env("MIG_STRATEGY", settings.text("mig.strategy")),
                        env("NVIDIA_VISIBLE_DEVICES", ALL),
                        env("NVIDIA_DRIVER_CAPABILITIES", "compute,utility"),
                        env("NVIDIA_MIG_MONITOR_DEVICES", ALL)));
        all.put("migConfigMap", settings.maybe("migManager.config.name").orElse("default-mig-parted-config"));
        all.put(
                "gpuClientsConfigMap",
                settings.maybe("migManager.gpuClientsConfig.name").orElse("default-gpu-clients"));
    }

    private void sandboxes(Map<String, Object> all) {
        all.put("vgpuConfigDefault", settings.text("vgpuDeviceManager.config.default"));
        all.put("vgpuConfigMap", settings.text("vgpuDeviceManager.config.name"));
        all.put("ccMode", settings.text("ccManager.defaultMode"));
        all.put("defaultWorkload", settings.text("sandboxWorkloads.defaultWorkload"));
    }
}
