package dev.sro.plugins.nvidia;

import static dev.sro.plugins.nvidia.Values.configMap;
import static dev.sro.plugins.nvidia.Values.environment;
import static dev.sro.plugins.nvidia.Values.field;
import static dev.sro.plugins.nvidia.Values.map;
import static dev.sro.plugins.nvidia.Values.mount;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Configurations of the device plugin, of which a node takes the one that its label {@code nvidia.com/device-plugin.config} names.
 * The plugin's own config manager copies it, and tells the process when the label changes. Stateless.
 */
final class SharedConfig {

    private SharedConfig() {}

    static void apply(Settings settings, String section, Pods pods) {
        String name = settings.text("devicePlugin.config.name");
        if (name.isEmpty()) {
            return;
        }
        String process = String.valueOf(pods.main().get("name")).startsWith("mps")
                ? "mps-control-daemon"
                : section.equals("gfd") ? "gpu-feature-discovery" : "nvidia-device-plugin";
        Pods.addEnv(pods.main(), Values.env("CONFIG_FILE", "/config/config.yaml"));
        Pods.addMount(pods.main(), mount("config", "/config"));
        pods.addVolume(configMap("available-configs", name));
        pods.addVolume(map("name", "config", "emptyDir", map()));
        if (!Boolean.TRUE.equals(pods.spec().get("hostPID"))) {
            pods.spec().put("shareProcessNamespace", true);
        }
        pods.addContainer("initContainers", manager(settings, section, process, true));
        pods.addContainer("containers", manager(settings, section, process, false));
    }

    private static Map<String, Object> manager(Settings settings, String section, String process, boolean once) {
        List<Object> env = new ArrayList<>(environment(
                "ONESHOT",
                String.valueOf(once),
                "KUBECONFIG",
                "",
                "NODE_LABEL",
                "nvidia.com/device-plugin.config",
                "CONFIG_FILE_SRCDIR",
                "/available-configs",
                "CONFIG_FILE_DST",
                "/config/config.yaml",
                "DEFAULT_CONFIG",
                settings.text("devicePlugin.config.default"),
                "SEND_SIGNAL",
                String.valueOf(!once),
                "SIGNAL",
                once ? "" : "1",
                "PROCESS_TO_SIGNAL",
                once ? "" : process));
        env.add(field("NODE_NAME", "spec.nodeName"));
        return map(
                "name",
                once ? "config-manager-init" : "config-manager",
                "image",
                settings.reference(section),
                "command",
                List.of("config-manager"),
                "env",
                env,
                "resources",
                map("requests", map("cpu", "5m", "memory", "32Mi")),
                "securityContext",
                // A signal to a privileged process.
                map("privileged", true),
                "volumeMounts",
                List.of(mount("available-configs", "/available-configs"), mount("config", "/config")));
    }
}
