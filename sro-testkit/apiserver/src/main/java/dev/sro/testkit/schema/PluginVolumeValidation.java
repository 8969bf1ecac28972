package dev.sro.testkit.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.re2j.Pattern;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Validation of volumes of other machines and of clouds, which plugins of the kubelet mount: what each of them cannot do without, and
 * what its fields may have in them. Shared by the volumes of pods and PersistentVolumes. Not thread-safe.
 */
final class PluginVolumeValidation {
    private static final int LAST_LUN = 255;
    private static final int MAX_TENANT = 64;
    private static final Pattern HOST_PORT = Pattern.compile("(\\[[^\\[\\]]*\\]|[^:\\[\\]]*):[^:\\[\\]]*");
    private static final Map<String, Pattern> INITIATORS = Map.of(
            "iqn", Pattern.compile(".*iqn\\.[0-9]{4}-[0-9]{2}\\.[-.A-Za-z0-9]+(:[^,;*&$|\\s]+)"),
            "eui", Pattern.compile("eui.[A-Za-z0-9]{16}"),
            "naa", Pattern.compile("naa.[A-Za-z0-9]{32}"));

    /** What must be there, by kind. */
    private static final Map<String, List<String>> NEEDED = Map.ofEntries(
            Map.entry("gitRepo", List.of("repository")),
            Map.entry("gcePersistentDisk", List.of("pdName")),
            Map.entry("awsElasticBlockStore", List.of("volumeID")),
            Map.entry("iscsi", List.of("targetPortal", "iqn")),
            Map.entry("glusterfs", List.of("endpoints", "path")),
            Map.entry("rbd", List.of("image")),
            Map.entry("cinder", List.of("volumeID")),
            Map.entry("quobyte", List.of("volume")),
            Map.entry("flexVolume", List.of("driver")),
            Map.entry("azureFile", List.of("secretName", "shareName")),
            Map.entry("vsphereVolume", List.of("volumePath")),
            Map.entry("photonPersistentDisk", List.of("pdID")),
            Map.entry("portworxVolume", List.of("volumeID")),
            Map.entry("azureDisk", List.of("diskName", "diskURI")),
            Map.entry("scaleIO", List.of("gateway", "system", "volumeName")));

    private final Checks checks;

    PluginVolumeValidation(Checks checks) {
        this.checks = checks;
    }

    /** What is wrong with a source; nothing of kinds that others know. */
    void source(String kind, ObjectNode source, String at) {
        // The server calls this one by another name.
        String path = at + "." + (kind.equals("gcePersistentDisk") ? "persistentDisk" : kind);
        NEEDED.getOrDefault(kind, List.of()).forEach(field -> checks.present(source, field, path));
        switch (kind) {
            case "gitRepo" -> checks.localPath(JsonTree.text(source, "directory"), path + ".directory");
            case "gcePersistentDisk", "awsElasticBlockStore" -> partition(source.path("partition"), path);
            case "iscsi" -> iscsi(source, path);
            case "fc" -> fibre(source, path);
            case "flocker" -> flocker(source, path);
            case "rbd", "cephfs" -> {
                if (source.path("monitors").isEmpty()) {
                    checks.required(path + ".monitors", "");
                }
            }
            case "cinder" -> secret(source, path);
            case "quobyte" -> quobyte(source, path);
            case "flexVolume" -> options(source.path("options"), path);
            case "azureDisk" -> azureDisk(source, path);
            case "storageos" -> storageOs(source, path);
            default -> {}
        }
    }

    private void partition(JsonNode partition, String path) {
        if (partition.isNumber() && (partition.asInt() < 0 || partition.asInt() > LAST_LUN)) {
            checks.invalid(path + ".partition", partition, "must be between 1 and 255, inclusive");
        }
    }

    private void lun(JsonNode lun, String path) {
        if (lun.asInt() < 0 || lun.asInt() > LAST_LUN) {
            checks.invalid(path + ".lun", lun, "must be between 0 and 255, inclusive");
        }
    }

    private void secret(ObjectNode source, String path) {
        if (source.get("secretRef") instanceof ObjectNode secret) {
            checks.present(secret, "name", path + ".secretRef");
        }
    }

