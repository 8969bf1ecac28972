package dev.sro.testkit.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import com.google.re2j.Pattern;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Validation of the environment of containers, and of the references that it shares with volumes. Not thread-safe. */
final class EnvValidation {
    private static final Pattern NAME = Pattern.compile("[ -<>-~]+");
    private static final String NAME_TEXT =
            "a valid environment variable name must consist only of printable ASCII characters other than '='";
    private static final Set<String> ENV_PATHS = Set.of(
            "metadata.name",
            "metadata.namespace",
            "metadata.uid",
            "spec.nodeName",
            "spec.serviceAccountName",
            "status.hostIP",
            "status.hostIPs",
            "status.podIP",
            "status.podIPs");
    private static final Set<String> VOLUME_PATHS =
            Set.of("metadata.name", "metadata.namespace", "metadata.labels", "metadata.annotations", "metadata.uid");
    private static final List<String> RESOURCES = List.of(
            "limits.cpu",
            "limits.ephemeral-storage",
            "limits.memory",
            "requests.cpu",
            "requests.ephemeral-storage",
            "requests.memory");

    private final Checks checks;

    EnvValidation(Checks checks) {
        this.checks = checks;
    }

    void env(List<ObjectNode> env, String path) {
        for (int i = 0; i < env.size(); i++) {
            ObjectNode variable = env.get(i);
            String at = path + "[" + i + "]";
            String name = JsonTree.text(variable, "name");
            if (name.isEmpty()) {
                checks.required(at + ".name", "");
            } else if (!NAME.matches(name)) {
                checks.invalid(at + ".name", name, NAME_TEXT);
            }
            if (variable.get("valueFrom") instanceof ObjectNode source) {
                source(source, !JsonTree.text(variable, "value").isEmpty(), at + ".valueFrom");
            }
        }
    }

    private void source(ObjectNode source, boolean valued, String path) {
        int sources = 0;
        if (source.get("fieldRef") instanceof ObjectNode ref) {
            sources++;
            fieldRef(ref, ENV_PATHS, path + ".fieldRef");
        }
        if (source.get("resourceFieldRef") instanceof ObjectNode ref) {
            sources++;
            resourceFieldRef(ref, false, path + ".resourceFieldRef");
        }
        for (String kind : List.of("configMapKeyRef", "secretKeyRef")) {
            if (source.get(kind) instanceof ObjectNode ref) {
                sources++;
                keyRef(ref, path + "." + kind);
            }
        }
        if (source.get("fileKeyRef") instanceof ObjectNode ref) {
            sources++;
            fileKey(ref, path + ".fileKeyRef");
        }
        if (sources == 0) {
            checks.invalid(
                    path,
                    TextNode.valueOf(""),
                    "must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef`, `secretKeyRef` or `fileKeyRef`");
        } else if (valued) {
            checks.invalid(path, "", "may not be specified when `value` is not empty");
        } else if (sources > 1) {
            checks.invalid(path, "", "may not have more than one field specified at a time");
        }
    }

    private void fileKey(ObjectNode ref, String path) {
        if (checks.present(ref, "key", path) && !NAME.matches(JsonTree.text(ref, "key"))) {
            checks.invalid(path + ".key", JsonTree.text(ref, "key"), NAME_TEXT);
        }
        if (checks.present(ref, "volumeName", path)) {
            checks.label(JsonTree.text(ref, "volumeName"), path + ".volumeName");
        }
        if (checks.present(ref, "path", path)) {
            checks.noStepUp(JsonTree.text(ref, "path"), path + ".path");
        }
    }

    /** That files which variables come from are in volumes of the pod that begin empty. */
    void files(ObjectNode spec, String path) {
        Map<String, ObjectNode> volumes = new HashMap<>();
        JsonTree.objects(spec, "volumes").forEach(volume -> volumes.put(JsonTree.text(volume, "name"), volume));
        for (String list : List.of("initContainers", "containers", "ephemeralContainers")) {
            List<ObjectNode> containers = JsonTree.objects(spec, list);
            for (int i = 0; i < containers.size(); i++) {
                List<ObjectNode> env = JsonTree.objects(containers.get(i), "env");
                for (int j = 0; j < env.size(); j++) {
                    String at = path + "." + list + "[" + i + "].env[" + j + "].valueFrom.fileKeyRef.volumeName";
                    file(env.get(j).path("valueFrom").path("fileKeyRef"), volumes, at);
                }
            }
        }
    }

    private void file(JsonNode ref, Map<String, ObjectNode> volumes, String at) {
        if (!ref.isObject()) {
            return;
        }
        String name = JsonTree.text(ref, "volumeName");
        ObjectNode volume = volumes.get(name);
        if (volume == null) {
            checks.add(FieldError.of("FieldValueNotFound", "Not found: " + TextNode.valueOf(name), at));
        } else if (!volume.path("emptyDir").isObject()) {
            checks.invalid(at, name, "referenced volume must be of type emptyDir");
        }
    }

