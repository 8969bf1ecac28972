package dev.sro.testkit.schema;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Validation of how containers mount the volumes of their pod, as files and as devices. Not thread-safe. */
final class MountValidation {
    private static final Set<String> DEVICES = Set.of("persistentVolumeClaim", "ephemeral");

    private final Checks checks;
    private final Map<String, String> sources;

    /** @param sources the source of each volume that is valid, by the name of the volume */
    MountValidation(Checks checks, Map<String, String> sources) {
        this.checks = checks;
        this.sources = sources;
    }

    void mounts(ObjectNode container, String path) {
        List<ObjectNode> mounts = JsonTree.objects(container, "volumeMounts");
        List<ObjectNode> devices = JsonTree.objects(container, "volumeDevices");
        Map<String, String> mounted = byName(mounts, "mountPath");
        Map<String, String> attached = byName(devices, "devicePath");
        Set<String> paths = new HashSet<>();
        for (int i = 0; i < mounts.size(); i++) {
            String at = path + ".volumeMounts[" + i + "]";
            mount(mounts.get(i), paths, at);
            overlap(mounts.get(i), "mountPath", attached, "volumeDevices", at);
            below(mounts.get(i), at, path + ".volumeMounts");
            // The server does not say which of them it is.
            propagation(mounts.get(i), container, path + ".volumeMounts");
            recursive(mounts.get(i), path + ".volumeMounts");
        }
        Set<String> devicePaths = new HashSet<>();
        Set<String> names = new HashSet<>();
        for (int i = 0; i < devices.size(); i++) {
            String at = path + ".volumeDevices[" + i + "]";
            device(devices.get(i), names, devicePaths, at);
            overlap(devices.get(i), "devicePath", mounted, "volumeMounts", at);
        }
    }

    private static Map<String, String> byName(List<ObjectNode> all, String field) {
        Map<String, String> paths = new HashMap<>();
        all.forEach(one -> paths.put(JsonTree.text(one, "name"), JsonTree.text(one, field)));
        return paths;
    }

    private void mount(ObjectNode mount, Set<String> paths, String at) {
        String name = JsonTree.text(mount, "name");
        checks.present(mount, "name", at);
        if (!sources.containsKey(name)) {
            notFound(name, at);
        }
        String target = JsonTree.text(mount, "mountPath");
        checks.present(mount, "mountPath", at);
        if (!paths.add(target)) {
            checks.invalid(at + ".mountPath", target, "must be unique");
        }
    }

    /** The same volume, or the same place, as a file and as a device. */
    private void overlap(ObjectNode one, String field, Map<String, String> others, String list, String at) {
        String name = JsonTree.text(one, "name");
        if (others.containsKey(name)) {
            checks.invalid(at + ".name", name, "must not already exist in " + list);
        }
        String target = JsonTree.text(one, field);
        if (others.containsValue(target)) {
            checks.invalid(at + "." + field, target, "must not already exist as a path in " + list);
        }
    }

    private void below(ObjectNode mount, String at, String list) {
        String below = JsonTree.text(mount, "subPath");
        if (!below.isEmpty()) {
            checks.localPath(below, list + ".subPath");
        }
        String expression = JsonTree.text(mount, "subPathExpr");
        if (!expression.isEmpty()) {
            if (!below.isEmpty()) {
                checks.invalid(at + ".subPathExpr", expression, "subPathExpr and subPath are mutually exclusive");
            }
            checks.localPath(expression, list + ".subPathExpr");
        }
    }

    private void propagation(ObjectNode mount, ObjectNode container, String list) {
        String value = JsonTree.text(mount, "mountPropagation");
        boolean privileged =
                container.path("securityContext").path("privileged").asBoolean();
        if (value.equals("Bidirectional") && !privileged) {
            checks.forbidden(
                    list + ".mountPropagation",
                    "Bidirectional mount propagation is available only to privileged containers");
        }
        checks.oneOf(mount, "mountPropagation", list, "Bidirectional", "HostToContainer", "None");
    }

    private void recursive(ObjectNode mount, String list) {
        String at = list + ".recursiveReadOnly";
        String value = JsonTree.text(mount, "recursiveReadOnly");
        checks.oneOf(mount, "recursiveReadOnly", list, "Disabled", "Enabled", "IfPossible");
        if (!value.equals("Enabled") && !value.equals("IfPossible")) {
            return;
        }
        if (!mount.path("readOnly").asBoolean()) {
            checks.forbidden(at, "may only be specified when readOnly is true");
        }
        if (mount.hasNonNull("mountPropagation")
                && !JsonTree.text(mount, "mountPropagation").equals("None")) {
            checks.forbidden(at, "may only be specified when mountPropagation is None or not specified");
        }
    }

    private void notFound(String name, String at) {
        checks.add(FieldError.of("FieldValueNotFound", "Not found: " + TextNode.valueOf(name), at + ".name"));
    }

    private void device(ObjectNode device, Set<String> names, Set<String> devicePaths, String at) {
        String name = JsonTree.text(device, "name");
        boolean named = checks.present(device, "name", at);
        if (named && !names.add(name)) {
            checks.invalid(at + ".name", name, "must be unique");
        }
        if (!sources.containsKey(name)) {
            notFound(name, at);
        } else if (!DEVICES.contains(sources.getOrDefault(name, ""))) {
            checks.invalid(
                    at + ".name",
                    name,
                    "can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode");
        }
        String target = JsonTree.text(device, "devicePath");
        checks.present(device, "devicePath", at);
        if (devicePaths.contains(target)) {
            checks.invalid(at + ".devicePath", target, "must be unique");
        }
        if (List.of(target.split("/", -1)).contains("..")) {
            checks.invalid(at + ".devicePath", target, "can not contain backsteps ('..')");
        } else {
            devicePaths.add(target);
        }
    }
}
