package dev.sro.testkit.client;

import dev.sro.testkit.server.ApiServer;
import dev.sro.testkit.server.WatchSink;
import io.fabric8.kubernetes.client.http.WebSocket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * A watch dressed as the web socket that fabric8 expects. Events wait until the socket is open and are then delivered on the
 * executor, in order.
 */
final class WatchSocket implements WebSocket, WatchSink {
    private static final int NORMAL_CLOSURE = 1000;

    private final WebSocket.Listener listener;
    private final Executor delivery;
    private final AtomicBoolean closed = new AtomicBoolean();
    private ApiServer.@Nullable Watch watch;

    WatchSocket(WebSocket.Listener listener, Executor delivery) {
        this.listener = listener;
        this.delivery = delivery;
    }

    void attach(ApiServer.Watch opened) {
        watch = opened;
    }

    void opened(@Nullable String timeoutSeconds, ApiServer server) {
        if (timeoutSeconds != null && !timeoutSeconds.isEmpty()) {
            server.after(Duration.ofSeconds(Long.parseLong(timeoutSeconds)), this::end);
        }
    }

    @Override
    public void event(WatchEvent event) {
        delivery.execute(() -> {
            if (!closed.get()) {
                listener.onMessage(this, new String(event.bytes(), StandardCharsets.UTF_8));
            }
        });
    }

    @Override
    public void end() {
        delivery.execute(() -> {
            if (!closed.getAndSet(true)) {
                closeWatch();
                listener.onClose(this, NORMAL_CLOSURE, "");
            }
        });
    }

    @Override
    public boolean send(ByteBuffer buffer) {
        return false;
    }

    @Override
    public boolean sendClose(int code, @Nullable String reason) {
        if (closed.getAndSet(true)) {
            return false;
        }
        closeWatch();
        delivery.execute(() -> listener.onClose(this, code, reason));
        return true;
    }

    private void closeWatch() {
        ApiServer.Watch opened = watch;
        if (opened != null) {
            opened.close();
        }
    }

    @Override
    public long queueSize() {
        return 0;
    }

    @Override
    public void request() {
        // Delivery is not throttled: the next event comes when there is one.
    }
}
