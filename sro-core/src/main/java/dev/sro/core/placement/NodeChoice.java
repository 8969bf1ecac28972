package dev.sro.core.placement;

import java.util.Arrays;
import java.util.List;

/**
 * Which nodes have room for a demand. Immutable.
 *
 * @param fitting those that do, in the order in which they were asked about
 * @param full those that do not now
 * @param unsuited those that never will, whatever ends on them
 */
public record NodeChoice(List<String> fitting, List<Refused> full, List<Refused> unsuited) {
    /**
     * A node that has no room.
     *
     * @param node its name
     * @param reason why, for users
     */
    public record Refused(String node, String reason) {}

    static NodeChoice of(NodeAnswers answers) {
        return new NodeChoice(
                Arrays.stream(answers.fitting()).mapToObj(answers.names()::name).toList(),
                refused(answers, answers.full()),
                refused(answers, answers.unsuited()));
    }

    private static List<Refused> refused(NodeAnswers answers, int[] places) {
        return Arrays.stream(places)
                .mapToObj(i -> new Refused(answers.names().name(i), answers.reason(i)))
                .toList();
    }
}
