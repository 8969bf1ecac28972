package dev.sro.plugins.nvidia;

import static dev.sro.plugins.nvidia.Values.configMap;
import static dev.sro.plugins.nvidia.Values.env;
import static dev.sro.plugins.nvidia.Values.environment;
import static dev.sro.plugins.nvidia.Values.map;
import static dev.sro.plugins.nvidia.Values.mount;

import dev.sro.api.ManifestHook;
import dev.sro.api.Pool;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What the settings add to the pods of the driver: configuration, modules beside the driver, OpenShift's toolkit. */
final class DriverPods {

    private static final String TOOLKIT = "/mnt/shared-nvidia-driver-toolkit";

    private static final String REPOSITORIES = "driver.repoConfig.configMapName";

    private static final String REPOSITORY_VOLUME = "repo-config";

    private static final String CERTIFICATES = "driver.certConfig.name";

    private static final String CERTIFICATE_VOLUME = "cert-config";

    private static final String TOOLKIT_SCRIPT =
            "until [ -f " + TOOLKIT + "/dir_prepared ]; do echo waiting for the driver"
                    + " container to prepare the shared directory; sleep 10; done; exec " + TOOLKIT
                    + "/ocp_dtk_entrypoint dtk-build-driver";

    private final Settings settings;
    private final ManifestHook.Context context;

    DriverPods(Settings settings, ManifestHook.Context context) {
        this.settings = settings;
        this.context = context;
    }

    void apply(Pods pods) {
        Map<String, Object> driver = pods.main();
        settings.map("driver.labels")
                .forEach((key, value) -> pods.metadata("labels").putIfAbsent(key, value));
        mounted(pods, driver, "driver.kernelModuleConfig.name", "kernel-module-config", "/drivers");
        mounted(pods, driver, REPOSITORIES, REPOSITORY_VOLUME, repositories());
        mounted(pods, driver, CERTIFICATES, CERTIFICATE_VOLUME, certificates());
        mounted(pods, driver, "driver.virtualTopology.config", "topology-config", "/etc/nvidia-topologyd");
        licensing(pods, driver);
        settings.maybe("driver.secretEnv")
                .ifPresent(secret -> Pods.maps(driver, "envFrom").add(map("secretRef", map("name", secret))));
        sidecars(pods, String.valueOf(driver.get("image")));
        if (settings.isOpenShift()
                && settings.is("operator.use_ocp_driver_toolkit")
                && !isPrecompiled(String.valueOf(driver.get("image")))) {
            toolkitImage().ifPresent(image -> toolkit(pods, driver, image));
        }
    }

    /** By its tag, wherever it is pulled from: where the settings leave it open, there may be modules for one kernel and not for another. */
    private boolean isPrecompiled(String image) {
        Pool pool = context.pool();
        return pool != null && image.contains("-" + pool.kernel().normalized() + "-");
    }

    private String system() {
        Pool pool = context.pool();
        return pool == null ? "" : pool.os().id();
    }

    private String repositories() {
        return system().equals("ubuntu") ? "/etc/apt/sources.list.d" : "/etc/yum.repos.d";
    }

    private String certificates() {
        return system().equals("ubuntu") ? "/usr/local/share/ca-certificates" : "/etc/pki/ca-trust/extracted/pem";
    }

    private void mounted(Pods pods, Map<String, Object> driver, String path, String volume, String directory) {
        settings.maybe(path).ifPresent(name -> {
            pods.addVolume(configMap(volume, name));
            Pods.addMount(driver, mount(volume, directory));
        });
    }

    private void licensing(Pods pods, Map<String, Object> driver) {
        String secret = settings.text("driver.licensingConfig.secretName");
        String config = settings.text("driver.licensingConfig.configMapName");
        if (secret.isEmpty() && config.isEmpty()) {
            return;
        }
        pods.addVolume(
                secret.isEmpty()
                        ? configMap("licensing-config", config)
                        : map("name", "licensing-config", "secret", map("secretName", secret)));
        Pods.addMount(driver, file("licensing-config", "/drivers/gridd.conf", "gridd.conf"));
        if (settings.is("driver.licensingConfig.nlsEnabled")) {
            Pods.addMount(
                    driver,
                    file(
                            "licensing-config",
                            "/drivers/ClientConfigToken/client_configuration_token.tok",
                            "client_configuration_token.tok"));
        }
    }

    private static Map<String, Object> file(String volume, String path, String key) {
        return map("name", volume, "mountPath", path, "subPath", key, "readOnly", true);
    }

