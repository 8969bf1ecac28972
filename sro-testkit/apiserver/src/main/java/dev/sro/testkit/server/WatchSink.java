package dev.sro.testkit.server;

/**
 * Receives the events of one watch. Both methods are called under the store's lock, in the order of the writes: an implementation
 * queues and returns.
 */
public interface WatchSink {
    /** An event; its bytes are rendered when they are asked for, at most once for all watches that get the same event. */
    void event(WatchEvent event);

    /** The server ends the watch. */
    void end();

    /** An event of a watch. */
    @FunctionalInterface
    interface WatchEvent {
        /** The JSON text {@code {"type":...,"object":...}}, without a line break. Shared: do not modify. */
        byte[] bytes();
    }
}
