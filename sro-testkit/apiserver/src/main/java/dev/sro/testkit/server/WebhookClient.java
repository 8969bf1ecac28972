package dev.sro.testkit.server;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.nio.channels.UnresolvedAddressException;
import java.security.GeneralSecurityException;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** Calls webhooks over HTTPS, in real time even where the cluster's clock is a virtual one. Thread-safe; holds no lock. */
final class WebhookClient {
    private static final String CALL = "failed to call webhook: ";
    private static final int HTTPS = 443;

    private final Store store;
    private final Map<String, HttpClient> clients = new ConcurrentHashMap<>();
    private volatile WebhookServices services = service -> Optional.empty();

    WebhookClient(Store store) {
        this.store = store;
    }

    void services(WebhookServices resolver) {
        services = resolver;
    }

    WebhookAnswer call(PendingReview pending) {
        Webhook webhook = pending.webhook();
        JsonNode config = webhook.json().path("clientConfig");
        JsonNode service = config.path("service");
        String address = service.isObject() ? address(service) : Json.text(config, "url");
        String url = address + (URI.create(address).getRawPath().isEmpty() && service.isObject() ? "/" : "")
                + "?timeout=" + webhook.timeout().toSeconds() + "s";
        URI target = URI.create(url);
        String host = target.getHost();
        if (service.isObject()) {
            Optional<URI> found = services.find(service(service));
            if (found.isEmpty()) {
                return WebhookAnswer.failed(CALL + post(url) + unresolved(service));
            }
            target = found.get().resolve(target.getRawPath() + "?" + target.getRawQuery());
        }
        HttpClient client;
        try {
            client = client(Json.text(config, "caBundle"), host);
        } catch (GeneralSecurityException | IllegalArgumentException e) {
            return WebhookAnswer.failed("could not get REST client: unable to load root certificates: unable to parse"
                    + " bytes as PEM block");
        }
        return send(pending, client, target, url);
    }

    private static String address(JsonNode service) {
        return "https://" + Json.text(service, "name") + "." + Json.text(service, "namespace") + ".svc:"
                + service.path("port").asInt(HTTPS) + Json.text(service, "path");
    }

    private static WebhookServices.Service service(JsonNode service) {
        return new WebhookServices.Service(
                Json.text(service, "namespace"),
                Json.text(service, "name"),
                service.path("port").asInt(HTTPS));
    }

    private static String post(String url) {
        return "Post \"" + url + "\": ";
    }

    /** Nothing listens on the address of a service here; without one the server says so itself. */
    private String unresolved(JsonNode service) {
        String name = Json.text(service, "name");
        Key key = Key.of(Json.text(service, "namespace"), name);
        Stored stored = store.locked(() -> store.get(Gvr.SERVICES, key));
        return stored == null
                ? "service \"" + name + "\" not found"
                : "dial tcp " + Json.text(stored.object(), "spec", "clusterIP") + ":"
                        + service.path("port").asInt(HTTPS) + ": connect: connection refused";
    }

    private HttpClient client(String caBundle, String host) throws GeneralSecurityException {
        String key = host + " " + caBundle;
        HttpClient known = clients.get(key);
        if (known == null) {
            known = HttpClient.newBuilder()
                    .version(HttpClient.Version.HTTP_1_1)
                    .sslContext(WebhookTrust.context(caBundle, host))
                    .build();
            clients.put(key, known);
        }
        return known;
    }

    private static WebhookAnswer send(PendingReview pending, HttpClient client, URI target, String shown) {
        ObjectNode review = Json.object()
                .put("kind", "AdmissionReview")
                .put("apiVersion", pending.webhook().reviewVersion());
        review.set("request", pending.request());
        HttpRequest request = HttpRequest.newBuilder(target)
                .timeout(pending.webhook().timeout())
                .header("Content-Type", "application/json")
                .header("Accept", "application/json, */*")
                .header("User-Agent", "kube-apiserver-admission")
                .POST(HttpRequest.BodyPublishers.ofByteArray(Json.bytes(review)))
                .build();
        try {
            HttpResponse<byte[]> answer = client.send(request, HttpResponse.BodyHandlers.ofByteArray());
            String type = answer.headers().firstValue("Content-Type").orElse("");
            return WebhookResponses.read(pending, answer.statusCode(), type, answer.body());
        } catch (IOException e) {
            return WebhookAnswer.failed(CALL + post(shown) + text(e, target));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return WebhookAnswer.failed(CALL + post(shown) + "context canceled");
        }
    }

    /** The failure in the words of the server's own client. */
    private static String text(IOException e, URI target) {
        if (e instanceof HttpTimeoutException) {
            return "context deadline exceeded";
        }
        for (Throwable cause = e; cause != null; cause = cause.getCause()) {
            if (cause instanceof WebhookTrust.Rejected rejected) {
                return "tls: failed to verify certificate: x509: " + rejected.getMessage();
            }
            if (cause instanceof UnresolvedAddressException) {
                return "dial tcp: lookup " + target.getHost() + ": no such host";
            }
        }
        if (e instanceof ConnectException) {
            int port = target.getPort() < 0 ? HTTPS : target.getPort();
            return "dial tcp " + target.getHost() + ":" + port + ": connect: connection refused";
        }
        return "EOF";
    }
}
