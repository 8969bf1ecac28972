package dev.sro.runtime.operator;

import dev.sro.core.engine.port.EventSink;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/** Writes events to the log too, where they outlive the hour that the API server keeps them. Stateless. */
final class LoggedEvents {

    private static final Logger LOG = LoggerFactory.getLogger(LoggedEvents.class);

    private LoggedEvents() {}

    /** Logs, then passes on. */
    static EventSink before(EventSink next) {
        return (about, event) -> {
            LOG.atLevel(event.warning() ? Level.WARN : Level.INFO)
                    .addKeyValue("specialResource", about.getMetadata().getName())
                    .addKeyValue("reason", event.reason())
                    .log(event.message());
            next.publish(about, event);
        };
    }
}
