package dev.sro.core.placement;

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
}
