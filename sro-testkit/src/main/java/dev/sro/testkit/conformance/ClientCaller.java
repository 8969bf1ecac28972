package dev.sro.testkit.conformance;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** Calls the API server of a fabric8 client with that client's address, trust and credentials. */
public final class ClientCaller implements HttpCaller {
    private static final long PAUSE_MILLIS = 100;
    private static final long LIMIT_SECONDS = 60;

    private final KubernetesClient client;

    /**
     * A caller.
     *
     * @param client should not repeat requests ({@code withRequestRetryBackoffLimit(0)}): cases that expect an error of the server
     *     take long otherwise. Not closed.
     */
    public ClientCaller(KubernetesClient client) {
        this.client = client;
    }

    @Override
    public Answer call(String method, String path, @Nullable String contentType, @Nullable String body, Caller by) {
        HttpResponse<byte[]> answer;
        if (by.token() == null) {
            answer = send(client, method, path, contentType, body, by.user());
        } else {
            try (KubernetesClient other = withToken(by.token())) {
                answer = send(other, method, path, contentType, body, by.user());
            }
        }
        return new Answer(answer.code(), EmbeddedCaller.tree(answer.body()), answer.headers("Warning"));
    }

    @Override
    public List<JsonNode> events(String path) {
        String query = path + (path.contains("?") ? "&" : "?") + "watch=true&timeoutSeconds=1";
        return EmbeddedCaller.trees(send(client, "GET", query, null, null, null).body());
    }

    /** Nothing of what the administrator shows goes with it. */
    private KubernetesClient withToken(String token) {
        Config own = client.getConfiguration();
        Config config = new ConfigBuilder(Config.empty())
                .withMasterUrl(own.getMasterUrl())
                .withTrustCerts(own.isTrustCerts())
                .withCaCertData(own.getCaCertData())
                .withCaCertFile(own.getCaCertFile())
                .withDisableHostnameVerification(own.isDisableHostnameVerification())
                .withRequestRetryBackoffLimit(0)
                // After it has refused somebody, a kube-apiserver ends the connection, which takes the answer along in
                // HTTP/2.
                .withHttp2Disable(true)
                .withOauthToken(token)
                .build();
        return new KubernetesClientBuilder().withConfig(config).build();
    }

    private static HttpResponse<byte[]> send(
            KubernetesClient client,
            String method,
            String path,
            @Nullable String contentType,
            @Nullable String body,
            @Nullable String user) {
        String master = client.getMasterUrl().toString();
        String base = master.endsWith("/") ? master.substring(0, master.length() - 1) : master;
        HttpRequest.Builder request =
                client.getHttpClient().newHttpRequestBuilder().uri(base + path).header("Accept", "application/json");
        if (user != null) {
            request.header("Impersonate-User", user);
        }
        boolean read = method.toUpperCase(Locale.ROOT).equals("GET");
        if (body != null || !read) {
            // The JDK transport of fabric8 7.7 makes a GET of any request that has no body at all.
            request.method(method, contentType == null ? "application/json" : contentType, body == null ? "" : body);
        }
        try {
            return client.getHttpClient()
                    .sendAsync(request.build(), byte[].class)
                    .orTimeout(LIMIT_SECONDS, TimeUnit.SECONDS)
                    .join();
        } catch (CompletionException e) {
            throw new IllegalStateException(method + " " + path + " got no answer", e);
        }
    }

    @Override
    public void pause() {
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(PAUSE_MILLIS));
    }
}
