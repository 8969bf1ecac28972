package dev.sro.testkit.http;

import java.io.IOException;
import java.net.Socket;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** A watch on a web socket: events go out as they come, while somebody listens to what the client says. */
final class WatchSocket {
    /** How long a client may take to answer a close frame before its connection is cut. */
    private static final long CLOSE_SECONDS = 2;

    private final WebSocketFrames frames;
    private final WatchQueue queue;
    private final CompletableFuture<Void> left = new CompletableFuture<>();

    WatchSocket(Socket socket, WatchQueue queue) throws IOException {
        this.frames = new WebSocketFrames(socket.getInputStream(), socket.getOutputStream());
        this.queue = queue;
    }

    /** Returns when the watch is over and both sides have said so, or the client is gone. */
    void serve(Executor threads, @Nullable String timeoutSeconds, Runnable bookmark) throws IOException {
        try {
            threads.execute(this::listen);
        } catch (RejectedExecutionException e) {
            throw new IOException("the server stops", e);
        }
        queue.pump(frames, timeoutSeconds, bookmark);
        frames.close(WebSocketFrames.NORMAL_CLOSURE);
        try {
            left.get(CLOSE_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException e) {
            // Gone without an answer: nothing more is owed to it.
            throw new IOException("the client did not answer a close frame", e);
        }
    }

    private void listen() {
        try {
            frames.readUntilClosed();
            left.complete(null);
        } catch (IOException e) {
            left.completeExceptionally(e);
        } finally {
            queue.end();
        }
    }
}
