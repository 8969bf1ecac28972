package dev.sro.runtime.slices;

import dev.sro.core.slicing.CompactionPlan;
import dev.sro.core.slicing.MovePlan;
import java.util.List;
import java.util.Map;

/** Plans as text and as trees. Stateless. */
final class Plans {
    private Plans() {}

    /** A plan that makes room, one line for each thing to do. */
    static String admission(MovePlan plan) {
        StringBuilder text = new StringBuilder();
        if (plan.moves().isEmpty()) {
            text.append("fits as it is\n");
        } else {
            text.append("makes room with ")
                    .append(count(plan))
                    .append(", cost ")
                    .append(plan.cost());
            text.append(plan.minimal() ? ", proved the cheapest\n" : "\n");
        }
        moves(text, plan);
        plan.rooms()
                .forEach(room -> text.append("  then ")
                        .append(plan.rooms().size() == 1 ? "it" : "one")
                        .append(" goes on ")
                        .append(room.device())
                        .append(" at ")
                        .append(room.start())
                        .append('\n'));
        return text.toString();
    }

    static String compaction(CompactionPlan compaction) {
        MovePlan plan = compaction.plan();
        StringBuilder text = new StringBuilder(compaction.model() + ": " + compaction.devicesBefore()
                + " devices in use, "
                + compaction.devicesAfter() + " after " + count(plan) + " (no plan ends with fewer than "
                + compaction.fewest() + "; cost " + plan.cost() + ", proved at least " + compaction.bound() + ")\n");
        moves(text, plan);
        return text.toString();
    }

    private static String count(MovePlan plan) {
        return plan.moves().size() + (plan.moves().size() == 1 ? " move" : " moves");
    }

    private static void moves(StringBuilder text, MovePlan plan) {
        int single = plan.moves().size() - plan.stopFirst();
        for (int i = 0; i < plan.moves().size(); i++) {
            if (i == single) {
                text.append("  stop all that follow, then start them:\n");
            }
            text.append("  move ").append(plan.moves().get(i)).append('\n');
        }
    }

    static Map<String, Object> tree(MovePlan plan) {
        Map<String, Object> tree = Output.object(
                "cost",
                plan.cost(),
                "minimal",
                plan.minimal(),
                "stopFirst",
                plan.stopFirst(),
                "moves",
                plan.moves().stream().map(Plans::move).toList());
        if (plan.rooms().size() > 1) {
            tree.put("rooms", plan.rooms().stream().map(Plans::room).toList());
        } else {
            plan.room().ifPresent(room -> tree.put("room", room(room)));
        }
        return tree;
    }

    private static Map<String, Object> room(MovePlan.Room room) {
        return Output.object("device", room.device(), "start", room.start());
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
                tree(plan.plan()));
    }

    private static Map<String, Object> move(MovePlan.ClaimMove move) {
        return Output.object(
                "claim",
                move.claim(),
                "profile",
                move.profile(),
                "from",
                Output.object("device", move.fromDevice(), "start", move.fromStart()),
                "to",
                Output.object("device", move.toDevice(), "start", move.toStart()));
    }

    static List<Object> trees(List<CompactionPlan> plans) {
        return plans.stream().<Object>map(Plans::tree).toList();
    }
}
