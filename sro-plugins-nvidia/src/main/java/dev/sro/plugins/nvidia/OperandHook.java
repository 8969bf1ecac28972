package dev.sro.plugins.nvidia;

import static dev.sro.plugins.nvidia.Values.map;

import dev.sro.api.ManifestHook;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Puts the settings of an operand and of all DaemonSets into a DaemonSet. The annotation {@code nvidia.com/sro-section} of the
 * manifest says which section of the settings is that of its main container; those of other containers follow from their images.
 * Stateless.
 */
final class OperandHook {

    private static final String SECTION = "nvidia.com/sro-section";

    private static final String PRIORITY = "priorityClassName";

    private static final String RUNTIME_CLASS = "runtimeClassName";

    /** Sections of the validations by the names of their containers. */
    private static final Map<String, String> VALIDATIONS = Map.of(
            "toolkit-validation", "validator.toolkit",
            "cuda-validation", "validator.cuda",
            "plugin-validation", "validator.plugin",
            "find-driver", "validator.driver",
            "vfio-pci-validation", "validator.vfioPCI",
            "vgpu-manager-validation", "validator.vgpuManager",
            "vgpu-devices-validation", "validator.vgpuDevices");

    private OperandHook() {}

    static void apply(GenericKubernetesResource daemonSet, ManifestHook.Context context) {
        Settings settings = new Settings(context.recipe());
        Map<String, String> annotations = daemonSet.getMetadata().getAnnotations();
        String section = annotations.getOrDefault(SECTION, "");
        annotations.remove(SECTION);
        Pods pods = Pods.of(daemonSet);
        section(settings, section, pods);
        switch (section) {
            case "driver" -> new DriverPods(settings, context).apply(pods);
            case "devicePlugin", "gfd" -> SharedConfig.apply(settings, section, pods);
            case "dcgmExporter", "dcgm" -> ExporterPods.apply(settings, section, pods);
            default -> {}
        }
        VALIDATIONS.forEach((container, path) -> pods.allContainers().stream()
                .filter(one -> container.equals(one.get("name")))
                .forEach(one -> settings.maps(path + ".env").forEach(variable -> Pods.addEnv(one, variable))));
        pulls(settings, section, pods);
        daemonSet(settings, daemonSet, pods);
    }

    private static void section(Settings settings, String section, Pods pods) {
        Map<String, Object> main = pods.main();
        if (section.equals("operator.initContainer")) {
            return;
        }
        settings.maps(section + ".env").forEach(variable -> Pods.addEnv(main, variable));
        List<String> args = settings.texts(section + ".args");
        if (!args.isEmpty()) {
            main.put("args", args);
        }
        Map<String, Object> resources = settings.map(section + ".resources");
        if (!resources.isEmpty()) {
            main.put("resources", resources);
        }
        if (settings.is(section + ".hostNetwork")) {
            pods.spec().put("hostNetwork", true);
            pods.spec().put("dnsPolicy", "ClusterFirstWithHostNet");
        }
        settings.maps("driver.manager.env")
                .forEach(variable -> pods.containers("initContainers").stream()
                        .filter(container -> "k8s-driver-manager".equals(container.get("name")))
                        .forEach(container -> Pods.addEnv(container, variable)));
    }

    private static void pulls(Settings settings, String section, Pods pods) {
        Set<String> secrets = new LinkedHashSet<>();
        String main = String.valueOf(pods.main().get("image"));
        for (Map<String, Object> container : pods.allContainers()) {
            String image = String.valueOf(container.get("image"));
            String own = image.equals(main)
                    ? section
                    : Catalogue.OWN.entries().keySet().stream()
                            .filter(one -> settings.reference(one).equals(image))
                            .findFirst()
                            .orElse(section);
            container.putIfAbsent("imagePullPolicy", settings.text(own + ".imagePullPolicy"));
            secrets.addAll(settings.texts(own + ".imagePullSecrets"));
        }
        if (!secrets.isEmpty()) {
            pods.spec()
                    .put(
                            "imagePullSecrets",
                            secrets.stream().map(name -> map("name", name)).toList());
        }
    }

    private static void daemonSet(Settings settings, GenericKubernetesResource daemonSet, Pods pods) {
        Map<String, String> labels = new LinkedHashMap<>(daemonSet.getMetadata().getLabels());
        settings.map("daemonsets.labels").forEach((key, value) -> {
            labels.putIfAbsent(key, String.valueOf(value));
            pods.metadata("labels").putIfAbsent(key, value);
        });
        daemonSet.getMetadata().setLabels(labels);
        settings.map("daemonsets.annotations").forEach((key, value) -> {
            daemonSet.getMetadata().getAnnotations().putIfAbsent(key, String.valueOf(value));
            pods.metadata("annotations").putIfAbsent(key, value);
        });
        Map<String, Object> spec = Pods.child(daemonSet.getAdditionalProperties(), "spec");
        if (!spec.containsKey("updateStrategy")) {
            String type = settings.text("daemonsets.updateStrategy");
            spec.put(
                    "updateStrategy",
                    type.equals("OnDelete")
                            ? map("type", type)
                            : map("type", type, "rollingUpdate", map("maxUnavailable", unavailable(settings))));
        }
        Map<String, Object> pod = pods.spec();
        pod.putIfAbsent(PRIORITY, settings.text("daemonsets.priorityClassName"));
        Map<String, Object> security = settings.map("daemonsets.podSecurityContext");
        if (!security.isEmpty()) {
            pod.putIfAbsent("securityContext", security);
        }
        for (String key : List.of(PRIORITY, RUNTIME_CLASS)) {
            if ("".equals(pod.get(key))) {
                pod.remove(key);
            }
        }
    }

    /** A count is a number for the API server, a percentage a text. */
    private static Object unavailable(Settings settings) {
        String text = settings.text("daemonsets.rollingUpdate.maxUnavailable");
        return text.matches("\\d{1,9}") ? Integer.valueOf(text) : text;
    }
}
