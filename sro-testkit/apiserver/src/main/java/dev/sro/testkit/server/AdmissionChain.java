package dev.sro.testkit.server;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sro.testkit.merge.ManagedFields;
import dev.sro.testkit.schema.TypeFault;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Admission in the order of the server: namespaces, the server's own changes, policies that change, webhooks that change, policies and
 * webhooks that validate.
 */
final class AdmissionChain implements Admission {
    private final NamespaceAdmission namespaces;
    private final WebhookAdmission webhooks;
    private final MutatingPolicies mutations;
    private final PolicyAdmission policies;

    AdmissionChain(
            NamespaceAdmission namespaces,
            MutatingPolicies mutations,
            WebhookAdmission webhooks,
            PolicyAdmission policies) {
        this.namespaces = namespaces;
        this.mutations = mutations;
        this.webhooks = webhooks;
        this.policies = policies;
    }

    @Override
    public void checkNamespace(WriteCall call) {
        namespaces.check(call);
    }

    @Override
    public ObjectNode mutate(
            WriteCall call,
            ObjectNode object,
            ManagedFields fields,
            @Nullable Stored old,
            String operation,
            TypeRules rules) {
        boolean create = operation.equals("CREATE");
        if (create) {
            rules.admit(object, call);
        }
        if (call.reviews == null) {
            return object;
        }
        AdmissionAttributes attributes = attributes(call, object, fields, old, operation);
        if (AdmissionMatcher.exempt(attributes)) {
            return object;
        }
        UnaryOperator<ObjectNode> plugins = changed -> {
            ObjectNode read = read(call, changed, rules);
            if (create) {
                rules.admit(read, call);
            }
            return withFields(read, fields);
        };
        UnaryOperator<ObjectNode> strictly = changed -> withFields(read(call, changed, rules, true), fields);
        AdmissionAttributes result = twice(attributes, mutations.round(rules, strictly), plugins);
        ObjectNode mutated = result.object();
        return mutated == null || ObjectComparison.same(mutated, attributes.object())
                ? object
                : read(call, mutated, rules);
    }

    /**
     * Lets policies and webhooks change the object. When one did, the server's own plugins and those that want it are asked again,
     * once.
     *
     * @param plugins what the server itself does to the object, once more
     */
    private AdmissionAttributes twice(
            AdmissionAttributes attributes, MutatingPolicies.Round changing, UnaryOperator<ObjectNode> plugins) {
        WebhookAdmission.Round asked = webhooks.round();
        AdmissionAttributes first = asked.pass(changing.pass(attributes, false), false);
        ObjectNode object = first.object();
        if (object == null || ObjectComparison.same(object, attributes.object())) {
            return first;
        }
        return asked.pass(changing.pass(first.with(plugins.apply(object)), true), true);
    }

    /** The same for a body that policies do not see. */
    private AdmissionAttributes asked(AdmissionAttributes attributes) {
        WebhookAdmission.Round asked = webhooks.round();
        AdmissionAttributes first = asked.pass(attributes, false);
        return ObjectComparison.same(first.object(), attributes.object()) ? first : asked.pass(first, true);
    }

    /** Reads what webhooks made of an object like a body. What they did to the owners of fields is dropped. */
    private static ObjectNode read(WriteCall call, ObjectNode changed, TypeRules rules) {
        return read(call, changed, rules, false);
    }

    private static ObjectNode read(WriteCall call, ObjectNode changed, TypeRules rules, boolean strict) {
        ObjectNode object = changed.deepCopy();
        String kind = Json.text(object, "kind");
        if (!kind.equals(call.type.kind())) {
            String version = call.gvr().version();
            throw Errors.internal(Bodies.noConversion(version, kind, call.type));
        }
        object.put("apiVersion", call.type.apiVersion());
        Json.metadata(object).remove("managedFields");
        try {
            List<String> unknown = rules.decode(object);
            if (strict && !unknown.isEmpty()) {
                throw Errors.internalError("strict decoding error: "
                        + unknown.stream()
                                .map(path -> "unknown field \"" + path + "\"")
                                .collect(Collectors.joining(", ")));
            }
        } catch (TypeFault e) {
            throw Errors.internalError(e.text());
        }
        rules.read(object);
        rules.defaults(object);
        WriteChecks.checkNamespace(call, Json.metadata(object));
        return Json.topCopy(object);
    }

    @Override
    public void validate(
            WriteCall call, ObjectNode object, ManagedFields fields, @Nullable Stored old, String operation) {
        if (call.reviews != null) {
            validate(attributes(call, object, fields, old, operation));
        }
    }

    private void validate(AdmissionAttributes attributes) {
        if (!AdmissionMatcher.exempt(attributes)) {
            policies.validate(attributes);
            webhooks.validate(attributes);
        }
    }

    @Override
    public void delete(WriteCall call, Stored live, DeleteOptions options) {
        namespaces.checkDelete(call);
        if (call.reviews != null) {
            AdmissionAttributes attributes = new AdmissionAttributes(
                    call,
                    "DELETE",
                    AdmissionAttributes.Kind.of(call.type),
                    null,
                    Render.tree(live),
                    AdmissionRequests.options(call, options));
            if (!AdmissionMatcher.exempt(attributes)) {
                asked(attributes);
                validate(attributes);
            }
        }
    }

    @Override
    public ObjectNode subresource(
            WriteCall call,
            AdmissionAttributes.Kind kind,
            ObjectNode body,
            @Nullable ObjectNode old,
            String operation) {
        if (call.reviews == null) {
            return body;
        }
        AdmissionAttributes sent =
                new AdmissionAttributes(call, operation, kind, body, old, AdmissionRequests.options(call, operation));
        AdmissionAttributes mutated = asked(sent);
        validate(mutated);
        ObjectNode result = mutated.object();
        return result == null ? body : result;
    }

    private static AdmissionAttributes attributes(
            WriteCall call, ObjectNode object, ManagedFields fields, @Nullable Stored old, String operation) {
        return new AdmissionAttributes(
                call,
                operation,
                AdmissionAttributes.Kind.of(call.type),
                withFields(WriteChecks.ordered(object), fields),
                old == null ? null : Render.tree(old),
                AdmissionRequests.options(call, operation));
    }

    private static ObjectNode withFields(ObjectNode object, ManagedFields fields) {
        ObjectNode copy = Json.shallow(object);
        ObjectNode metadata = Json.shallow(Json.metadata(object));
        ArrayNode entries = fields.toJson();
        if (!entries.isEmpty()) {
            metadata.set("managedFields", entries);
        }
        copy.set("metadata", metadata);
        return copy;
    }
}
