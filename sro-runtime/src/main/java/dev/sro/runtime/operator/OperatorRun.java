package dev.sro.runtime.operator;

import dev.sro.api.Outcome;
import dev.sro.core.apply.WriteThreads;
import dev.sro.core.client.ChartSources;
import dev.sro.core.client.ClientEvents;
import dev.sro.core.client.ClientOperator;
import dev.sro.core.client.ClusterRegistries;
import dev.sro.core.engine.Timers;
import dev.sro.core.image.Images;
import dev.sro.core.lookup.MonotonicClock;
import dev.sro.core.module.VersionResolver;
import dev.sro.core.partition.AdmissionSettings;
import dev.sro.core.plugin.PluginHost;
import dev.sro.core.recipe.DeadlineGuard;
import dev.sro.core.recipe.chart.CachingRenderer;
import dev.sro.core.recipe.chart.HelmRenderer;
import dev.sro.core.recipe.source.HttpClients;
import dev.sro.core.recipe.source.Registries;
import dev.sro.core.recipe.source.WebTexts;
import dev.sro.core.runtimehook.RuntimeState;
import dev.sro.runtime.Clients;
import dev.sro.runtime.PluginDirectory;
import dev.sro.runtime.SroVersion;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One replica of the operator, from its start to its stop. Thread-safe. */
final class OperatorRun implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(OperatorRun.class);

    /** How often the process looks at itself, and at the file with log levels. */
    private static final Duration TICK = Duration.ofSeconds(5);

    /** Without a tick for so long, something holds up all timers. */
    private static final long STUCK = Duration.ofMinutes(1).toNanos();

    /** After a failure to reach the API server when it starts to lead. */
    private static final Duration AGAIN = Duration.ofSeconds(2);

    /** So often a start may fail for another reason than an API server that does not answer. */
    private static final int MAX_STARTS = 5;

    /** Calls of one plugin at once, hung ones included. */
    private static final int CALLS_PER_PLUGIN = 4;

    /**
     * Threads for writes to different nodes, which is also how many one special resource makes at once: enough to use up 100 requests
     * a second where the API server takes 160 ms for an answer. How many requests there are is bounded by their rate, not by this.
     */
    private static final int WRITES_AT_ONCE = 16;

    /** Reviews that are answered at once; each takes well under a millisecond. */
    private static final int WEBHOOK_THREADS = 4;

    /** Rendered charts that are kept, one for each chart and pool, and how long their texts may be together. */
    private static final int KEPT_RENDERINGS = 64;

    private static final long KEPT_CHARACTERS = 8_000_000;

    /** How long a registry may take to answer. */
    private static final Duration REGISTRY_ANSWER = Duration.ofSeconds(60);

    /** How it ended. */
    enum End {
        /** It was asked to. */
        STOPPED,
        /** Another replica leads: this one has to begin anew. */
        LEASE_LOST,
        /** It leads and could not begin, whatever it tried: another replica, or a new process, may. */
        NOT_STARTED
    }

    private final OperatorSettings settings;
    private final OperatorMetrics metrics = new OperatorMetrics(SroVersion.current());
    private final ExecutorService workers;
    private final ExecutorService writes = Executors.newFixedThreadPool(WRITES_AT_ONCE, named("write"));
    private final ExecutorService calls = Executors.newCachedThreadPool(named("plugin"));
    private final ScheduledExecutorService timers = Executors.newSingleThreadScheduledExecutor(named("timer"));
    /** Starts the operator: that asks the API server, which may be slow, and the timers must not wait for it. */
    private final ExecutorService starter = Executors.newSingleThreadExecutor(named("start"));

    private final ExecutorService election = Executors.newCachedThreadPool(named("election"));
    private final ExecutorService fetches = Executors.newCachedThreadPool(named("chart"));
    private final HelmRenderer renderer = new HelmRenderer();
    private final HttpClients connections = new HttpClients(builder -> builder);
    private final Images images = new Images(new Registries(connections, REGISTRY_ANSWER));
    private final WebTexts web = new WebTexts(connections, REGISTRY_ANSWER);
    private final ExecutorService http = Executors.newFixedThreadPool(2, named("http"));
    private final PluginHost plugins;
    private final KubernetesClient client;
    private final KubernetesClient leaseClient;
    private final Optional<LeaderLease> lease;
    private final @Nullable Endpoints endpoints;
    private final @Nullable Webhooks webhooks;
    private final String ownNamespace;
    private final CompletableFuture<End> end = new CompletableFuture<>();
    private volatile long lastTick = System.nanoTime();
    private volatile boolean draining;
    private volatile boolean stopping;
    private volatile @Nullable ClientOperator operator;
    private volatile String notStarted = "does not lead yet";
    private int failedStarts;

    private OperatorRun(OperatorSettings settings, Logs logs) throws IOException {
        this.settings = settings;
        this.workers = Executors.newFixedThreadPool(settings.workers(), named("worker"));
        this.plugins = PluginDirectory.open(settings.plugins().orElse(null));
        Config config = Clients.config(
                settings.connection().kubeconfig(), settings.connection().context());
        this.leaseClient = Clients.plain(config);
        this.ownNamespace = settings.election()
                .flatMap(OperatorSettings.Election::namespace)
                .orElseGet(() -> namespace(config));
        this.lease = settings.election()
                .map(elected -> new LeaderLease(
                        leaseClient,
                        election,
                        ownNamespace,
                        elected.lease(),
                        elected.identity(),
                        elected.times(),
                        () -> starter.execute(this::lead),
                        this::lost,
                        System::nanoTime));
        RateLimit limit = new RateLimit(settings.requestsPerSecond(), settings.requestBurst(), System::nanoTime);
        this.client = Clients.through(
                config, ApiTraffic.NAME, new ApiTraffic(limit, System::nanoTime, this::mayWrite, metrics.registry()));
        metrics.watch("sro.leader", "1 while this replica leads", () -> mayWrite() && operator != null ? 1 : 0);
        metrics.watch("sro.unseen.kinds", "Kinds that cannot be listed and watched", () -> unseen().size());
        metrics.watch(
                "sro.plugins.rejected",
                "Files in the folder of plugins that are none",
                () -> plugins.rejections().size());
        this.webhooks = settings.webhook().isPresent()
                ? Webhooks.start(
                        settings.webhook().get(),
                        client,
                        Executors.newFixedThreadPool(WEBHOOK_THREADS, named("webhook")))
                : null;
        this.endpoints = settings.port() < 0 ? null : listen();
        var unused = timers.scheduleWithFixedDelay(() -> tick(logs), 0, TICK.toMillis(), TimeUnit.MILLISECONDS);
    }

    /**
     * Starts one; the caller closes it.
     *
     * @throws IOException if the port is taken
     */
    static OperatorRun start(OperatorSettings settings, Logs logs) throws IOException {
        OperatorRun run = new OperatorRun(settings, logs);
        LOG.atInfo().log(
                "SRO {} on {}, plugins {}", SroVersion.current(), run.client.getMasterUrl(), run.plugins.names());
        run.lease.ifPresentOrElse(LeaderLease::start, () -> run.starter.execute(run::lead));
        return run;
    }

    private static ThreadFactory named(String what) {
        AtomicInteger number = new AtomicInteger();
        return task -> {
            Thread thread = new Thread(task, "sro-" + what + "-" + number.incrementAndGet());
            thread.setDaemon(true);
            return thread;
        };
    }

    private static String namespace(Config config) {
        String own = config.getNamespace();
        return own == null || own.isEmpty() ? "default" : own;
    }

    private Endpoints listen() throws IOException {
        Map<String, Supplier<String>> live = new LinkedHashMap<>();
        live.put("timers", () -> System.nanoTime() - lastTick > STUCK ? "no timer has run for a minute" : "");
        Map<String, Supplier<String>> ready = new LinkedHashMap<>(live);
        ready.put("running", () -> draining ? "is stopping" : "");
        ready.put("caches", this::cachesNotReady);
        Webhooks answering = webhooks;
        if (answering != null) {
            ready.put("webhook", answering::fault);
        }
        return Endpoints.start(
                new InetSocketAddress(settings.bindHost(), settings.port()), http, live, ready, metrics::scrape);
    }

    /** A replica that stands by is ready: it would take over at any moment. */
    private String cachesNotReady() {
        if (operator == null) {
            return lease.flatMap(LeaderLease::leader)
                            .filter(name -> !name.equals(identity()))
                            .isPresent()
                    ? ""
                    : notStarted;
        }
        StringBuilder why = new StringBuilder();
        unseen().forEach(
                        (kind, outcome) -> why.append(why.isEmpty() ? "" : "; ").append(text(kind, outcome)));
        return why.toString();
    }

    private String identity() {
        return settings.election().map(OperatorSettings.Election::identity).orElse("");
    }

    private static String text(String kind, Outcome outcome) {
        return outcome instanceof Outcome.Failed failed ? failed.problem().message() : kind + " is being listed";
    }

    private SortedMap<String, Outcome> unseen() {
        ClientOperator running = operator;
        return running == null ? new TreeMap<>() : running.unseen();
    }

    private boolean mayWrite() {
        return !stopping && lease.map(LeaderLease::isHeld).orElse(true);
    }

    /** Whatever goes wrong in it, the next one comes. */
    private void tick(Logs logs) {
        lastTick = System.nanoTime();
        try {
            look(logs);
        } catch (RuntimeException | Error e) {
            LOG.atError().setCause(e).log("cannot look after the process");
        }
    }

    private void look(Logs logs) {
        settings.logLevelFile().ifPresent(logs::read);
        Webhooks answering = webhooks;
        ClientOperator running = operator;
        if (answering != null && answering.tick() && running != null) {
            running.requestAll();
        }
    }

    /** On the starter's thread: whatever is thrown, it is tried again or this replica ends, and never leads without working. */
    private void lead() {
        if (draining || operator != null || !mayWrite()) {
            return;
        }
        try {
            ClientOperator started = ClientOperator.builder()
                    .client(client)
                    .plugins(plugins)
                    .charts(
                            ChartSources.of(client),
                            fetches,
                            new CachingRenderer(renderer, KEPT_RENDERINGS, KEPT_CHARACTERS))
                    .preflights(images, fetches, ClusterRegistries.REGISTRIES_CONF)
                    .driverImages(images, fetches, ClusterRegistries.REGISTRIES_CONF)
                    .builds(settings.builds())
                    .runtimeImage(settings.runtimeImage().orElse(RuntimeState.DEFAULT_IMAGE))
                    .modules(new VersionResolver(images, web::get), fetches)
                    .guard(new DeadlineGuard(calls, settings.pluginDeadline(), CALLS_PER_PLUGIN))
                    .imageMirrors(settings.imageMirrors())
                    .workers(workers)
                    .writeThreads(new WriteThreads(writes, WRITES_AT_ONCE))
                    .background(fetches)
                    .timers(Timers.of(timers))
                    .events(LoggedEvents.before(new ClientEvents(client, workers, MonotonicClock.system())))
                    .metrics(metrics)
                    .relistAfter(settings.relistAfter())
                    .labelGrace(settings.labelGrace())
                    .admission(() -> new AdmissionSettings(
                            List.of(ownNamespace),
                            Optional.ofNullable(webhooks).map(webhook -> webhook.target(ownNamespace))))
                    .start();
            operator = started;
            if (draining) {
                started.close();
                return;
            }
            LOG.atInfo().log("leads");
        } catch (KubernetesClientException e) {
            notStarted = "the API server does not answer: " + e.getMessage();
            LOG.atWarn().log("{}; trying again in {} s", notStarted, AGAIN.toSeconds());
            leadLater();
        } catch (RuntimeException | Error e) {
            notStarted = "cannot start: " + e;
            LOG.atError().setCause(e).log("{}", notStarted);
            if (++failedStarts < MAX_STARTS) {
                leadLater();
            } else {
                end.complete(End.NOT_STARTED);
            }
        }
    }

    private void leadLater() {
        if (draining) {
            return;
        }
        var unused = timers.schedule(() -> starter.execute(this::lead), AGAIN.toMillis(), TimeUnit.MILLISECONDS);
    }

    private void lost() {
        if (!draining) {
            LOG.atError().log("has lost the lease; stops");
            end.complete(End.LEASE_LOST);
        }
    }

    /** The port of probes and metrics, if there is one. */
    Optional<Integer> port() {
        Endpoints listening = endpoints;
        return listening == null ? Optional.empty() : Optional.of(listening.port());
    }

    /** The port of admission webhooks, if there is one. */
    Optional<Integer> webhookPort() {
        Webhooks answering = webhooks;
        return answering == null ? Optional.empty() : Optional.of(answering.port());
    }

    /** Waits until it is stopped, or has to stop. */
    End await() throws InterruptedException {
        try {
            return end.get();
        } catch (ExecutionException e) {
            throw new IllegalStateException(e);
        }
    }

    /**
     * Stops: no further reconcile starts, those that run end (for the time that was set), and then the lease is given back.
     */
    @Override
    public synchronized void close() {
        if (end.isDone() && workers.isTerminated()) {
            return;
        }
        LOG.atInfo().log("stops");
        draining = true;
        ClientOperator running = operator;
        if (running != null) {
            running.close();
        }
        workers.shutdown();
        try {
            if (!workers.awaitTermination(settings.stopTimeout().toMillis(), TimeUnit.MILLISECONDS)) {
                LOG.atWarn()
                        .log(
                                "a reconcile still runs after {} s",
                                settings.stopTimeout().toSeconds());
                workers.shutdownNow();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            workers.shutdownNow();
        }
        stopping = true;
        lease.ifPresent(LeaderLease::close);
        timers.shutdownNow();
        starter.shutdownNow();
        election.shutdownNow();
        Endpoints listening = endpoints;
        if (listening != null) {
            listening.close();
        }
        Webhooks answering = webhooks;
        if (answering != null) {
            answering.close();
        }
        http.shutdownNow();
        client.close();
        leaseClient.close();
        plugins.close();
        writes.shutdownNow();
        calls.shutdownNow();
        fetches.shutdownNow();
        renderer.close();
        metrics.close();
        end.complete(End.STOPPED);
    }
}
