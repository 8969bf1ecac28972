package dev.sro.testkit.server;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;

/** How types and their subresources appear in discovery. */
final class DiscoveryEntries {
    private record Sub(String kind, List<String> verbs, String group, String version) {}

    private static final List<String> CUSTOM_VERBS =
            List.of("delete", "deletecollection", "get", "list", "patch", "create", "update", "watch");
    private static final List<String> RW = List.of("get", "patch", "update");
    private static final Map<String, Sub> SUBS = Map.ofEntries(
            Map.entry("attach", new Sub("PodAttachOptions", List.of("create", "get"), "", "")),
            Map.entry("exec", new Sub("PodExecOptions", List.of("create", "get"), "", "")),
            Map.entry("portforward", new Sub("PodPortForwardOptions", List.of("create", "get"), "", "")),
            Map.entry("binding", new Sub("Binding", List.of("create"), "", "")),
            Map.entry("eviction", new Sub("Eviction", List.of("create"), "policy", "v1")),
            Map.entry("log", new Sub("", List.of("get"), "", "")),
            Map.entry("finalize", new Sub("", List.of("update"), "", "")),
            Map.entry("scale", new Sub("Scale", RW, "autoscaling", "v1")),
            Map.entry("token", new Sub("TokenRequest", List.of("create"), "authentication.k8s.io", "v1")),
            Map.entry("approval", new Sub("", RW, "", "")));

    private DiscoveryEntries() {}

    static ObjectNode type(ResourceType type) {
        ObjectNode entry = Json.object()
                .put("name", type.gvr().plural())
                .put("singularName", type.singular())
                .put("namespaced", type.namespaced())
                .put("kind", type.kind());
        array(entry, "verbs", type.custom() ? CUSTOM_VERBS : type.verbs());
        if (!type.shortNames().isEmpty()) {
            array(entry, "shortNames", type.shortNames());
        }
        if (!type.categories().isEmpty()) {
            array(entry, "categories", type.categories());
        }
        if (type.stored() && type.verbs().contains("create")) {
            entry.put("storageVersionHash", hash(type));
        }
        return entry;
    }

    private static Sub sub(ResourceType type, String name) {
        return name.equals("proxy")
                ? new Sub(type.kind() + "ProxyOptions", List.of("create", "delete", "get", "patch", "update"), "", "")
                : SUBS.getOrDefault(name, new Sub("", RW, "", ""));
    }

    /** What a subresource can be asked for. */
    static List<String> verbs(ResourceType type, String subresource) {
        return sub(type, subresource).verbs();
    }

    static ObjectNode subresource(ResourceType type, String name) {
        ObjectNode entry = Json.object()
                .put("name", type.gvr().plural() + "/" + name)
                .put("singularName", "")
                .put("namespaced", type.namespaced());
        Sub sub = sub(type, name);
        if (!sub.group().isEmpty()) {
            entry.put("group", sub.group()).put("version", sub.version());
        }
        entry.put("kind", sub.kind().isEmpty() ? type.kind() : sub.kind());
        array(entry, "verbs", sub.verbs());
        return entry;
    }

    /** A type with its subresources, as the one document of all has it, where built-in types do not say their group again. */
    static ObjectNode aggregated(ResourceType type) {
        ObjectNode entry = Json.object().put("resource", type.gvr().plural());
        String group = type.custom() ? type.gvr().group() : "";
        String version = type.custom() ? type.gvr().version() : "";
        entry.set("responseKind", kind(group, version, type.kind()));
        entry.put("scope", type.namespaced() ? "Namespaced" : "Cluster").put("singularResource", type.singular());
        array(entry, "verbs", type.custom() ? CUSTOM_VERBS : type.verbs());
        if (!type.shortNames().isEmpty()) {
            array(entry, "shortNames", type.shortNames());
        }
        if (!type.categories().isEmpty()) {
            array(entry, "categories", type.categories());
        }
        if (!type.subresources().isEmpty()) {
            ArrayNode subresources = entry.putArray("subresources");
            for (String name : type.subresources()) {
                Sub sub = sub(type, name);
                ObjectNode item = subresources.addObject().put("subresource", name);
                boolean other = !sub.group().isEmpty();
                item.set(
                        "responseKind",
                        kind(
                                other ? sub.group() : group,
                                other ? sub.version() : version,
                                sub.kind().isEmpty() ? type.kind() : sub.kind()));
                array(item, "verbs", sub.verbs());
            }
        }
        return entry;
    }

    private static ObjectNode kind(String group, String version, String kind) {
        return Json.object().put("group", group).put("version", version).put("kind", kind);
    }

    private static void array(ObjectNode entry, String field, List<String> values) {
        ArrayNode array = entry.putArray(field);
        values.forEach(array::add);
    }

    /** Identifies the storage version; clients only compare it. Definitions are still kept under an older one. */
    private static String hash(ResourceType type) {
        boolean definition = type.storage().equals(Gvr.CUSTOMRESOURCEDEFINITIONS);
        String version = definition ? "v1beta1" : type.storage().version();
        String text = type.storage().group() + "/" + version + "/" + type.kind();
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return Base64.getEncoder().encodeToString(Arrays.copyOf(digest, 8));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}
