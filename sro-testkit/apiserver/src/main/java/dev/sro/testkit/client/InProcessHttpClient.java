package dev.sro.testkit.client;

import dev.sro.testkit.server.ApiException;
import dev.sro.testkit.server.ApiRequest;
import dev.sro.testkit.server.ApiResponse;
import dev.sro.testkit.server.LostAnswerException;
import io.fabric8.kubernetes.client.http.AsyncBody;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import io.fabric8.kubernetes.client.http.StandardHttpClient;
import io.fabric8.kubernetes.client.http.StandardHttpClientBuilder;
import io.fabric8.kubernetes.client.http.StandardHttpHeaders;
import io.fabric8.kubernetes.client.http.StandardHttpRequest;
import io.fabric8.kubernetes.client.http.StandardWebSocketBuilder;
import io.fabric8.kubernetes.client.http.WebSocket;
import io.fabric8.kubernetes.client.http.WebSocketHandshakeException;
import io.fabric8.kubernetes.client.http.WebSocketResponse;
import io.fabric8.kubernetes.client.http.WebSocketUpgradeResponse;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** The fabric8 HTTP client whose wire is a method call. Requests run on the caller's thread. */
final class InProcessHttpClient
        extends StandardHttpClient<InProcessHttpClient, InProcessHttpClientFactory, InProcessHttpClient.Builder> {
    /** Builder as fabric8 wants it. */
    static final class Builder
            extends StandardHttpClientBuilder<InProcessHttpClient, InProcessHttpClientFactory, Builder> {
        private final InProcessHttpClientFactory factory;

        Builder(InProcessHttpClientFactory factory) {
            super(factory);
            this.factory = factory;
        }

        @Override
        public InProcessHttpClient build() {
            AtomicBoolean closed = client == null ? new AtomicBoolean() : client.getClosed();
            return new InProcessHttpClient(this, closed, factory);
        }

        @Override
        protected Builder newInstance(InProcessHttpClientFactory other) {
            return new Builder(other);
        }
    }

    private final InProcessHttpClientFactory factory;

    private InProcessHttpClient(Builder builder, AtomicBoolean closed, InProcessHttpClientFactory factory) {
        super(builder, closed);
        this.factory = factory;
    }

    @Override
    public CompletableFuture<HttpResponse<AsyncBody>> consumeBytesDirect(
            StandardHttpRequest request, AsyncBody.Consumer<List<ByteBuffer>> consumer) {
        try {
            ApiRequest apiRequest = Requests.from(request);
            ApiResponse answer = factory.server().handle(apiRequest);
            return CompletableFuture.completedFuture(new Response(request, answer, new Body(answer.body(), consumer)));
        } catch (LostAnswerException e) {
            return CompletableFuture.failedFuture(new IOException(e.getMessage(), e));
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    @Override
    public CompletableFuture<WebSocketResponse> buildWebSocketDirect(
            StandardWebSocketBuilder builder, WebSocket.Listener listener) {
        StandardHttpRequest request = builder.asHttpRequest();
        WatchSocket socket = new WatchSocket(listener, factory.delivery());
        try {
            ApiRequest watch = Requests.from(request);
            socket.attach(factory.server().watch(watch, socket));
            listener.onOpen(socket);
            socket.opened(factory.keepTimeouts() ? watch.param("timeoutSeconds") : null, factory.server());
            return CompletableFuture.completedFuture(
                    new WebSocketResponse(new WebSocketUpgradeResponse(request, 101, new HashMap<>()), socket));
        } catch (ApiException e) {
            WebSocketUpgradeResponse refused = new WebSocketUpgradeResponse(request, e.code(), new HashMap<>());
            return CompletableFuture.completedFuture(
                    new WebSocketResponse(refused, new WebSocketHandshakeException(refused)));
        } catch (LostAnswerException e) {
            return CompletableFuture.failedFuture(new IOException(e.getMessage(), e));
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    @Override
    public void doClose() {
        // Nothing is held open but watches, and their owners close these.
    }

    /** The whole answer in one piece. */
    private static final class Body implements AsyncBody {
        private final byte[] bytes;
        private final AsyncBody.Consumer<List<ByteBuffer>> consumer;
        private final CompletableFuture<Void> done = new CompletableFuture<>();
        private final AtomicBoolean sent = new AtomicBoolean();

        Body(byte[] bytes, AsyncBody.Consumer<List<ByteBuffer>> consumer) {
            this.bytes = bytes;
            this.consumer = consumer;
        }

        @Override
        public void consume() {
            if (sent.getAndSet(true)) {
                return;
            }
            try {
                consumer.consume(List.of(ByteBuffer.wrap(bytes)), this);
                done.complete(null);
            } catch (Exception e) {
                done.completeExceptionally(e);
            }
        }

        @Override
        public CompletableFuture<Void> done() {
            return done;
        }

        @Override
        public void cancel() {
            done.cancel(false);
        }
    }

    private static final class Response extends StandardHttpHeaders implements HttpResponse<AsyncBody> {
        private final HttpRequest request;
        private final int code;
        private final AsyncBody body;

        Response(HttpRequest request, ApiResponse answer, AsyncBody body) {
            super(headers(answer));
            this.request = request;
            this.code = answer.status();
            this.body = body;
        }

        private static Map<String, List<String>> headers(ApiResponse answer) {
            Map<String, List<String>> headers = new HashMap<>(answer.headers());
            headers.put("Content-Type", List.of(answer.contentType()));
            return headers;
        }

        @Override
        public int code() {
            return code;
        }

        @Override
        public @Nullable AsyncBody body() {
            return body;
        }

        @Override
        public HttpRequest request() {
            return request;
        }

        @Override
        public Optional<HttpResponse<?>> previousResponse() {
            return Optional.empty();
        }
    }
}
