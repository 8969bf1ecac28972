package dev.sro.core.recipe.source;

import dev.sro.api.Problem;
import dev.sro.core.model.Code;
import dev.sro.core.recipe.chart.ChartException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import javax.net.ssl.SSLException;

/** Gets files by HTTP, within limits. What is secret goes to the server that it is for, and into no message. Thread-safe. */
final class HttpFiles {

    static final int OK = 200;
    static final int NOT_MODIFIED = 304;
    static final int UNAUTHORIZED = 401;
    private static final int FORBIDDEN = 403;
    private static final int NOT_FOUND = 404;
    private static final int GONE = 410;
    private static final Set<Integer> REDIRECTS = Set.of(301, 302, 303, 307, 308);
    private static final int MAX_REDIRECTS = 10;

    /** What came back. */
    static final class Answer {
        private final String from;
        private final HttpResponse<byte[]> response;

        Answer(String from, HttpResponse<byte[]> response) {
            this.from = from;
            this.response = response;
        }

        /** The address that was asked first, for messages. */
        String from() {
            return from;
        }

        int status() {
            return response.statusCode();
        }

        byte[] body() {
            return response.body();
        }

        /** Empty when there is none. */
        String header(String name) {
            return response.headers().firstValue(name).orElse("");
        }

        List<String> headers(String name) {
            return response.headers().allValues(name);
        }

        /**
         * The answer, if it is the file.
         *
         * @param hint what to do if there is no such file
         * @throws ChartException if the server does not want to give it, or does not have it
         * @throws IOException if the server has a problem
         */
        Answer orFail(String hint) throws IOException {
            return orFail(
                    hint,
                    "The repository wants another login: check username and password in the Secret"
                            + " that spec.chart.repository.credentialsSecret names");
        }

        /**
         * The same for what is no chart.
         *
         * @param denied what to do if the server wants another login
         */
        Answer orFail(String hint, String denied) throws IOException {
            String problem = "GET " + from + ": HTTP " + status();
            return switch (status()) {
                case OK, NOT_MODIFIED -> this;
                case UNAUTHORIZED, FORBIDDEN ->
                    throw new ChartException(Problem.user(Code.CHART_ACCESS_DENIED.text(), problem + ". " + denied));
                case NOT_FOUND, GONE ->
                    throw new ChartException(Problem.user(Code.CHART_NOT_FOUND.text(), problem + ". " + hint));
                default -> throw new IOException(problem);
            };
        }
    }

    private final HttpClients clients;
    private final Duration limit;
    private final String authorityHint;

    /**
     * @param limit how long one answer may take, body included
     */
    HttpFiles(HttpClients clients, Duration limit) {
        this(clients, limit, "name that in credentialsSecret (ca.crt) or caFile");
    }

    /** @param authorityHint what to do about a server's certificate from a CA of one's own */
    HttpFiles(HttpClients clients, Duration limit, String authorityHint) {
        this.clients = clients;
        this.limit = limit;
        this.authorityHint = authorityHint;
    }

    /**
     * Asks, and follows redirects.
     *
     * @param authorization value of the header; empty for none. A redirect to another server does not get it
     * @param headers others
     * @param bytes how long the body may be
     * @throws IOException if there is no answer; the message says what to do
     */
    Answer get(URI uri, TlsSettings tls, String authorization, Map<String, String> headers, int bytes)
            throws IOException {
        HttpResponse<byte[]> response =
                follow(uri, tls, authorization, headers, what -> info -> new LimitedBody(bytes, what));
        return new Answer(shown(uri), response);
    }

    /**
     * The same for a body that is too long to be kept; the caller closes it. What it reads has to come within the limit, too.
     *
     * @return the body with the status of the answer
     */
    HttpResponse<InputStream> stream(URI uri, TlsSettings tls, String authorization) throws IOException {
        return follow(uri, tls, authorization, Map.of(), what -> HttpResponse.BodyHandlers.ofInputStream());
    }

    /**
     * Asks for something to be deleted; redirects are not followed.
     *
     * @param authorization value of the header; empty for none
     * @throws IOException if there is no answer; the message says what to do
     */
    Answer delete(URI uri, TlsSettings tls, String authorization, int bytes) throws IOException {
        HttpRequest.Builder request = HttpRequest.newBuilder(uri).timeout(limit).DELETE();
        if (!authorization.isEmpty()) {
            request.setHeader("Authorization", authorization);
        }
        return new Answer(
                shown(uri), send(clients.of(tls), request.build(), what -> info -> new LimitedBody(bytes, what)));
    }