    private void keyRef(ObjectNode ref, String path) {
        checks.subdomain(JsonTree.text(ref, "name"), path + ".name");
        String key = JsonTree.text(ref, "key");
        if (key.isEmpty()) {
            checks.required(path + ".key", "");
        } else {
            Checks.configKey(key).forEach(fault -> checks.invalid(path + ".key", key, fault));
        }
    }

    void fieldRefOfVolume(ObjectNode ref, String path) {
        fieldRef(ref, VOLUME_PATHS, path);
    }

    private void fieldRef(ObjectNode ref, Set<String> known, String path) {
        if (!checks.present(ref, "apiVersion", path) || !checks.present(ref, "fieldPath", path)) {
            return;
        }
        String field = JsonTree.text(ref, "fieldPath");
        int bracket = field.indexOf('[');
        if (bracket > 0 && field.endsWith("']") && field.startsWith("['", bracket)) {
            String map = field.substring(0, bracket);
            String key = field.substring(bracket + 2, field.length() - 2);
            if (map.equals("metadata.labels") || map.equals("metadata.annotations")) {
                checks.labelKey(map.endsWith("annotations") ? key.toLowerCase(java.util.Locale.ROOT) : key, path);
            } else {
                checks.invalid(path, map, "does not support subscript");
            }
        } else if (!JsonTree.text(ref, "apiVersion").equals("v1") || !label(field)) {
            checks.invalid(
                    path + ".fieldPath", field, "error converting fieldPath: field label not supported: " + field);
        } else if (!known.contains(field)) {
            checks.notSupported(
                    path + ".fieldPath", field, known.stream().sorted().toArray(String[]::new));
        }
    }

    /** Fields that pods can be selected by, to which the server converts the path. */
    private static boolean label(String field) {
        return ENV_PATHS.contains(field)
                || VOLUME_PATHS.contains(field)
                || Set.of(
                                "spec.restartPolicy",
                                "spec.schedulerName",
                                "spec.hostNetwork",
                                "status.phase",
                                "status.nominatedNodeName")
                        .contains(field);
    }

    void resourceFieldRef(ObjectNode ref, boolean volume, String path) {
        String resource = JsonTree.text(ref, "resource");
        if (volume && JsonTree.text(ref, "containerName").isEmpty()) {
            checks.required(path + ".containerName", "");
        } else if (resource.isEmpty()) {
            checks.required(path + ".resource", "");
        } else if (!RESOURCES.contains(resource)
                && !resource.startsWith("limits.hugepages-")
                && !resource.startsWith("requests.hugepages-")) {
            checks.notSupported(path + ".resource", resource, RESOURCES.toArray(String[]::new));
        } else {
            divisor(ref, resource, path);
        }
    }

    private void divisor(JsonNode ref, String resource, String path) {
        String divisor = ref.path("divisor").asText("0");
        boolean cpu = resource.endsWith(".cpu");
        boolean known = cpu
                ? List.of("1m", "1", "0").contains(divisor)
                : List.of("1", "1k", "1M", "1G", "1T", "1P", "1E", "1Ki", "1Mi", "1Gi", "1Ti", "1Pi", "1Ei", "0")
                        .contains(divisor);
        if (!known) {
            checks.invalid(
                    path + ".divisor",
                    divisor,
                    cpu
                            ? "only divisor's values 1m and 1 are supported with the cpu resource"
                            : "only divisor's values 1, 1k, 1M, 1G, 1T, 1P, 1E, 1Ki, 1Mi, 1Gi, 1Ti, 1Pi, 1Ei are"
                                    + " supported with the memory resource");
        }
    }

    /** A hyphen at the end of a prefix is followed by something. */
    private static String prefix(String name) {
        return name.length() > 1 && name.endsWith("-") ? name.substring(0, name.length() - 1) + "a" : name;
    }

    void envFrom(List<ObjectNode> sources, String path) {
        for (int i = 0; i < sources.size(); i++) {
            String at = path + "[" + i + "]";
            String prefix = JsonTree.text(sources.get(i), "prefix");
            if (!prefix.isEmpty() && !NAME.matches(prefix)) {
                checks.invalid(at + ".prefix", prefix, NAME_TEXT);
            }
            int found = 0;
            for (String kind : List.of("configMapRef", "secretRef")) {
                if (sources.get(i).get(kind) instanceof ObjectNode ref) {
                    found++;
                    if (checks.present(ref, "name", at + "." + kind)) {
                        // As the prefix of a name, of which more is to come.
                        String name = JsonTree.text(ref, "name");
                        DeviceNames.subdomain(prefix(name), name, at + "." + kind + ".name", checks.errors());
                    }
                }
            }
            if (found == 0) {
                checks.invalid(path, "", "must specify one of: `configMapRef` or `secretRef`");
            } else if (found > 1) {
                checks.invalid(path, "", "may not have more than one field specified at a time");
            }
        }
    }
}
