package dev.sro.runtime.waiting;

import static dev.sro.core.model.TreeLiterals.present;

import dev.sro.core.slicing.MovePlan;
import java.util.Map;

/** Moves that make room, in words and for programs. Stateless. */
public final class MoveText {
    private MoveText() {}

    /** A plan that makes room, one line for each thing to do. */
    public static String admission(MovePlan plan) {
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

    /** How many moves it has. */
    public static String count(MovePlan plan) {
        return plan.moves().size() + (plan.moves().size() == 1 ? " move" : " moves");
    }

    /** Appends its moves, a line for each. */
    public static void moves(StringBuilder text, MovePlan plan) {
        int single = plan.moves().size() - plan.stopFirst();
        for (int i = 0; i < plan.moves().size(); i++) {
            if (i == single) {
                text.append("  stop all that follow, then start them:\n");
            }
            text.append("  move ").append(plan.moves().get(i)).append('\n');
        }
    }

    /** A plan for programs. */
    public static Map<String, Object> tree(MovePlan plan) {
        Map<String, Object> tree = present(
                "cost",
                plan.cost(),
                "minimal",
                plan.minimal(),
                "stopFirst",
                plan.stopFirst(),
                "moves",
                plan.moves().stream().map(MoveText::move).toList());
        if (plan.rooms().size() > 1) {
            tree.put("rooms", plan.rooms().stream().map(MoveText::room).toList());
        } else {
            plan.room().ifPresent(room -> tree.put("room", room(room)));
        }
        return tree;
    }

    private static Map<String, Object> room(MovePlan.Room room) {
        return present("device", room.device(), "start", room.start());
    }

    private static Map<String, Object> move(MovePlan.ClaimMove move) {
        return present(
                "claim",
                move.claim(),
                "profile",
                move.profile(),
                "from",
                present("device", move.fromDevice(), "start", move.fromStart()),
                "to",
                present("device", move.toDevice(), "start", move.toStart()));
    }
}
