package dev.sro.runtime.webhook;

import dev.sro.core.model.MetadataKeys;
import dev.sro.core.partition.PodRules;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.MutatingWebhook;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.MutatingWebhookConfiguration;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The rules of all special resources, as they are in the configurations of webhooks that make the API server ask: so every replica
 * answers the same, whether or not it leads. Thread-safe.
 */
public final class PodRulesBook implements ResourceEventHandler<MutatingWebhookConfiguration>, AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(PodRulesBook.class);

    private final Map<String, PodRules> byPath = new ConcurrentHashMap<>();
    private Optional<SharedIndexInformer<MutatingWebhookConfiguration>> informer = Optional.empty();

    /** Watches until closed; an API server that is away is tried again. */
    public static PodRulesBook watching(KubernetesClient client) {
        PodRulesBook book = new PodRulesBook();
        SharedIndexInformer<MutatingWebhookConfiguration> informer = client.admissionRegistration()
                .v1()
                .mutatingWebhookConfigurations()
                .withLabel(MetadataKeys.OWNED, "true")
                .runnableInformer(0)
                .addEventHandler(book)
                .exceptionHandler((started, failure) -> {
                    LOG.atWarn().log("webhook configurations cannot be watched: {}", failure.getMessage());
                    return true;
                });
        book.informer = Optional.of(informer);
        var unused = informer.start();
        return book;
    }

    /** The rules behind a path. */
    public Optional<PodRules> at(String path) {
        return Optional.ofNullable(byPath.get(path));
    }

    /** Whether all are known. */
    public boolean isFilled() {
        return informer.map(SharedIndexInformer::hasSynced).orElse(true);
    }

    @Override
    public void onAdd(MutatingWebhookConfiguration added) {
        Map<String, String> annotations = added.getMetadata().getAnnotations();
        String text = annotations == null ? null : annotations.get(MetadataKeys.POD_RULES);
        if (text == null) {
            return;
        }
        try {
            PodRules rules = PodRules.parse(text);
            paths(added).forEach(path -> byPath.put(path, rules));
        } catch (IllegalArgumentException e) {
            LOG.atWarn()
                    .log(
                            "MutatingWebhookConfiguration {}: annotation {}: {}",
                            added.getMetadata().getName(),
                            MetadataKeys.POD_RULES,
                            e.getMessage());
            paths(added).forEach(byPath::remove);
        }
    }

    @Override
    public void onUpdate(MutatingWebhookConfiguration before, MutatingWebhookConfiguration after) {
        onDelete(before, false);
        onAdd(after);
    }

    @Override
    public void onDelete(MutatingWebhookConfiguration gone, boolean unknown) {
        paths(gone).forEach(byPath::remove);
    }

    private static List<String> paths(MutatingWebhookConfiguration configuration) {
        return configuration.getWebhooks().stream()
                .map(MutatingWebhook::getClientConfig)
                .map(client -> client.getService() == null
                        ? pathOf(client.getUrl())
                        : client.getService().getPath())
                .filter(Objects::nonNull)
                .toList();
    }

    private static @Nullable String pathOf(@Nullable String url) {
        try {
            return url == null ? null : new URI(url).getPath();
        } catch (URISyntaxException e) {
            return null;
        }
    }

    @Override
    public void close() {
        informer.ifPresent(SharedIndexInformer::close);
    }
}
