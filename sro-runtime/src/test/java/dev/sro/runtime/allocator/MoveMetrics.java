package dev.sro.runtime.allocator;

/** What the allocator says to Prometheus, for the page of all metrics. Stateless. */
public final class MoveMetrics {
    private MoveMetrics() {}

    /** Before anything happened. */
    public static String text() {
        return new MoveCounts().text();
    }
}
