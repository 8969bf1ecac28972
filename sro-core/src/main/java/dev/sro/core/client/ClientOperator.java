package dev.sro.core.client;

import dev.sro.api.Outcome;
import dev.sro.core.apply.ClusterWriter;
import dev.sro.core.build.BuildSettings;
import dev.sro.core.driver.RegistryProbe;
import dev.sro.core.engine.Controller;
import dev.sro.core.engine.Engine;
import dev.sro.core.engine.EventSink;
import dev.sro.core.engine.ImageLooks;
import dev.sro.core.engine.Metrics;
import dev.sro.core.engine.Timers;
import dev.sro.core.image.Images;
import dev.sro.core.model.Codec;
import dev.sro.core.model.ImageMirrors;
import dev.sro.core.module.VersionResolver;
import dev.sro.core.plugin.Plugins;
import dev.sro.core.preflight.PreflightReconciler;
import dev.sro.core.recipe.ChartRecipes;
import dev.sro.core.recipe.PluginGuard;
import dev.sro.core.recipe.StateFileRecipes;
import dev.sro.core.recipe.chart.ManifestRenderer;
import dev.sro.core.recipe.source.ChartFetcher;
import dev.sro.core.recipe.source.ChartStore;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The whole operator on one fabric8 client: informers, engine and workers. What an embedder with plain fabric8 starts,
 * and what the runtime is made of. The client and all executors stay the caller's. Thread-safe.
 *
 * <pre>{@code
 * try (ClientOperator operator = ClientOperator.builder()
 *         .client(client)
 *         .plugins(Plugins.of(new MyPlugin()))
 *         .workers(workers)
 *         .timers(Timers.of(scheduler))
 *         .start()) { ... }
 * }</pre>
 */
public final class ClientOperator implements AutoCloseable {

    private final Informers informers;
    private final Controller controller;
    private final Engine engine;
    private final @Nullable ClientPreflights preflights;
    private final @Nullable ClientModules modules;
    private final ClientBuildSources buildSources;
    private @Nullable Watchdog watchdog;

    private ClientOperator(Builder builder) {
        KubernetesClient client = Objects.requireNonNull(builder.client, "client");
        Executor workers = Objects.requireNonNull(builder.workers, "workers");
        Executor background = builder.background;
        EventSink events = builder.events;
        Fabric8Codec codec = new Fabric8Codec(client.getKubernetesSerialization());
        // Informers start after the controller is known; the references only break the circle.
        AtomicReference<@Nullable Controller> later = new AtomicReference<>();
        AtomicReference<@Nullable ClientPreflights> beside = new AtomicReference<>();
        AtomicReference<@Nullable ClientModules> others = new AtomicReference<>();
        Consumer<String> changed = name -> changed(later, beside, others, name);
        this.informers = new Informers(client, codec, builder.clock, changed);
        ClientWriter writer = new ClientWriter(client, codec, informers::find);
        ChartRecipes charts = builder.charts.apply(codec, changed);
        Engine.Builder settings = Engine.builder();
        Images pulled = builder.driverImages;
        ImageLooks looks = builder.looks;
        if (looks != null) {
            settings.images(looks, Objects.requireNonNull(builder.imageLooker), changed);
        } else if (pulled != null) {
            settings.images(
                    new ClientImages(new RegistryProbe(pulled), registries(builder, client)),
                    Objects.requireNonNull(builder.imageLooker),
                    changed);
        }
        this.buildSources =
                new ClientBuildSources(client, builder.clock, informers::toolkits, informers.caches()::requestAll);
        this.engine = settings.builds(buildSources, builder.buildSettings)
                .reader(informers.caches())
                .writer(builder.writer.apply(writer))
                .observer(informers.caches())
                .plugins(Objects.requireNonNull(builder.plugins, "plugins"))
                .codec(codec)
                .guard(builder.guard)
                .charts(charts)
                .imageMirrors(builder.imageMirrors)
                .stateFiles(new StateFileRecipes(informers.stateMaps(), codec::toTree))
                .logs(new ClientLogs(client), background == null ? workers : background, changed)
                .clock(builder.clock)
                .labelGrace(builder.labelGrace)
                .events(events == null ? new ClientEvents(client, workers, builder.clock) : events)
                .metrics(builder.metrics)
                .build();
        this.controller =
                new Controller(engine, workers, Objects.requireNonNull(builder.timers, "timers"), builder.clock);
        later.set(controller);
        readToolkits(builder, client);
        informers.start();
        this.preflights = preflights(builder, client, writer);
        beside.set(preflights);
        this.modules = modules(builder, client, codec, writer, charts);
        others.set(modules);
        if (!builder.silence.isZero()) {
            this.watchdog =
                    new Watchdog(this::check, Objects.requireNonNull(builder.timers, "timers"), builder.silence);
        }
    }

