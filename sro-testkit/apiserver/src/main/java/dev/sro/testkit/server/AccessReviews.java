package dev.sro.testkit.server;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sro.testkit.VirtualClock;
import dev.sro.testkit.merge.FieldOwnership;
import dev.sro.testkit.merge.FieldWriter;
import dev.sro.testkit.merge.ManagedFields;
import dev.sro.testkit.schema.FieldError;
import dev.sro.testkit.schema.TypeFault;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Answers who somebody is and what he may do. */
final class AccessReviews {
    private static final List<String> RULE_FIELDS =
            List.of("verbs", "apiGroups", "resources", "resourceNames", "nonResourceURLs");

    private final Authorizer authorizer;
    private final AccountTokens tokens;
    private final VirtualClock clock;
    private final TypeRules rules;

    AccessReviews(Authorizer authorizer, AccountTokens tokens, VirtualClock clock, TypeRules rules) {
        this.authorizer = authorizer;
        this.tokens = tokens;
        this.clock = clock;
        this.rules = rules;
    }

    ApiResponse answer(ApiRequest request, RequestPath path, WriteCall call) {
        ResourceType type = call.type;
        ObjectNode body = Bodies.object(request, type);
        try {
            call.report(rules.decode(body));
        } catch (TypeFault e) {
            throw new BodyFaultException(type, e);
        }
        MetadataRules.wipeSystemFields(Json.metadata(body));
        WriteChecks.place(call, Json.metadata(body));
        ManagedFields fields = FieldOwnership.create(
                rules.schema(),
                body,
                null,
                Set.of(),
                new FieldWriter(call.manager, type.apiVersion(), "", clock.instant()));
        // Before there is a status, which nobody owns.
        ArrayNode owned = fields.toJson();
        if (type.kind().equals("SelfSubjectRulesReview")
                && Json.text(body, "spec", "namespace").isEmpty()) {
            throw Errors.badRequest("no namespace on request");
        }
        List<FieldError> errors = ReviewChecks.of(type.kind(), body, owned);
        if (!errors.isEmpty()) {
            throw Errors.invalid(type.gvr().group(), "", "", errors);
        }
        review(request, type, path, body);
        if (!owned.isEmpty() && !type.kind().equals("SelfSubjectReview")) {
            Json.metadata(body).set("managedFields", owned);
        }
        return ApiResponse.json(201, body).with("Warning", ResourceVerbs.warnings(call));
    }

    private void review(ApiRequest request, ResourceType type, RequestPath path, ObjectNode body) {
        body.put("kind", type.kind()).put("apiVersion", type.apiVersion());
        Json.metadata(body);
        ApiRequest.Identity identity = request.identity();
        Subject self = identity == null ? null : Subject.of(identity);
        switch (type.kind()) {
            case "SelfSubjectReview" -> whoAmI(body, identity, self);
            case "SelfSubjectRulesReview" -> rules(body, self);
            case "TokenReview" -> tokens(body);
            case "SelfSubjectAccessReview" -> decide(body, self, null);
            case "SubjectAccessReview", "LocalSubjectAccessReview" -> {
                List<String> groups = new ArrayList<>();
                body.path("spec").path("groups").forEach(g -> groups.add(g.asText()));
                decide(body, new Subject(Json.text(body, "spec", "user"), groups), path.namespace());
            }
            default -> body.putObject("status").put("allowed", true);
        }
    }

    /** For the audiences that are asked for; without any, for the API server's own. */
    private void tokens(ObjectNode body) {
        if (Json.text(body, "spec", "token").isEmpty()) {
            throw Errors.badRequest("token is required for TokenReview in authentication");
        }
        List<String> asked = new ArrayList<>();
        body.path("spec").path("audiences").forEach(audience -> asked.add(audience.asText()));
        if (asked.isEmpty()) {
            asked.add(AccountTokens.AUDIENCE);
        }
        // What else the question had in it stays there.
        ObjectNode status = body.get("status") instanceof ObjectNode sent ? sent : body.putObject("status");
        status.remove("authenticated");
        try {
            AccountTokens.Account account = tokens.read(Json.text(body, "spec", "token"));
            if (account.audiences().stream().noneMatch(asked::contains)) {
                throw new AccountTokens.InvalidTokenException("token audiences " + quoted(account.audiences())
                        + " is invalid for the target audiences " + quoted(asked));
            }
            valid(status, account, asked);
        } catch (AccountTokens.InvalidTokenException e) {
            if (!status.has("user")) {
                status.putObject("user");
            }
            status.put("error", e.review());
        }
    }

