package dev.sro.testkit.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Validation of the volumes of a pod, and of how containers mount them. Not thread-safe. */
final class VolumeValidation {
    private static final long SHORTEST_TOKEN = 600;
    private static final long LONGEST_TOKEN = 1L << 32;
    /** In the order in which the server looks for them; of several the first one counts. */
    private static final List<String> KINDS = List.of(
            "emptyDir",
            "hostPath",
            "gitRepo",
            "gcePersistentDisk",
            "awsElasticBlockStore",
            "secret",
            "nfs",
            "iscsi",
            "glusterfs",
            "flocker",
            "persistentVolumeClaim",
            "rbd",
            "cinder",
            "cephfs",
            "quobyte",
            "downwardAPI",
            "fc",
            "flexVolume",
            "configMap",
            "azureFile",
            "vsphereVolume",
            "photonPersistentDisk",
            "portworxVolume",
            "azureDisk",
            "storageos",
            "projected",
            "scaleIO",
            "csi",
            "ephemeral",
            "image");

    private static final List<String> PROJECTED = List.of(
            "secret", "configMap", "downwardAPI", "serviceAccountToken", "clusterTrustBundle", "podCertificate");

    /** What the server calls some of them where there is another one. */
    static final Map<String, String> SHOWN = Map.of("cephfs", "cephFS", "downwardAPI", "downwarAPI");

    private final Checks checks;
    private final EnvValidation references;

    /** The source of each volume, by the name of the volume. */
    private final Map<String, String> sources = new HashMap<>();

    private final boolean pods;

    /** @param pods whether the volumes are those of a pod, and not of a template */
    VolumeValidation(Checks checks, EnvValidation references, boolean pods) {
        this.checks = checks;
        this.pods = pods;
        this.references = references;
    }

    void volumes(List<ObjectNode> volumes, String path) {
        for (int i = 0; i < volumes.size(); i++) {
            ObjectNode volume = volumes.get(i);
            String at = path + "[" + i + "]";
            int before = checks.errors().size();
            List<String> kinds =
                    KINDS.stream().filter(kind -> volume.path(kind).isObject()).toList();
            if (kinds.isEmpty()) {
                checks.required(at, "must specify a volume type");
            } else {
                source(kinds.get(0), JsonTree.ensure(volume, kinds.get(0)), at);
            }
            for (String kind : kinds.subList(Math.min(1, kinds.size()), kinds.size())) {
                checks.forbidden(at + "." + SHOWN.getOrDefault(kind, kind), "may not specify more than 1 volume type");
            }
            name(volume, at);
            if (checks.errors().size() == before) {
                // Of what is wrong, nothing can be mounted.
                sources.put(JsonTree.text(volume, "name"), kinds.get(0));
            }
        }
    }

    private void name(ObjectNode volume, String at) {
        String name = JsonTree.text(volume, "name");
        if (name.isEmpty()) {
            checks.required(at + ".name", "");
            return;
        }
        DeviceNames.label(name, at + ".name", checks.errors());
        if (sources.containsKey(name)) {
            checks.add(FieldError.duplicate(at + ".name", TextNode.valueOf(name)));
        }
    }

    private void source(String kind, ObjectNode source, String at) {
        String path = at + "." + kind;
        switch (kind) {
            case "hostPath" -> hostPath(source, path);
            case "configMap" -> {
                checks.present(source, "name", path);
                files(source, path);
            }
            case "secret" -> {
                checks.present(source, "secretName", path);
                files(source, path);
            }
            case "downwardAPI" -> {
                checks.fileMode(source.path("defaultMode"), path + ".defaultMode");
                downward(JsonTree.objects(source, "items"), path);
            }
            case "projected" -> projected(source, path);
            case "persistentVolumeClaim" -> checks.present(source, "claimName", path);
            case "nfs" -> nfs(source, path);
            case "csi" -> csi(source, path);
            case "image" -> image(source, path);
            case "emptyDir" -> {
                if (Checks.sign(source.path("sizeLimit")) < 0) {
                    checks.forbidden(path + ".sizeLimit", "SizeLimit field must be a valid resource quantity");
                }
            }
            case "ephemeral" -> {
                if (source.path("volumeClaimTemplate").isObject()) {
                    checks.errors()
                            .addAll(StorageValidation.claimOfTemplate(
                                    source.path("volumeClaimTemplate").path("spec"),
                                    path + ".volumeClaimTemplate.spec"));
                } else {
                    checks.required(path + ".volumeClaimTemplate", "");
                }
            }
            default -> new PluginVolumeValidation(checks).source(kind, source, at);
        }
    }

    private void image(ObjectNode source, String path) {
        if (pods) {
            checks.present(source, "reference", path);
        }
        checks.oneOf(source, "pullPolicy", path, "Always", "IfNotPresent", "Never");
    }

    private void hostPath(ObjectNode source, String path) {
        if (checks.present(source, "path", path)) {
            checks.noStepUp(JsonTree.text(source, "path"), path + ".path");
        }
        hostPathType(checks, source, path);
    }

