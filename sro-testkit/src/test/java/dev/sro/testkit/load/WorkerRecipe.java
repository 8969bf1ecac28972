package dev.sro.testkit.load;

import dev.sro.core.model.MetadataKeys;
import dev.sro.testkit.operator.SroSandbox;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What scenarios with worker pods have in common: the objects that the engine makes of a load plan, and how to see what became of them. */
public final class WorkerRecipe {

    /** Label of nodes with what is loaded. */
    public static final String LOADED = "sro.dev/loaded-gpu";

    /** What comes after the modules. */
    static final String DEVICE_PLUGIN = """
        apiVersion: apps/v1
        kind: DaemonSet
        metadata: {name: device-plugin}
        spec:
          selector: {matchLabels: {app: device-plugin}}
          template:
            metadata: {labels: {app: device-plugin}}
            spec: {containers: [{name: plugin, image: registry.example/plugin:1}]}
        """;

    private static final int CONFIG = 16;

    private static final String TEMPLATE = """
        apiVersion: v1
        kind: ServiceAccount
        metadata: {name: loader}
        ---
        apiVersion: v1
        kind: PodTemplate
        metadata:
          name: load-%1$s
          annotations:
            specialresource.openshift.io/kernel-affine: "true"
            sro.dev/load-config: "%1$s"
        template:
          metadata: {labels: {app: load}, annotations: {sro.dev/driver-version: "%1$s"}}
          spec:
            serviceAccountName: loader
            restartPolicy: OnFailure
            containers:
            - name: driver-load
              image: registry.example/gpu:%2$s
              command: [/bin/sh, -c, "true", sro, load]
              env: [{name: SRO_SCRIPT, value: "modprobe gpu level=%1$s"}]
        """;

    private WorkerRecipe() {}

    /** The number as a configuration. */
    public static String config(@Nullable Object number) {
        return "%016d".formatted(Integer.parseInt(String.valueOf(number)));
    }

    /** Account and template of pods that load a configuration. */
    public static String manifest(String config, String imageTag) {
        return TEMPLATE.formatted(config, imageTag);
    }

    /** The number of the configuration that a node's label says is loaded; empty for none. */
    public static String loaded(String label) {
        return label.isEmpty() ? "" : label.substring(0, CONFIG).replaceFirst("^0+", "");
    }

    /** The worker pods in a namespace. */
    public static List<Pod> workers(SroSandbox sandbox, String namespace) {
        return sandbox.client().pods().inNamespace(namespace).list().getItems().stream()
                .filter(pod -> !work(pod).isEmpty())
                .toList();
    }

    /** What a worker pod does; empty for all others. */
    public static String work(Pod pod) {
        return pod.getMetadata().getAnnotations() == null
                ? ""
                : pod.getMetadata().getAnnotations().getOrDefault(MetadataKeys.WORK, "");
    }
}
