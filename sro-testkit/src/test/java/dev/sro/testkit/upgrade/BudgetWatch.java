package dev.sro.testkit.upgrade;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** Looks at the nodes between any two steps of time, and notes where more were taken on than the policy allows. */
final class BudgetWatch {

    private final BadNodePolicy policy;
    private final List<String> findings = new ArrayList<>();
    private Map<String, PoolLook.Node> before = Map.of();

    BudgetWatch(BadNodePolicy policy) {
        this.policy = policy;
    }

    List<String> findings() {
        return findings;
    }

    void look(Map<String, PoolLook.Node> now) {
        slots(now);
        room(now);
        before = now;
    }

    private void slots(Map<String, PoolLook.Node> now) {
        long taken = now.values().stream().filter(PoolLook.Node::inProgress).count();
        if (policy.parallel() > 0 && taken > policy.parallel()) {
            findings.add(taken + " nodes in progress, of " + policy.parallel() + " at most: " + now);
        }
    }

    /**
     * Nodes may go out of work by themselves, and then none that is available is begun. What went just now may not be known yet to whoever
     * began another one, and does not count.
     */
    private void room(Map<String, PoolLook.Node> now) {
        Set<String> begun = new TreeSet<>();
        Set<String> out = new TreeSet<>();
        now.forEach((name, look) -> {
            PoolLook.Node was = before.get(name);
            if (look.inProgress() && was != null && !was.inProgress() && was.available()) {
                begun.add(name);
            }
            if (look.inProgress() || (!look.available() && was != null && !was.available())) {
                out.add(name);
            }
        });
        int budget = policy.budget(Math.max(now.size(), before.size()));
        if (!begun.isEmpty() && out.size() > budget) {
            findings.add(begun + " begun with " + out + " out of work, of " + budget + " at most");
        }
    }
}
