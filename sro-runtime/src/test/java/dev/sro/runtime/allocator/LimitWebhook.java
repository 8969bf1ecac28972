package dev.sro.runtime.allocator;

import dev.sro.core.allocation.LimitClasses;
import dev.sro.core.placement.SliceWebhook;
import dev.sro.runtime.webhook.AdmissionEndpoints;
import dev.sro.runtime.webhook.LimitsEndpoint;
import dev.sro.runtime.webhook.ServingCertificate;
import dev.sro.runtime.webhook.WebhookServer;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.MutatingWebhookConfiguration;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;

/** The webhook for pods that ask by limits, as a process of the allocator answers it. Thread-safe. */
final class LimitWebhook implements AutoCloseable {
    private final ExecutorService executor = Executors.newFixedThreadPool(2);
    private final WebhookServer server;

    /**
     * Starts one, and makes the API server ask it.
     *
     * @param certificates with {@code tls.crt} and {@code tls.key}
     */
    LimitWebhook(KubernetesClient client, Path certificates, Supplier<Optional<LimitClasses>> classes)
            throws IOException {
        server = WebhookServer.start(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                new ServingCertificate(certificates),
                executor,
                new AdmissionEndpoints(Map.of(SliceWebhook.LIMITS_PATH, new LimitsEndpoint(classes))));
        configure(client, certificates, server.port());
    }

    /** The configuration as it is installed, but for the way to the server, which is no Service. */
    static MutatingWebhookConfiguration configure(KubernetesClient client, Path certificates, int port)
            throws IOException {
        String bundle = Base64.getEncoder().encodeToString(Files.readAllBytes(certificates.resolve("tls.crt")));
        MutatingWebhookConfiguration configuration = client.getKubernetesSerialization()
                .convertValue(
                        SliceWebhook.limits(InstalledAllocator.NAMESPACE, Map.of(), bundle),
                        MutatingWebhookConfiguration.class);
        var asked = configuration.getWebhooks().get(0).getClientConfig();
        asked.setService(null);
        asked.setUrl("https://127.0.0.1:" + port + SliceWebhook.LIMITS_PATH);
        // A busy machine takes its time for the first handshake.
        configuration.getWebhooks().get(0).setTimeoutSeconds(30);
        client.resource(configuration).create();
        return configuration;
    }

    @Override
    public void close() {
        server.close();
        executor.shutdownNow();
    }
}