    /** As Go prints a list of texts. */
    private static String quoted(List<String> texts) {
        return texts.stream().map(text -> "\"" + text + "\"").collect(Collectors.joining(" ", "[", "]"));
    }

    private static void valid(ObjectNode status, AccountTokens.Account account, List<String> asked) {
        describe(
                status.put("authenticated", true).putObject("user"),
                account.identity(),
                account.identity().groups());
        ArrayNode audiences = status.putArray("audiences");
        account.audiences().stream().filter(asked::contains).forEach(audiences::add);
    }

    private void whoAmI(ObjectNode body, ApiRequest.@Nullable Identity identity, @Nullable Subject self) {
        Json.metadata(body)
                .put(
                        "creationTimestamp",
                        clock.instant().truncatedTo(ChronoUnit.SECONDS).toString());
        describe(
                body.putObject("status").putObject("userInfo"),
                identity == null ? new ApiRequest.Identity("system:admin", List.of()) : identity,
                self == null ? List.of("system:masters", "system:authenticated") : self.groups());
    }

    private static void describe(ObjectNode shown, ApiRequest.Identity identity, List<String> groups) {
        shown.put("username", identity.user());
        if (!identity.uid().isEmpty()) {
            shown.put("uid", identity.uid());
        }
        groups.forEach(shown.putArray("groups")::add);
        if (!identity.extra().isEmpty()) {
            ObjectNode extra = shown.putObject("extra");
            identity.extra().forEach((key, value) -> extra.putArray(key).add(value));
        }
    }

    private void decide(ObjectNode body, @Nullable Subject subject, @Nullable String namespace) {
        JsonNode spec = body.path("spec");
        JsonNode path = spec.path("nonResourceAttributes");
        JsonNode resource = spec.path("resourceAttributes");
        String space = Json.text(resource, "namespace");
        Authorizer.Attributes wanted = path.isObject()
                ? Authorizer.Attributes.ofPath(Json.text(path, "verb"), Json.text(path, "path"))
                : new Authorizer.Attributes(
                        Json.text(resource, "verb"),
                        Json.text(resource, "group"),
                        Json.text(resource, "resource"),
                        Json.text(resource, "subresource"),
                        space.isEmpty() ? namespace : space,
                        Json.text(resource, "name"),
                        "");
        Authorizer.Decision decision =
                subject == null ? new Authorizer.Decision(true, "") : authorizer.decide(subject, wanted);
        ObjectNode status = body.putObject("status").put("allowed", decision.allowed());
        if (!decision.reason().isEmpty()) {
            status.put("reason", decision.reason());
        }
    }

    private void rules(ObjectNode body, @Nullable Subject self) {
        ObjectNode status = body.putObject("status");
        ArrayNode resources = status.putArray("resourceRules");
        ArrayNode paths = status.putArray("nonResourceRules");
        status.put("incomplete", false);
        if (self == null || self.isMaster()) {
            ObjectNode all = resources.addObject();
            for (String field : List.of("verbs", "apiGroups", "resources")) {
                all.putArray(field).add("*");
            }
            ObjectNode everywhere = paths.addObject();
            everywhere.putArray("verbs").add("*");
            everywhere.putArray("nonResourceURLs").add("*");
            return;
        }
        for (RbacRules.Granted granted : authorizer.rulesOf(self, Json.text(body, "spec", "namespace"))) {
            ObjectNode shown = granted.rule().has("nonResourceURLs") ? paths.addObject() : resources.addObject();
            for (String field : RULE_FIELDS) {
                if (!granted.rule().path(field).isEmpty()) {
                    shown.set(field, granted.rule().get(field));
                }
            }
        }
    }
}
