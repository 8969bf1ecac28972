package dev.sro.plugins.nvidia;

import dev.sro.api.device.DeviceClassValue;
import dev.sro.api.device.Exposure;
import java.util.List;
import java.util.Optional;

/** How pods ask for GPUs, by the settings. Stateless. */
final class Exposures {

    /** As NVIDIA's device plugin names time slices where its configuration says {@code renameByDefault}. */
    private static final String SHARED = Labels.GPU + ".shared";

    private static final String MIXED = "mixed";

    private static final String DRIVER =
            "device.driver == '" + Labels.DRA_DRIVER + "' && device.attributes['" + Labels.DRA_DRIVER + "'].type == '";

    private Exposures() {}

    static Exposure choose(Settings settings) {
        if (settings.isDra()) {
            return claims();
        }
        Exposure.Builder exposure = Exposure.builder().mode(Exposure.Mode.DEVICE_PLUGIN);
        boolean containers = settings.is("devicePlugin.enabled");
        boolean machines = settings.hasSandboxes()
                && (settings.is("sandboxDevicePlugin.enabled")
                        || (settings.isKata() && settings.is("kataSandboxDevicePlugin.enabled")));
        if (machines) {
            // Their plugins name resources after models of GPUs, or types of vGPUs.
            exposure.addResourceNames(Labels.PREFIX + "*");
        } else if (containers) {
            exposure.addResourceNames(Labels.GPU);
            // What is in the ConfigMap of the administrator is not known here.
            boolean config = settings.maybe("devicePlugin.config.name").isPresent();
            if (config) {
                exposure.addResourceNames(SHARED);
            }
            if (config || isMixed(settings) || settings.hasSlices()) {
                exposure.addResourceNames(Labels.MIG + "*");
            }
        } else {
            exposure.mode(Exposure.Mode.NONE);
        }
        return exposure.build();
    }

    /** How the device plugin offers MIG devices: by the setting, or what is given to the process instead of it. */
    static String migStrategy(Settings settings) {
        return settings.texts("devicePlugin.args").stream()
                .map(argument -> argument.substring(argument.indexOf('=') + 1))
                .filter(List.of("none", "single", MIXED)::contains)
                .findFirst()
                .or(() -> settings.maps("devicePlugin.env").stream()
                        .filter(env -> "MIG_STRATEGY".equals(env.get("name")) && env.get("value") != null)
                        .map(env -> String.valueOf(env.get("value")))
                        .findFirst())
                .orElseGet(() -> settings.text("mig.strategy"));
    }

    /** Whether MIG devices have resources of their own. */
    static boolean isMixed(Settings settings) {
        return migStrategy(settings).equals(MIXED);
    }

    /** The classes of {@code device-classes.yaml}. */
    private static Exposure claims() {
        return Exposure.builder()
                .mode(Exposure.Mode.DRA)
                .draDriver(Labels.DRA_DRIVER)
                .addDeviceClasses(
                        new DeviceClassValue(Labels.DRA_DRIVER, List.of(DRIVER + "gpu'"), Optional.of(Labels.GPU)),
                        new DeviceClassValue("mig.nvidia.com", List.of(DRIVER + "mig'"), Optional.empty()))
                .build();
    }
}
