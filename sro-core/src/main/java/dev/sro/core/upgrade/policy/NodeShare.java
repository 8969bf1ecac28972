package dev.sro.core.upgrade.policy;

import dev.sro.api.Checks;

/**
 * A number of nodes, or a percentage of all nodes rounded up. Immutable.
 *
 * @param value nodes, or percent
 * @param percent whether it is a percentage
 */
public record NodeShare(int value, boolean percent) {

    /** Checks. */
    public NodeShare {
        if (value < 0 || (percent && value > 100)) {
            throw new IllegalArgumentException("Share: " + value + (percent ? "%" : "") + " is out of range");
        }
    }

    /** Reads {@code "3"} or {@code "25%"}; anything else is an {@link IllegalArgumentException} that names the field. */
    public static NodeShare parse(String field, String text) {
        Checks.countOrPercent(field, text);
        boolean percent = text.endsWith("%");
        return new NodeShare(Integer.parseInt(percent ? text.substring(0, text.length() - 1) : text), percent);
    }

    /** How many of so many nodes; may be more than there are. */
    public int of(int nodes) {
        return percent ? (int) (((long) value * nodes + 99) / 100) : value;
    }

    @Override
    public String toString() {
        return percent ? value + "%" : String.valueOf(value);
    }
}
