package dev.sro.testkit.server;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Collection;
import java.util.List;

/** All groups with all their types in one document, as clients ask for it that want to know all of them. Stateless. */
final class AggregatedDiscovery {
    static final String CONTENT_TYPE = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";

    private AggregatedDiscovery() {}

    /** @param groups in the order of the document */
    static ObjectNode of(List<String> groups, Collection<ResourceType> types) {
        ObjectNode list =
                Json.object().put("kind", "APIGroupDiscoveryList").put("apiVersion", "apidiscovery.k8s.io/v2");
        list.putObject("metadata");
        ArrayNode items = list.putArray("items");
        for (String group : groups) {
            ObjectNode item = items.addObject();
            ObjectNode metadata = item.putObject("metadata");
            if (!group.isEmpty()) {
                metadata.put("name", group);
            }
            metadata.putNull("creationTimestamp");
            ArrayNode versions = item.putArray("versions");
            types.stream()
                    .filter(type -> type.gvr().group().equals(group))
                    .map(type -> type.gvr().version())
                    .distinct()
                    .sorted((a, b) -> VersionOrder.compare(b, a))
                    .forEach(version -> version(versions.addObject(), group, version, types));
        }
        return list;
    }

    private static void version(ObjectNode entry, String group, String version, Collection<ResourceType> types) {
        ArrayNode resources = entry.put("version", version).putArray("resources");
        types.stream()
                .filter(type ->
                        type.gvr().group().equals(group) && type.gvr().version().equals(version))
                .forEach(type -> resources.add(DiscoveryEntries.aggregated(type)));
        entry.put("freshness", "Current");
    }
}
