package dev.sro.testkit.server;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Role-based access control for requests in somebody's name; all others are the administrator's. Every known user may discover the
 * API and ask for his own rights, as the roles that a real cluster comes with let him.
 */
final class Authorizer {
    private static final List<String> DISCOVERY = List.of(
            "/api",
            "/api/*",
            "/apis",
            "/apis/*",
            "/healthz",
            "/livez",
            "/openapi",
            "/openapi/*",
            "/readyz",
            "/version",
            "/version/");
    private static final List<String> OWN_REVIEWS =
            List.of("selfsubjectaccessreviews", "selfsubjectrulesreviews", "selfsubjectreviews");

    private static final Set<String> READS_OF_MANY = Set.of("list", "watch");

    /** What somebody wants to do: to a resource, or to a path that is none. */
    record Attributes(
            String verb,
            String group,
            String resource,
            String subresource,
            @Nullable String namespace,
            String name,
            String path) {
        static Attributes ofPath(String verb, String path) {
            return new Attributes(verb, "", "", "", null, "", path);
        }

        boolean isPath() {
            return !path.isEmpty();
        }

        Attributes withVerb(String other) {
            return new Attributes(other, group, resource, subresource, namespace, name, path);
        }

        String resourcePath() {
            return subresource.isEmpty() ? resource : resource + "/" + subresource;
        }
    }

    /** The answer: allowed for a reason, or not, with what kept it from being looked at. */
    record Decision(boolean allowed, String reason) {}

    private final Store store;
    private final RbacRules rules;

    Authorizer(Store store) {
        this.store = store;
        this.rules = new RbacRules(store);
    }

    /** Refuses a request whose user may not make it. */
    void check(ApiRequest request, @Nullable RequestPath path, String verb) {
        ApiRequest.Identity identity = request.identity();
        if (identity == null) {
            return;
        }
        Subject subject = Subject.of(identity);
        Attributes wanted = attributes(request, path, verb);
        require(subject, wanted);
        boolean makes = request.method().equals("PUT")
                || (request.method().equals("PATCH")
                        && Bodies.mediaType(request.contentType()).startsWith("application/apply-patch"));
        if (path != null && makes && path.subresource().isEmpty() && isMissing(path)) {
            require(subject, attributes(request, path, "create"));
        }
    }

    private boolean isMissing(RequestPath path) {
        return store.locked(() -> store.get(path.gvr(), Key.of(path.namespace(), path.name())) == null);
    }

    private void require(Subject subject, Attributes wanted) {
        Decision decision = decide(subject, wanted);
        if (!decision.allowed()) {
            throw forbidden(subject, wanted, decision.reason());
        }
    }

    static Attributes attributes(ApiRequest request, @Nullable RequestPath path, String verb) {
        if (path == null || path.gvr().plural().isEmpty()) {
            return Attributes.ofPath(request.method().toLowerCase(java.util.Locale.ROOT), request.path());
        }
        boolean isNamespace = path.gvr().equals(Gvr.NAMESPACES) && !path.name().isEmpty();
        return new Attributes(
                verb,
                path.gvr().group(),
                path.gvr().plural(),
                path.subresource(),
                isNamespace ? path.name() : path.namespace(),
                path.name().isEmpty() && READS_OF_MANY.contains(verb) ? selected(request) : path.name(),
                "");
    }

    /** A list of the objects of one name is allowed to who may list that object: {@code apiserver/pkg/endpoints/request/requestinfo.go}. */
    private static String selected(ApiRequest request) {
        String text = request.param("fieldSelector");
        try {
            String name = text == null ? null : new FieldSelector(FieldSelector.terms(text)).name();
            if (name == null || name.matches("\\.\\.?") || name.contains("/") || name.contains("%")) {
                return "";
            }
            return name;
        } catch (ApiException e) {
            // That it is no selector is said after this.
            return "";
        }
    }

    Decision decide(Subject subject, Attributes wanted) {
        if (subject.isMaster()) {
            return new Decision(true, "");
        }
        if (wanted.isPath()
                && wanted.verb().equals("get")
                && subject.isAuthenticated()
                && anyPath(DISCOVERY, wanted.path())) {
            return byEverybodys("system:discovery");
        }
        if (subject.isAuthenticated()
                && OWN_REVIEWS.contains(wanted.resource())
                && wanted.verb().equals("create")) {
            return byEverybodys("system:basic-user");
        }
        return store.locked(() -> {
            Set<String> faults = new LinkedHashSet<>();
            for (RbacRules.Granted granted : rules.of(subject, wanted.namespace(), faults)) {
                if (allows(granted.rule(), wanted)) {
                    return new Decision(true, granted.source());
                }
            }
            String all = String.join(", ", faults);
            return new Decision(false, faults.isEmpty() ? "" : "RBAC: " + (faults.size() == 1 ? all : "[" + all + "]"));
        });
    }

    /** As if the roles were there that a real cluster comes with. */
    private static Decision byEverybodys(String role) {
        return new Decision(
                true,
                "RBAC: allowed by ClusterRoleBinding \"" + role + "\" of ClusterRole \"" + role
                        + "\" to Group \"system:authenticated\"");
    }

    List<RbacRules.Granted> rulesOf(Subject subject, @Nullable String namespace) {
        return store.locked(() -> rules.of(subject, namespace, new LinkedHashSet<>()));
    }

    static boolean allows(JsonNode rule, Attributes wanted) {
        if (!has(rule.path("verbs"), wanted.verb())) {
            return false;
        }
        if (wanted.isPath()) {
            for (JsonNode url : rule.path("nonResourceURLs")) {
                if (anyPath(List.of(url.asText()), wanted.path())) {
                    return true;
                }
            }
            return false;
        }
        return has(rule.path("apiGroups"), wanted.group())
                && hasResource(rule.path("resources"), wanted)
                && (rule.path("resourceNames").isEmpty() || contains(rule.path("resourceNames"), wanted.name()));
    }

    private static boolean hasResource(JsonNode resources, Attributes wanted) {
        boolean sub = !wanted.subresource().isEmpty();
        return has(resources, wanted.resourcePath()) || (sub && contains(resources, "*/" + wanted.subresource()));
    }

    private static boolean has(JsonNode list, String value) {
        return contains(list, "*") || contains(list, value);
    }

    private static boolean contains(JsonNode list, String value) {
        for (JsonNode item : list) {
            if (item.asText().equals(value)) {
                return true;
            }
        }
        return false;
    }

    private static boolean anyPath(List<String> patterns, String path) {
        for (String pattern : patterns) {
            if (pattern.equals(path)
                    || pattern.equals("*")
                    || (pattern.endsWith("*") && path.startsWith(pattern.substring(0, pattern.length() - 1)))) {
                return true;
            }
        }
        return false;
    }

    static ApiException forbidden(Subject subject, Attributes wanted, String reason) {
        String because = reason.isEmpty() ? "" : ": " + reason;
        String who = "User \"" + subject.user() + "\" cannot " + wanted.verb();
        if (wanted.isPath()) {
            return new ApiException(
                    403, "Forbidden", "forbidden: " + who + " path \"" + wanted.path() + "\"" + because, Json.object());
        }
        String where =
                wanted.namespace() == null ? "at the cluster scope" : "in the namespace \"" + wanted.namespace() + "\"";
        return Errors.forbidden(
                new Gvr(wanted.group(), "", wanted.resource()),
                wanted.name(),
                who + " resource \"" + wanted.resourcePath() + "\" in API group \"" + wanted.group() + "\" " + where
                        + because);
    }
}
