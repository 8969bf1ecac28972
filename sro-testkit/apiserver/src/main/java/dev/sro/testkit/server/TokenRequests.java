package dev.sro.testkit.server;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sro.testkit.merge.FieldOwnership;
import dev.sro.testkit.merge.FieldWriter;
import dev.sro.testkit.schema.FieldError;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Gives out tokens of service accounts ({@code pkg/registry/core/serviceaccount/storage/token.go} of a kube-apiserver). */
final class TokenRequests {
    private static final ResourceType TYPE = SubresourceBodies.TOKEN_REQUEST;
    private static final long HOUR = 3_600;
    private static final long SHORTEST = 600;
    private static final long LONGEST = 1L << 32;

    private final ServerParts parts;

    TokenRequests(ServerParts parts) {
        this.parts = parts;
    }

    ApiResponse answer(ApiRequest request, ResourceType type, RequestPath path) {
        ObjectNode body = SubresourceBodies.read(parts, request, TYPE);
        JsonNode owned = owned(request, body);
        ObjectNode metadata = Json.metadata(body);
        matches(metadata, "name", path.name(), path);
        matches(metadata, "namespace", String.valueOf(path.namespace()), path);
        return parts.store.locked(() -> {
            ObjectNode account =
                    parts.reader.get(type, path.namespace(), path.name(), null).object();
            String uid = Json.text(metadata, "uid");
            if (!uid.isEmpty() && !uid.equals(Json.uid(account))) {
                throw Errors.conflict(
                        new Gvr(TYPE.gvr().group(), "v1", TYPE.kind()),
                        path.name(),
                        "the UID in the token request (" + uid + ") does not match the UID of the service account ("
                                + Json.uid(account) + ")");
            }
            return ApiResponse.json(201, issued(body, account, owned));
        });
    }

    /** As if the server, and not the client, had said how long it lasts by default. */
    private JsonNode owned(ApiRequest request, ObjectNode body) {
        ObjectNode sent = body.deepCopy();
        ObjectNode spec = sent.path("spec") instanceof ObjectNode object ? object : sent.putObject("spec");
        if (!spec.hasNonNull("expirationSeconds")) {
            spec.put("expirationSeconds", HOUR);
        }
        Json.metadata(sent);
        return FieldOwnership.create(
                        parts.rules.of(TYPE).schema(),
                        sent,
                        null,
                        Set.of(),
                        new FieldWriter(manager(request), TYPE.apiVersion(), "token", parts.clock.instant()))
                .toJson();
    }

    private static String manager(ApiRequest request) {
        String named = request.param("fieldManager");
        return named == null ? request.userAgent().replaceFirst("/.*", "") : named;
    }

    private static void matches(ObjectNode metadata, String field, String expected, RequestPath path) {
        String given = Json.text(metadata, field);
        if (!given.isEmpty() && !given.equals(expected)) {
            throw Errors.invalid(
                    TYPE.gvr().group(),
                    TYPE.kind(),
                    path.name(),
                    List.of(MetadataRules.invalid(
                            "metadata." + field,
                            "\"" + given + "\"",
                            "must match the service account " + field + " if specified")));
        }
    }

