package dev.sro.testkit.schema;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Locale;

/** Defaults of CustomResourceDefinitions. */
final class CrdDefaults {
    private CrdDefaults() {}

    static void apply(ObjectNode crd) {
        ObjectNode spec = JsonTree.ensure(crd, "spec");
        ObjectNode names = JsonTree.ensure(spec, "names");
        String kind = JsonTree.text(names, "kind");
        JsonTree.text(names, "singular", kind.toLowerCase(Locale.ROOT));
        if (!kind.isEmpty()) {
            JsonTree.text(names, "listKind", kind + "List");
        }
        ObjectNode conversion = JsonTree.ensure(spec, "conversion");
        JsonTree.text(conversion, "strategy", "None");
        ObjectNode service =
                JsonTree.object(JsonTree.object(JsonTree.object(conversion, "webhook"), "clientConfig"), "service");
        if (service != null) {
            JsonTree.number(service, "port", 443);
        }
        ObjectNode status = JsonTree.ensure(crd, "status");
        if (!(status.get("storedVersions") instanceof ArrayNode stored) || stored.isEmpty()) {
            for (ObjectNode version : JsonTree.objects(spec, "versions")) {
                if (version.path("storage").asBoolean()) {
                    status.putArray("storedVersions").add(JsonTree.text(version, "name"));
                    break;
                }
            }
        }
    }
}
