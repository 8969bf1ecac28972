package dev.sro.core.embed;

import dev.sro.core.apply.WriteThreads;
import dev.sro.core.client.ClientOperator;
import dev.sro.core.client.ClientOperatorBuilder;
import dev.sro.core.client.OperatorScope;
import dev.sro.core.client.source.ChartSources;
import dev.sro.core.engine.port.EventSink;
import dev.sro.core.engine.port.Metrics;
import dev.sro.core.image.Images;
import dev.sro.core.module.VersionResolver;
import dev.sro.core.outgoing.NameResolver;
import dev.sro.core.outgoing.OutgoingGate;
import dev.sro.core.partition.AdmissionSettings;
import dev.sro.core.plan.Plan;
import dev.sro.core.plugin.Plugins;
import dev.sro.core.recipe.DeadlineGuard;
import dev.sro.core.recipe.chart.CachingRenderer;
import dev.sro.core.recipe.chart.HelmRenderer;
import dev.sro.core.recipe.source.HttpClients;
import dev.sro.core.recipe.source.Registries;
import dev.sro.core.recipe.source.WebTexts;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Puts an operator together: each part that is not left out, with all that it needs. Thread-safe. */
final class OperatorAssembly implements AutoCloseable {

    /** Calls of one plugin at once, hung ones included. */
    private static final int CALLS_PER_PLUGIN = 4;

    /** Rendered charts that are kept, one for each chart and pool, and how long their texts may be together. */
    private static final int KEPT_RENDERINGS = 64;

    private static final long KEPT_CHARACTERS = 8_000_000;

    /** The time that a registry may take to answer. */
    private static final Duration REGISTRY_ANSWER = Duration.ofSeconds(60);

    private final SpecialResourceOperatorBuilder options;
    private final KubernetesClient client;
    private final Plugins plugins;
    private final OperatorThreads threads;
    private final OperatorProxies proxies = new OperatorProxies(System.getenv());
    private @Nullable HelmRenderer renderer;

    OperatorAssembly(
            SpecialResourceOperatorBuilder options, KubernetesClient client, Plugins plugins, OperatorThreads threads) {
        this.options = options;
        this.client = client;
        this.plugins = plugins;
        this.threads = threads;
    }

    /**
     * Starts one.
     *
     * @param mayWrite asked before each write
     * @throws io.fabric8.kubernetes.client.KubernetesClientException if the API server does not answer
     */
    ClientOperator start(BooleanSupplier mayWrite) {
        OperatorExecutors executors = threads.executors();
        ClientOperatorBuilder operator = ClientOperator.builder()
                .client(client)
                .plugins(plugins)
                .scope(new OperatorScope(options.selector, options.fieldManager, mayWrite))
                .clock(options.clock)
                .workers(executors.workers())
                .background(executors.blocking())
                .timers(executors.timers()::schedule)
                .metrics(metrics())
                .imageMirrors(options.imageMirrors)
                .accounts(options.accounts.outOf(options.ownNamespaces()))
                .relistAfter(options.times.relistAfter())
                .labelGrace(options.times.labelGrace())
                .admission(() -> new AdmissionSettings(options.ownNamespaces(), Optional.empty()));
        if (options.writesAtOnce > 1) {
            operator.writeThreads(new WriteThreads(threads.writes(), options.writesAtOnce));
        }
        options.runtimeImage.ifPresent(operator::runtimeImage);
        options.requests.ifPresent(operator::requests);
        parts(operator);
        options.adjustments.forEach(adjustment -> adjustment.adjust(operator, executors.blocking()));
        ClientOperator started = operator.start();
        proxies.cluster(started::proxy);
        return started;
    }

    private void parts(ClientOperatorBuilder operator) {
        Executor blocking = threads.executors().blocking();
        HttpClients connections =
                new HttpClients(new OutgoingGate(options.outgoing, proxies::current, NameResolver.SYSTEM));
        Images images = new Images(new Registries(connections, REGISTRY_ANSWER));
        if (options.has(OperatorPart.CHARTS)) {
            operator.charts(
                    ChartSources.create(client, connections),
                    blocking,
                    new CachingRenderer(renderer(), KEPT_RENDERINGS, KEPT_CHARACTERS));
        }
        if (options.has(OperatorPart.PREFLIGHTS)) {
            operator.preflights(images, blocking, options.registriesConf);
        }
        if (options.has(OperatorPart.DRIVER_IMAGES)) {
            operator.driverImages(images, blocking, options.registriesConf);
            if (!options.has(OperatorPart.PREFLIGHTS)) {
                operator.toolkits(images, blocking, options.registriesConf);
            }
        }
        if (options.has(OperatorPart.MODULES)) {
            operator.modules(new VersionResolver(images, new WebTexts(connections, REGISTRY_ANSWER)::get), blocking);
        }
        threads.executors()
                .pluginCalls()
                .filter(unused -> options.has(OperatorPart.PLUGIN_DEADLINES))
                .ifPresent(calls ->
                        operator.guard(new DeadlineGuard(calls, options.times.pluginDeadline(), CALLS_PER_PLUGIN)));
        if (!options.has(OperatorPart.EVENTS)) {
            operator.events(EventSink.none());
        }
    }

    private synchronized HelmRenderer renderer() {
        HelmRenderer made = renderer;
        if (made == null) {
            made = new HelmRenderer(options.helm);
            renderer = made;
        }
        return made;
    }

    private Metrics metrics() {
        ReconcileListener listener = options.listener;
        return new Metrics() {
            @Override
            public void reconciled(String specialResource, Plan plan, int writes, int failures, Duration took) {
                listener.reconciled(ReconcileReport.of(specialResource, plan, writes, failures, took));
            }

            @Override
            public void gone(String specialResource) {
                listener.gone(specialResource);
            }
        };
    }

    @Override
    public synchronized void close() {
        if (renderer != null) {
            renderer.close();
        }
    }
}