    private ObjectNode issued(ObjectNode body, ObjectNode account, JsonNode owned) {
        Instant now = parts.clock.instant();
        JsonNode spec = body.path("spec");
        long seconds = spec.path("expirationSeconds").asLong(HOUR);
        check(seconds);
        List<String> audiences = new ArrayList<>();
        spec.path("audiences").forEach(audience -> audiences.add(audience.asText()));
        if (audiences.isEmpty()) {
            audiences.add(AccountTokens.AUDIENCE);
        }
        List<AccountTokens.Bound> bound =
                spec.path("boundObjectRef").isObject() ? bound(spec.path("boundObjectRef"), account) : List.of();
        Instant expiry = now.plusSeconds(seconds);
        ObjectNode answer = Json.object()
                .put("kind", TYPE.kind())
                .put("apiVersion", TYPE.gvr().group() + "/v1");
        ObjectNode metadata = answer.putObject("metadata")
                .put("name", Json.name(account))
                .put("namespace", Json.namespace(account))
                .put("uid", Json.uid(account))
                .put("creationTimestamp", now.truncatedTo(ChronoUnit.SECONDS).toString());
        metadata.set("managedFields", owned);
        ObjectNode shown = answer.putObject("spec");
        audiences.forEach(shown.putArray("audiences")::add);
        shown.put("expirationSeconds", seconds);
        if (spec.path("boundObjectRef").isObject()) {
            shown.set("boundObjectRef", spec.get("boundObjectRef"));
        } else {
            shown.putNull("boundObjectRef");
        }
        answer.putObject("status")
                .put("token", parts.tokens.issue(account, audiences, expiry, parts.ids.freshUid(), bound))
                .put(
                        "expirationTimestamp",
                        expiry.truncatedTo(ChronoUnit.SECONDS).toString());
        return answer;
    }

    private static void check(long seconds) {
        List<FieldError> errors = new ArrayList<>();
        String at = "spec.expirationSeconds";
        if (seconds < SHORTEST) {
            errors.add(MetadataRules.invalid(
                    at, String.valueOf(seconds), "may not specify a duration less than 10 minutes"));
        }
        if (seconds > LONGEST) {
            errors.add(MetadataRules.invalid(
                    at, String.valueOf(seconds), "may not specify a duration larger than 2^32 seconds"));
        }
        if (!errors.isEmpty()) {
            throw Errors.invalid(TYPE.gvr().group(), TYPE.kind(), "", errors);
        }
    }

    private List<AccountTokens.Bound> bound(JsonNode reference, ObjectNode account) {
        String name = Json.text(reference, "name");
        String kind = Json.text(reference, "kind");
        boolean core = Json.text(reference, "apiVersion").equals("v1");
        @Nullable String namespace = kind.equals("Node") ? null : Json.namespace(account);
        Gvr type = switch (core ? kind : "") {
            case "Pod" -> Gvr.PODS;
            case "Secret" -> Gvr.core("secrets");
            case "Node" -> Gvr.NODES;
            default ->
                throw Errors.badRequest(
                        "cannot bind token to object of type " + goKind(Json.text(reference, "apiVersion"), kind));
        };
        Stored found = parts.store.get(type, Key.of(namespace, name));
        if (found == null) {
            throw Errors.notFound(type, name);
        }
        if (kind.equals("Pod")
                && !Json.text(found.object(), "spec", "serviceAccountName").equals(Json.name(account))) {
            throw Errors.badRequest("cannot bind token for serviceaccount \"" + Json.name(account)
                    + "\" to pod running with different serviceaccount name.");
        }
        String uid = Json.text(reference, "uid");
        if (!uid.isEmpty() && !uid.equals(Json.uid(found.object()))) {
            throw Errors.conflict(
                    new Gvr("", "v1", kind),
                    name,
                    "the UID in the bound object reference (" + uid
                            + ") does not match the UID in record. The object might have been deleted and then"
                            + " recreated");
        }
        List<AccountTokens.Bound> bound = new ArrayList<>();
        bound.add(new AccountTokens.Bound(kind.toLowerCase(Locale.ROOT), name, Json.uid(found.object())));
        String node = Json.text(found.object(), "spec", "nodeName");
        if (kind.equals("Pod") && !node.isEmpty()) {
            Stored there = parts.store.get(Gvr.NODES, Key.of(null, node));
            bound.add(new AccountTokens.Bound("node", node, there == null ? "" : Json.uid(there.object())));
        }
        return bound;
    }

    /** As Go prints a GroupVersionKind. */
    private static String goKind(String apiVersion, String kind) {
        int slash = apiVersion.indexOf('/');
        String group = slash < 0 ? "" : apiVersion.substring(0, slash);
        return group + "/" + apiVersion.substring(slash + 1) + ", Kind=" + kind;
    }
}
