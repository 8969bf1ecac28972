package dev.sro.core.upgrade.machine;

import dev.sro.core.upgrade.policy.RolloutPolicy;
import java.time.Instant;
import java.util.Collection;

/** Plans rollouts. Stateless. */
public final class Rollout {

    private Rollout() {}

    /**
     * Identity of the driver that nodes shall have: the wanted one, or the last good one while the wanted one is rolled back. Facts
     * ({@link UpgradeNode#driver()}, {@link UpgradeNode#action()}) are relative to it, and so are the manifests.
     */
    public static String target(RolloutPolicy policy, Journal journal) {
        boolean refused = policy.target().equals(journal.rejected())
                || policy.rollbackOf().filter(policy.target()::equals).isPresent();
        return refused && !journal.good().isEmpty() ? journal.good() : policy.target();
    }

    /**
     * What happens next.
     *
     * <p>If the journal of the plan has another effective target than the one that facts were made for (an automatic rollback begins),
     * {@link RolloutPlan#journalDue()} is set, and the caller makes facts anew and plans again.
     *
     * <p>Facts and journal have to include what the caller's own writes returned. A write whose outcome is not known has to be read back
     * before the next plan: it may have taken on a node.
     *
     * @param policy of the special resource
     * @param nodes that it manages, in any order, with distinct names
     * @param journal as last written
     * @param now the time
     */
    public static RolloutPlan plan(RolloutPolicy policy, Collection<UpgradeNode> nodes, Journal journal, Instant now) {
        return new RolloutPlanner(policy, journal, now).plan(nodes);
    }
}
