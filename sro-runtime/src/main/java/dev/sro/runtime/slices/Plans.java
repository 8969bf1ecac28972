package dev.sro.runtime.slices;

import dev.sro.core.slicing.CompactionPlan;
import dev.sro.core.slicing.MovePlan;
import dev.sro.runtime.waiting.MoveText;
import java.util.List;
import java.util.Map;

/** Plans as text and as trees. Stateless. */
final class Plans {
    private Plans() {}

    static String compaction(CompactionPlan compaction) {
        MovePlan plan = compaction.plan();
        StringBuilder text = new StringBuilder(compaction.model() + ": " + compaction.devicesBefore()
                + " devices in use, "
                + compaction.devicesAfter() + " after " + MoveText.count(plan) + " (no plan ends with fewer than "
                + compaction.fewest() + "; cost " + plan.cost() + ", proved at least " + compaction.bound() + ")\n");
        MoveText.moves(text, plan);
        return text.toString();
    }

    static Map<String, Object> tree(CompactionPlan plan) {
        return Output.object(
                "model",
                plan.model(),
                "devicesBefore",
                plan.devicesBefore(),
                "devicesAfter",
                plan.devicesAfter(),
                "fewest",
                plan.fewest(),
                "bound",
                plan.bound(),
                "plan",
                MoveText.tree(plan.plan()));
    }

    static List<Object> trees(List<CompactionPlan> plans) {
        return plans.stream().<Object>map(Plans::tree).toList();
    }
}
