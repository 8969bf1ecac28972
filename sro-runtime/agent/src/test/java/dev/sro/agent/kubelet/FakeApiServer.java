package dev.sro.agent.kubelet;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Answers for claims in the words of a kube-apiserver. */
final class FakeApiServer implements AutoCloseable {
    private static final String PATH = "/apis/resource.k8s.io/v1/namespaces/default/resourceclaims/";

    private final HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    private final Map<String, String> claims = new ConcurrentHashMap<>();
    private volatile String instead = "";

    FakeApiServer() throws IOException {
        server.createContext("/", exchange -> {
            String path = exchange.getRequestURI().getPath();
            String name = path.startsWith(PATH) ? path.substring(PATH.length()) : "";
            String claim = claims.get(name);
            int status = claim == null || !instead.isEmpty() ? 404 : 200;
            String body = claim != null
                    ? claim
                    : "{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"metadata\":{},\"status\":\"Failure\",\"message\":\"not"
                            + " found\",\"reason\":\"NotFound\",\"details\":{\"name\":\"" + name
                            + "\",\"group\":\"resource.k8s.io\",\"kind\":\"resourceclaims\"},\"code\":404}";
            byte[] bytes = (instead.isEmpty() ? body : instead).getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(status, bytes.length);
            try (OutputStream out = exchange.getResponseBody()) {
                out.write(bytes);
            }
        });
        server.start();
    }

    URI address() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
    }

    /** Says this with status 404, whatever is asked for; nothing special if empty. */
    void saysInstead(String text) {
        instead = text;
    }

    void allocate(String name, String uid, String driver, String device) {
        claims.put(
                name,
                "{\"kind\":\"ResourceClaim\",\"metadata\":{\"name\":\"" + name + "\",\"uid\":\"" + uid
                        + "\"},\"status\":{\"allocation\":{\"devices\":{\"results\":[{\"request\":\"r\",\"driver\":\""
                        + driver
                        + "\",\"pool\":\"p\",\"device\":\"" + device
                        + "\"},{\"request\":\"x\",\"driver\":\"other.example.com\",\"pool\":\"q\",\"device\":\"d\"}]}}}}");
    }

    void deallocate(String name, String uid) {
        claims.put(
                name, "{\"kind\":\"ResourceClaim\",\"metadata\":{\"name\":\"" + name + "\",\"uid\":\"" + uid + "\"}}");
    }

    void delete(String name) {
        claims.remove(name);
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
