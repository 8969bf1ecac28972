package dev.sro.testkit.server;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sro.testkit.VirtualClock;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Puts objects and lists into the form that a client accepts: plain, as a table to print, or their metadata only. */
final class Answers {
    private static final String TEMPLATE_GENERATION = "deprecated.daemonset.template.generation";
    private static final String META = "meta.k8s.io/v1";

    private final CustomTypes customTypes;
    private final VirtualClock clock;

    Answers(CustomTypes customTypes, VirtualClock clock) {
        this.customTypes = customTypes;
        this.clock = clock;
    }

    private static boolean wants(ApiRequest request, String form) {
        String accept = request.accept();
        if (accept == null) {
            return false;
        }
        String first = accept.split(",", 2)[0];
        return first.contains("as=" + form);
    }

    /** How a single object of a watch is written for a request; null for the plain form of the stored version. */
    @Nullable Function<Stored, byte[]> form(ApiRequest request, ResourceType type) {
        if (wants(request, "Table")) {
            return stored -> Json.bytes(table(
                    request,
                    type,
                    List.of(stored),
                    Json.object().put("resourceVersion", Long.toString(stored.version()))));
        }
        if (wants(request, "PartialObjectMetadata")) {
            return stored -> Json.bytes(partial(stored));
        }
        if (type.gvr().equals(type.storage()) && !type.custom()) {
            return null;
        }
        return stored -> Render.object(stored, type.apiVersion());
    }

    ApiResponse object(ApiRequest request, ResourceType type, int code, Stored stored) {
        if (wants(request, "Table") && request.method().equals("GET")) {
            ObjectNode metadata = Json.object().put("resourceVersion", Long.toString(stored.version()));
            return ApiResponse.json(code, table(request, type, List.of(stored), metadata));
        }
        if (wants(request, "PartialObjectMetadataList")) {
            throw notAcceptable("PartialObjectMetadataList, but the requested object is not a list", type, type.kind());
        }
        if (wants(request, "PartialObjectMetadata")) {
            return ApiResponse.json(code, partial(stored));
        }
        return ApiResponse.json(code, Render.object(stored, type.apiVersion()));
    }

    /** A list cannot be asked for as if it were one object. */
    private static void checkForm(ApiRequest request, ResourceType type) {
        if (wants(request, "PartialObjectMetadata") && !wants(request, "PartialObjectMetadataList")) {
            throw notAcceptable("PartialObjectMetadata, but the requested object is a list", type, type.listKind());
        }
    }

    private static ApiException notAcceptable(String what, ResourceType type, String kind) {
        String group = type.gvr().group();
        boolean core = group.isEmpty() || group.equals("events.k8s.io");
        String internal = core ? "core" : group.contains(".") ? group.substring(0, group.indexOf('.')) : group;
        String named = type.custom()
                ? "unstructured.Unstructured" + (kind.equals(type.listKind()) ? "List" : "")
                : internal + "." + kind;
        return new ApiException(406, "NotAcceptable", "you requested " + what + " (*" + named + ")");
    }

    ApiResponse list(ApiRequest request, ResourceType type, Reader.Page page) {
        checkForm(request, type);
        if (wants(request, "Table") || wants(request, "PartialObjectMetadataList")) {
            return special(request, type, page);
        }
        Render.ListHead head = new Render.ListHead(
                type.listKind(),
                type.apiVersion(),
                Long.toString(page.version()),
                page.continueToken(),
                page.remaining(),
                type.custom());
        return ApiResponse.json(200, Render.list(head, page.items()));
    }

    private ApiResponse special(ApiRequest request, ResourceType type, Reader.Page page) {
        ObjectNode metadata = Json.object().put("resourceVersion", Long.toString(page.version()));
        if (page.continueToken() != null) {
            metadata.put("continue", page.continueToken());
        }
        if (wants(request, "Table")) {
            return ApiResponse.json(200, table(request, type, page.items(), metadata));
        }
        ObjectNode list = Json.object().put("kind", "PartialObjectMetadataList").put("apiVersion", META);
        list.set("metadata", metadata);
        ArrayNode items = list.putArray("items");
        page.items().forEach(item -> items.add(partial(item)));
        return ApiResponse.json(200, list);
    }

    private ObjectNode table(ApiRequest request, ResourceType type, List<Stored> objects, ObjectNode metadata) {
        List<TableColumns.Column> columns = TableColumns.build(type, customTypes.version(type.gvr()), clock.instant());
        ObjectNode table = Json.object().put("kind", "Table").put("apiVersion", META);
        table.set("metadata", metadata);
        ArrayNode definitions = table.putArray("columnDefinitions");
        columns.forEach(c -> definitions.add(TableColumns.definition(c)));
        String include = request.param("includeObject");
        if (objects.isEmpty() && TableColumns.isPlain(type)) {
            table.putNull("rows");
            return table;
        }
        ArrayNode rows = table.putArray("rows");
        for (Stored stored : objects) {
            ObjectNode row = rows.addObject();
            ArrayNode cells = row.putArray("cells");
            columns.forEach(c -> cells.addPOJO(c.cell().apply(stored.object())));
            if ("Object".equals(include)) {
                row.set("object", Render.tree(stored));
            } else if ("None".equals(include)) {
                row.putNull("object");
            } else {
                row.set("object", partial(stored));
            }
        }
        return table;
    }

    private static ObjectNode partial(Stored stored) {
        ObjectNode partial = Json.object().put("kind", "PartialObjectMetadata").put("apiVersion", META);
        partial.set("metadata", Render.tree(stored).get("metadata"));
        return withoutTemplateGeneration(partial);
    }

    /** The server makes this annotation when it writes the whole DaemonSet. */
    private static ObjectNode withoutTemplateGeneration(ObjectNode partial) {
        if (partial.path("metadata").path("annotations").has(TEMPLATE_GENERATION)) {
            ObjectNode metadata = Json.shallow((ObjectNode) partial.path("metadata"));
            ObjectNode annotations = Json.shallow((ObjectNode) metadata.path("annotations"));
            annotations.remove(TEMPLATE_GENERATION);
            if (annotations.isEmpty()) {
                metadata.remove("annotations");
            } else {
                metadata.set("annotations", annotations);
            }
            partial.set("metadata", metadata);
        }
        return partial;
    }

    /** The Status that answers a delete. */
    static ObjectNode deleted(ResourceType type, String name, String uid) {
        ObjectNode status = Json.object().put("kind", "Status").put("apiVersion", "v1");
        status.putObject("metadata");
        status.put("status", "Success");
        ObjectNode details = Errors.named(type.gvr(), name);
        details.put("uid", uid);
        status.set("details", details);
        return status;
    }
}
