package dev.sro.testkit.server;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sro.testkit.merge.ManagedFields;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Refuses roles and bindings by which somebody would give out rights that he has not himself, unless he has the verb {@code escalate} on
 * the role, or {@code bind} ({@code pkg/registry/rbac} of a kube-apiserver). All else is the business of the chain that it is put around.
 * Called with the store's lock held.
 */
final class GrantAdmission implements Admission {
    private static final String GROUP = "rbac.authorization.k8s.io";

    private final Admission chain;
    private final Authorizer authorizer;
    private final RbacRules rules;

    GrantAdmission(Admission chain, Authorizer authorizer, Store store) {
        this.chain = chain;
        this.authorizer = authorizer;
        this.rules = new RbacRules(store);
    }

    @Override
    public void checkNamespace(WriteCall call) {
        chain.checkNamespace(call);
    }

    @Override
    public ObjectNode mutate(
            WriteCall call,
            ObjectNode object,
            ManagedFields fields,
            @Nullable Stored old,
            String operation,
            TypeRules type) {
        ObjectNode admitted = chain.mutate(call, object, fields, old, operation, type);
        ApiRequest.Identity identity = call.identity;
        if (identity != null && call.gvr().group().equals(GROUP)) {
            Subject subject = Subject.of(identity);
            if (!subject.isMaster() && !subject.user().equals(RoleAggregation.USER)) {
                check(call, admitted, subject);
            }
        }
        return admitted;
    }

    private void check(WriteCall call, ObjectNode object, Subject subject) {
        String plural = call.gvr().plural();
        if (plural.endsWith("bindings")) {
            String kind = Json.text(object, "roleRef", "kind");
            String name = Json.text(object, "roleRef", "name");
            String roles = kind.equals("Role") ? "roles" : "clusterroles";
            if (!may(subject, "bind", roles, call.namespace, name)) {
                List<JsonNode> granted = rules.ofRole(kind, name, call.namespace);
                if (granted == null) {
                    // The server names what was asked for, not what is missing.
                    throw Errors.notFound(call.gvr(), name);
                }
                confirm(call, subject, granted);
            }
        } else if (!may(subject, "escalate", plural, call.namespace, call.name)) {
            confirm(call, subject, Json.elements(object.path("rules")));
        }
    }

    private boolean may(Subject subject, String verb, String roles, @Nullable String namespace, String name) {
        return authorizer
                .decide(subject, new Authorizer.Attributes(verb, GROUP, roles, "", namespace, name, ""))
                .allowed();
    }

    private void confirm(WriteCall call, Subject subject, List<JsonNode> granted) {
        Set<String> faults = new LinkedHashSet<>();
        List<JsonNode> held = rules.of(subject, call.namespace, faults).stream()
                .map(RbacRules.Granted::rule)
                .toList();
        List<String> missing = SingleRight.missing(granted, held);
        if (!missing.isEmpty()) {
            String groups =
                    subject.groups().stream().map(group -> "\"" + group + "\"").collect(Collectors.joining(" "));
            throw Errors.forbidden(
                    call.gvr(),
                    call.name,
                    "user \"" + subject.user() + "\" (groups=[" + groups
                            + "]) is attempting to grant RBAC permissions not currently held:\n"
                            + String.join("\n", missing) + unresolved(call, faults));
        }
    }

    /** Roles that the user was given and that are not there; named as what was asked for. */
    private static String unresolved(WriteCall call, Set<String> faults) {
        String all = faults.stream()
                .map(fault -> call.gvr().plural() + "." + GROUP + fault.substring(fault.indexOf(' ')))
                .distinct()
                .collect(Collectors.joining(", "));
        if (faults.isEmpty()) {
            return "";
        }
        return "; resolution errors: [" + (faults.size() == 1 ? all : "[" + all + "]") + "]";
    }

    @Override
    public void validate(
            WriteCall call, ObjectNode object, ManagedFields fields, @Nullable Stored old, String operation) {
        chain.validate(call, object, fields, old, operation);
    }

    @Override
    public void delete(WriteCall call, Stored live, DeleteOptions options) {
        chain.delete(call, live, options);
    }

    @Override
    public ObjectNode subresource(
            WriteCall call,
            AdmissionAttributes.Kind kind,
            ObjectNode body,
            @Nullable ObjectNode old,
            String operation) {
        return chain.subresource(call, kind, body, old, operation);
    }
}
