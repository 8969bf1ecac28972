package dev.sro.runtime.imports;

import dev.sro.core.model.ValueTrees;
import dev.sro.core.yaml.YamlWriter;
import dev.sro.runtime.UnusableInputException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * A {@code Module} of Kernel Module Management as what SRO has for it. Its {@code moduleLoader.container} has the names of {@code
 * spec.driver}, so it goes over as it is. Immutable.
 *
 * @param objects the ConfigMap with the recipe, then the special resource
 * @param notes what is different, and meant to be
 * @param lost fields that nothing came of, with what to do
 */
record KmmModule(List<Map<String, Object>> objects, List<String> notes, List<String> lost) {

    /** API group of Kernel Module Management. */
    static final String GROUP = "kmm.sigs.x-k8s.io";

    private static final Set<String> MODULE = Set.of(
            "moduleLoader",
            "devicePlugin",
            "dra",
            "imageRepoSecret",
            "selector",
            "tolerations",
            "imageRebuildTriggerGeneration");

    private static final Set<String> DRIVER = Set.of(
            "containerImage",
            "imagePullPolicy",
            "kernelMappings",
            "build",
            "sign",
            "registryTLS",
            "modprobe",
            "inTreeModulesToRemove",
            "inTreeModuleToRemove");

    private static final Set<String> IMAGES = Set.of("containerImage", "unsignedImage");

    /** The last part of its path has neither. */
    private static final Pattern UNTAGGED = Pattern.compile("([^@]*/)?[^:/@]+");

    static boolean is(Map<String, Object> tree) {
        return ValueTrees.text(tree, "kind").equals("Module")
                && ValueTrees.text(tree, "apiVersion").startsWith(GROUP + "/");
    }

    /**
     * Converts one.
     *
     * @param where file and document, for messages
     * @throws UnusableInputException if it has no name, or nothing to do
     */
    static KmmModule of(String where, Map<String, Object> module) {
        return new Conversion(where, module).result();
    }

    /** One conversion; for one thread. */
    private static final class Conversion {
        private final String label;
        private final String name;
        private final String namespace;
        private final Map<String, Object> spec;
        private final List<String> notes = new ArrayList<>();
        private final List<String> lost = new ArrayList<>();

        Conversion(String where, Map<String, Object> module) {
            Map<String, Object> metadata = ValueTrees.map(module, "metadata");
            name = ValueTrees.text(metadata, "name");
            if (name.isEmpty()) {
                throw new UnusableInputException(where, "the Module has no metadata.name; give it one");
            }
            String in = ValueTrees.text(metadata, "namespace");
            namespace = in.isEmpty() ? name : in;
            label = "Module " + (in.isEmpty() ? "" : in + "/") + name + ": ";
            spec = ValueTrees.map(module, "spec");
            if (!spec.containsKey("moduleLoader") && !spec.containsKey("devicePlugin")) {
                throw new UnusableInputException(
                        where,
                        "Module " + name + " has neither spec.moduleLoader nor spec.devicePlugin, so it asks for"
                                + " nothing that SRO could do");
            }
        }

        KmmModule result() {
            Map<String, Object> wanted = new LinkedHashMap<>();
            wanted.put("namespace", namespace);
            wanted.put("recipe", Map.of("configMap", Map.of("name", name + "-recipe")));
            Map<String, Object> selector = ValueTrees.map(spec, "selector");
            if (selector.isEmpty()) {
                notes.add(label + "spec.selector is empty; nodes with the label"
                        + " node-role.kubernetes.io/worker are served");
            } else {
                wanted.put("nodeSelector", selector);
            }
            if (spec.get("tolerations") instanceof List<?> tolerations && !tolerations.isEmpty()) {
                wanted.put("partitioning", Map.of("tolerations", tolerations));
            }
            driver().ifPresent(driver -> wanted.put("driver", driver));
            left();
            Map<String, Object> specialResource = new LinkedHashMap<>();
            specialResource.put("apiVersion", "sro.openshift.io/v1beta1");
            specialResource.put("kind", "SpecialResource");
            specialResource.put("metadata", Map.of("name", name));
            specialResource.put("spec", wanted);
            return new KmmModule(List.of(recipe(), specialResource), List.copyOf(notes), List.copyOf(lost));
        }

