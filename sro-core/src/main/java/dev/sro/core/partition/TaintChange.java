package dev.sro.core.partition;

import dev.sro.core.pool.ReadinessTaints;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * A change of the taints of a node; all others stay as they are. Immutable.
 *
 * @param put to be there, whoever put them there; each {@code key=value:Effect}
 * @param take not to be there, whoever put them there; key and effect count
 * @param share of one special resource, which knows its own; empty to leave that as it is
 */
public record TaintChange(SortedSet<String> put, SortedSet<String> take, Optional<Share> share) {

    /**
     * What one special resource shall have on the node, and nothing else.
     *
     * @param annotation of the node: on which it is recorded what was put there
     * @param wanted each {@code key=value:Effect}
     */
    public record Share(String annotation, List<String> wanted) {

        /** Copies the list. */
        public Share {
            wanted = List.copyOf(wanted);
        }
    }

    /** Copies the sets. */
    public TaintChange {
        put = Collections.unmodifiableSortedSet(new TreeSet<>(put));
        take = Collections.unmodifiableSortedSet(new TreeSet<>(take));
    }

    /** Nothing. */
    public static final TaintChange NONE = new TaintChange(new TreeSet<>(), new TreeSet<>(), Optional.empty());

    /** The same and one more. */
    public TaintChange and(String taint, boolean present) {
        SortedSet<String> all = new TreeSet<>(present ? put : take);
        all.add(taint);
        return present ? new TaintChange(all, take, share) : new TaintChange(put, all, share);
    }

    /** The same with a share. */
    public TaintChange and(Share more) {
        return new TaintChange(put, take, Optional.of(more));
    }

    /** Whether it changes nothing anywhere. */
    public boolean isEmpty() {
        return put.isEmpty() && take.isEmpty() && share.isEmpty();
    }

    /** What becomes of a node's taints; equal to them when it is so already. */
    public NodeTaints on(NodeTaints live) {
        List<String> taints = new ArrayList<>(live.taints());
        take.forEach(gone -> taints.removeIf(each -> ReadinessTaints.isSame(each, gone)));
        put.stream().filter(each -> !NodeTaints.has(taints, each)).forEach(taints::add);
        NodeTaints others = new NodeTaints(taints, live.recorded());
        return share.map(own -> others.sharing(own.wanted())).orElse(others);
    }

    /** For a person. */
    @Override
    public String toString() {
        List<String> parts = new ArrayList<>();
        put.forEach(taint -> parts.add("taint " + taint));
        take.forEach(taint -> parts.add("without taint " + taint));
        share.ifPresent(own -> parts.add(
                own.wanted().isEmpty() ? "without taints of partitioning" : "taints of partitioning " + own.wanted()));
        return String.join(", ", parts);
    }
}