    /** Modules that need the driver are loaded beside it; what they need of a network driver is on the node before this state. */
    private void sidecars(Pods pods, String driverImage) {
        if (settings.is("driver.rdma.enabled")) {
            pods.addContainer(
                    "containers",
                    sidecar(
                            "nvidia-peermem-ctr",
                            driverImage,
                            List.of("nvidia-driver"),
                            List.of("reload_nvidia_peermem"),
                            "nvidia-driver probe_nvidia_peermem"));
        }
        if (settings.is("gds.enabled")) {
            pods.addContainer(
                    "containers",
                    sidecar(
                            "nvidia-fs-ctr",
                            ofSystem("gds"),
                            List.of("/bin/bash", "-xc"),
                            List.of("nvidia-gds-driver install"),
                            "grep -q nvidia_fs /proc/modules"));
        }
        if (settings.is("gdrcopy.enabled")) {
            pods.addContainer(
                    "containers",
                    sidecar(
                            "nvidia-gdrcopy-ctr",
                            ofSystem("gdrcopy"),
                            List.of("bash", "-xc"),
                            List.of("gdrcopy-driver install"),
                            "grep -q gdrdrv /proc/modules"));
        }
    }

    private String ofSystem(String section) {
        Pool pool = context.pool();
        String system = pool == null ? "" : DriverImages.system(context.recipe(), pool);
        return settings.image(section).reference(system.isEmpty() ? "" : "-" + system);
    }

    private Map<String, Object> sidecar(
            String name, String image, List<String> command, List<String> args, String ready) {
        return map(
                "name",
                name,
                "image",
                image,
                "command",
                command,
                "args",
                args,
                "env",
                environment(
                        "NVIDIA_VISIBLE_DEVICES", "void",
                        "GPU_DIRECT_RDMA_ENABLED", String.valueOf(settings.is("driver.rdma.enabled")),
                        "USE_HOST_MOFED", String.valueOf(settings.is("driver.rdma.useHostMofed"))),
                "startupProbe",
                startup(ready),
                "resources",
                map("requests", map("cpu", "10m", "memory", "64Mi")),
                "securityContext",
                map("privileged", true),
                "volumeMounts",
                List.of(
                        shown("run-nvidia", "/run/nvidia", "HostToContainer"),
                        shown("run-mellanox-drivers", "/run/mellanox/drivers", "HostToContainer")));
    }

    private static Map<String, Object> startup(String ready) {
        return map(
                "initialDelaySeconds",
                10,
                "periodSeconds",
                10,
                "timeoutSeconds",
                10,
                "failureThreshold",
                120,
                "exec",
                map("command", List.of("sh", "-c", ready)));
    }

    private static Map<String, Object> shown(String volume, String path, String propagation) {
        Map<String, Object> mount = mount(volume, path);
        mount.put("mountPropagation", propagation);
        return mount;
    }

    /** The toolkit of the pool's kernel, as far as it is known. */
    private Optional<String> toolkitImage() {
        Pool pool = context.pool();
        return pool == null
                ? Optional.empty()
                : Optional.ofNullable(context.recipe()
                        .cluster()
                        .driverToolkitKernels()
                        .get(pool.kernel().raw()));
    }

    private void toolkit(Pods pods, Map<String, Object> driver, String image) {
        driver.put("command", List.of("ocp_dtk_entrypoint"));
        driver.put("args", List.of("nv-ctr-run-with-dtk"));
        Map<String, Object> shared = mount("shared-nvidia-driver-toolkit", TOOLKIT);
        Pods.addMount(driver, shared);
        pods.addVolume(map("name", "shared-nvidia-driver-toolkit", "emptyDir", map()));
        List<Map<String, Object>> mounts =
                new ArrayList<>(List.of(shared, shown("run-nvidia", "/run/nvidia", "Bidirectional")));
        // The modules are compiled there: it installs packages, too.
        settings.maybe(REPOSITORIES).ifPresent(name -> mounts.add(mount(REPOSITORY_VOLUME, repositories())));
        settings.maybe(CERTIFICATES).ifPresent(name -> mounts.add(mount(CERTIFICATE_VOLUME, certificates())));
        pods.addContainer(
                "containers",
                map(
                        "name",
                        "openshift-driver-toolkit-ctr",
                        "image",
                        image,
                        "command",
                        List.of("bash", "-c"),
                        "args",
                        List.of(TOOLKIT_SCRIPT),
                        "env",
                        List.of(
                                env("RHCOS_IMAGE_MISSING", "false"),
                                env("NVIDIA_VISIBLE_DEVICES", "void"),
                                env("KERNEL_MODULE_TYPE", DriverImages.moduleType(settings)),
                                env("DRIVER_CONFIG_DIGEST", DriverDigest.compute(settings))),
                        "resources",
                        map("requests", map("cpu", "100m", "memory", "256Mi")),
                        "securityContext",
                        map("privileged", true),
                        "volumeMounts",
                        mounts));
    }
}