    private <T> HttpResponse<T> follow(
            URI uri,
            TlsSettings tls,
            String authorization,
            Map<String, String> headers,
            Function<String, HttpResponse.BodyHandler<T>> body)
            throws IOException {
        HttpClient client = clients.of(tls);
        URI at = uri;
        for (int hops = 0; hops <= MAX_REDIRECTS; hops++) {
            HttpRequest.Builder request =
                    HttpRequest.newBuilder(at).timeout(limit).GET();
            headers.forEach(request::setHeader);
            if (!authorization.isEmpty() && sameServer(uri, at)) {
                request.setHeader("Authorization", authorization);
            }
            HttpResponse<T> response = send(client, request.build(), body);
            String location = response.headers().firstValue("Location").orElse("");
            if (!REDIRECTS.contains(response.statusCode()) || location.isEmpty()) {
                return response;
            }
            at = redirect(uri, at, location);
        }
        throw new IOException("GET " + shown(uri) + ": more than " + MAX_REDIRECTS + " redirects");
    }

    private static URI redirect(URI first, URI at, String location) throws IOException {
        URI next;
        try {
            next = withoutLogin(at.resolve(location));
        } catch (IllegalArgumentException e) {
            throw new IOException("GET " + shown(first) + ": redirected to something that is no URL", e);
        }
        boolean weaker = "https".equalsIgnoreCase(at.getScheme()) && !"https".equalsIgnoreCase(next.getScheme());
        if (weaker || !isHttp(next)) {
            throw new IOException("GET " + shown(first) + ": redirected to " + shown(next)
                    + ", which SRO does not follow from " + at.getScheme());
        }
        return next;
    }

    private <T> HttpResponse<T> send(
            HttpClient client, HttpRequest request, Function<String, HttpResponse.BodyHandler<T>> body)
            throws IOException {
        String what = request.method() + " " + shown(request.uri()) + ": ";
        CompletableFuture<HttpResponse<T>> answer = client.sendAsync(request, body.apply(what));
        try {
            return answer.get(limit.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            answer.cancel(true);
            throw new IOException(what + "not complete within " + limit.toSeconds() + " s", e);
        } catch (InterruptedException e) {
            answer.cancel(true);
            Thread.currentThread().interrupt();
            throw new InterruptedIOException(what + "interrupted");
        } catch (ExecutionException e) {
            throw translate(what, Objects.requireNonNullElse(e.getCause(), e));
        }
    }

    private IOException translate(String what, Throwable cause) {
        for (Throwable at = cause; at != null; at = at.getCause()) {
            if (at instanceof ChartException refused) {
                throw refused;
            }
            if (at instanceof SSLException) {
                return new IOException(
                        what + "no safe connection: " + at.getMessage()
                                + ". If the server's certificate comes from a CA of"
                                + " your own, " + authorityHint,
                        cause);
            }
            if (at instanceof HttpTimeoutException) {
                return new IOException(what + "no answer within " + limit.toSeconds() + " s", cause);
            }
            if (at instanceof ConnectException) {
                return new IOException(what + "no connection; check host, port, DNS and proxy", cause);
            }
        }
        return new IOException(what + cause.getMessage(), cause);
    }

    static boolean isHttp(URI uri) {
        String scheme = uri.getScheme() == null ? "" : uri.getScheme().toLowerCase(Locale.ROOT);
        return uri.getHost() != null && (scheme.equals("http") || scheme.equals("https"));
    }

    /** Whether scheme, host and port are the same. */
    static boolean sameServer(URI one, URI other) {
        return one.getScheme().equalsIgnoreCase(other.getScheme())
                && one.getHost().equalsIgnoreCase(other.getHost())
                && port(one) == port(other);
    }

    private static int port(URI uri) {
        int https = 443;
        int http = 80;
        return uri.getPort() >= 0 ? uri.getPort() : "https".equalsIgnoreCase(uri.getScheme()) ? https : http;
    }

    /** For messages: no login, and no query, which may have a signature in it. */
    static String shown(URI uri) {
        String path = uri.getRawPath() == null ? "" : uri.getRawPath();
        return uri.getScheme() + "://" + server(uri) + path;
    }

    static URI withoutLogin(URI uri) {
        if (uri.getRawUserInfo() == null) {
            return uri;
        }
        String query = uri.getRawQuery() == null ? "" : "?" + uri.getRawQuery();
        return URI.create(shown(uri) + query);
    }

    private static String server(URI uri) {
        return uri.getHost() + (uri.getPort() < 0 ? "" : ":" + uri.getPort());
    }
}
