package dev.sro.testkit.replay;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/** An admission webhook on the loopback interface, with a certificate of its own; what it answers depends on the path. */
final class WebhookServer implements AutoCloseable {
    private static final char[] PASSWORD = "changeit".toCharArray();
    private static final String PATCH_ALL =
            "[{\"op\":\"add\",\"path\":\"/metadata/annotations\",\"value\":{\"mutated\":\"yes\"}}]";
    private static final String PATCH_ONE =
            "[{\"op\":\"add\",\"path\":\"/metadata/annotations/mutated\",\"value\":\"yes\"}]";

    private final HttpsServer server;
    private final String caBundle;
    private final Log log = new Log();

    static {
        // Read once by the JDK's server, whichever of its users comes first: see HttpFront.
        System.setProperty("sun.net.httpserver.nodelay", "true");
    }

    private WebhookServer(HttpsServer server, String caBundle) {
        this.server = server;
        this.caBundle = caBundle;
    }

    /** What it was asked, by namespace. */
    static final class Log {
        private final Map<String, List<JsonNode>> seen = new HashMap<>();

        private synchronized void add(String namespace, JsonNode call) {
            seen.computeIfAbsent(namespace, k -> new ArrayList<>()).add(call);
        }

        synchronized List<JsonNode> take(String namespace) {
            List<JsonNode> calls = seen.remove(namespace);
            return calls == null ? List.of() : calls;
        }
    }

    /** Starts one; the key is made in {@code folder} by the JDK's own tool. */
    static WebhookServer start(Path folder) throws IOException, GeneralSecurityException, InterruptedException {
        Path store = folder.resolve("webhook.p12");
        String tool = Path.of(System.getProperty("java.home"), "bin", "keytool").toString();
        Process process = new ProcessBuilder(
                        tool,
                        "-genkeypair",
                        "-alias",
                        "a",
                        "-keyalg",
                        "EC",
                        "-validity",
                        "2",
                        "-dname",
                        "CN=127.0.0.1",
                        "-ext",
                        "san=ip:127.0.0.1",
                        "-ext",
                        "bc=ca:true",
                        "-storetype",
                        "PKCS12",
                        "-storepass",
                        new String(PASSWORD),
                        "-keystore",
                        store.toString())
                .redirectErrorStream(true)
                .start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (!process.waitFor(60, TimeUnit.SECONDS) || process.exitValue() != 0) {
            throw new IOException("keytool: " + said);
        }
        KeyStore keys = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(store)) {
            keys.load(in, PASSWORD);
        }
        KeyManagerFactory managers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        managers.init(keys, PASSWORD);
        SSLContext tls = SSLContext.getInstance("TLS");
        tls.init(managers.getKeyManagers(), null, null);
        HttpsServer server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 16);
        server.setHttpsConfigurator(new HttpsConfigurator(tls));
        String pem = "-----BEGIN CERTIFICATE-----\n"
                + Base64.getMimeEncoder(64, new byte[] {'\n'})
                        .encodeToString(keys.getCertificate("a").getEncoded())
                + "\n-----END CERTIFICATE-----\n";
        WebhookServer made =
                new WebhookServer(server, Base64.getEncoder().encodeToString(pem.getBytes(StandardCharsets.US_ASCII)));
        server.createContext("/", made::answer);
        // Who connects and says nothing does not keep the others waiting.
        server.setExecutor(Executors.newCachedThreadPool(task -> {
            Thread thread = new Thread(task, "webhook");
            thread.setDaemon(true);
            return thread;
        }));
        server.start();
        return made;
    }

    String caBundle() {
        return caBundle;
    }

    String url() {
        return "https://127.0.0.1:" + server.getAddress().getPort();
    }

    Log log() {
        return log;
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            JsonNode review = Endpoint.JSON.readTree(exchange.getRequestBody());
            JsonNode request = review.path("request");
            String path = exchange.getRequestURI().getPath();
            String namespace =
                    request.path("namespace").asText(request.path("name").asText());
            ObjectNode call = JsonNodeFactory.instance.objectNode().put("path", path);
            call.set("review", review);
            log.add(namespace, call);
            ObjectNode answer = JsonNodeFactory.instance.objectNode();
            answer.put("apiVersion", "admission.k8s.io/v1").put("kind", "AdmissionReview");
            ObjectNode response = answer.putObject("response");
            response.put("uid", request.path("uid").asText()).put("allowed", true);
            judge(path, request.path("object").path("metadata"), response);
            byte[] body = answer.toString().getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Content-Type", "application/json");
            exchange.sendResponseHeaders(path.equals("/fail") ? 500 : 200, body.length);
            exchange.getResponseBody().write(body);
        }
    }

    private static void judge(String path, JsonNode metadata, ObjectNode response) {
        switch (path) {
            case "/validate" -> {
                if (metadata.path("labels").path("deny").asText().equals("true")) {
                    response.put("allowed", false);
                    response.putObject("status").put("code", 403).put("message", "denied by the test webhook");
                }
            }
            case "/validate-teapot" -> {
                response.put("allowed", false);
                response.putObject("status")
                        .put("code", 418)
                        .put("reason", "Teapot")
                        .put("message", "short and stout");
            }
            case "/validate-plain" -> response.put("allowed", false);
            case "/warn" -> response.putArray("warnings").add("first warning").add("second warning");
            case "/baduid" -> response.put("uid", "wrong");
            case "/mutate" -> {
                String patch = metadata.path("annotations").size() == 0 ? PATCH_ALL : PATCH_ONE;
                response.put("patchType", "JSONPatch");
                response.put("patch", Base64.getEncoder().encodeToString(patch.getBytes(StandardCharsets.UTF_8)));
            }
            default -> {
                // Allowed.
            }
        }
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