    /** For which kernels driver toolkits are says nothing but the images themselves. */
    private void readToolkits(Builder builder, KubernetesClient client) {
        Images images = builder.images;
        Executor executor = builder.imageReader;
        if (images != null && executor != null) {
            informers.read(new ToolkitReader(
                    images,
                    executor,
                    new ClusterRegistries(
                            client,
                            builder.registriesConf,
                            () -> informers.facts().isOpenShift()),
                    builder.clock,
                    informers::toolkitsRead));
        }
    }

    /** Only where the cluster has the kind: it may be installed later, and then the operator has to be started anew. */
    private @Nullable ClientPreflights preflights(Builder builder, KubernetesClient client, ClientWriter writer) {
        Images images = builder.images;
        Executor executor = builder.imageReader;
        if (images == null
                || executor == null
                || !informers.facts().servedKinds().contains(ClientPreflights.KIND)) {
            return null;
        }
        PreflightReconciler.Settings settings = registries(builder, client);
        return new ClientPreflights(
                client,
                writer,
                engine.forecasts(),
                new ClientPreflights.Means(images, executor, settings, builder.metrics),
                Objects.requireNonNull(builder.timers, "timers"),
                builder.clock);
    }

    private ClusterRegistries registries(Builder builder, KubernetesClient client) {
        return new ClusterRegistries(
                client, builder.registriesConf, () -> informers.facts().isOpenShift());
    }

    /** As {@link #preflights}. */
    private @Nullable ClientModules modules(
            Builder builder, KubernetesClient client, Fabric8Codec codec, ClientWriter writer, ChartRecipes charts) {
        VersionResolver resolver = builder.resolver;
        Executor executor = builder.moduleWorker;
        if (resolver == null
                || executor == null
                || !informers.facts().servedKinds().contains(ClientModules.KIND)) {
            return null;
        }
        PreflightReconciler.Settings settings = registries(builder, client);
        return new ClientModules(
                client,
                codec,
                informers,
                writer,
                new ClientModules.Means(charts, resolver, executor, settings),
                Objects.requireNonNull(builder.timers, "timers"),
                builder.clock);
    }

    private void check(Duration silence) {
        informers.check(silence);
        buildSources.check(silence);
        if (modules != null) {
            modules.check(silence);
        }
        if (preflights != null) {
            preflights.check(silence);
        }
    }

    private static void changed(
            AtomicReference<@Nullable Controller> controller,
            AtomicReference<@Nullable ClientPreflights> preflights,
            AtomicReference<@Nullable ClientModules> modules,
            String specialResource) {
        ClientModules others = modules.get();
        if (others != null && others.changed(specialResource)) {
            return;
        }
        Controller known = controller.get();
        if (known != null) {
            known.request(specialResource);
        }
        ClientPreflights checks = preflights.get();
        if (checks != null) {
            checks.requestAll();
        }
    }

    /** A new builder. */
    public static Builder builder() {
        return new Builder();
    }

    /** The engine, for plans. */
    public Engine engine() {
        return engine;
    }

    /** Asks for a reconcile, for example after plugins were reloaded. */
    public void request(String specialResource) {
        controller.request(specialResource);
    }

    /**
     * Kinds that cannot be seen now, each with the reason: Waiting while a cache fills, Failed where it may not be listed, is
     * not served, or has not been kept up for two minutes. Empty when all is well.
     */
    public SortedMap<String, Outcome> unseen() {
        return informers.unseen();
    }

    /** Stops informers and starts no further reconcile. */
    @Override
    public void close() {
        Watchdog running = watchdog;
        if (running != null) {
            running.close();
        }
        if (preflights != null) {
            preflights.close();
        }
        if (modules != null) {
            modules.close();
        }
        controller.close();
        buildSources.close();
        informers.close();
    }

    /** Builds and starts a {@link ClientOperator}. Not thread-safe. */
    public static final class Builder {
        private @Nullable KubernetesClient client;
        private @Nullable Plugins plugins;
        private @Nullable Executor workers;
        private @Nullable Executor background;
        private @Nullable Timers timers;
        private PluginGuard guard = PluginGuard.direct();
        private BiFunction<Codec, Consumer<String>, ChartRecipes> charts = (codec, changed) -> ChartRecipes.NONE;
        private UnaryOperator<ClusterWriter> writer = UnaryOperator.identity();
        private ImageMirrors imageMirrors = ImageMirrors.NONE;
        private Clock clock = Clock.systemUTC();
        private Duration silence = Duration.ofMinutes(15);
        private Duration labelGrace = Engine.DEFAULT_LABEL_GRACE;
        private @Nullable EventSink events;
        private Metrics metrics = Metrics.none();
        private @Nullable Images images;
        private @Nullable Executor imageReader;
        private @Nullable VersionResolver resolver;
        private @Nullable Executor moduleWorker;
        private @Nullable Images driverImages;
        private @Nullable ImageLooks looks;
        private @Nullable Executor imageLooker;
        private Path registriesConf = ClusterRegistries.REGISTRIES_CONF;
        private BuildSettings buildSettings = BuildSettings.DEFAULTS;

        Builder() {}

