package dev.sro.api;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * An init container that waits for barriers on its node ({@link NodeBarrier}), as a value of a manifest's placeholder. It asks for next
 * to nothing, may do nothing but read the directory of the barriers, and looks every five seconds. Immutable.
 *
 * <pre>{@code
 * BarrierWait wait = BarrierWait.of("wait-for-driver", image, NodeBarrier.of(context.name(), "driver"));
 * state.reach(Reach.ownBarrier())
 *         .putVariables("wait", wait.container()) // initContainers: ["${wait}"]
 *         .putVariables("barriers", wait.hostPath()); // volumes: ["${barriers}"]
 * }</pre>
 *
 * @param name of the container, a DNS label
 * @param image with {@code sh} and {@code sleep}
 * @param condition for a POSIX shell, with paths as they are on the host; see {@link NodeBarrier#isOpen}
 * @param shown what it says in its log that it waits for
 * @param directory of the barriers on the host
 * @param volume name of the pod's volume with that directory
 * @param environment of the container, in this order
 * @since 0.1.0
 */
public record BarrierWait(
        String name,
        String image,
        String condition,
        String shown,
        String directory,
        String volume,
        Map<String, String> environment) {

    private static final String VOLUME = "barriers";

    /** Checks the name and copies the environment. */
    public BarrierWait {
        Checks.dnsLabel("BarrierWait.name", name);
        Checks.absolutePath("BarrierWait.directory", directory);
        Checks.dnsLabel("BarrierWait.volume", volume);
        environment = Collections.unmodifiableMap(new LinkedHashMap<>(environment));
    }

    /**
     * Waits until all of these are open.
     *
     * @param name of the container
     * @param image with {@code sh} and {@code sleep}
     * @param barriers in one directory; at least one
     */
    public static BarrierWait of(String name, String image, NodeBarrier... barriers) {
        List<String> conditions = new ArrayList<>();
        List<String> files = new ArrayList<>();
        Checks.require(barriers.length > 0, "BarrierWait.barriers", "name at least one");
        for (NodeBarrier barrier : barriers) {
            Checks.require(
                    barrier.directory().equals(barriers[0].directory()),
                    "BarrierWait.barriers",
                    barrier.path() + " is in another directory than " + barriers[0].path());
            conditions.add(barrier.isOpen());
            files.add(barrier.file());
        }
        return new BarrierWait(
                name,
                image,
                String.join(" && ", conditions),
                String.join(" and ", files),
                barriers[0].directory(),
                VOLUME,
                Map.of());
    }

    /** The container. */
    public Map<String, Object> container() {
        Map<String, Object> container = new LinkedHashMap<>();
        container.put("name", name);
        container.put("image", image);
        container.put(
                "command",
                List.of("sh", "-c", "until " + condition + "; do echo waiting for " + shown + "; sleep 5; done"));
        if (!environment.isEmpty()) {
            List<Map<String, Object>> variables = new ArrayList<>();
            environment.forEach((key, value) -> variables.add(ordered("name", key, "value", value)));
            container.put("env", variables);
        }
        container.put("resources", ordered("requests", ordered("cpu", "5m", "memory", "16Mi")));
        container.put("securityContext", security());
        container.put("volumeMounts", List.of(mount()));
        return container;
    }

    private Map<String, Object> mount() {
        return ordered(
                "name",
                volume,
                "mountPath",
                directory,
                "readOnly",
                true,
                // Where the directory is a mount of its own, files come from there.
                "mountPropagation",
                "HostToContainer");
    }

    private static Map<String, Object> security() {
        return ordered(
                "runAsUser",
                0,
                "allowPrivilegeEscalation",
                false,
                "readOnlyRootFilesystem",
                true,
                "capabilities",
                ordered("drop", List.of("ALL")),
                // The label of what root wrote there; without SELinux it means nothing.
                "seLinuxOptions",
                ordered("level", "s0", "type", "spc_t"));
    }

    /** The pod's volume that the container mounts; the kubelet makes the directory where it is not there. */
    public Map<String, Object> hostPath() {
        return ordered("name", volume, "hostPath", ordered("path", directory, "type", "DirectoryOrCreate"));
    }

    private static Map<String, Object> ordered(Object... keysAndValues) {
        Map<String, Object> map = new LinkedHashMap<>();
        for (int i = 0; i < keysAndValues.length; i += 2) {
            map.put(String.valueOf(keysAndValues[i]), keysAndValues[i + 1]);
        }
        return map;
    }
}
