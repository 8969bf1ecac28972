package dev.sro.core.partition;

import dev.sro.core.pool.ReadinessTaints;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/**
 * The taints of a node, and those of them that are on record on the node as put there for one special resource. Immutable.
 *
 * @param taints each {@code key=value:Effect}, in the node's order
 * @param recorded those that a special resource may take away
 */
public record NodeTaints(List<String> taints, List<String> recorded) {

    private static final String SEPARATOR = ",";

    /** Copies the lists. */
    public NodeTaints {
        taints = List.copyOf(taints);
        recorded = List.copyOf(recorded);
    }

    /** The record as it is in an annotation; empty for none. */
    public static List<String> parse(String annotation) {
        return annotation.isBlank() ? List.of() : List.of(annotation.split(SEPARATOR));
    }

    /** The record for an annotation; empty for none. */
    public String text() {
        return String.join(SEPARATOR, recorded);
    }

    /** Whether a taint of this key and effect is among them. */
    static boolean has(List<String> taints, String taint) {
        return taints.stream().anyMatch(each -> ReadinessTaints.isSame(each, taint));
    }

    /**
     * As they are to be when exactly these are wanted. What is not on record is somebody else's and stays, and so does one on record
     * whose value somebody changed; it is struck off the record.
     */
    public NodeTaints sharing(List<String> wanted) {
        List<String> left = new ArrayList<>(taints);
        List<String> record = new ArrayList<>();
        for (String ours : recorded) {
            if (left.contains(ours) && !wanted.contains(ours)) {
                left.remove(ours);
            }
        }
        for (String each : wanted) {
            boolean there = left.contains(each);
            if (there && recorded.contains(each)) {
                record.add(each);
            } else if (!has(left, each)) {
                left.add(each);
                record.add(each);
            }
        }
        return new NodeTaints(left, List.copyOf(new TreeSet<>(record)));
    }

    /** Those of the wanted ones in whose place the node has one with another value, which is somebody else's. */
    public List<String> contradicting(List<String> wanted) {
        return sharing(wanted).taints.stream()
                .filter(live -> has(wanted, live) && !wanted.contains(live))
                .toList();
    }
}
