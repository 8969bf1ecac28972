package dev.sro.testkit.server;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sro.testkit.VirtualClock;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Puts objects and lists into the form that a client accepts: plain, as a table to print, or their metadata only. */
final class Answers {
    private static final String TEMPLATE_GENERATION = "deprecated.daemonset.template.generation";

    private final CustomTypes customTypes;
    private final VirtualClock clock;

    Answers(CustomTypes customTypes, VirtualClock clock) {
        this.customTypes = customTypes;
        this.clock = clock;
    }

    private static Negotiation.@Nullable Target target(ApiRequest request, ResourceType type) {
        return Negotiation.of(request, Negotiation.of(type)).as();
    }

    private static boolean is(Negotiation.@Nullable Target target, String kind) {
        return target != null && target.kind().equals(kind);
    }

    /** How the objects of a watch are written for a request, of tables the first one with its columns; null for the plain form of the stored version. */
    @Nullable Function<Stored, byte[]> form(ApiRequest request, ResourceType type) {
        Negotiation.Target target = target(request, type);
        if (target != null && is(target, "Table")) {
            AtomicBoolean said = new AtomicBoolean();
            return stored -> {
                ObjectNode metadata = Json.object().put("resourceVersion", Long.toString(stored.version()));
                ObjectNode table = table(request, type, target, List.of(stored), metadata);
                if (said.getAndSet(true)) {
                    table.putNull("columnDefinitions");
                }
                return Json.bytes(table);
            };
        }
        if (target != null) {
            return stored -> Json.bytes(partial(stored, target));
        }
        if (type.gvr().equals(type.storage()) && !type.custom()) {
            return null;
        }
        return stored -> Render.object(customTypes.served(type, stored), type.apiVersion());
    }

    /** Refuses a watch in a form that no stream has. */
    static void checkStream(ApiRequest request, ResourceType type) {
        if (Negotiation.of(request, Negotiation.of(type)).yaml()) {
            throw new ApiException(
                    406,
                    "NotAcceptable",
                    "only the following media types are accepted: application/json;stream=watch,"
                            + " application/vnd.kubernetes.protobuf;stream=watch");
        }
    }

    ApiResponse object(ApiRequest request, ResourceType type, int code, Stored stored) {
        Negotiation.Target target = target(request, type);
        if (target != null && is(target, "Table")) {
            ObjectNode metadata = Json.object().put("resourceVersion", Long.toString(stored.version()));
            return ApiResponse.json(code, table(request, type, target, List.of(stored), metadata));
        }
        if (is(target, "PartialObjectMetadataList")) {
            if (type.custom()) {
                throw Errors.internal("content is not a list");
            }
            throw notAcceptable("PartialObjectMetadataList, but the requested object is not a list", type, type.kind());
        }
        if (target != null) {
            return ApiResponse.json(code, partial(stored, target));
        }
        return ApiResponse.json(code, Render.object(customTypes.served(type, stored), type.apiVersion()));
    }

    /** A list cannot be asked for as if it were one object. */
    private static void checkForm(Negotiation.@Nullable Target target, ResourceType type) {
        if (is(target, "PartialObjectMetadata")) {
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
        Negotiation.Target target = target(request, type);
        checkForm(target, type);
        if (target != null) {
            return special(request, type, target, page);
        }
        Render.ListHead head = new Render.ListHead(
                type.listKind(),
                type.apiVersion(),
                Long.toString(page.version()),
                page.continueToken(),
                page.remaining(),
                type.custom());
        List<Stored> items = page.items().stream()
                .map(item -> customTypes.served(type, item))
                .toList();
        return ApiResponse.json(200, Render.list(head, items));
    }

    private ApiResponse special(ApiRequest request, ResourceType type, Negotiation.Target target, Reader.Page page) {
        ObjectNode metadata = Json.object().put("resourceVersion", Long.toString(page.version()));
        if (page.continueToken() != null) {
            metadata.put("continue", page.continueToken());
        }
        if (page.remaining() > 0) {
            metadata.put("remainingItemCount", page.remaining());
        }
        if (is(target, "Table")) {
            return ApiResponse.json(200, table(request, type, target, page.items(), metadata));
        }
        ObjectNode list = Json.object().put("kind", "PartialObjectMetadataList").put("apiVersion", target.apiVersion());
        list.set("metadata", metadata);
        if (page.items().isEmpty()) {
            list.putNull("items");
            return ApiResponse.json(200, list);
        }
        ArrayNode items = list.putArray("items");
        page.items().forEach(item -> items.add(partial(item, target)));
        return ApiResponse.json(200, list);
    }

    private ObjectNode table(
            ApiRequest request,
            ResourceType type,
            Negotiation.Target target,
            List<Stored> objects,
            ObjectNode metadata) {
        List<TableColumns.Column> columns = TableColumns.build(type, customTypes.version(type.gvr()), clock.instant());
        ObjectNode table = Json.object().put("kind", "Table").put("apiVersion", target.apiVersion());
        table.set("metadata", metadata);
        ArrayNode definitions = table.putArray("columnDefinitions");
        columns.forEach(c -> definitions.add(TableColumns.definition(c)));
        String include = request.param("includeObject");
        if (include != null && !List.of("", "None", "Metadata", "Object").contains(include)) {
            throw Errors.badRequest("Unable to convert to Table as requested: includeObject: Invalid value: \""
                    + include + "\": must be 'Metadata', 'Object', 'None', or empty");
        }
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
                row.set("object", Render.tree(customTypes.served(type, stored)));
            } else if ("None".equals(include)) {
                row.putNull("object");
            } else {
                row.set("object", partial(stored, target));
            }
        }
        return table;
    }

    private static ObjectNode partial(Stored stored, Negotiation.Target target) {
        ObjectNode partial = Json.object().put("kind", "PartialObjectMetadata").put("apiVersion", target.apiVersion());
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
