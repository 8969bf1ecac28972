package dev.sro.core.recipe.source;

import dev.sro.api.Problem;
import dev.sro.core.model.Code;
import dev.sro.core.outgoing.OutgoingAnswer;
import dev.sro.core.outgoing.OutgoingException;
import dev.sro.core.outgoing.OutgoingGate;
import dev.sro.core.recipe.chart.ChartException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import javax.net.ssl.SSLException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Gets files by HTTP, within limits. What is secret goes to the server that it is for, and into no message. Thread-safe. */
final class HttpFiles {

    private static final Logger LOG = LoggerFactory.getLogger(HttpFiles.class);

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
        private final OutgoingAnswer answer;
        private final byte[] body;

        Answer(String from, OutgoingAnswer answer, byte[] body) {
            this.from = from;
            this.answer = answer;
            this.body = body;
        }

        /** The address that was asked first, for messages. */
        String from() {
            return from;
        }

        int status() {
            return answer.status();
        }

        byte[] body() {
            return body;
        }

        /** Empty when there is none. */
        String header(String name) {
            return answer.header(name);
        }

        List<String> headers(String name) {
            return answer.headers(name);
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
        OutgoingAnswer answer = follow(uri, tls, authorization, headers);
        return read(uri, answer, bytes);
    }

    /**
     * The same for a body that is too long to be kept; the caller closes it. What it reads has to come within the limit, too.
     *
     * @return the answer, with its body unread
     */
    OutgoingAnswer stream(URI uri, TlsSettings tls, String authorization) throws IOException {
        return follow(uri, tls, authorization, Map.of());
    }

    /**
     * Asks for something to be deleted; redirects are not followed.
     *
     * @param authorization value of the header; empty for none
     * @throws IOException if there is no answer; the message says what to do
     */
    Answer delete(URI uri, TlsSettings tls, String authorization, int bytes) throws IOException {
        Map<String, String> headers = authorization.isEmpty() ? Map.of() : Map.of("Authorization", authorization);
        return read(uri, send("DELETE", uri, tls, headers), bytes);
    }

    private Answer read(URI uri, OutgoingAnswer answer, int bytes) throws IOException {
        try (answer) {
            byte[] body = answer.body().readNBytes(bytes == Integer.MAX_VALUE ? bytes : bytes + 1);
            if (body.length > bytes) {
                throw new ChartException(new Problem(
                        "UnsafeChart",
                        "GET " + shown(uri) + ": more than the " + bytes + " bytes that are allowed",
                        Problem.Owner.VENDOR,
                        false));
            }
            return new Answer(shown(uri), answer, body);
        } catch (IOException e) {
            throw translate("GET", uri, e);
        }
    }

    private OutgoingAnswer follow(URI uri, TlsSettings tls, String authorization, Map<String, String> headers)
            throws IOException {
        URI at = uri;
        for (int hops = 0; hops <= MAX_REDIRECTS; hops++) {
            Map<String, String> all = new HashMap<>(headers);
            if (!authorization.isEmpty() && sameServer(uri, at)) {
                all.put("Authorization", authorization);
            }
            OutgoingAnswer answer = send("GET", at, tls, all);
            String location = answer.header("Location");
            if (!REDIRECTS.contains(answer.status()) || location.isEmpty()) {
                return answer;
            }
            answer.close();
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

    private OutgoingAnswer send(String method, URI uri, TlsSettings tls, Map<String, String> headers)
            throws IOException {
        try {
            return clients.gate().send(new OutgoingGate.Request(method, uri, headers, clients.of(tls), limit));
        } catch (IOException e) {
            throw translate(method, uri, e);
        }
    }

    /**
     * What the author of an address is told. Of servers that the administrator did not name himself it is always the same, so that
     * messages cannot be used to find out what listens where; the log has the rest.
     */
    private IOException translate(String method, URI uri, IOException cause) {
        String what = method + " " + shown(uri) + ": ";
        if (cause instanceof OutgoingException) {
            return new IOException(what + cause.getMessage(), cause);
        }
        if (!clients.gate().details(uri)) {
            LOG.atInfo().log("{}{}", what, cause.toString());
            return new IOException(what + "no usable answer within " + limit.toSeconds()
                    + " s. Check name, port and proxy; if the server's certificate comes from a CA of your own, "
                    + authorityHint + ". The log of SRO says more");
        }
        if (cause instanceof SSLException) {
            return new IOException(
                    what + "no safe connection: " + cause.getMessage()
                            + ". If the server's certificate comes from a CA of your own, " + authorityHint,
                    cause);
        }
        if (cause instanceof SocketTimeoutException) {
            return new IOException(what + "no answer within " + limit.toSeconds() + " s", cause);
        }
        if (cause instanceof ConnectException || cause instanceof UnknownHostException) {
            return new IOException(what + "no connection; check host, port, DNS and proxy", cause);
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
