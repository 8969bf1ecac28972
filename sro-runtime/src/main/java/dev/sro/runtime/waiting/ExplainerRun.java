package dev.sro.runtime.waiting;

import dev.sro.core.lease.LeaderLease;
import dev.sro.core.slicing.catalogue.Catalogue;
import dev.sro.runtime.scheduler.ProbeServer;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Clock;
import java.time.Duration;
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

/** One replica of {@code sro slices explainer}, from its start to its stop. Thread-safe. */
final class ExplainerRun implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ExplainerRun.class);

    private static final Duration TICK = Duration.ofSeconds(5);

    /**
     * What it does.
     *
     * @param work how much
     * @param namespace of the Lease
     * @param name of the Lease
     * @param probes where kubelet and Prometheus are answered; empty for nowhere
     */
    record Settings(
            SliceExplainer.Settings work,
            String namespace,
            String name,
            LeaderLease.Times times,
            Optional<InetSocketAddress> probes) {}

    private final KubernetesClient client;
    private final ScheduledExecutorService timers = Executors.newSingleThreadScheduledExecutor(named("timer"));
    private final ExecutorService work = Executors.newSingleThreadExecutor(named("explain"));
    private final ExecutorService http = Executors.newFixedThreadPool(2, named("probes"));
    private final ExecutorService elector = Executors.newCachedThreadPool(named("lease"));
    private final SliceExplainer explainer;
    private final LeaderLease lease;
    private @Nullable ProbeServer probes;
    private volatile boolean lost;

    private ExplainerRun(Settings settings, KubernetesClient client, Catalogue catalogue, Runnable onLost) {
        this.client = client;
        this.lease = new LeaderLease(
                client,
                elector,
                settings.namespace(),
                settings.name(),
                "sro-explainer-" + UUID.randomUUID(),
                settings.times(),
                this::leading,
                () -> {
                    lost = true;
                    onLost.run();
                },
                System::nanoTime);
        this.explainer =
                new SliceExplainer(client, settings.work(), catalogue, lease::isHeld, Clock.systemUTC(), this::later);
    }

    private void leading() {
        LOG.atInfo().log("leads");
        explainer.tick();
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
    static ExplainerRun start(Settings settings, KubernetesClient client, Catalogue catalogue, Runnable onLost)
            throws IOException {
        ExplainerRun run = new ExplainerRun(settings, client, catalogue, onLost);
        try {
            run.begin(settings);
            return run;
        } catch (IOException | RuntimeException e) {
            run.close();
            throw e;
        }
    }

    private void begin(Settings settings) throws IOException {
        explainer.start();
        if (settings.probes().isPresent()) {
            probes = ProbeServer.start(settings.probes().get(), http, explainer::isFilled, explainer.metrics()::text);
        }
        lease.start();
        var unused =
                timers.scheduleWithFixedDelay(explainer::tick, TICK.toMillis(), TICK.toMillis(), TimeUnit.MILLISECONDS);
    }

    private static ThreadFactory named(String what) {
        AtomicInteger number = new AtomicInteger();
        return task -> {
            Thread thread = new Thread(task, "sro-" + what + "-" + number.incrementAndGet());
            thread.setDaemon(true);
            return thread;
        };
    }

    /** The port of the probes, if there is one. */
    Optional<Integer> port() {
        return Optional.ofNullable(probes).map(ProbeServer::port);
    }

    /** Whether all that is watched was seen once. */
    boolean isReady() {
        return explainer.isFilled();
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
        http.shutdownNow();
        work.shutdown();
        lease.close();
        explainer.close();
        elector.shutdownNow();
        client.close();
    }
}
