package dev.sro.runtime.operator;

import dev.sro.core.embed.OperatorEnd;
import dev.sro.core.embed.OperatorTimers;
import dev.sro.core.embed.OperatorTimes;
import dev.sro.core.embed.SpecialResourceOperator;
import dev.sro.core.embed.SpecialResourceOperatorBuilder;
import dev.sro.core.partition.AdmissionSettings;
import dev.sro.core.plugin.PluginHost;
import dev.sro.runtime.Clients;
import dev.sro.runtime.PluginDirectory;
import dev.sro.runtime.SroVersion;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
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

    /** Reviews that are answered at once; each takes well under a millisecond. */
    private static final int WEBHOOK_THREADS = 4;

    /** Two may wait for the API server to say who asks for metrics; probes still have two. */
    private static final int HTTP_THREADS = 4;

    private final OperatorSettings settings;
    private final OperatorMetrics metrics = new OperatorMetrics(SroVersion.current());
    private final ScheduledExecutorService timers = Executors.newSingleThreadScheduledExecutor(named("timer"));
    private final ScheduledExecutorService pluginLooks = Executors.newSingleThreadScheduledExecutor(named("plugins"));
    private final ExecutorService http = Executors.newFixedThreadPool(HTTP_THREADS, named("http"));
    private final PluginHost plugins;
    private final KubernetesClient client;
    private final KubernetesClient leaseClient;
    private volatile @Nullable SpecialResourceOperator operator;
    private final @Nullable Endpoints endpoints;
    private final @Nullable MetricsServer metricsServer;
    private final @Nullable Webhooks webhooks;
    private final String ownNamespace;
    private volatile long lastTick = System.nanoTime();
    private volatile boolean draining;
    private boolean closed;

    private OperatorRun(OperatorSettings settings, Logs logs) throws IOException {
        this.settings = settings;
        PluginSources sources = settings.trust().plugins();
        this.plugins = PluginDirectory.open(settings.plugins().orElse(null), sources.further(), sources::trust);
        Config config = Clients.config(
                settings.connection().kubeconfig(), settings.connection().context());
        this.leaseClient = Clients.plain(config);
        this.ownNamespace = settings.election()
                .flatMap(OperatorSettings.Election::namespace)
                .orElseGet(() -> namespace(config));
        RateLimit limit = new RateLimit(settings.requestsPerSecond(), settings.requestBurst(), System::nanoTime);
        this.client = Clients.through(
                config, ApiTraffic.NAME, new ApiTraffic(limit, System::nanoTime, this::mayWrite, metrics.registry()));
        metrics.ofProcess(
                this::isLeading, this::unseen, () -> plugins.rejections().size());
        this.webhooks = settings.webhook().isPresent()
                ? Webhooks.start(
                        settings.webhook().get(),
                        client,
                        Executors.newFixedThreadPool(WEBHOOK_THREADS, named("webhook")))
                : null;
        this.endpoints = settings.port() < 0 ? null : listen();
        this.metricsServer = settings.trust().metrics().isPresent()
                ? MetricsServer.start(
                        settings.trust().metrics().get(),
                        SelfSigned.context("special-resource-operator", Instant.now(Clock.systemUTC())),
                        http,
                        // Not the other client, which lets a replica that does not lead write nothing: not even a
                        // review.
                        new MetricsAccess(leaseClient, System::nanoTime),
                        metrics::scrape)
                : null;
        var unused = timers.scheduleWithFixedDelay(() -> tick(logs), 0, TICK.toMillis(), TimeUnit.MILLISECONDS);
        watchPlugins(sources.rescan().toMillis());
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
        run.operator = run.special().start();
        return run;
    }

    /** On a thread of its own: code of plugins runs while they are loaded, and holds up no timer. */
    private void watchPlugins(long millis) {
        if (millis > 0) {
            PluginReload reload = new PluginReload(plugins, this::requestAll);
            var unused = pluginLooks.scheduleWithFixedDelay(reload, millis, millis, TimeUnit.MILLISECONDS);
        }
    }

    private void requestAll() {
        SpecialResourceOperator running = operator;
        if (running != null) {
            running.requestAll();
        }
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
                new InetSocketAddress(settings.bindHost(), settings.port()),
                http,
                live,
                ready,
                settings.trust().metrics().isPresent() ? null : metrics::scrape);
    }

    /** Where SRO is put together is the front door of its embedders; what is added is what only a process of its own has. */
    private SpecialResourceOperatorBuilder special() {
        SpecialResourceOperatorBuilder builder = SpecialResourceOperator.builder()
                .client(client)
                .leaseClient(leaseClient)
                .loaded(plugins)
                .serves(settings.selector())
                .namespace(ownNamespace)
                .recipeAccount(settings.recipeAccount())
                .workers(settings.workers())
                .outgoing(settings.trust().outgoing().toString())
                .registriesConf(settings.trust().registriesConf())
                .timers(OperatorTimers.of(timers))
                .times(new OperatorTimes(
                        settings.pluginDeadline(),
                        settings.relistAfter(),
                        settings.labelGrace(),
                        settings.stopTimeout()))
                .inBackground()
                .adjust((operation, blocking) -> operation
                        .metrics(metrics)
                        .eventsThrough(LoggedEvents::before)
                        .imageMirrors(settings.imageMirrors())
                        .builds(settings.builds())
                        .admission(() -> new AdmissionSettings(
                                List.of(ownNamespace),
                                Optional.ofNullable(webhooks).map(webhook -> webhook.target(ownNamespace)))));
        settings.runtimeImage().ifPresent(builder::runtimeImage);
        settings.helm().ifPresent(builder::helmCommand);
        settings.election().ifPresent(elected -> builder.lease(elected.lease()));
        return builder;
    }

    private String cachesNotReady() {
        SpecialResourceOperator started = operator;
        return started == null ? "does not lead yet" : started.notReady();
    }

    private double unseen() {
        SpecialResourceOperator started = operator;
        return started == null ? 0 : started.unseen().size();
    }

    private double isLeading() {
        SpecialResourceOperator started = operator;
        return started != null && started.isRunning() ? 1 : 0;
    }

    /** What is not started yet asks by itself before it writes. */
    private boolean mayWrite() {
        SpecialResourceOperator started = operator;
        return started == null || started.mayWrite();
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
        if (answering != null && answering.tick()) {
            requestAll();
        }
    }

    /** The port of probes and metrics, if there is one. */
    Optional<Integer> port() {
        Endpoints listening = endpoints;
        return listening == null ? Optional.empty() : Optional.of(listening.port());
    }

    /** The port of metrics, if they have one of their own. */
    Optional<Integer> metricsPort() {
        return Optional.ofNullable(metricsServer).map(MetricsServer::port);
    }

    /** The port of admission webhooks, if there is one. */
    Optional<Integer> webhookPort() {
        Webhooks answering = webhooks;
        return answering == null ? Optional.empty() : Optional.of(answering.port());
    }

    /** Waits until it is stopped, or has to stop. */
    OperatorEnd await() throws InterruptedException {
        return Objects.requireNonNull(operator, "operator").await();
    }

    /**
     * Stops: no further reconcile starts, those that run end (for the time that was set), and then the lease is given back.
     */
    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        closed = true;
        LOG.atInfo().log("stops");
        draining = true;
        SpecialResourceOperator running = operator;
        if (running != null) {
            running.close();
        }
        timers.shutdownNow();
        pluginLooks.shutdownNow();
        Endpoints listening = endpoints;
        if (listening != null) {
            listening.close();
        }
        MetricsServer measured = metricsServer;
        if (measured != null) {
            measured.close();
        }
        Webhooks answering = webhooks;
        if (answering != null) {
            answering.close();
        }
        http.shutdownNow();
        client.close();
        leaseClient.close();
        metrics.close();
    }
}
