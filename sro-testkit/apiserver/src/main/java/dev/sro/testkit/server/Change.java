package dev.sro.testkit.server;

import com.fasterxml.jackson.databind.node.ObjectNode;
import org.jspecify.annotations.Nullable;

/**
 * One write that took effect. The objects are shared with the store and must not be modified.
 *
 * @param type the type under which the object is stored
 * @param kind what happened
 * @param before the object before, null for {@link Kind#ADDED}
 * @param object the object after; for {@link Kind#DELETED} its last state
 * @param resourceVersion the version of this write, strictly increasing over all types
 */
public record Change(Gvr type, Kind kind, @Nullable ObjectNode before, ObjectNode object, long resourceVersion) {
    /** What happened to the object. */
    public enum Kind {
        ADDED,
        MODIFIED,
        DELETED
    }
}
