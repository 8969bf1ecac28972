package dev.sro.testkit.conformance;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** Calls an API server over HTTP(S) with a bearer token. */
public final class RemoteCaller implements HttpCaller {
    private static final long PAUSE_MILLIS = 200;

    private final HttpClient http;
    private final URI server;
    private final String token;

    /**
     * A caller for a server.
     *
     * @param http carries the trust in the server's certificate
     * @param token of a cluster administrator; may be empty
     */
    public RemoteCaller(HttpClient http, URI server, String token) {
        this.http = http;
        this.server = server;
        this.token = token;
    }

    @Override
    public Answer call(String method, String path, @Nullable String contentType, @Nullable String body) {
        HttpRequest.Builder request = HttpRequest.newBuilder(server.resolve(path))
                .timeout(Duration.ofSeconds(60))
                .header("Accept", "application/json")
                .header("User-Agent", "conformance");
        if (!token.isEmpty()) {
            request.header("Authorization", "Bearer " + token);
        }
        if (contentType != null) {
            request.header("Content-Type", contentType);
        }
        request.method(
                method, body == null ? HttpRequest.BodyPublishers.noBody() : HttpRequest.BodyPublishers.ofString(body));
        try {
            HttpResponse<byte[]> response = http.send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
            return new Answer(response.statusCode(), EmbeddedCaller.tree(response.body()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }

    @Override
    public void pause() {
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(PAUSE_MILLIS));
    }
}
