package dev.sro.testkit.server;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.sro.testkit.merge.JsonPatch;
import dev.sro.testkit.merge.MergePatch;
import dev.sro.testkit.merge.StrategicMergePatch;
import dev.sro.testkit.schema.FieldError;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The verbs on resources, from request to answer. */
final class ResourceVerbs {
    private static final List<String> JOB_WARNING = List.of(
            "299 - \"child pods are preserved by default when jobs are deleted; set propagationPolicy=Background to"
                    + " remove them or set propagationPolicy=Orphan to suppress this warning\"");

    private final ServerParts parts;

    ResourceVerbs(ServerParts parts) {
        this.parts = parts;
    }

    /**
     * What a list or watch selects.
     *
     * @param name of the one object that is watched; empty for all
     */
    Watcher.Filter filter(ListOptions options, ResourceType type, @Nullable String namespace, String name) {
        FieldSelector fields = FieldSelector.of(options.fields(), type, parts.selectableFields(type));
        if (!name.isEmpty()) {
            List<FieldSelector.Term> terms = new ArrayList<>(fields.terms());
            terms.add(new FieldSelector.Term("metadata.name", true, name));
            fields = new FieldSelector(terms);
        }
        return new Watcher.Filter(type.namespaced() ? namespace : null, options.labels(), fields);
    }

    ApiResponse get(ApiRequest request, ResourceType type, RequestPath path) {
        Stored stored = parts.store.locked(
                () -> parts.reader.get(type, path.namespace(), path.name(), request.param("resourceVersion")));
        return parts.answers.object(request, type, 200, stored);
    }

    ApiResponse list(ApiRequest request, ResourceType type, RequestPath path) {
        Reader.Query query = query(request, type, path);
        Reader.Page page = parts.store.locked(() -> parts.reader.list(type, query));
        return parts.answers.list(request, type, page);
    }

    private Reader.Query query(ApiRequest request, ResourceType type, RequestPath path) {
        ListOptions options = ListOptions.of(request).checkedForList();
        return new Reader.Query(
                filter(options, type, path.namespace(), ""),
                options.limit(),
                options.continueToken(),
                options.resourceVersion(),
                options.resourceVersionMatch());
    }

    private static String orEmpty(@Nullable String text) {
        return text == null ? "" : text;
    }

    ApiResponse create(ApiRequest request, ResourceType type, RequestPath path) {
        Bodies.checkMedia(request);
        WriteCall call = call(request, type, path, "CreateOptions");
        ObjectNode body = Bodies.object(request, type, call.duplicates);
        return written(request, call, () -> parts.writer.create(call, own(call, body)), 201);
    }

    /** A body that the writer may change; it may need another one later. */
    private static ObjectNode own(WriteCall call, ObjectNode body) {
        return call.reviews == null ? body : body.deepCopy();
    }

    /** Does a write and answers it; what it warns of is said of a refusal too. */
    private ApiResponse written(ApiRequest request, WriteCall call, Supplier<Writer.Result> write, int code) {
        ApiResponse answer;
        try {
            Writer.Result result = parts.writes.run(call, write);
            answer = parts.answers.object(request, call.type, result.created() ? 201 : code, result.stored());
        } catch (ApiException e) {
            answer = ApiResponse.error(e);
        }
        return answer.with("Warning", warnings(call));
    }

    ApiResponse update(ApiRequest request, ResourceType type, RequestPath path) {
        Bodies.checkMedia(request);
        WriteCall call = call(request, type, path, "UpdateOptions");
        ObjectNode body = Bodies.object(request, type, call.duplicates);
        return written(request, call, () -> parts.writer.update(call, own(call, body)), 200);
    }

    /** Refuses a patch in a form that the type does not take. */
    static void checkPatch(ApiRequest request, ResourceType type) {
        String media = Bodies.mediaType(request.contentType());
        if (!isApply(media)) {
            checkPatchType(type, media);
        }
    }

    private static boolean isApply(String media) {
        return media.equals("application/apply-patch+yaml") || media.equals("application/apply-patch+json");
    }

    ApiResponse patch(ApiRequest request, ResourceType type, RequestPath path) {
        String media = Bodies.mediaType(request.contentType());
        if (isApply(media)) {
            return apply(request, type, path);
        }
        checkPatchType(type, media);
        List<FieldError> errors = new ArrayList<>();
        if (request.param("force") != null) {
            errors.add(FieldError.forbidden("force", "may not be specified for non-apply patch"));
        }
        WriteCall call = call(request, type, path, "PatchOptions", errors);
        JsonNode patch = patchBody(request, call, media);
        call.patch = patch;
        call.patchType = media;
        if (media.equals("application/json-patch+json")) {
            call.strange.addAll(JsonPatch.unknownWords(patch));
        }
        boolean withFields = patch.toString().contains("managedFields");
        return written(request, call, () -> parts.writer.patch(call, patcher(media, patch), withFields), 200);
    }

