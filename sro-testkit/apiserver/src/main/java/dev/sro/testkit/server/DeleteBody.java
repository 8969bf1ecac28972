package dev.sro.testkit.server;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.sro.testkit.schema.BuiltinTypes;
import dev.sro.testkit.schema.FieldError;
import dev.sro.testkit.schema.TypeFault;
import dev.sro.testkit.server.DeleteOptions.Propagation;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** The options of a delete, from the body, or from the query where there is none: a query beside a body is not read. */
record DeleteBody(DeleteOptions options, boolean dryRun) {
    static DeleteBody read(ApiRequest request) {
        byte[] bytes = request.body();
        boolean sent = bytes != null && bytes.length > 0;
        UnaryOperator<@Nullable String> query = name -> sent || name == null ? null : request.param(name);
        JsonNode body = bytes == null || bytes.length == 0 ? Json.object() : Bodies.options(request);
        String kind = Json.text(body, "kind");
        if (!kind.isEmpty() && !kind.equals("DeleteOptions")) {
            throw Errors.badRequest("no kind \"" + kind + "\" is registered for version \""
                    + Json.text(body, "apiVersion")
                    + "\" in scheme \"pkg/apis/meta/internalversion/scheme/register.go:27\"");
        }
        if (body instanceof ObjectNode object) {
            try {
                BuiltinTypes.decode(BuiltinTypes.find("", "v1", "DeleteOptions"), object);
            } catch (TypeFault e) {
                throw Errors.badRequest(e.text());
            }
        }
        String grace = first(
                body.hasNonNull("gracePeriodSeconds")
                        ? body.get("gracePeriodSeconds").asText()
                        : null,
                query.apply("gracePeriodSeconds"));
        Long seconds = grace == null ? null : (Long) ListOptions.number(grace);
        String policy = first(Json.textOrNull(body, "propagationPolicy"), query.apply("propagationPolicy"));
        List<FieldError> errors = new ArrayList<>();
        if (policy != null && (body.has("orphanDependents") || query.apply("orphanDependents") != null)) {
            errors.add(FieldError.invalid(
                    "propagationPolicy",
                    TextNode.valueOf(policy),
                    "orphanDependents and deletionPropagation cannot be both set"));
        }
        Propagation propagation = policy == null ? null : propagation(policy, errors);
        boolean dryRun = isDry(asked(body, sent, request), errors);
        if (!errors.isEmpty()) {
            throw Errors.invalid("meta.k8s.io", "DeleteOptions", "", errors);
        }
        if (propagation == null && (body.has("orphanDependents") || query.apply("orphanDependents") != null)) {
            boolean orphan = body.path("orphanDependents").asBoolean("true".equals(query.apply("orphanDependents")));
            propagation = orphan ? Propagation.ORPHAN : Propagation.BACKGROUND;
        }
        JsonNode preconditions = body.path("preconditions");
        DeleteOptions options = new DeleteOptions(
                propagation,
                seconds,
                first(precondition(preconditions, "uid"), given(query.apply("uid"))),
                first(precondition(preconditions, "resourceVersion"), given(query.apply("resourceVersion"))));
        return new DeleteBody(options, dryRun);
    }

    /** An empty one is one that nothing meets. */
    private static @Nullable String precondition(JsonNode preconditions, String field) {
        return preconditions.hasNonNull(field) ? preconditions.get(field).asText() : null;
    }

    private static JsonNode asked(JsonNode body, boolean sent, ApiRequest request) {
        List<String> query = request.query().getOrDefault("dryRun", List.of());
        return sent ? body.path("dryRun") : Json.MAPPER.valueToTree(query);
    }

    private static @Nullable String given(@Nullable String parameter) {
        return parameter == null || parameter.isEmpty() ? null : parameter;
    }

    private static @Nullable String first(@Nullable String a, @Nullable String b) {
        return a != null ? a : b;
    }

    private static @Nullable Propagation propagation(String policy, List<FieldError> errors) {
        return switch (policy) {
            case "Background" -> Propagation.BACKGROUND;
            case "Foreground" -> Propagation.FOREGROUND;
            case "Orphan" -> Propagation.ORPHAN;
            default -> {
                errors.add(new FieldError(
                        "FieldValueNotSupported",
                        "Unsupported value: \"" + policy
                                + "\": supported values: \"Foreground\", \"Background\", \"Orphan\", \"nil\"",
                        "propagationPolicy"));
                yield null;
            }
        };
    }

    private static boolean isDry(JsonNode values, List<FieldError> errors) {
        boolean all = true;
        for (JsonNode value : values) {
            all &= value.asText().equals("All");
        }
        if (!all) {
            errors.add(new FieldError(
                    "FieldValueNotSupported",
                    "Unsupported value: " + values + ": supported values: \"All\"",
                    "dryRun"));
        }
        return !values.isEmpty();
    }
}
