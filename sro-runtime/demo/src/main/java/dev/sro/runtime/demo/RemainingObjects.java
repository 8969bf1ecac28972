package dev.sro.runtime.demo;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sro.core.model.MetadataKeys;
import dev.sro.testkit.server.ClusterApi;
import dev.sro.testkit.server.Gvr;
import dev.sro.testkit.server.ResourceType;
import java.util.ArrayList;
import java.util.List;

/** What a special resource left behind in a cluster. Stateless. */
final class RemainingObjects {

    private RemainingObjects() {}

    /** Objects of ours, the namespace, and marks on nodes; each as a word or two. */
    static List<String> find(ClusterApi api, String namespace) {
        List<String> found = new ArrayList<>();
        for (ResourceType type : api.resources().all()) {
            if (!type.stored() || !type.gvr().equals(type.storage())) {
                continue;
            }
            for (ObjectNode object : api.list(type.gvr())) {
                JsonNode metadata = object.path("metadata");
                boolean owned = metadata.path("labels").has(MetadataKeys.OWNED);
                boolean inside = metadata.path("namespace").asText().equals(namespace);
                boolean itself = type.gvr().equals(Gvr.NAMESPACES)
                        && metadata.path("name").asText().equals(namespace);
                if (owned || inside || itself) {
                    found.add(type.kind() + " " + metadata.path("name").asText());
                }
            }
        }
        api.list(Gvr.NODES).forEach(node -> marks(node, found));
        return found;
    }

    /** Labels of ours on a node, and fields that we still hold there. */
    private static void marks(ObjectNode node, List<String> found) {
        String name = "Node " + node.at("/metadata/name").asText();
        node.at("/metadata/labels").fieldNames().forEachRemaining(label -> {
            if (label.startsWith(MetadataKeys.STATE_LABEL_PREFIX)) {
                found.add(name + " label " + label);
            }
        });
        for (JsonNode entry : node.at("/metadata/managedFields")) {
            String manager = entry.path("manager").asText();
            if (manager.equals(MetadataKeys.FIELD_MANAGER) || manager.startsWith(MetadataKeys.FIELD_MANAGER + ".")) {
                found.add(name + " fields held by " + manager);
            }
        }
    }
}
