package dev.sro.core.placement;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** What nodes answer to a demand, for as long as nothing changes ({@link PlacementFleet#holds}). Immutable. */
public final class NodeAnswers {
    /** The highest score. */
    public static final int BEST = 10;

    private final NodeNameList names;
    private final int[] answers;
    private final Reasons reasons;
    private final Basis basis;

    /**
     * Why nodes have no room.
     *
     * @param full now
     * @param unsuited ever
     * @param unknown as nobody says what they have
     */
    record Reasons(String full, String unsuited, String unknown) {
        private static final Reasons NONE = new Reasons("", "", "");
    }

    /**
     * What the answers depend on.
     *
     * @param version of the fleet
     * @param shape of the demand; negative if they are of one pod alone
     */
    record Basis(long version, int shape) {
        private static final Basis OF_ONE_POD = new Basis(-1, -1);
    }

    /** @param answers in the order of the names: not negative, the lower the better; or as {@link StateAnswers} has them */
    NodeAnswers(NodeNameList names, int[] answers, Reasons reasons, Basis basis) {
        this.names = names;
        this.answers = answers;
        this.reasons = reasons;
        this.basis = basis;
    }

    /** The nodes, in the order in which they were asked about. */
    public NodeNameList names() {
        return names;
    }

    /** Places in the list of those that have room now. */
    public int[] fitting() {
        return places(0, Integer.MAX_VALUE);
    }

    /** Places in the list of those that have none now. */
    public int[] full() {
        return places(StateAnswers.FULL, StateAnswers.FULL);
    }

    /** Places in the list of those that never will have room, whatever ends on them. */
    public int[] unsuited() {
        return places(Integer.MIN_VALUE, StateAnswers.FULL - 1);
    }

    /** Who has room is in no order, so that a branch would be guessed wrongly every other time. */
    private int[] places(long least, long most) {
        int[] places = new int[answers.length + 1];
        int count = 0;
        for (int i = 0; i < answers.length; i++) {
            places[count] = i;
            // One that is too low or too high has the sign in a difference.
            count += 1 - (int) (((answers[i] - least) | (most - answers[i])) >>> (Long.SIZE - 1));
        }
        return Arrays.copyOf(places, count);
    }

    /** Why a node has no room, for users; of one that has, empty. */
    public String reason(int i) {
        return switch (answers[i]) {
            case StateAnswers.FULL -> reasons.full();
            case StateAnswers.NEVER -> reasons.unsuited();
            case StateAnswers.NO_GPUS -> reasons.unknown();
            default -> "";
        };
    }

    /** Those of some nodes, by their places in the list. */
    public NodeAnswers part(int[] chosen) {
        int[] theirs = new int[chosen.length];
        for (int i = 0; i < chosen.length; i++) {
            theirs[i] = answers[chosen[i]];
        }
        return new NodeAnswers(names.part(chosen), theirs, reasons, basis);
    }

    /** How good the best place of each node is: 10 the best and 0 for no place; nodes that are equally good have the same. */
    public int[] scores() {
        return RankedAnswers.scores(answers, BEST);
    }

    Basis basis() {
        return basis;
    }

    /** To a pod that asks for no slices: all nodes will do. */
    public static NodeAnswers all(NodeNameList names) {
        return new NodeAnswers(names, new int[names.size()], Reasons.NONE, Basis.OF_ONE_POD);
    }

    /** To a pod that has its slices on that node. */
    static NodeAnswers onlyOn(String node, NodeNameList names) {
        byte[] had = node.getBytes(StandardCharsets.UTF_8);
        int[] answers = new int[names.size()];
        for (int i = 0; i < answers.length; i++) {
            answers[i] = names.is(i, had) ? 0 : StateAnswers.FULL;
        }
        return new NodeAnswers(names, answers, new Reasons("its slices are on node " + node, "", ""), Basis.OF_ONE_POD);
    }
}
