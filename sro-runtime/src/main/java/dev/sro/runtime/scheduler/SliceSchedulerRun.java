package dev.sro.runtime.scheduler;

import dev.sro.core.lease.LeaderLease;
import dev.sro.core.placement.SlicePodRules;
import dev.sro.core.slicing.catalogue.Catalogue;
import dev.sro.runtime.webhook.AdmissionEndpoints;
import dev.sro.runtime.webhook.ServingCertificate;
import dev.sro.runtime.webhook.SlicesEndpoint;
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
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One replica of {@code sro slices scheduler}, from its start to its stop. Thread-safe. */
final class SliceSchedulerRun implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(SliceSchedulerRun.class);

    private static final Duration TICK = Duration.ofSeconds(5);

    /** A scheduler filters one pod at a time, and binds several. */
    private static final int HTTP_THREADS = 16;

    /**
     * What it does.
     *
     * @param extender where a scheduler is answered; empty for nowhere
     * @param certificates folder of the extender's; empty for plain HTTP
     * @param clientCa who signs certificates of schedulers; empty for anybody
     * @param gates whether gates are opened
     * @param election empty where one replica runs
     * @param webhook where pods with slices are changed before they are stored; empty for nowhere
     * @param probes where kubelet is answered; empty for nowhere but the extender
     * @param agents the DaemonSet that a DASOperator is about; empty where nobody acts on one
     */
    record Settings(
            Optional<InetSocketAddress> extender,
            Optional<Path> certificates,
            Optional<Path> clientCa,
            boolean gates,
            Optional<Election> election,
            Optional<Webhook> webhook,
            Optional<InetSocketAddress> probes,
            Optional<DasOperatorActor.Agents> agents) {
        /** Acting on no DASOperator. */
        Settings(
                Optional<InetSocketAddress> extender,
                Optional<Path> certificates,
                Optional<Path> clientCa,
                boolean gates,
                Optional<Election> election,
                Optional<Webhook> webhook,
                Optional<InetSocketAddress> probes) {
            this(extender, certificates, clientCa, gates, election, webhook, probes, Optional.empty());
        }

        /** Whether pods are placed at all. */
        boolean places() {
            return gates || extender.isPresent();
        }
    }

    /** A server of the webhook, with the folder of its certificate. */
    record Webhook(InetSocketAddress address, Path certificates) {}

    /** The Lease. */
    record Election(String namespace, String name, LeaderLease.Times times) {}

    private final KubernetesClient client;
    private final ScheduledExecutorService timers = Executors.newSingleThreadScheduledExecutor(named("timer"));
    private final ExecutorService work = Executors.newSingleThreadExecutor(named("place"));
    private final ExecutorService http = Executors.newFixedThreadPool(HTTP_THREADS, named("extender"));
    private final ExecutorService elector = Executors.newCachedThreadPool(named("lease"));
    private final SliceScheduler scheduler;
    private final Optional<DasOperatorActor> das;
    private final Optional<LeaderLease> lease;
    private final boolean places;
    private @Nullable ExtenderServer server;
    private @Nullable ExtenderServer probes;
    private @Nullable WebhookServer webhook;
    private volatile boolean lost;

    private SliceSchedulerRun(Settings settings, KubernetesClient client, Catalogue catalogue, Runnable onLost) {
        this.client = client;
        this.places = settings.places();
        this.lease = settings.election()
                .map(election -> new LeaderLease(
                        client,
                        elector,
                        election.namespace(),
                        election.name(),
                        "sro-slices-" + UUID.randomUUID(),
                        election.times(),
                        () -> LOG.atInfo().log("leads"),
                        () -> {
                            lost = true;
                            onLost.run();
                        },
                        System::nanoTime));
        this.scheduler = new SliceScheduler(
                client,
                catalogue,
                new SliceScheduler.Duties(settings.gates(), settings.extender().isPresent()),
                this::leads,
                Clock.systemUTC(),
                work);
        this.das = settings.agents()
                .map(agents -> new DasOperatorActor(client, agents, this::leads, Clock.systemUTC(), work));
    }

    /**
     * Starts one, which closes the client with itself.
     *
     * @param onLost called when the lease is lost
     * @throws IOException if the port is taken, or a certificate cannot be read
     */
    static SliceSchedulerRun start(Settings settings, KubernetesClient client, Catalogue catalogue, Runnable onLost)
            throws IOException {
        SliceSchedulerRun run = new SliceSchedulerRun(settings, client, catalogue, onLost);
        try {
            run.begin(settings);
            return run;
        } catch (IOException | RuntimeException e) {
            run.close();
            throw e;
        }
    }

    private void begin(Settings settings) throws IOException {
        if (places) {
            scheduler.start();
        }
        das.ifPresent(DasOperatorActor::start);
        if (settings.webhook().isPresent()) {
            admit(settings.webhook().get());
        }
        if (settings.probes().isPresent()) {
            probes = ExtenderServer.start(
                    settings.probes().get(), Optional.empty(), http, (path, body) -> Optional.empty(), this::isReady);
        }
        if (settings.extender().isPresent()) {
            Optional<ExtenderServer.Tls> tls = settings.certificates()
                    .map(folder -> new ExtenderServer.Tls(new ServingCertificate(folder), settings.clientCa()));
            server = ExtenderServer.start(
                    settings.extender().get(), tls, http, scheduler.extender()::answer, scheduler::isFilled);
            tls.ifPresent(given -> {
                var unused = timers.scheduleWithFixedDelay(
                        given.certificate()::reload, TICK.toMillis(), TICK.toMillis(), TimeUnit.MILLISECONDS);
            });
        }
        lease.ifPresent(LeaderLease::start);
        var unused = timers.scheduleWithFixedDelay(this::tick, TICK.toMillis(), TICK.toMillis(), TimeUnit.MILLISECONDS);
    }

    private void admit(Webhook settings) throws IOException {
        ServingCertificate certificate = new ServingCertificate(settings.certificates());
        if (!certificate.isThere()) {
            LOG.atWarn().log("webhook: {}", certificate.fault());
        }
        webhook = WebhookServer.start(
                settings.address(),
                certificate,
                http,
                new AdmissionEndpoints(Map.of(SlicePodRules.PATH, new SlicesEndpoint())));
        var unused = timers.scheduleWithFixedDelay(
                certificate::reload, TICK.toMillis(), TICK.toMillis(), TimeUnit.MILLISECONDS);
    }

    private void tick() {
        try {
            if (places) {
                scheduler.tick();
                scheduler.request();
            }
            das.ifPresent(DasOperatorActor::request);
        } catch (RuntimeException e) {
            LOG.atError().setCause(e).log("cannot look after claims");
        }
    }

    private boolean leads() {
        return lease.map(LeaderLease::isHeld).orElse(true);
    }

    private static ThreadFactory named(String what) {
        AtomicInteger number = new AtomicInteger();
        return task -> {
            Thread thread = new Thread(task, "sro-" + what + "-" + number.incrementAndGet());
            thread.setDaemon(true);
            return thread;
        };
    }

    /** The port of the extender, if there is one. */
    Optional<Integer> port() {
        return Optional.ofNullable(server).map(ExtenderServer::port);
    }

    /** The port of the webhook, if there is one. */
    Optional<Integer> webhookPort() {
        return Optional.ofNullable(webhook).map(WebhookServer::port);
    }

    Optional<Integer> probesPort() {
        return Optional.ofNullable(probes).map(ExtenderServer::port);
    }

    /** Whether answers are worth something. The certificate of a webhook may come later, as nobody is asked before it is installed. */
    boolean isReady() {
        return (!places || scheduler.isFilled())
                && das.map(DasOperatorActor::isFilled).orElse(true);
    }

    /** Whether it stopped because somebody else leads now. */
    boolean isLost() {
        return lost;
    }

    @Override
    public void close() {
        timers.shutdownNow();
        ExtenderServer serving = server;
        if (serving != null) {
            serving.close();
        }
        ExtenderServer probing = probes;
        if (probing != null) {
            probing.close();
        }
        WebhookServer admitting = webhook;
        if (admitting != null) {
            admitting.close();
        }
        http.shutdownNow();
        work.shutdown();
        lease.ifPresent(LeaderLease::close);
        scheduler.close();
        das.ifPresent(DasOperatorActor::close);
        elector.shutdownNow();
        client.close();
    }
}
