package dev.sro.testkit.sim;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;

/** The arithmetic of a Deployment's rolling update: how many pods its ReplicaSets may have now. */
final class DeploymentScale {
    /** How many pods old ReplicaSets shall have. */
    static final class Targets {
        private final Map<ObjectNode, Integer> byReplicaSet = new LinkedHashMap<>();

        void forEach(BiConsumer<ObjectNode, Integer> action) {
            byReplicaSet.forEach(action);
        }
    }

    private final ObjectNode d;
    private final List<ObjectNode> all;

    DeploymentScale(ObjectNode d, List<ObjectNode> all) {
        this.d = d;
        this.all = all;
    }

    int replicas() {
        return JsonNodes.integer(d, 1, "spec", "replicas");
    }

    private boolean rolling() {
        return !JsonNodes.text(d, "spec", "strategy", "type").equals("Recreate");
    }

    int surge() {
        return rolling() ? DaemonSetRollout.percent(strategy("maxSurge"), replicas(), 0, true) : 0;
    }

    int maxUnavailable() {
        if (!rolling()) {
            return 0;
        }
        int n = DaemonSetRollout.percent(strategy("maxUnavailable"), replicas(), 0, false);
        return n == 0 && surge() == 0 ? 1 : Math.min(n, replicas());
    }

    private JsonNode strategy(String field) {
        return JsonNodes.at(d, "spec", "strategy", "rollingUpdate", field);
    }

    private int total(String... path) {
        return all.stream().mapToInt(rs -> JsonNodes.integer(rs, 0, path)).sum();
    }

    /** How many pods the ReplicaSet of the current template may have, when it has {@code have}. */
    int newReplicas(int have) {
        if (!rolling() || have >= replicas()) {
            return replicas();
        }
        int room = replicas() + surge() - total("spec", "replicas");
        return room <= 0 ? have : Math.min(have + room, replicas());
    }

    /** What the other ReplicaSets may be shrunk to: their unhealthy pods first, then the oldest set. */
    Targets oldReplicas(ObjectNode current) {
        Targets targets = new Targets();
        int newUnavailable = JsonNodes.integer(current, 0, "spec", "replicas")
                - JsonNodes.integer(current, 0, "status", "availableReplicas");
        int minAvailable = replicas() - maxUnavailable();
        int budget = total("spec", "replicas") - minAvailable - newUnavailable;
        int available = total("status", "availableReplicas");
        for (ObjectNode rs : all) {
            int have = JsonNodes.integer(rs, 0, "spec", "replicas");
            if (JsonNodes.uid(rs).equals(JsonNodes.uid(current)) || have == 0 || budget <= 0) {
                continue;
            }
            int unhealthy = Math.min(have - JsonNodes.integer(rs, 0, "status", "availableReplicas"), budget);
            int healthy = Math.min(have - unhealthy, Math.max(0, available - minAvailable));
            int remove = Math.max(0, unhealthy) + Math.min(healthy, budget - Math.max(0, unhealthy));
            if (remove > 0) {
                targets.byReplicaSet.put(rs, have - remove);
                budget -= remove;
                available -= Math.max(0, remove - Math.max(0, unhealthy));
            }
        }
        return targets;
    }
}
