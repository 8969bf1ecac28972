package dev.sro.testkit.server;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sro.testkit.VirtualClock;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * Fills the rules of ClusterRoles with an {@code aggregationRule} from those that its selectors name, in the order of selectors and names
 * ({@code pkg/controller/clusterroleaggregation} of Kubernetes). What it writes is recorded as an update, and not as an apply.
 */
final class RoleAggregation implements Controller {
    /** As whom roles are written; it may put into them what it has not itself. */
    static final String USER = "system:clusterrole-aggregation-controller";

    private static final Gvr ROLES = new Gvr("rbac.authorization.k8s.io", "v1", "clusterroles");

    private final ClusterApi api;
    private final NameQueue queue;

    RoleAggregation(ClusterApi api, VirtualClock clock) {
        this.api = api.as(USER.substring("system:".length()));
        this.queue = new NameQueue(clock);
        // Any role may be part of any other.
        api.subscribe(
                ROLES,
                change -> api.list(ROLES).stream()
                        .filter(role -> role.hasNonNull("aggregationRule"))
                        .forEach(role -> queue.add(Json.name(role))));
    }

    @Override
    public boolean work() {
        return queue.drain(this::fill);
    }

    private void fill(String name) {
        ObjectNode role = api.get(ROLES, null, name).orElse(null);
        if (role == null || !role.hasNonNull("aggregationRule")) {
            return;
        }
        ArrayNode rules = role.arrayNode();
        rules(role).forEach(rules::add);
        if (rules.isEmpty() ? !role.path("rules").isEmpty() : !rules.equals(role.path("rules"))) {
            api.update(ROLES, null, name, null, changed -> {
                if (rules.isEmpty()) {
                    changed.putNull("rules");
                } else {
                    changed.set("rules", rules);
                }
                return changed;
            });
        }
    }

    private Set<JsonNode> rules(ObjectNode role) {
        Set<JsonNode> rules = new LinkedHashSet<>();
        for (JsonNode selector : role.path("aggregationRule").path("clusterRoleSelectors")) {
            for (ObjectNode part : api.list(ROLES, null, LabelSelector.of(selector))) {
                if (!Json.name(part).equals(Json.name(role))) {
                    part.path("rules").forEach(rules::add);
                }
            }
        }
        return rules;
    }
}
