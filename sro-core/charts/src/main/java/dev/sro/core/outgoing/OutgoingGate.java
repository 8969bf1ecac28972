package dev.sro.core.outgoing;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;
import org.apache.hc.core5.http.ClassicHttpRequest;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.HttpException;
import org.apache.hc.core5.http.HttpHost;
import org.apache.hc.core5.http.config.Http1Config;
import org.apache.hc.core5.http.impl.io.DefaultBHttpClientConnection;
import org.apache.hc.core5.http.message.BasicClassicHttpRequest;

/**
 * The only way out. Each request gets a connection of its own: the rules are asked for the text of the address, the name is resolved
 * once, the rules are asked for what it leads to, and that very address is connected to, so that a name cannot lead elsewhere in
 * between. Redirects are not followed here: who follows one comes again. Thread-safe.
 */
public final class OutgoingGate {

    private static final int OK = 200;
    private static final int NO_CONTENT = 204;
    private static final int NOT_MODIFIED = 304;
    private static final int HTTP = 80;
    private static final int HTTPS = 443;
    /** The certificates of a repository are not those of a proxy. */
    private static final SSLSocketFactory PLATFORM = (SSLSocketFactory) SSLSocketFactory.getDefault();

    private static final Duration CONNECT = Duration.ofSeconds(10);

    /** More than any registry sends; what is beyond is refused and not kept. */
    private static final Http1Config LIMITS = Http1Config.custom()
            .setMaxHeaderCount(200)
            .setMaxLineLength(32 << 10)
            .build();

    /**
     * A request.
     *
     * @param method GET or DELETE
     * @param uri absolute, with http or https
     * @param tls makes the connection safe, where it is to be
     * @param limit how long the answer may take, body included
     */
    public record Request(String method, URI uri, Map<String, String> headers, SSLSocketFactory tls, Duration limit) {
        /** Copies. */
        public Request {
            headers = Map.copyOf(headers);
        }
    }

    private final OutgoingRules rules;
    private final Supplier<ProxyRules> proxies;
    private final NameResolver resolver;

    /**
     * @param rules who may be asked
     * @param proxies through whom; asked for each request
     * @param resolver looks names up
     */
    public OutgoingGate(OutgoingRules rules, Supplier<ProxyRules> proxies, NameResolver resolver) {
        this.rules = rules;
        this.proxies = proxies;
        this.resolver = resolver;
    }

    /** A gate that is open: for tests, and for commands of somebody who asks for himself. Proxies are those of the process. */
    public static OutgoingGate open() {
        ProxyRules proxies = ProxyRules.ofEnvironment(System.getenv());
        return new OutgoingGate(OutgoingRules.EVERYWHERE, () -> proxies, NameResolver.SYSTEM);
    }

    /** Whether messages may say why there is no connection. */
    public boolean details(URI uri) {
        return rules.details(uri.getHost());
    }

    /**
     * Asks.
     *
     * @return the answer, which the caller closes
     * @throws OutgoingException if that server may not be asked
     * @throws IOException if there is no answer
     */
    public OutgoingAnswer send(Request request) throws IOException {
        Deadline deadline = new Deadline(request.limit());
        URI uri = request.uri();
        ProxyRules.Proxy proxy = proxies.get().proxyFor(uri).orElse(null);
        boolean safe = "https".equalsIgnoreCase(uri.getScheme());
        Socket socket = proxy == null ? direct(uri, deadline) : through(proxy, uri, deadline);
        try {
            BasicClassicHttpRequest message = new BasicClassicHttpRequest(request.method(), uri);
            message.setAbsoluteRequestUri(proxy != null && !safe);
            message.setHeader("Host", authority(uri));
            message.setHeader("User-Agent", "sro");
            message.setHeader("Connection", "close");
            request.headers().forEach(message::setHeader);
            if (proxy != null && !safe && !proxy.authorization().isEmpty()) {
                message.setHeader("Proxy-Authorization", proxy.authorization());
            }
            Socket used = safe ? secured(socket, uri.getHost(), port(uri), request.tls()) : socket;
            return new OutgoingAnswer(exchange(used, message), used, deadline);
        } catch (IOException | RuntimeException e) {
            socket.close();
            throw e;
        }
    }

