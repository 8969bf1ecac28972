package dev.sro.core.cdi;

import dev.sro.api.device.CdiHook;
import dev.sro.api.device.CdiMount;
import dev.sro.api.device.CdiNode;
import dev.sro.api.device.CdiSpec;
import dev.sro.api.device.ContainerEdits;
import dev.sro.core.yaml.IndentedJson;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Writes {@link CdiSpec} as the Container Device Interface has it. Stateless.
 *
 * <p>The version is the lowest that has all fields that are used, so that old container runtimes read what they can: since 0.5.0 a
 * device node may have another path on the host and a device a name that begins with a digit, since 0.6.0 there are annotations and
 * dots in the class, since 0.7.0 additional groups, since 1.1.0 network devices. Below 0.3.0 nobody looks.
 */
public final class CdiFiles {

    private CdiFiles() {}

    /** The usual name of the file: {@code vendor.example-class.json}. */
    public static String fileName(String kind) {
        return kind.replace('/', '-') + ".json";
    }

    /** The file as text. */
    public static String text(CdiSpec spec) {
        return IndentedJson.write(tree(spec));
    }

    /** The file as a tree. */
    public static Map<String, Object> tree(CdiSpec spec) {
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("cdiVersion", version(spec));
        tree.put("kind", spec.kind());
        if (!spec.annotations().isEmpty()) {
            tree.put("annotations", new TreeMap<>(spec.annotations()));
        }
        List<Object> devices = new ArrayList<>();
        new TreeMap<>(spec.devices()).forEach((name, edits) -> {
            Map<String, Object> device = new LinkedHashMap<>();
            device.put("name", name);
            device.put("containerEdits", edits(edits));
            devices.add(device);
        });
        tree.put("devices", devices);
        spec.common().filter(edits -> !edits.isEmpty()).ifPresent(edits -> tree.put("containerEdits", edits(edits)));
        return tree;
    }

    /** The lowest version that has all that is used. */
    public static String version(CdiSpec spec) {
        List<ContainerEdits> all = Stream.concat(spec.devices().values().stream(), spec.common().stream())
                .toList();
        if (all.stream().anyMatch(edits -> !edits.networkDevices().isEmpty())) {
            return "1.1.0";
        }
        if (all.stream().anyMatch(edits -> !edits.additionalGroups().isEmpty())) {
            return "0.7.0";
        }
        if (!spec.annotations().isEmpty()
                || spec.kind().substring(spec.kind().indexOf('/')).indexOf('.') >= 0) {
            return "0.6.0";
        }
        boolean digit = spec.devices().keySet().stream().anyMatch(name -> Character.isDigit(name.charAt(0)));
        boolean elsewhere = all.stream()
                .flatMap(edits -> edits.nodes().stream())
                .anyMatch(node -> !node.hostPath().equals(node.path()));
        return digit || elsewhere ? "0.5.0" : "0.3.0";
    }

    private static Map<String, Object> edits(ContainerEdits edits) {
        Map<String, Object> tree = new LinkedHashMap<>();
        put(
                tree,
                "env",
                new TreeMap<>(edits.environment())
                        .entrySet().stream()
                                .map(variable -> variable.getKey() + "=" + variable.getValue())
                                .toList());
        put(tree, "deviceNodes", edits.nodes().stream().map(CdiFiles::node).toList());
        List<Object> network = new ArrayList<>();
        new TreeMap<>(edits.networkDevices()).forEach((host, name) -> {
            Map<String, Object> device = new LinkedHashMap<>();
            device.put("hostInterfaceName", host);
            device.put("name", name);
            network.add(device);
        });
        put(tree, "netDevices", network);
        put(tree, "mounts", edits.mounts().stream().map(CdiFiles::mount).toList());
        put(tree, "hooks", edits.hooks().stream().map(CdiFiles::hook).toList());
        put(tree, "additionalGids", edits.additionalGroups());
        return tree;
    }

    private static void put(Map<String, Object> tree, String field, List<?> values) {
        if (!values.isEmpty()) {
            tree.put(field, values);
        }
    }

    private static Map<String, Object> node(CdiNode node) {
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("path", node.path());
        if (!node.hostPath().equals(node.path())) {
            tree.put("hostPath", node.hostPath());
        }
        if (!node.permissions().equals("rwm")) {
            tree.put("permissions", node.permissions());
        }
        return tree;
    }

    private static Map<String, Object> mount(CdiMount mount) {
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("hostPath", mount.hostPath());
        tree.put("containerPath", mount.containerPath());
        put(tree, "options", mount.options());
        return tree;
    }

    private static Map<String, Object> hook(CdiHook hook) {
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("hookName", hook.when());
        tree.put("path", hook.path());
        put(tree, "args", hook.arguments());
        return tree;
    }
}