        /** The client. Required; not closed. */
        public Builder client(KubernetesClient client) {
            this.client = client;
            return this;
        }

        /** The plugins. Required. */
        public Builder plugins(Plugins plugins) {
            this.plugins = plugins;
            return this;
        }

        /**
         * Charts as recipes, too. Default: plugins only.
         *
         * @param fetchers by scheme of the address of a repository: {@code file}, {@code https}
         * @param executor fetches charts; its tasks block. Not shut down
         * @param renderer turns charts into manifests
         */
        public Builder charts(Map<String, ChartFetcher> fetchers, Executor executor, ManifestRenderer renderer) {
            this.charts = (codec, changed) ->
                    new ChartRecipes(new ChartStore(fetchers, executor, clock, changed), renderer, codec::toTree);
            return this;
        }

        /** From where images are pulled instead, unless a special resource says otherwise. Default: nowhere else. */
        public Builder imageMirrors(ImageMirrors imageMirrors) {
            this.imageMirrors = imageMirrors;
            return this;
        }

        /**
         * Preflights too, where the cluster has their definition when the operator starts. Default: none.
         *
         * @param images reads registries
         * @param executor runs the checks; its tasks block. Not shut down
         * @param registriesConf the file with mirrors ({@code registries.conf}); it need not be there
         */
        public Builder preflights(Images images, Executor executor, Path registriesConf) {
            this.images = images;
            this.imageReader = executor;
            this.registriesConf = registriesConf;
            return this;
        }

        /**
         * Looks for images of drivers ({@code spec.driver}, and those of plugins). Default: nothing is known of any, so that special
         * resources that ask for them wait.
         *
         * @param images reads registries
         * @param executor runs the looks, which block, one at a time for a special resource. Not shut down
         * @param registriesConf the file with mirrors ({@code registries.conf}); it need not be there
         */
        public Builder driverImages(Images images, Executor executor, Path registriesConf) {
            this.driverImages = images;
            this.imageLooker = executor;
            this.registriesConf = registriesConf;
            return this;
        }

        /** How images of drivers are built that are missing: with what, and how many at a time. */
        public Builder builds(BuildSettings settings) {
            this.buildSettings = settings;
            return this;
        }

        /**
         * Looks for images of drivers in another way than in registries: for tests.
         *
         * @param executor runs the looks. Not shut down
         */
        public Builder driverImages(ImageLooks looks, Executor executor) {
            this.looks = looks;
            this.imageLooker = executor;
            return this;
        }

        /**
         * Modules too, where the cluster has their definition when the operator starts, and with {@link #charts}. Default: none.
         * Mirrors come from where {@link #preflights} has them.
         *
         * @param versions finds out what versions of OpenShift are
         * @param executor runs reconciles of modules; its tasks block. Not shut down
         */
        public Builder modules(VersionResolver versions, Executor executor) {
            this.resolver = versions;
            this.moduleWorker = executor;
            return this;
        }

        /** Runs reconciles. Required; not shut down. */
        public Builder workers(Executor workers) {
            this.workers = workers;
            return this;
        }

        /**
         * Reads logs that objects wait for, each within the client's timeout; the workers unless set. Not shut down. A special
         * resource has one task at a time.
         */
        public Builder background(Executor executor) {
            this.background = executor;
            return this;
        }

        /** Wakes up, for example {@link Timers#of}. Required. */
        public Builder timers(Timers timers) {
            this.timers = timers;
            return this;
        }

        /** How plugins are called; on the worker and without deadline unless set. */
        public Builder guard(PluginGuard guard) {
            this.guard = guard;
            return this;
        }

        /** Wraps the writer: to audit, to limit the rate, to test. */
        public Builder writer(UnaryOperator<ClusterWriter> decorator) {
            this.writer = decorator;
            return this;
        }

        /** The time; the system's unless set. */
        public Builder clock(Clock clock) {
            this.clock = clock;
            return this;
        }

        /** Where events go; to the API server, as {@link ClientEvents}, unless set. */
        public Builder events(EventSink events) {
            this.events = events;
            return this;
        }

        /** What is measured; nothing unless set. */
        public Builder metrics(Metrics metrics) {
            this.metrics = metrics;
            return this;
        }

        /**
         * After what silence of a watch its objects are listed anew; 15 minutes unless set, zero for never. Watches are looked
         * after once a minute, or four times as often as this where that is more.
         */
        public Builder relistAfter(Duration silence) {
            if (silence.isNegative()) {
                throw new IllegalArgumentException("relistAfter " + silence + " is negative");
            }
            this.silence = silence;
            return this;
        }

        /** See {@link Engine.Builder#labelGrace}; five minutes unless set. */
        public Builder labelGrace(Duration grace) {
            this.labelGrace = grace;
            return this;
        }

        /**
         * Fills the caches and starts.
         *
         * @throws io.fabric8.kubernetes.client.KubernetesClientException if the API server cannot be reached
         */
        public ClientOperator start() {
            return new ClientOperator(this);
        }
    }
}