        private Optional<Map<String, Object>> driver() {
            Map<String, Object> loader = ValueTrees.map(spec, "moduleLoader");
            Map<String, Object> container = ValueTrees.map(loader, "container");
            if (container.isEmpty()) {
                notes.add(label + "it loads no module, so there is no spec.driver");
                return Optional.empty();
            }
            Map<String, Object> driver = new LinkedHashMap<>();
            container.forEach((field, value) -> {
                if (DRIVER.contains(field)) {
                    driver.put(field, tagged(field, value));
                } else if (field.equals("version")) {
                    notes.add(label + "spec.moduleLoader.container.version and its labels on nodes are not read; with"
                            + " spec.upgradePolicy.autoUpgrade: true SRO goes from node to node by itself");
                } else {
                    unknown("spec.moduleLoader.container." + field);
                }
            });
            loader.keySet().stream().filter(field -> !field.equals("container")).forEach(field -> {
                if (field.equals("serviceAccountName")) {
                    notes.add(label + "spec.moduleLoader.serviceAccountName is not needed: SRO makes the"
                            + " account of its pods");
                } else {
                    unknown("spec.moduleLoader." + field);
                }
            });
            if (spec.containsKey("imageRepoSecret")) {
                driver.put("imageRepoSecret", ValueTrees.map(spec, "imageRepoSecret"));
            }
            driver.put("loader", "WorkerPod");
            return Optional.of(driver);
        }

        /** Images with neither tag nor digest, which the first versions of Kernel Module Management took, are the latest. */
        private Object tagged(String field, Object value) {
            if (value instanceof Map<?, ?> map) {
                Map<String, Object> result = new LinkedHashMap<>();
                map.forEach((key, each) -> result.put(String.valueOf(key), tagged(String.valueOf(key), each)));
                return result;
            }
            if (value instanceof List<?> list) {
                return list.stream().map(each -> tagged(field, each)).toList();
            }
            if (!IMAGES.contains(field)
                    || !(value instanceof String image)
                    || !UNTAGGED.matcher(image).matches()) {
                return value;
            }
            notes.add(label + field + " " + image + " has neither tag nor digest; it is " + image + ":latest");
            return image + ":latest";
        }

        private void left() {
            if (spec.containsKey("dra")) {
                lost.add(label + "spec.dra: write its DaemonSet and DeviceClasses as a further file of the recipe");
            }
            if (spec.containsKey("imageRebuildTriggerGeneration")) {
                notes.add(label + "spec.imageRebuildTriggerGeneration is not read: SRO builds again when what goes into"
                        + " the image changes");
            }
            spec.keySet().stream().filter(field -> !MODULE.contains(field)).forEach(field -> unknown("spec." + field));
        }

        private void unknown(String field) {
            lost.add(label + field + ": SRO does not know this field; see what it is for, and set it by hand");
        }

        /** Files of a recipe are templates; what looks like one here is text. */
        private static String literal(String file) {
            return file.replace("{{", "{{ \"{{\" }}");
        }

        private Map<String, Object> recipe() {
            Map<String, Object> data = new LinkedHashMap<>();
            Map<String, Object> plugin = ValueTrees.map(spec, "devicePlugin");
            if (!plugin.isEmpty()) {
                DevicePlugin converted = DevicePlugin.of(
                        name, namespace, ValueTrees.text(ValueTrees.map(spec, "imageRepoSecret"), "name"), plugin);
                converted.unknown().forEach(field -> unknown("spec.devicePlugin." + field));
                notes.add(label + "the device plugin's pods are privileged, as Kernel Module Management makes them;"
                        + " take that from the recipe if it is not needed");
                data.put("2000-device-plugin.yaml", literal(YamlWriter.write(converted.daemonSet())));
            }
            Map<String, Object> map = new LinkedHashMap<>();
            map.put("apiVersion", "v1");
            map.put("kind", "ConfigMap");
            Map<String, Object> metadata = new LinkedHashMap<>();
            metadata.put("name", name + "-recipe");
            metadata.put("namespace", namespace);
            // With these its files are executed once.
            metadata.put("labels", Map.of("specialresource.openshift.io/config", "true"));
            metadata.put("annotations", Map.of("specialresource.openshift.io/hardware", name));
            map.put("metadata", metadata);
            map.put("data", data);
            return map;
        }
    }
}
