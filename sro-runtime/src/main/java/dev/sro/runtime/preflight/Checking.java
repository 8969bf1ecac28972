package dev.sro.runtime.preflight;

import dev.sro.api.resource.PreflightValidation;
import dev.sro.api.resource.PreflightValidationSpec;
import dev.sro.api.resource.PreflightValidationStatus;
import dev.sro.api.resource.SpecialResourcePreflight;
import dev.sro.api.resource.VerificationStatus;
import dev.sro.core.client.ClientOperator;
import dev.sro.core.client.source.ChartSources;
import dev.sro.core.client.source.ClusterRegistries;
import dev.sro.core.engine.Forecasts;
import dev.sro.core.engine.port.EventSink;
import dev.sro.core.engine.port.Timers;
import dev.sro.core.image.Images;
import dev.sro.core.image.RegistrySettings;
import dev.sro.core.outgoing.OutgoingGate;
import dev.sro.core.plugin.PluginHost;
import dev.sro.core.preflight.PreflightReconciler;
import dev.sro.core.recipe.chart.CachingRenderer;
import dev.sro.core.recipe.chart.HelmRenderer;
import dev.sro.core.recipe.source.HttpClients;
import dev.sro.core.recipe.source.Registries;
import dev.sro.runtime.PluginCalls;
import dev.sro.runtime.PluginOptions;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadFactory;

/** A preflight from this machine: an operator that watches and never reconciles, and the checks. Stateless. */
final class Checking {

    /** For the caches to fill, and for charts to come. */
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private static final Duration REGISTRY_ANSWER = Duration.ofSeconds(60);
    private static final Duration LOOK = Duration.ofMillis(100);

    private Checking() {}

    /** @throws IOException if it cannot be begun; the message says why */
    static PreflightValidationStatus run(
            KubernetesClient client, PluginOptions plugins, PreflightValidation asked, Path mirrors)
            throws IOException {
        ThreadFactory daemons = task -> {
            Thread thread = new Thread(task, "sro-preflight");
            thread.setDaemon(true);
            return thread;
        };
        ExecutorService fetches = Executors.newCachedThreadPool(daemons);
        ScheduledExecutorService timers = Executors.newSingleThreadScheduledExecutor(daemons);
        HttpClients connections = new HttpClients(OutgoingGate.open());
        Images images = new Images(new Registries(connections, REGISTRY_ANSWER));
        try (PluginCalls calls = plugins.calls();
                PluginHost host = plugins.open();
                HelmRenderer renderer = new HelmRenderer();
                ClientOperator watching = ClientOperator.builder()
                        .client(client)
                        .plugins(host)
                        .guard(calls.guard())
                        .charts(
                                ChartSources.create(client, connections),
                                fetches,
                                new CachingRenderer(renderer, 16, 8_000_000))
                        .toolkits(images, fetches, mirrors)
                        .workers(reconcile -> {})
                        .events(EventSink.none())
                        .timers(Timers.of(timers))
                        .relistAfter(Duration.ZERO)
                        .start()) {
            Forecasts forecasts = watching.engine().forecasts();
            RegistrySettings settings = new ClusterRegistries(
                            client, mirrors, () -> forecasts.cluster().isOpenShift())
                    .read(Optional.ofNullable(asked.getSpec())
                            .map(PreflightValidationSpec::getPullSecret)
                            .orElse(null));
            return check(forecasts, images, asked, settings);
        } finally {
            fetches.shutdownNow();
            timers.shutdownNow();
        }
    }

    private static PreflightValidationStatus check(
            Forecasts forecasts, Images images, PreflightValidation asked, RegistrySettings settings)
            throws IOException {
        Clock clock = Clock.systemUTC();
        PreflightReconciler checks =
                new PreflightReconciler(new Nowhere(), unused -> settings, forecasts, images, clock);
        Instant end = clock.instant().plus(PATIENCE);
        while (true) {
            Optional<String> filling = forecasts.filling();
            PreflightValidationStatus status =
                    filling.isPresent() ? new PreflightValidationStatus() : checks.check(asked, settings);
            boolean pending = filling.isPresent()
                    || status.getSrStatuses().stream()
                            .map(SpecialResourcePreflight::getVerificationStatus)
                            .anyMatch(VerificationStatus.UNKNOWN::equals);
            if (!pending) {
                return status;
            }
            if (clock.instant().isAfter(end)) {
                if (filling.isPresent()) {
                    throw new IOException(filling.get());
                }
                return status;
            }
            pause();
        }
    }

    private static void pause() throws IOException {
        try {
            Thread.sleep(LOOK.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    /** There is no preflight in the cluster whose status could be written. */
    private static final class Nowhere implements PreflightReconciler.Store {
        @Override
        public Optional<PreflightValidation> find(String name) {
            return Optional.empty();
        }

        @Override
        public void writeStatus(PreflightValidation preflight, PreflightValidationStatus status) {
            throw new IllegalStateException("there is no preflight to write to");
        }
    }
}
