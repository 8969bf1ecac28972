package dev.sro.core.engine.port;

import dev.sro.api.resource.SpecialResource;
import dev.sro.core.plan.Transition;

/** Port: where events about a special resource go. Must not block or throw. Implementations are thread-safe. */
@FunctionalInterface
public interface EventSink {

    /** Publishes an event about this special resource. */
    void publish(SpecialResource about, Transition event);

    /** Drops them. */
    static EventSink none() {
        return (about, event) -> {};
    }
}
