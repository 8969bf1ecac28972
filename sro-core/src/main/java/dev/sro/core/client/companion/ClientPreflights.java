package dev.sro.core.client.companion;

import dev.sro.api.resource.PreflightValidation;
import dev.sro.api.resource.PreflightValidationSpec;
import dev.sro.api.resource.PreflightValidationStatus;
import dev.sro.api.resource.SpecialResource;
import dev.sro.api.resource.VerificationStatus;
import dev.sro.core.apply.WriteException;
import dev.sro.core.client.cache.NamedCache;
import dev.sro.core.client.watch.KindWatch;
import dev.sro.core.client.writer.ClientWriter;
import dev.sro.core.engine.Controller;
import dev.sro.core.engine.Forecasts;
import dev.sro.core.engine.port.Metrics;
import dev.sro.core.engine.port.Timers;
import dev.sro.core.image.Images;
import dev.sro.core.preflight.PreflightReconciler;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Executor;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The preflights of a cluster: a watch, a queue of their own and the checks. Beside the special resources, which they do not
 * hold up. Thread-safe.
 */
public final class ClientPreflights implements PreflightReconciler.Store, AutoCloseable {

    public static final String KIND =
            SpecialResource.GROUP + "/" + SpecialResource.VERSION + "/" + PreflightValidation.KIND;

    /** {@code plural.group}, as its definition is called. */
    public static final String RESOURCE = "preflightvalidations." + SpecialResource.GROUP;

    private static final Logger LOG = LoggerFactory.getLogger(ClientPreflights.class);

    /**
     * What the checks need.
     *
     * @param images reads registries
     * @param executor runs the checks; its tasks block
     * @param settings how registries are reached
     * @param metrics is told the verdicts
     * @param serves whether a preflight is looked after here
     */
    public record Services(
            Images images,
            Executor executor,
            PreflightReconciler.Settings settings,
            Metrics metrics,
            Predicate<HasMetadata> serves) {}

    private final ClientWriter writer;
    private final Metrics metrics;
    private final Predicate<HasMetadata> serves;
    private final Controller controller;
    private final KindWatch watch;
    private final NamedCache<PreflightValidation> preflights = new NamedCache<>();

    public ClientPreflights(
            KubernetesClient client,
            ClientWriter writer,
            Forecasts forecasts,
            Services means,
            Timers timers,
            Clock clock) {
        this.writer = writer;
        this.metrics = means.metrics();
        this.serves = means.serves();
        PreflightReconciler reconciler =
                new PreflightReconciler(this, means.settings(), forecasts, means.images(), clock);
        this.controller =
                new Controller((name, looking) -> reconciler.reconcile(name), means.executor(), timers, clock);
        this.watch = KindWatch.start(
                KIND,
                () -> client.resources(PreflightValidation.class).runnableInformer(0),
                unused -> new PreflightValidation(),
                new KindWatch.Handlers<>(this::seen, this::gone),
                this::requestAll,
                clock);
    }

    private void seen(PreflightValidation preflight) {
        if (!serves.test(preflight)) {
            gone(preflight);
            return;
        }
        preflights.seen(preflight);
        controller.request(preflight.getMetadata().getName());
    }

    private void gone(PreflightValidation preflight) {
        preflights.gone(preflight);
        controller.request(preflight.getMetadata().getName());
    }

    /** Something changed that may matter: a special resource, its chart. */
    public void requestAll() {
        preflights.names().forEach(controller::request);
    }

    /** All kernels that the preflights are about, as far as they are found out. */
    public Set<String> kernels() {
        Set<String> kernels = new TreeSet<>();
        for (PreflightValidation preflight : preflights.all()) {
            PreflightValidationSpec spec = preflight.getSpec();
            if (spec != null && !spec.getKernelVersion().isBlank()) {
                kernels.add(spec.getKernelVersion().strip());
            }
            PreflightValidationStatus status = preflight.getStatus();
            if (status != null) {
                status.getTargets().forEach(target -> {
                    kernels.add(String.valueOf(target.getKernelVersion()));
                    kernels.add(String.valueOf(target.getRealTimeKernelVersion()));
                });
            }
        }
        return kernels;
    }

    /** See {@link KindWatch#check}. */
    public void check(Duration silence) {
        watch.check(silence);
    }

    @Override
    public Optional<PreflightValidation> find(String name) {
        return preflights.find(name);
    }

    @Override
    public void judged(String name, Map<String, VerificationStatus> verdicts) {
        metrics.preflight(name, verdicts);
    }

    @Override
    public void writeStatus(PreflightValidation preflight, PreflightValidationStatus status) throws IOException {
        try {
            preflights.answered(writer.applyStatus(preflight, status, PreflightValidation.class));
        } catch (WriteException e) {
            LOG.atWarn()
                    .log(
                            "status of PreflightValidation {}: {}",
                            preflight.getMetadata().getName(),
                            e.getMessage());
            throw new IOException(e.getMessage(), e);
        }
    }

    @Override
    public void close() {
        controller.close();
        watch.close();
    }
}