    static void hostPathType(Checks checks, JsonNode source, String path) {
        checks.oneOf(
                source,
                "type",
                path,
                "",
                "BlockDevice",
                "CharDevice",
                "Directory",
                "DirectoryOrCreate",
                "File",
                "FileOrCreate",
                "Socket");
    }

    private void files(ObjectNode source, String path) {
        checks.fileMode(source.path("defaultMode"), path + ".defaultMode");
        items(source, path);
    }

    private void items(ObjectNode source, String path) {
        List<ObjectNode> items = JsonTree.objects(source, "items");
        for (int i = 0; i < items.size(); i++) {
            String at = path + ".items[" + i + "]";
            checks.present(items.get(i), "key", at);
            file(items.get(i), at);
        }
    }

    /** Where a file goes, and its mode. */
    private void file(ObjectNode item, String at) {
        if (checks.present(item, "path", at)) {
            String value = JsonTree.text(item, "path");
            checks.localPath(value, at + ".path");
            if (value.startsWith("..") && !value.startsWith("../") && !value.equals("..")) {
                checks.invalid(at + ".path", value, "must not start with '..'");
            }
        }
        checks.fileMode(item.path("mode"), at + ".mode");
    }

    private void downward(List<ObjectNode> items, String path) {
        for (int i = 0; i < items.size(); i++) {
            // The server does not say which of them it is.
            ObjectNode item = items.get(i);
            if (checks.present(item, "path", path)) {
                checks.localPath(JsonTree.text(item, "path"), path + ".path");
            }
            checks.fileMode(item.path("mode"), path + ".mode");
            if (item.get("fieldRef") instanceof ObjectNode ref) {
                references.fieldRefOfVolume(ref, path + ".fieldRef");
                if (item.has("resourceFieldRef")) {
                    checks.invalid(
                            path, "resource", "fieldRef and resourceFieldRef can not be specified simultaneously");
                }
            } else if (item.get("resourceFieldRef") instanceof ObjectNode ref) {
                references.resourceFieldRef(ref, true, path + ".resourceFieldRef");
            } else {
                checks.required(path, "one of fieldRef and resourceFieldRef is required");
            }
        }
    }

    private void projected(ObjectNode source, String path) {
        checks.fileMode(source.path("defaultMode"), path + ".defaultMode");
        List<ObjectNode> parts = JsonTree.objects(source, "sources");
        Set<String> files = new HashSet<>();
        for (int i = 0; i < parts.size(); i++) {
            String at = path + ".sources[" + i + "]";
            for (String kind : List.of("secret", "configMap")) {
                if (parts.get(i).get(kind) instanceof ObjectNode part) {
                    checks.present(part, "name", at + "." + kind);
                    items(part, at + "." + kind);
                    JsonTree.objects(part, "items")
                            .forEach(item -> once(JsonTree.text(item, "path"), files, path, part));
                }
            }
            if (parts.get(i).get("downwardAPI") instanceof ObjectNode part) {
                downward(JsonTree.objects(part, "items"), at + ".downwardAPI");
            }
            if (parts.get(i).get("serviceAccountToken") instanceof ObjectNode part) {
                token(part, at + ".serviceAccountToken", path);
            }
            long kinds = PROJECTED.stream().filter(parts.get(i)::has).count();
            if (kinds > 1) {
                checks.forbidden(at, "may not specify more than 1 volume type per source");
            }
        }
    }

    private void once(String file, Set<String> files, String at, JsonNode part) {
        if (!file.isEmpty() && !files.add(file)) {
            checks.invalid(at, JsonTree.text(part, "name"), "conflicting duplicate paths");
        }
    }

    private void token(ObjectNode token, String path, String volume) {
        JsonNode seconds = token.path("expirationSeconds");
        if (seconds.isNumber() && seconds.asLong() < SHORTEST_TOKEN) {
            checks.invalid(path + ".expirationSeconds", seconds, "may not specify a duration less than 10 minutes");
        } else if (seconds.isNumber() && seconds.asLong() > LONGEST_TOKEN) {
            checks.invalid(path + ".expirationSeconds", seconds, "may not specify a duration larger than 2^32 seconds");
        }
        if (checks.present(token, "path", volume)) {
            checks.localPath(JsonTree.text(token, "path"), volume + ".path");
        }
    }

    private void nfs(ObjectNode source, String path) {
        checks.present(source, "server", path);
        if (checks.present(source, "path", path)
                && !JsonTree.text(source, "path").startsWith("/")) {
            checks.invalid(path + ".path", JsonTree.text(source, "path"), "must be an absolute path");
        }
    }

    private void csi(ObjectNode source, String path) {
        DeviceNames.driver(JsonTree.text(source, "driver"), path + ".driver", checks.errors());
        if (source.get("nodePublishSecretRef") instanceof ObjectNode ref) {
            checks.present(ref, "name", path + ".nodePublishSecretRef");
        }
    }

    /** How containers mount these volumes: asked for when all of them have been looked at. */
    MountValidation mounts() {
        return new MountValidation(checks, sources);
    }
}
