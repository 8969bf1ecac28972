package dev.sro.core.model;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Everything that one field manager of SRO holds on a node. It goes there in one server-side apply; what is not in it any more
 * goes. Immutable.
 *
 * @param labels by key
 * @param annotations by key
 * @param cordoned whether it holds {@code spec.unschedulable}; if others hold it as well, it stays when this one lets go
 */
public record NodeFields(SortedMap<String, String> labels, SortedMap<String, String> annotations, boolean cordoned) {

    /** Nothing. */
    public static final NodeFields NONE = new NodeFields(new TreeMap<>());

    /** Copies the maps. */
    public NodeFields {
        labels = Collections.unmodifiableSortedMap(new TreeMap<>(labels));
        annotations = Collections.unmodifiableSortedMap(new TreeMap<>(annotations));
    }

    /** Labels alone. */
    public NodeFields(SortedMap<String, String> labels) {
        this(labels, new TreeMap<>(), false);
    }

    /** Whether nothing is held. */
    public boolean isEmpty() {
        return labels.isEmpty() && annotations.isEmpty() && !cordoned;
    }
}
