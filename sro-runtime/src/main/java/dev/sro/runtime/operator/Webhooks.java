package dev.sro.runtime.operator;

import dev.sro.core.partition.AdmissionSettings;
import dev.sro.core.partition.PodAdmission;
import dev.sro.runtime.webhook.AdmissionEndpoints;
import dev.sro.runtime.webhook.CaBundle;
import dev.sro.runtime.webhook.PartitioningEndpoint;
import dev.sro.runtime.webhook.PodRulesBook;
import dev.sro.runtime.webhook.ServingCertificate;
import dev.sro.runtime.webhook.WebhookServer;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The admission webhooks of one replica, whether or not it leads. What else is to answer gets its path here. Thread-safe. */
final class Webhooks implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Webhooks.class);

    private final WebhookSettings settings;
    private final Optional<CaBundle> ca;
    private final ServingCertificate certificate;
    private final PodRulesBook rules;
    private final WebhookServer server;
    private final ExecutorService answers;
    private volatile String told = "";

    private Webhooks(
            WebhookSettings settings,
            ServingCertificate certificate,
            PodRulesBook rules,
            WebhookServer server,
            ExecutorService answers) {
        this.settings = settings;
        this.ca = settings.caFile().map(CaBundle::new);
        this.answers = answers;
        this.certificate = certificate;
        this.rules = rules;
        this.server = server;
    }

    /**
     * Serves until closed.
     *
     * @param answers runs the answers, apart from probes, which a slow client must not hold up; shut down with this
     * @throws IOException if the port is taken
     */
    static Webhooks start(WebhookSettings settings, KubernetesClient client, ExecutorService answers)
            throws IOException {
        ServingCertificate certificate = new ServingCertificate(settings.certificates());
        PodRulesBook rules = PodRulesBook.watching(client);
        try {
            WebhookServer server = WebhookServer.start(
                    new InetSocketAddress(settings.host(), settings.port()),
                    certificate,
                    answers,
                    new AdmissionEndpoints(Map.of(PodAdmission.PATH, new PartitioningEndpoint(rules::at))));
            return new Webhooks(settings, certificate, rules, server, answers);
        } catch (IOException e) {
            rules.close();
            answers.shutdownNow();
            throw e;
        }
    }

    /**
     * As the API server reaches it now.
     *
     * @param namespace of the Service
     */
    AdmissionSettings.Webhook target(String namespace) {
        return settings.target(namespace, ca.flatMap(CaBundle::text));
    }

    /**
     * Looks for new certificates.
     *
     * @return whether {@link #target} is another one now
     */
    boolean tick() {
        if (certificate.reload()) {
            LOG.atInfo().log("the webhook's certificate is a new one");
        }
        boolean other = ca.map(CaBundle::reload).orElse(false);
        if (other) {
            LOG.atInfo().log("the certificates by which the API server knows the webhook are new ones");
        }
        String fault = certificate.fault().isEmpty() ? ca.map(CaBundle::fault).orElse("") : certificate.fault();
        if (!fault.equals(told) && !fault.isEmpty()) {
            LOG.atWarn().log("webhook: {}", fault);
        }
        told = fault;
        return other;
    }

    /** Why it does not answer; empty when it does. */
    String fault() {
        if (!certificate.isThere()) {
            return certificate.fault();
        }
        String unknown = ca.filter(bundle -> bundle.text().isEmpty())
                .map(CaBundle::fault)
                .orElse("");
        return !unknown.isEmpty() || rules.isFilled() ? unknown : "webhook configurations are being listed";
    }

    int port() {
        return server.port();
    }

    @Override
    public void close() {
        server.close();
        answers.shutdownNow();
        rules.close();
    }
}
