package dev.sro.runtime.imports;

import dev.sro.core.model.ValueTrees;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The DaemonSet that Kernel Module Management makes of {@code spec.devicePlugin}. Immutable.
 *
 * @param daemonSet the object
 * @param unknown fields of the device plugin that nothing came of
 */
record DevicePlugin(Map<String, Object> daemonSet, List<String> unknown) {

    private static final String SOCKETS = "/var/lib/kubelet/device-plugins";
    private static final Set<String> FIELDS =
            Set.of("container", "initContainer", "serviceAccountName", "volumes", "automountServiceAccountToken");
    private static final Set<String> CONTAINER =
            Set.of("image", "args", "command", "env", "resources", "volumeMounts", "imagePullPolicy");

    static DevicePlugin of(String name, String namespace, String pullSecret, Map<String, Object> plugin) {
        List<String> unknown = new ArrayList<>();
        plugin.keySet().stream().filter(field -> !FIELDS.contains(field)).forEach(unknown::add);
        Map<String, Object> pod = new LinkedHashMap<>();
        if (!pullSecret.isEmpty()) {
            pod.put("imagePullSecrets", List.of(Map.of("name", pullSecret)));
        }
        for (String field : List.of("serviceAccountName", "automountServiceAccountToken")) {
            if (plugin.containsKey(field)) {
                pod.put(field, plugin.get(field));
            }
        }
        pod.put("priorityClassName", "system-node-critical");
        if (plugin.containsKey("initContainer")) {
            pod.put("initContainers", List.of(container("device-plugin-init", "initContainer", plugin, unknown)));
        }
        Map<String, Object> main = container("device-plugin", "container", plugin, unknown);
        main.put("securityContext", Map.of("privileged", true));
        List<Object> mounts = new ArrayList<>(List.of(Map.of("name", "kubelet-device-plugins", "mountPath", SOCKETS)));
        mounts.addAll(ValueTrees.maps(main, "volumeMounts"));
        main.put("volumeMounts", mounts);
        pod.put("containers", List.of(main));
        List<Object> volumes = new ArrayList<>(List.of(
                Map.of("name", "kubelet-device-plugins", "hostPath", Map.of("path", SOCKETS, "type", "Directory"))));
        volumes.addAll(ValueTrees.maps(plugin, "volumes"));
        pod.put("volumes", volumes);
        return new DevicePlugin(daemonSet(name + "-device-plugin", namespace, pod), List.copyOf(unknown));
    }

    private static Map<String, Object> container(
            String name, String field, Map<String, Object> plugin, List<String> unknown) {
        Map<String, Object> container = new LinkedHashMap<>();
        container.put("name", name);
        ValueTrees.map(plugin, field).forEach((key, value) -> {
            if (CONTAINER.contains(key)) {
                container.put(key, value);
            } else {
                unknown.add(field + "." + key);
            }
        });
        return container;
    }

    private static Map<String, Object> daemonSet(String name, String namespace, Map<String, Object> pod) {
        Map<String, String> labels = Map.of("app", name);
        Map<String, Object> template = new LinkedHashMap<>();
        template.put("metadata", Map.of("labels", labels));
        template.put("spec", pod);
        Map<String, Object> spec = new LinkedHashMap<>();
        spec.put("selector", Map.of("matchLabels", labels));
        spec.put("template", template);
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("apiVersion", "apps/v1");
        object.put("kind", "DaemonSet");
        Map<String, Object> metadata = new LinkedHashMap<>();
        metadata.put("name", name);
        metadata.put("namespace", namespace);
        object.put("metadata", metadata);
        object.put("spec", spec);
        return object;
    }
}
