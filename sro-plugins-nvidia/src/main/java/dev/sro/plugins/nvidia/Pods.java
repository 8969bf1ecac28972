package dev.sro.plugins.nvidia;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * The pod template of a DaemonSet, to be changed in place.
 *
 * @param template its {@code spec.template}
 */
record Pods(Map<String, Object> template) {

    static Pods of(GenericKubernetesResource daemonSet) {
        Map<String, Object> properties = daemonSet.getAdditionalProperties();
        properties.put("spec", copy(properties.getOrDefault("spec", Map.of())));
        return new Pods(child(child(properties, "spec"), "template"));
    }

    Map<String, Object> spec() {
        return child(template, "spec");
    }

    Map<String, Object> metadata(String name) {
        return child(child(template, "metadata"), name);
    }

    /** The first container. */
    Map<String, Object> main() {
        return containers("containers").get(0);
    }

    /** The containers of a list, each to be changed in place. */
    List<Map<String, Object>> containers(String list) {
        return maps(spec(), list);
    }

    /** Of both lists. */
    List<Map<String, Object>> allContainers() {
        List<Map<String, Object>> all = new ArrayList<>(containers("initContainers"));
        all.addAll(containers("containers"));
        return all;
    }

    void addContainer(String list, Map<String, Object> container) {
        containers(list).add(container);
    }

    void addVolume(Map<String, Object> volume) {
        List<Map<String, Object>> volumes = maps(spec(), "volumes");
        if (volumes.stream().noneMatch(known -> Objects.equals(volume.get("name"), known.get("name")))) {
            volumes.add(volume);
        }
    }

    static void addMount(Map<String, Object> container, Map<String, Object> mount) {
        maps(container, "volumeMounts").add(mount);
    }

    /** The variable with this name instead of the one that is there, or behind the others. */
    static void addEnv(Map<String, Object> container, Map<String, Object> variable) {
        List<Map<String, Object>> env = maps(container, "env");
        for (int i = 0; i < env.size(); i++) {
            if (Objects.equals(variable.get("name"), env.get(i).get("name"))) {
                env.set(i, variable);
                return;
            }
        }
        env.add(variable);
    }

    /** The map under a key, which is made if it is not there. */
    @SuppressWarnings("unchecked") // all maps here are copies with texts as keys
    static Map<String, Object> child(Map<String, Object> parent, String key) {
        return (Map<String, Object>) parent.computeIfAbsent(key, unused -> new LinkedHashMap<String, Object>());
    }

    /** The list of maps under a key; made if it is not there. */
    @SuppressWarnings("unchecked") // all lists here are copies
    static List<Map<String, Object>> maps(Map<String, Object> parent, String key) {
        return (List<Map<String, Object>>) parent.computeIfAbsent(key, unused -> new ArrayList<Map<String, Object>>());
    }

    private static Object copy(Object value) {
        if (value instanceof Map<?, ?> map) {
            Map<String, Object> copy = new LinkedHashMap<>();
            map.forEach((key, inner) -> copy.put(String.valueOf(key), copy(inner)));
            return copy;
        }
        if (value instanceof List<?> list) {
            List<Object> copy = new ArrayList<>();
            list.forEach(inner -> copy.add(copy(inner)));
            return copy;
        }
        return value;
    }
}
