package dev.sro.core.recipe.source;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsParameters;
import com.sun.net.httpserver.HttpsServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Function;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import org.jspecify.annotations.Nullable;

/** A web server of a test, which remembers what it was asked. */
final class WebServer implements AutoCloseable {

    /** What was asked for. */
    record Request(String path, Map<String, String> headers) {
        String header(String name) {
            return headers.getOrDefault(name, "");
        }
    }

    static final class Response {
        private final int status;
        private final Map<String, String> headers;
        private final byte[] body;

        private Response(int status, Map<String, String> headers, byte[] body) {
            this.status = status;
            this.headers = headers;
            this.body = body;
        }

        static Response of(byte[] body) {
            return new Response(200, Map.of(), body);
        }

        static Response of(String body) {
            return of(body.getBytes(StandardCharsets.UTF_8));
        }

        static Response status(int status) {
            return new Response(status, Map.of(), "some text".getBytes(StandardCharsets.UTF_8));
        }

        Response with(String header, String value) {
            Map<String, String> more = new HashMap<>(headers);
            more.put(header, value);
            return new Response(status, more, body);
        }
    }

    interface Handler {
        Response answer(Request request) throws IOException;
    }

    final List<Request> requests = new CopyOnWriteArrayList<>();
    private final Map<String, Handler> handlers = new ConcurrentHashMap<>();
    private volatile Function<Request, @Nullable Response> gate = request -> null;
    private final HttpServer server;
    private final ExecutorService executor = Executors.newCachedThreadPool();

    private WebServer(HttpServer server) {
        this.server = server;
        server.createContext("/", this::handle);
        server.setExecutor(executor);
        server.start();
    }

    static WebServer start() throws IOException {
        return new WebServer(HttpServer.create(address(), 0));
    }

    /** Asks for the client's certificate, where it is wanted. */
    static WebServer start(SSLContext tls, boolean clientCertificate) throws IOException {
        HttpsServer server = HttpsServer.create(address(), 0);
        server.setHttpsConfigurator(new HttpsConfigurator(tls) {
            @Override
            public void configure(HttpsParameters parameters) {
                SSLParameters ssl = tls.getDefaultSSLParameters();
                ssl.setNeedClientAuth(clientCertificate);
                parameters.setSSLParameters(ssl);
            }
        });
        return new WebServer(server);
    }

    private static InetSocketAddress address() {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    }

    String host() {
        return "localhost:" + server.getAddress().getPort();
    }

    String url() {
        return (server instanceof HttpsServer ? "https://" : "http://") + host();
    }

    /** @param path with its query */
    WebServer on(String path, Handler handler) {
        handlers.put(path, handler);
        return this;
    }

    WebServer on(String path, byte[] body) {
        return on(path, request -> Response.of(body));
    }

    /** What has an answer for some requests before all others; null for none. */
    void gate(Function<Request, @Nullable Response> guard) {
        gate = guard;
    }

    List<String> paths() {
        return requests.stream().map(Request::path).toList();
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            Map<String, String> headers = new HashMap<>();
            exchange.getRequestHeaders().forEach((name, values) -> headers.put(name, values.get(0)));
            Request request = new Request(exchange.getRequestURI().toString(), headers);
            requests.add(request);
            Response response = answer(request);
            response.headers.forEach(exchange.getResponseHeaders()::add);
            boolean empty = response.status == 304 || response.body.length == 0;
            exchange.sendResponseHeaders(response.status, empty ? -1 : response.body.length);
            if (!empty) {
                exchange.getResponseBody().write(response.body);
            }
        }
    }

    private Response answer(Request request) throws IOException {
        Response barred = gate.apply(request);
        if (barred != null) {
            return barred;
        }
        Handler handler = handlers.get(request.path());
        return handler == null ? Response.status(404) : handler.answer(request);
    }

    @Override
    public void close() {
        server.stop(0);
        executor.shutdownNow();
    }
}
