package dev.sro.plugins.nvidia;

import java.util.List;

/**
 * Identity of what is installed by the driver container: its version and the settings that matter for the installation. As long as
 * it is the same, a change of the pod (a mirror, a probe, a limit) restarts it under its users, and nobody is drained. Stateless.
 */
final class DriverDigest {

    private static final List<String> INSTALLED = List.of(
            "driver.version",
            "driver.kernelModuleConfig.name",
            "driver.repoConfig.configMapName",
            "driver.licensingConfig.configMapName",
            "driver.licensingConfig.secretName",
            "driver.licensingConfig.nlsEnabled",
            "driver.virtualTopology.config",
            "driver.secretEnv",
            "driver.rdma.enabled",
            "driver.rdma.useHostMofed",
            "gds.enabled",
            "gdrcopy.enabled",
            "hostPaths.driverInstallDir");

    private DriverDigest() {}

    static String compute(Settings settings) {
        StringBuilder text = new StringBuilder();
        text.append(settings.image("driver").version()).append('\n');
        text.append(DriverImages.moduleType(settings)).append('\n');
        INSTALLED.forEach(path ->
                text.append(path).append('=').append(value(settings, path)).append('\n'));
        text.append(settings.texts("driver.args")).append(settings.maps("driver.env"));
        return Values.digest(text.toString());
    }

    private static String value(Settings settings, String path) {
        return settings.flag(path).map(String::valueOf).orElseGet(() -> settings.text(path));
    }
}