    /** Whether objects of a type can be patched in this way; applying is another matter. */
    static void checkPatchType(ResourceType type, String media) {
        boolean strategic = media.equals("application/strategic-merge-patch+json");
        if (!(strategic && !type.custom())
                && !media.equals("application/merge-patch+json")
                && !media.equals("application/json-patch+json")) {
            if (!type.custom()) {
                throw new ApiException(415, "UnsupportedMediaType", "415: Unsupported Media Type", Json.object());
            }
            throw new ApiException(
                    415,
                    "UnsupportedMediaType",
                    "the body of the request was in an unknown format - accepted media types include:"
                            + " application/json-patch+json, application/merge-patch+json,"
                            + " application/apply-patch+yaml");
        }
    }

    private static JsonNode patchBody(ApiRequest request, WriteCall call, String media) {
        boolean strategic = media.equals("application/strategic-merge-patch+json");
        return Bodies.patch(request.body(), strategic ? "" : "error decoding patch: ", call.duplicates);
    }

    private static BiFunction<ObjectNode, TypeRules, ObjectNode> patcher(String media, JsonNode patch) {
        return (live, rules) -> {
            JsonNode next = switch (media) {
                case "application/json-patch+json" -> JsonPatch.apply(live, patch);
                case "application/merge-patch+json" ->
                    MergePatch.apply(live, requireObject(patch, "error decoding patch: "));
                default -> StrategicMergePatch.apply(live, requireObject(patch, ""), rules.schema());
            };
            if (!(next instanceof ObjectNode object)) {
                throw Errors.badRequest(
                        "error decoding patch: json: cannot unmarshal into Go value of type map[string]interface {}");
            }
            return object;
        };
    }

    private static ObjectNode requireObject(JsonNode patch, String prefix) {
        if (patch instanceof ObjectNode object) {
            return object;
        }
        if (patch.isNull() && !prefix.isEmpty()) {
            throw Errors.badRequest("Invalid JSON Patch");
        }
        throw Errors.badRequest(prefix + "json: cannot unmarshal " + Bodies.goType(patch)
                + " into Go value of type map[string]interface {}");
    }

    private ApiResponse apply(ApiRequest request, ResourceType type, RequestPath path) {
        List<FieldError> errors = new ArrayList<>();
        if (orEmpty(request.param("fieldManager")).isEmpty()) {
            errors.add(FieldError.required("fieldManager", "is required for apply patch"));
        }
        WriteCall call = call(request, type, path, "PatchOptions", errors);
        ObjectNode config = Bodies.apply(request.body(), type, call.duplicates);
        boolean force = isTrue(request.param("force"));
        return written(request, call, () -> parts.writer.apply(call, own(call, config), force), 200);
    }

    ApiResponse delete(ApiRequest request, ResourceType type, RequestPath path) {
        DeleteBody body = DeleteBody.read(request);
        WriteCall call = deletion(request, type, path, body);
        ApiResponse answer;
        try {
            Deleter.Result result = parts.writes.run(call, () -> parts.deleter.delete(call, body.options()));
            boolean object = !result.gone() || parts.rules.of(type).answersDeletedObject();
            answer = object
                    ? parts.answers.object(request, type, 200, result.stored())
                    : ApiResponse.json(
                            200,
                            Answers.deleted(
                                    type, path.name(), Json.uid(result.stored().object())));
        } catch (ApiException e) {
            answer = ApiResponse.error(e);
        }
        List<String> warnings = new ArrayList<>(warnings(call));
        warnings.addAll(ofJobs(type, body));
        return answer.with("Warning", warnings);
    }

    /** What is asked for in a body is not looked for in the query. */
    private WriteCall deletion(ApiRequest request, ResourceType type, RequestPath path, DeleteBody body) {
        byte[] sent = request.body();
        Map<String, List<String>> query = new HashMap<>(request.query());
        query.remove("fieldValidation");
        query.remove("fieldManager");
        if (sent != null && sent.length > 0) {
            query.remove("dryRun");
        }
        ApiRequest asked = new ApiRequest(
                request.method(),
                request.path(),
                query,
                request.contentType(),
                request.accept(),
                request.userAgent(),
                request.identity(),
                sent);
        return call(asked, type, path, "DeleteOptions").dry(body.dryRun());
    }

    private static List<String> ofJobs(ResourceType type, DeleteBody body) {
        return body.options().propagation() == null && type.gvr().equals(Gvr.JOBS) ? JOB_WARNING : List.of();
    }

