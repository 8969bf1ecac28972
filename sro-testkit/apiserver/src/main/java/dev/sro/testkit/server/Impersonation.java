package dev.sro.testkit.server;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Whether somebody may act as somebody else: by a verb for the kind of user and the request, or by {@code impersonate}
 * ({@code pkg/endpoints/filters/impersonation} of Kubernetes 1.36). Thread-safe.
 */
final class Impersonation {
    private static final String AUTHENTICATION = "authentication.k8s.io";
    private static final String NODE = "system:node:";
    private static final String MASTERS = "system:masters";
    private static final String ANYHOW = "";
    private static final String OWN_NODE = "associated-node";

    private final Authorizer authorizer;
    /** The mode in which each user was let act as somebody the last time: it is tried first. */
    private final Map<String, String> last = new ConcurrentHashMap<>();

    Impersonation(Authorizer authorizer) {
        this.authorizer = authorizer;
    }

    /**
     * Refuses what nobody may who has neither right.
     *
     * @param who the same as the server knows him
     * @param request what the request is about, with its own verb
     * @throws ApiException 403, as the first of the checks says it
     */
    void check(Subject requestor, ApiRequest.Identity who, ApiRequest.Identity wanted, Authorizer.Attributes request) {
        List<String> modes = new ArrayList<>(modes(who, wanted));
        modes.add(ANYHOW);
        String before = last.get(requestor.user());
        if (before != null && modes.remove(before)) {
            modes.add(0, before);
        }
        ApiException refused = null;
        for (String mode : modes) {
            ApiException fault = mode.equals(ANYHOW)
                    ? as(requestor, wanted, "impersonate", "")
                    : constrained(requestor, wanted, request, mode);
            if (fault == null) {
                last.put(requestor.user(), mode);
                return;
            }
            refused = refused == null ? fault : refused;
        }
        throw Objects.requireNonNull(refused);
    }

    private static List<String> modes(ApiRequest.Identity who, ApiRequest.Identity wanted) {
        boolean alone = wanted.groups().isEmpty();
        if (isNode(wanted.user())) {
            String own = who.extra().getOrDefault("authentication.kubernetes.io/node-name", "");
            List<String> modes = own.isEmpty() || !wanted.user().equals(NODE + own)
                    ? List.of("arbitrary-node")
                    : List.of(OWN_NODE, "arbitrary-node");
            return alone ? modes : List.of();
        }
        if (isAccount(wanted.user())) {
            return alone ? List.of("serviceaccount") : List.of();
        }
        return List.of("user-info");
    }

    private @Nullable ApiException constrained(
            Subject requestor, ApiRequest.Identity wanted, Authorizer.Attributes request, String mode) {
        ApiException fault = refusal(requestor, request.withVerb("impersonate-on:" + mode + ":" + request.verb()));
        return fault != null ? fault : as(requestor, wanted, "impersonate:" + mode, AUTHENTICATION);
    }

    /** The user, then each of the groups. */
    private @Nullable ApiException as(Subject requestor, ApiRequest.Identity wanted, String verb, String group) {
        ApiException fault = refusal(requestor, user(wanted.user(), verb, group));
        for (String name : wanted.groups()) {
            if (fault == null) {
                Authorizer.Attributes member = attributes(verb, group, "groups", null, name);
                fault = !group.isEmpty() && Set.of("", MASTERS).contains(name)
                        ? Authorizer.forbidden(requestor, member, reserved(name))
                        : refusal(requestor, member);
            }
        }
        return fault;
    }

    private static String reserved(String group) {
        return group.isEmpty()
                ? "impersonating the empty string group is not allowed"
                : "impersonating the system:masters group is not allowed";
    }

    private static Authorizer.Attributes user(String name, String verb, String group) {
        if (isAccount(name)) {
            String[] parts = name.split(":", -1);
            return attributes(verb, group, "serviceaccounts", parts[2], parts[3]);
        }
        // Where nodes are users like others, they are so by their whole name.
        if (isNode(name) && !group.isEmpty()) {
            // Who may be his own node may be so on each.
            boolean own = verb.endsWith(":" + OWN_NODE);
            return attributes(verb, group, "nodes", null, own ? "*" : name.substring(NODE.length()));
        }
        return attributes(verb, group, "users", null, name);
    }

    private static Authorizer.Attributes attributes(
            String verb, String group, String resource, @Nullable String namespace, String name) {
        return new Authorizer.Attributes(verb, group, resource, "", namespace, name, "");
    }

    private @Nullable ApiException refusal(Subject requestor, Authorizer.Attributes wanted) {
        Authorizer.Decision decision = authorizer.decide(requestor, wanted);
        return decision.allowed() ? null : Authorizer.forbidden(requestor, wanted, decision.reason());
    }

    private static boolean isNode(String user) {
        return user.startsWith(NODE) && user.length() > NODE.length();
    }

    private static boolean isAccount(String user) {
        return user.startsWith(Subject.ACCOUNT) && user.split(":", -1).length == 4;
    }
}