    private void iscsi(ObjectNode source, String path) {
        String iqn = JsonTree.text(source, "iqn");
        if (!iqn.isEmpty()) {
            initiator(iqn, path + ".iqn");
        }
        lun(source.path("lun"), path);
        boolean authenticated = source.path("chapAuthDiscovery").asBoolean()
                || source.path("chapAuthSession").asBoolean();
        if (authenticated && !source.path("secretRef").isObject()) {
            checks.required(path + ".secretRef", "");
        }
        if (source.hasNonNull("initiatorName")) {
            initiator(JsonTree.text(source, "initiatorName"), path + ".initiatorname");
        }
    }

    private void initiator(String name, String path) {
        Pattern form = name.length() < 3 ? null : INITIATORS.get(name.substring(0, 3));
        if (form == null) {
            checks.invalid(path, name, "must be valid format starting with iqn, eui, or naa");
        } else if (!form.matches(name)) {
            checks.invalid(path, name, "must be valid format");
        }
    }

    private void fibre(ObjectNode source, String path) {
        JsonNode targets = source.path("targetWWNs");
        boolean worldwide = !source.path("wwids").isEmpty();
        if (targets.isEmpty() && !worldwide) {
            checks.required(path + ".targetWWNs", "must specify either targetWWNs or wwids, but not both");
        }
        if (targets.isEmpty()) {
            return;
        }
        if (worldwide) {
            checks.invalid(path + ".targetWWNs", targets, "targetWWNs and wwids can not be specified simultaneously");
        }
        if (source.hasNonNull("lun")) {
            lun(source.path("lun"), path);
        } else {
            checks.required(path + ".lun", "lun is required if targetWWNs is specified");
        }
    }

    private void flocker(ObjectNode source, String path) {
        String name = JsonTree.text(source, "datasetName");
        boolean unique = !JsonTree.text(source, "datasetUUID").isEmpty();
        if (name.isEmpty() && !unique) {
            checks.required(path, "one of datasetName and datasetUUID is required");
        } else if (!name.isEmpty() && unique) {
            checks.invalid(path, "resource", "datasetName and datasetUUID can not be specified simultaneously");
        }
        if (name.contains("/")) {
            checks.invalid(path + ".datasetName", name, "must not contain '/'");
        }
    }

    private void quobyte(ObjectNode source, String path) {
        String detail = "must be a host:port pair or multiple pairs separated by commas";
        String registry = JsonTree.text(source, "registry");
        if (registry.isEmpty()) {
            checks.required(path + ".registry", detail);
        } else if (JsonTree.text(source, "tenant").length() > MAX_TENANT) {
            checks.required(path + ".tenant", "must be a UUID and may not exceed a length of 64 characters");
        } else {
            for (String pair : registry.split(",", -1)) {
                if (!HOST_PORT.matches(pair)) {
                    checks.invalid(path + ".registry", registry, detail);
                }
            }
        }
    }

    private void options(JsonNode options, String path) {
        options.fieldNames().forEachRemaining(key -> {
            String domain = "." + key.split("/", 2)[0].toLowerCase(Locale.ROOT);
            if (domain.endsWith(".kubernetes.io") || domain.endsWith(".k8s.io")) {
                checks.invalid(path + ".options[" + key + "]", key, "kubernetes.io and k8s.io namespaces are reserved");
            }
        });
    }

    private void azureDisk(ObjectNode source, String path) {
        checks.oneOf(source, "cachingMode", path, "None", "ReadOnly", "ReadWrite");
        checks.oneOf(source, "kind", path, "Dedicated", "Managed", "Shared");
        String kind = JsonTree.text(source, "kind");
        String uri = JsonTree.text(source, "diskURI");
        if (kind.equals("Managed") && !uri.startsWith("/subscriptions/")) {
            checks.notSupported(
                    path + ".diskURI",
                    uri,
                    "/subscriptions/{sub-id}/resourcegroups/{group-name}/providers/microsoft.compute/disks/{disk-id}");
        } else if (source.path("kind").isTextual() && !kind.equals("Managed") && !uri.startsWith("https://")) {
            checks.notSupported(
                    path + ".diskURI",
                    uri,
                    "https://{account-name}.blob.core.windows.net/{container-name}/{disk-name}.vhd");
        }
    }

    private void storageOs(ObjectNode source, String path) {
        if (checks.present(source, "volumeName", path)) {
            checks.label(JsonTree.text(source, "volumeName"), path + ".volumeName");
        }
        if (!JsonTree.text(source, "volumeNamespace").isEmpty()) {
            checks.label(JsonTree.text(source, "volumeNamespace"), path + ".volumeNamespace");
        }
        secret(source, path);
    }
}
