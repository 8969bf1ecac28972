package dev.sro.runtime.allocator;

import dev.sro.core.lease.LeaderLease;
import dev.sro.core.placement.SliceWebhook;
import dev.sro.core.slicing.catalogue.Catalogue;
import dev.sro.runtime.scheduler.ProbeServer;
import dev.sro.runtime.webhook.AdmissionEndpoints;
import dev.sro.runtime.webhook.LimitsEndpoint;
import dev.sro.runtime.webhook.ServingCertificate;
import dev.sro.runtime.webhook.WebhookServer;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One replica of {@code sro slices allocator}, from its start to its stop. Thread-safe. */
final class AllocatorRun implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(AllocatorRun.class);

    private static final Duration TICK = Duration.ofSeconds(5);

    /** An API server asks about several pods at a time. */
    private static final int ADMISSION_THREADS = 8;

    /**
     * What it does.
     *
     * @param namespace of the Lease
     * @param name of the Lease
     * @param probes where kubelet is answered; empty for nowhere
     * @param webhook where pods that ask by limits are changed before they are stored; empty for nowhere
     */
    record Settings(
            AllocatorOptions options,
            String namespace,
            String name,
            LeaderLease.Times times,
            Optional<InetSocketAddress> probes,
            Optional<Webhook> webhook) {}

    /** A server of the webhook, with the folder of its certificate. */
    record Webhook(InetSocketAddress address, Path certificates) {}

    private final KubernetesClient client;
    private final ScheduledExecutorService timers = Executors.newSingleThreadScheduledExecutor(named("timer"));
    private final ExecutorService work = Executors.newSingleThreadExecutor(named("allocate"));
    private final ExecutorService http = Executors.newFixedThreadPool(2, named("probes"));
    private final ExecutorService elector = Executors.newCachedThreadPool(named("lease"));
    private final ClaimAllocator allocator;
    private final LeaderLease lease;
    private final ExecutorService admission = Executors.newFixedThreadPool(ADMISSION_THREADS, named("webhook"));
    private @Nullable ProbeServer probes;
    private @Nullable WebhookServer webhook;
    private volatile boolean lost;

    private AllocatorRun(Settings settings, KubernetesClient client, Catalogue catalogue, Runnable onLost) {
        this.client = client;
        this.lease = new LeaderLease(
                client,
                elector,
                settings.namespace(),
                settings.name(),
                "sro-allocator-" + UUID.randomUUID(),
                settings.times(),
                this::leading,
                () -> {
                    lost = true;
                    onLost.run();
                },
                System::nanoTime);
        this.allocator = new ClaimAllocator(
                client,
                settings.options(),
                catalogue,
                lease::isHeld,
                new MoveLedger(client, lease::isHeld, settings.namespace(), settings.name()),
                Clock.systemUTC(),
                this::later);
    }

    private void leading() {
        LOG.atInfo().log("leads");
        allocator.request();
    }

    /** What comes after the stop is not done. */
    private void later(Runnable task) {
        try {
            work.execute(task);
        } catch (RejectedExecutionException e) {
            LOG.atDebug().log("stopped");
        }
    }

    /**
     * Starts one, which closes the client with itself.
     *
     * @param onLost called when the lease is lost
     * @throws IOException if the port of the probes is taken
     */
    static AllocatorRun start(Settings settings, KubernetesClient client, Catalogue catalogue, Runnable onLost)
            throws IOException {
        AllocatorRun run = new AllocatorRun(settings, client, catalogue, onLost);
        try {
            run.begin(settings);
            return run;
        } catch (IOException | RuntimeException e) {
            run.close();
            throw e;
        }
    }

    private void begin(Settings settings) throws IOException {
        allocator.start();
        if (settings.probes().isPresent()) {
            probes = ProbeServer.start(
                    settings.probes().get(),
                    http,
                    allocator::isFilled,
                    () -> allocator.moves().text());
        }
        if (settings.webhook().isPresent()) {
            admit(settings.webhook().get());
        }
        lease.start();
        var unused =
                timers.scheduleWithFixedDelay(allocator::tick, TICK.toMillis(), TICK.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** All replicas answer, whoever leads. */
    private void admit(Webhook settings) throws IOException {
        ServingCertificate certificate = new ServingCertificate(settings.certificates());
        if (!certificate.isThere()) {
            LOG.atWarn().log("webhook: {}", certificate.fault());
        }
        LimitsEndpoint limits = new LimitsEndpoint(
                () -> Optional.of(allocator).filter(ClaimAllocator::isFilled).map(ClaimAllocator::limitClasses));
        webhook = WebhookServer.start(
                settings.address(),
                certificate,
                admission,
                new AdmissionEndpoints(Map.of(SliceWebhook.LIMITS_PATH, limits)));
        var unused = timers.scheduleWithFixedDelay(
                certificate::reload, TICK.toMillis(), TICK.toMillis(), TimeUnit.MILLISECONDS);
    }

    private static ThreadFactory named(String what) {
        AtomicInteger number = new AtomicInteger();
        return task -> {
            Thread thread = new Thread(task, "sro-" + what + "-" + number.incrementAndGet());
            thread.setDaemon(true);
            return thread;
        };
    }

    /** Whether all that is watched was seen once. */
    boolean isReady() {
        return allocator.isFilled();
    }

    /** The port of the webhook, if there is one. */
    Optional<Integer> webhookPort() {
        return Optional.ofNullable(webhook).map(WebhookServer::port);
    }

    /** Whether it stopped because somebody else leads now. */
    boolean isLost() {
        return lost;
    }

    @Override
    public void close() {
        timers.shutdownNow();
        ProbeServer probing = probes;
        if (probing != null) {
            probing.close();
        }
        WebhookServer admitting = webhook;
        if (admitting != null) {
            admitting.close();
        }
        admission.shutdownNow();
        http.shutdownNow();
        work.shutdown();
        lease.close();
        allocator.close();
        elector.shutdownNow();
        client.close();
    }
}
