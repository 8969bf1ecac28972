package dev.sro.testkit.server;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sro.core.cel.CelException;
import dev.sro.testkit.merge.AppliedConfiguration;
import dev.sro.testkit.schema.AdmissionExpressions;
import dev.sro.testkit.schema.TypeFault;
import dev.sro.testkit.server.PolicyInvocations.Invocation;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** MutatingAdmissionPolicies and their bindings. Called with the store's lock held. */
final class MutatingPolicies {
    private static final String GROUP = "admissionregistration.k8s.io";
    static final Gvr POLICIES = new Gvr(GROUP, "v1", "mutatingadmissionpolicies");
    static final Gvr BINDINGS = new Gvr(GROUP, "v1", "mutatingadmissionpolicybindings");

    private static final Set<String> OPERATIONS = Set.of("add", "remove", "replace", "move", "copy", "test");

    /** An error of a policy that counts. */
    private record Denial(String message, String reason) {}

    private final PolicyInvocations invocations;

    MutatingPolicies(PolicyInvocations invocations) {
        this.invocations = invocations;
    }

    /** Whether there is any policy that is bound. */
    boolean any() {
        return invocations.any();
    }

    /** For one write. */
    Round round(TypeRules rules, UnaryOperator<ObjectNode> read) {
        return new Round(rules, read);
    }

    /** One write, which is looked at once or, when it was changed, twice. Not thread-safe. */
    final class Round {
        private final TypeRules rules;
        private final UnaryOperator<ObjectNode> read;
        private final Set<String> before = new HashSet<>();
        private final Set<String> again = new HashSet<>();
        private @Nullable ObjectNode last;

        private Round(TypeRules rules, UnaryOperator<ObjectNode> read) {
            this.rules = rules;
            this.read = read;
        }

        /**
         * Lets the policies change the object.
         *
         * @param repeated whether they had it before; then only those that want it are asked again, if it was changed since
         * @throws ApiException if one fails whose failures count
         */
        AdmissionAttributes pass(AdmissionAttributes attributes, boolean repeated) {
            if (repeated && !ObjectComparison.same(attributes.object(), last)) {
                again.addAll(before);
            }
            List<Denial> denials = new ArrayList<>();
            AdmissionAttributes current = attributes;
            for (Invocation invocation : invocations.about(attributes)) {
                current = ask(invocation, current, repeated, denials);
            }
            last = current.object();
            if (!denials.isEmpty()) {
                throw denied(attributes, denials);
            }
            return current;
        }

        private AdmissionAttributes ask(
                Invocation invocation, AdmissionAttributes attributes, boolean repeated, List<Denial> denials) {
            if (!invocation.fault().isEmpty()) {
                deny(invocation, invocation.fault(), "Forbidden", denials);
                return attributes;
            }
            List<String> errors = new ArrayList<>();
            if (invocations.spare(invocation, attributes, errors)) {
                return attributes;
            }
            if (!errors.isEmpty()) {
                deny(invocation, errors.get(0), "Invalid", denials);
                return attributes;
            }
            if (repeated && !again.contains(invocation.id())) {
                return attributes;
            }
            AdmissionAttributes changed = mutated(invocation, attributes, denials);
            if (!ObjectComparison.same(changed.object(), attributes.object())) {
                again.addAll(before);
            }
            if (Json.text(invocation.spec(), "reinvocationPolicy").equals("IfNeeded")) {
                before.add(invocation.id());
            }
            return changed;
        }

        /** Its mutations one after the other; one that fails is left out. */
        private AdmissionAttributes mutated(
                Invocation invocation, AdmissionAttributes attributes, List<Denial> denials) {
            AdmissionAttributes current = attributes;
            for (JsonNode mutation : invocation.spec().path("mutations")) {
                ObjectNode object = current.object();
                if (object == null) {
                    return current;
                }
                AdmissionExpressions expressions = invocations.expressions(invocation, current);
                try {
                    ObjectNode next = Json.text(mutation, "patchType").equals("JSONPatch")
                            ? patched(object, expressions, Json.text(mutation, "jsonPatch", "expression"))
                            : applied(object, expressions, Json.text(mutation, "applyConfiguration", "expression"));
                    current = current.with(read.apply(next));
                } catch (CelException e) {
                    deny(invocation, e.text(), "Invalid", denials);
                }
            }
            return current;
        }

        private ObjectNode applied(ObjectNode object, AdmissionExpressions expressions, String source) {
            if (!(expressions.mutation(source, false) instanceof ObjectNode configuration)) {
                return object;
            }
            configuration.put("apiVersion", Json.text(object, "apiVersion"));
            configuration.put("kind", Json.text(object, "kind"));
            try {
                ObjectNode merged = AppliedConfiguration.merge(rules.schema(), object, configuration);
                rules.decode(merged.deepCopy());
                return merged;
            } catch (IllegalArgumentException e) {
                throw new CelException("error applying patch: " + e.getMessage());
            } catch (TypeFault e) {
                // It fits the schema, and cannot be read as an object of the kind.
                throw new CelException(
                        "unable to convert unstructured object to " + Json.kindText(configuration) + ": " + e.words());
            }
        }
    }

    private static ObjectNode patched(ObjectNode object, AdmissionExpressions expressions, String source) {
        JsonNode patch = expressions.mutation(source, true);
        for (JsonNode operation : patch) {
            String name = Json.text(operation, "op");
            if (!OPERATIONS.contains(name)) {
                throw new CelException("JSON Patch: Unexpected kind: " + name);
            }
        }
        WebhookPatch.Result result = WebhookPatch.steps(object, patch);
        if (result.testFailed()) {
            return object;
        }
        if (!result.fault().isEmpty()) {
            throw new CelException("JSON Patch: " + result.fault());
        }
        if (!(result.object() instanceof ObjectNode changed)) {
            throw Errors.internalError("json: cannot unmarshal " + Bodies.goType(result.object()) + " into Go value");
        }
        return changed;
    }

    private static void deny(Invocation invocation, String why, String reason, List<Denial> denials) {
        if (!invocation.ignoresFailures()) {
            String by = invocation.unusable()
                    ? "policy \"" + invocation.name() + "\""
                    : "policy '" + invocation.name() + "' with binding '" + Json.name(invocation.binding()) + "'";
            denials.add(new Denial(by + " denied request: " + why, reason));
        }
    }

    /** The first is the message, all are causes. */
    private static ApiException denied(AdmissionAttributes attributes, List<Denial> denials) {
        ObjectNode details = Errors.named(attributes.resource(), attributes.shownName());
        denials.forEach(denial -> details.withArray("causes").addObject().put("message", denial.message()));
        Denial first = denials.get(0);
        return new ApiException(403, first.reason(), first.message(), details);
    }
}
