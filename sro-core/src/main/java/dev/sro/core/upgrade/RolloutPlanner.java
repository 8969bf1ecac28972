package dev.sro.core.upgrade;

import java.time.Instant;
import java.util.Collection;

final class RolloutPlanner {
    RolloutPlanner(RolloutPolicy policy, Journal journal, Instant now) {}

    RolloutPlan plan(Collection<UpgradeNode> nodes) {
        throw new UnsupportedOperationException("comes with the next commit");
    }
}