    private Socket direct(URI uri, Deadline deadline) throws IOException {
        String host = uri.getHost();
        if (!rules.allowsHost(host)) {
            throw refused(host);
        }
        List<InetAddress> all = Network.literal(host).isPresent()
                ? List.of(InetAddress.getByName(host))
                : List.copyOf(resolver.resolve(host));
        List<InetAddress> allowed = all.stream()
                .filter(address -> rules.allows(host, address.getAddress()))
                .toList();
        if (allowed.isEmpty()) {
            throw refused(host);
        }
        return connected(allowed, port(uri), deadline);
    }

    private static Socket connected(List<InetAddress> addresses, int port, Deadline deadline) throws IOException {
        IOException last = new IOException("no address");
        for (InetAddress address : addresses) {
            TimedSocket socket = new TimedSocket(deadline);
            try {
                socket.connect(
                        new InetSocketAddress(address, port), (int) Math.min(deadline.millis(), CONNECT.toMillis()));
                return socket;
            } catch (IOException e) {
                socket.close();
                last = e;
            }
        }
        throw last;
    }

    /** The proxy's address was given by the administrator, so no rule asks where it is. */
    private Socket through(ProxyRules.Proxy proxy, URI uri, Deadline deadline) throws IOException {
        if (!rules.allowsThroughProxy(uri.getHost())) {
            throw refused(uri.getHost());
        }
        Socket socket = connected(resolver.resolve(proxy.host()), proxy.port(), deadline);
        try {
            Socket spoken = proxy.tls() ? secured(socket, proxy.host(), proxy.port(), PLATFORM) : socket;
            if ("https".equalsIgnoreCase(uri.getScheme())) {
                tunnel(spoken, proxy, uri);
            }
            return spoken;
        } catch (IOException | RuntimeException e) {
            socket.close();
            throw e;
        }
    }

    private static void tunnel(Socket socket, ProxyRules.Proxy proxy, URI uri) throws IOException {
        String target = uri.getHost() + ":" + port(uri);
        BasicClassicHttpRequest connect =
                new BasicClassicHttpRequest("CONNECT", new HttpHost(uri.getHost(), port(uri)), target);
        connect.setHeader("Host", target);
        connect.setHeader("User-Agent", "sro");
        if (!proxy.authorization().isEmpty()) {
            connect.setHeader("Proxy-Authorization", proxy.authorization());
        }
        int status = exchange(socket, connect).getCode();
        if (status != OK) {
            throw new IOException("the proxy " + proxy + " answers HTTP " + status);
        }
    }

    private static ClassicHttpResponse exchange(Socket socket, ClassicHttpRequest message) throws IOException {
        try {
            // Not closed: the socket is, by whoever has it.
            @SuppressWarnings("resource")
            DefaultBHttpClientConnection connection = new DefaultBHttpClientConnection(LIMITS);
            connection.bind(socket);
            connection.sendRequestHeader(message);
            connection.flush();
            ClassicHttpResponse response = connection.receiveResponseHeader();
            while (response.getCode() < OK) {
                response = connection.receiveResponseHeader();
            }
            boolean bodiless = "CONNECT".equals(message.getMethod())
                    || response.getCode() == NO_CONTENT
                    || response.getCode() == NOT_MODIFIED;
            if (!bodiless) {
                connection.receiveResponseEntity(response);
            }
            return response;
        } catch (HttpException e) {
            throw new IOException("no answer of a web server: " + e.getMessage(), e);
        }
    }

    private static Socket secured(Socket plain, String host, int port, SSLSocketFactory tls) throws IOException {
        String name = host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
        SSLSocket socket = (SSLSocket) tls.createSocket(plain, name, port, true);
        SSLParameters parameters = socket.getSSLParameters();
        parameters.setEndpointIdentificationAlgorithm("HTTPS");
        socket.setSSLParameters(parameters);
        socket.startHandshake();
        return socket;
    }

    /** The same for each rule, so that nobody is told what a name leads to. */
    private static OutgoingException refused(String host) {
        return new OutgoingException(
                host.toLowerCase(Locale.ROOT)
                        + " may not be asked: it is not among the servers that SRO's administrator allows (--outgoing)",
                true);
    }

    private static String authority(URI uri) {
        return uri.getHost() + (uri.getPort() < 0 ? "" : ":" + uri.getPort());
    }

    private static int port(URI uri) {
        return uri.getPort() >= 0 ? uri.getPort() : "https".equalsIgnoreCase(uri.getScheme()) ? HTTPS : HTTP;
    }
}
