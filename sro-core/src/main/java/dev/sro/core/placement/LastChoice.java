package dev.sro.core.placement;

import java.util.List;
import java.util.function.ToIntFunction;

/**
 * What nodes answered when they were asked last: a scheduler asks for scores of the nodes that it was told just now, in their order. True until anything
 * changes. Immutable, as nobody writes to the array.
 */
final class LastChoice {
    private final int shape;
    private final List<String> fitting;
    private final int[] answers;

    /**
     * One that was made.
     *
     * @param shape of what was asked for
     * @param fitting nodes with room, unmodifiable
     * @param answers of these, and perhaps more
     */
    LastChoice(int shape, List<String> fitting, int[] answers) {
        this.shape = shape;
        this.fitting = fitting;
        this.answers = answers;
    }

    /** Nobody was asked. */
    static LastChoice none(int shape) {
        return new LastChoice(shape, List.of(), new int[0]);
    }

    int shape() {
        return shape;
    }

    /** The answers of nodes, in their order; of those that come in another one by asking again. */
    int[] answers(List<String> names, ToIntFunction<String> ask) {
        int[] found = new int[names.size()];
        int i = 0;
        int next = 0;
        for (String name : names) {
            boolean known = next < fitting.size() && fitting.get(next).equals(name);
            found[i++] = known ? answers[next++] : ask.applyAsInt(name);
        }
        return found;
    }
}
