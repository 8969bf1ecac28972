package dev.sro.agent.claims;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** How the API server is reached. The token is read for each request, as kubelet puts a new one there. Thread-safe. */
public final class ApiServer {
    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    /** Until the last byte of an answer is here: the client's own limit ends with the first ones. */
    private static final Duration WHOLE = Duration.ofSeconds(30);

    private static final String JSON = "application/json";

    private static final String METADATA = "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1";

    private final URI base;
    private final Optional<Path> token;
    private final HttpClient client;

    private final Duration whole;

    private ApiServer(URI base, Optional<Path> token, HttpClient client, Duration whole) {
        this.base = base;
        this.token = token;
        this.client = client;
        this.whole = whole;
    }

    /**
     * By address.
     *
     * @param token file with a token; none is sent if empty
     * @param authority certificates in PEM that it is checked with; those of the JDK if empty
     * @throws IOException if the certificates cannot be read
     */
    public static ApiServer at(URI base, Optional<Path> token, Optional<Path> authority) throws IOException {
        HttpClient.Builder builder =
                HttpClient.newBuilder().connectTimeout(TIMEOUT).version(HttpClient.Version.HTTP_1_1);
        if (authority.isPresent()) {
            builder.sslContext(trusting(authority.get()));
        }
        return new ApiServer(base, token, builder.build(), WHOLE);
    }

    /** The same, with another limit for a whole answer. */
    ApiServer within(Duration limit) {
        return new ApiServer(base, token, client, limit);
    }

    private static SSLContext trusting(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
            store.load(null, null);
            int number = 0;
            for (Certificate certificate :
                    CertificateFactory.getInstance("X.509").generateCertificates(in)) {
                store.setCertificateEntry("ca-" + number++, certificate);
            }
            TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trust.init(store);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, trust.getTrustManagers(), null);
            return context;
        } catch (GeneralSecurityException e) {
            throw new IOException(file + ": " + e.getMessage(), e);
        }
    }

    /** Asks for what is at this path, whatever the answer's status is. */
    public HttpResponse<String> get(String path) throws IOException {
        return send("GET", path, "");
    }

    /** The same of a list, of which only the metadata of its objects are told. */
    public HttpResponse<String> metadata(String path) throws IOException {
        return send(request("GET", path, "", JSON, METADATA), HttpResponse.BodyHandlers.ofString());
    }

    /**
     * Asks for something to be done, whatever the answer's status is.
     *
     * @param method of HTTP
     * @param path with its query, both encoded
     * @param json the body; none if empty
     * @throws IOException if there is no answer
     */
    public HttpResponse<String> send(String method, String path, String json) throws IOException {
        return send(request(method, path, json, JSON, JSON), HttpResponse.BodyHandlers.ofString());
    }

    /** Asks for a change of what is at this path, whatever the answer's status is: a merge patch, RFC 7386. */
    public HttpResponse<String> patch(String path, String json) throws IOException {
        return send(
                request("PATCH", path, json, "application/merge-patch+json", JSON),
                HttpResponse.BodyHandlers.ofString());
    }

    /** Asks for something that is told bit by bit; whoever reads it closes it. */
    public HttpResponse<InputStream> open(String path) throws IOException {
        return send(request("GET", path, "", JSON, JSON), HttpResponse.BodyHandlers.ofInputStream());
    }

    private HttpRequest request(String method, String path, String json, String type, String accept)
            throws IOException {
        HttpRequest.Builder request = HttpRequest.newBuilder(base.resolve(path))
                .timeout(TIMEOUT)
                .method(
                        method,
                        json.isEmpty()
                                ? HttpRequest.BodyPublishers.noBody()
                                : HttpRequest.BodyPublishers.ofString(json))
                .header("Content-Type", type)
                .header("Accept", accept)
                .header("User-Agent", "sro-agent");
        if (token.isPresent()) {
            request.header(
                    "Authorization", "Bearer " + Files.readString(token.get()).strip());
        }
        return request.build();
    }

    private <T> HttpResponse<T> send(HttpRequest request, HttpResponse.BodyHandler<T> body) throws IOException {
        CompletableFuture<HttpResponse<T>> answer = client.sendAsync(request, body);
        try {
            return answer.get(whole.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while the API server was asked", e);
        } catch (TimeoutException e) {
            throw new IOException("the API server's answer did not end within " + whole.toSeconds() + " s", e);
        } catch (ExecutionException e) {
            throw e.getCause() instanceof IOException cause ? cause : new IOException(String.valueOf(e.getCause()), e);
        } finally {
            // Closes the connection, if there is no answer.
            answer.cancel(true);
        }
    }
}
