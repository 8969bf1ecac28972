package dev.sro.testkit.http;

import dev.sro.testkit.server.WatchSink;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The events of a watch that are not written yet; the thread that holds the connection writes them. */
final class WatchQueue implements WatchSink {
    /** Where events are written: one line each, or one frame each. */
    interface Output {
        /** Writes the JSON text of an event. */
        void write(byte[] event) throws IOException;

        /** Sends what was written. */
        void flush() throws IOException;
    }

    private static final long DEFAULT_TIMEOUT_SECONDS = 1800;
    private static final long BOOKMARK_SECONDS = 60;

    private final BlockingQueue<Optional<WatchEvent>> queue = new LinkedBlockingQueue<>();

    @Override
    public void event(WatchEvent event) {
        queue.add(Optional.of(event));
    }

    @Override
    public void end() {
        queue.add(Optional.empty());
    }

    /**
     * Writes events until the watch ends, its time is over or the client is gone.
     *
     * @param bookmark asks the server for a bookmark; short watches get one a second, others one a minute
     */
    void pump(Output out, @Nullable String timeoutSeconds, Runnable bookmark) throws IOException {
        long seconds = timeoutSeconds == null || timeoutSeconds.isEmpty()
                ? DEFAULT_TIMEOUT_SECONDS
                : Long.parseLong(timeoutSeconds);
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
        long every = TimeUnit.SECONDS.toNanos(seconds < BOOKMARK_SECONDS ? 1 : BOOKMARK_SECONDS);
        long nextBookmark = System.nanoTime() + (seconds < BOOKMARK_SECONDS ? 2 * every : every);
        out.flush();
        try {
            while (true) {
                long now = System.nanoTime();
                if (now >= end) {
                    return;
                }
                if (now >= nextBookmark) {
                    bookmark.run();
                    nextBookmark += every;
                }
                Optional<WatchEvent> event = queue.poll(Math.min(end, nextBookmark) - now, TimeUnit.NANOSECONDS);
                if (event == null) {
                    continue;
                }
                if (event.isEmpty()) {
                    return;
                }
                out.write(event.get().bytes());
                if (queue.isEmpty()) {
                    out.flush();
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