    ApiResponse deleteCollection(ApiRequest request, ResourceType type, RequestPath path) {
        Reader.Query query = query(request, type, path);
        DeleteBody body = DeleteBody.read(request);
        WriteCall call = deletion(request, type, path, body);
        Set<String> warnings = new LinkedHashSet<>(ofJobs(type, body));
        ApiResponse answer;
        try {
            Reader.Page page = parts.store.locked(() -> {
                Reader.Page chosen = parts.reader.list(type, query);
                for (Stored item : chosen.items()) {
                    WriteCall one = call.at(Json.namespace(item.object()), Json.name(item.object()));
                    try {
                        parts.writes.run(one, () -> deleteIfThere(one, body.options()));
                    } finally {
                        warnings.addAll(warnings(one));
                    }
                }
                return chosen;
            });
            answer = parts.answers.list(request, type, page);
        } catch (ApiException e) {
            answer = ApiResponse.error(e);
        }
        return answer.with("Warning", List.copyOf(warnings));
    }

    /** While a webhook was asked about one, another may have gone. */
    private boolean deleteIfThere(WriteCall call, DeleteOptions options) {
        boolean there = parts.store.get(call.type.storage(), call.key()) != null;
        if (there) {
            parts.deleter.delete(call, options);
        }
        return there;
    }

    static List<String> warnings(WriteCall call) {
        Reviews reviews = call.reviews;
        Stream<String> ofAdmission = reviews == null ? Stream.empty() : reviews.warnings().stream();
        return Stream.concat(call.warnings.stream(), ofAdmission)
                .map(ResourceVerbs::header)
                .toList();
    }

    /** A warning as HTTP has it. */
    static String header(String warning) {
        return "299 - \"" + warning.replace("\\", "\\\\").replace("\"", "\\\"") + "\"";
    }

    WriteCall call(ApiRequest request, ResourceType type, RequestPath path, String optionsKind) {
        return call(request, type, path, optionsKind, new ArrayList<>());
    }

    private WriteCall call(
            ApiRequest request, ResourceType type, RequestPath path, String optionsKind, List<FieldError> errors) {
        boolean dryRun = false;
        List<String> dry = request.query().getOrDefault("dryRun", List.of());
        if (!dry.isEmpty()) {
            dryRun = dry.stream().allMatch("All"::equals);
            if (!dryRun) {
                errors.add(new FieldError(
                        "FieldValueNotSupported",
                        "Unsupported value: " + quoteAll(dry) + ": supported values: \"All\"",
                        "dryRun"));
            }
        }
        WriteCall.FieldValidation validation = validation(request.param("fieldValidation"), errors);
        String manager = request.param("fieldManager");
        if (manager != null && manager.length() > 128) {
            errors.add(new FieldError("FieldValueTooLong", "Too long: may not be more than 128 bytes", "fieldManager"));
        }
        unprintable(manager).ifPresent(errors::add);
        if (!errors.isEmpty()) {
            throw Errors.invalid("meta.k8s.io", optionsKind, "", errors);
        }
        String agent = request.userAgent();
        String by = manager != null && !manager.isEmpty()
                ? manager
                : agent.substring(0, agent.indexOf('/') < 0 ? agent.length() : agent.indexOf('/'));
        WriteCall call = new WriteCall(
                type, path.namespace(), path.name(), path.subresource(), by, request.identity(), dryRun, validation);
        call.explicitManager = manager == null ? "" : manager;
        return call;
    }

    /** The first character of the name of a manager that no person sees. */
    private static Optional<FieldError> unprintable(@Nullable String manager) {
        if (manager == null) {
            return Optional.empty();
        }
        return IntStream.range(0, manager.length())
                .filter(i -> Character.isISOControl(manager.charAt(i)))
                .mapToObj(i -> FieldError.invalid(
                        "fieldManager",
                        TextNode.valueOf(manager),
                        String.format("invalid character U+%04X (at position %d)", (int) manager.charAt(i), i)))
                .findFirst();
    }

    private static String quoteAll(List<String> values) {
        return Json.MAPPER.valueToTree(values).toString();
    }

    private static WriteCall.FieldValidation validation(@Nullable String text, List<FieldError> errors) {
        if (text == null || text.isEmpty() || text.equals("Warn")) {
            return WriteCall.FieldValidation.WARN;
        }
        if (text.equals("Strict")) {
            return WriteCall.FieldValidation.STRICT;
        }
        if (!text.equals("Ignore")) {
            errors.add(new FieldError(
                    "FieldValueNotSupported",
                    "Unsupported value: \"" + text + "\": supported values: \"\", \"Ignore\", \"Strict\", \"Warn\"",
                    "fieldValidation"));
        }
        return WriteCall.FieldValidation.IGNORE;
    }

    /** As the server reads a flag of a query: anything that is not false is true. */
    private static boolean isTrue(@Nullable String flag) {
        return flag != null && !Set.of("", "0", "false").contains(flag.toLowerCase(Locale.ROOT));
    }
}
