package dev.sro.testkit.server;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The little of OpenAPI that kubectl asks for before it applies: that the server validates fields itself. There are no schemas in
 * it.
 */
final class OpenApi {
    private final ResourceRegistry registry;

    OpenApi(ResourceRegistry registry) {
        this.registry = registry;
    }

    /** The documents there are. */
    ObjectNode index() {
        Map<String, String> places = new TreeMap<>();
        for (ResourceType type : registry.all()) {
            String place = place(type);
            places.put(place, "/openapi/v3/" + place);
        }
        ObjectNode index = Json.object();
        ObjectNode paths = index.putObject("paths");
        places.forEach((place, url) -> paths.putObject(place).put("serverRelativeURL", url));
        return index;
    }

    /** The document of one group version, for instance {@code apis/apps/v1}; null if there is none. */
    @Nullable ObjectNode document(String place) {
        ObjectNode document = Json.object().put("openapi", "3.0.0");
        document.putObject("info").put("title", "Kubernetes").put("version", "v1.36.2");
        ObjectNode paths = document.putObject("paths");
        boolean any = false;
        for (ResourceType type : registry.all()) {
            if (place(type).equals(place)) {
                any = true;
                String scope = type.namespaced() ? "namespaces/{namespace}/" : "";
                ObjectNode path =
                        paths.putObject("/" + place + "/" + scope + type.gvr().plural() + "/{name}");
                operation(path.putObject("patch"), type);
            }
        }
        if (!any) {
            return null;
        }
        document.putObject("components").putObject("schemas");
        return document;
    }

    private static void operation(ObjectNode patch, ResourceType type) {
        ObjectNode parameter = patch.putArray("parameters").addObject();
        parameter.put("name", "fieldValidation").put("in", "query");
        parameter.putObject("schema").put("type", "string");
        patch.putObject("responses");
        patch.putObject("x-kubernetes-group-version-kind")
                .put("group", type.gvr().group())
                .put("kind", type.kind())
                .put("version", type.gvr().version());
    }

    private static String place(ResourceType type) {
        return type.gvr().group().isEmpty() ? "api/v1" : "apis/" + type.apiVersion();
    }
}
