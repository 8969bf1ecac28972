package dev.sro.core.client;

import dev.sro.api.Outcome;
import dev.sro.core.apply.ClusterWriter;
import dev.sro.core.apply.WriteThreads;
import dev.sro.core.build.BuildSettings;
import dev.sro.core.driver.RegistryProbe;
import dev.sro.core.engine.Controller;
import dev.sro.core.engine.Engine;
import dev.sro.core.engine.EventSink;
import dev.sro.core.engine.ImageLooks;
import dev.sro.core.engine.Metrics;
import dev.sro.core.engine.Timers;
import dev.sro.core.image.Images;
import dev.sro.core.lookup.MonotonicClock;
import dev.sro.core.model.Codec;
import dev.sro.core.model.ImageMirrors;
import dev.sro.core.module.VersionResolver;
import dev.sro.core.partition.AdmissionSettings;
import dev.sro.core.plugin.Plugins;
import dev.sro.core.recipe.ChartRecipes;
import dev.sro.core.recipe.PluginGuard;
import dev.sro.core.recipe.StateFileRecipes;
import dev.sro.core.recipe.chart.ManifestRenderer;
import dev.sro.core.recipe.source.ChartFetcher;
import dev.sro.core.recipe.source.ChartStore;
import dev.sro.core.runtimehook.RuntimeState;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.concurrent.Executor;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The whole operator on one fabric8 client: informers, engine and workers, with the parts that it is given. {@code core.embed} gives it all of
 * them; a preview and a preflight of the command line some. The client and all executors stay the caller's. Thread-safe.
 */
public final class ClientOperator implements AutoCloseable {

    /** Between two times at which all special resources are planned without a reason, which requests nothing. */
    private static final Duration REVIEW = Duration.ofHours(1);

    private final Informers informers;
    private final @Nullable Controller controller;
    private final Consumer<String> requests;
    private final Engine engine;
    private final CompanionControllers companions;
    private final List<Recurring> recurring = new ArrayList<>();

    private ClientOperator(Builder builder) {
        KubernetesClient client = Objects.requireNonNull(builder.client, "client");
        Executor workers = Objects.requireNonNull(builder.workers, "workers");
        Executor background = builder.background;
        EventSink events = builder.events;
        Fabric8Codec codec = new Fabric8Codec(client.getKubernetesSerialization());
        Changes changed = new Changes();
        this.informers = new Informers(
                client,
                codec,
                builder.clock,
                changed,
                background == null ? workers : background,
                Objects.requireNonNull(builder.timers, "timers"),
                changed);
        OperatorScope scope = builder.scope;
        this.companions = new CompanionControllers(builder, client, informers);
        changed.tell(companions);
        ClientWriter writer = new ClientWriter(client, codec, informers::find, informers::missing, scope.terms());
        ChartRecipes charts = builder.charts.apply(codec, changed);
        Engine.Builder settings = Engine.builder();
        Images pulled = builder.driverImages;
        ImageLooks looks = builder.looks;
        if (looks != null) {
            settings.images(looks, Objects.requireNonNull(builder.imageLooker), changed);
        } else if (pulled != null) {
            settings.images(
                    new ClientImages(new RegistryProbe(pulled), companions.registries()),
                    Objects.requireNonNull(builder.imageLooker),
                    changed);
        }
        this.engine = settings.serves(scope::serves, scope.selector().keys())
                .builds(companions.buildSources(), builder.buildSettings)
                .reader(informers.caches())
                .writer(builder.writer.apply(writer))
                .writeThreads(builder.writeThreads)
                .observer(informers.caches())
                .plugins(Objects.requireNonNull(builder.plugins, "plugins"))
                .codec(codec)
                .guard(builder.guard)
                .charts(charts)
                .imageMirrors(builder.imageMirrors)
                .runtimeImage(builder.runtimeImage)
                .stateFiles(new StateFileRecipes(informers.stateMaps(), codec::toTree))
                .logs(new ClientLogs(client), background == null ? workers : background, changed)
                .clock(builder.clock)
                .labelGrace(builder.labelGrace)
                .admission(builder.admission)
                .events(builder.eventsThrough.apply(
                        events == null
                                ? new ClientEvents(client, workers, builder.clock, scope.fieldManager())
                                : events))
                .metrics(builder.metrics)
                .build();
        Consumer<String> driven = builder.requests;
        this.controller = driven != null
                ? null
                : new Controller(engine, workers, Objects.requireNonNull(builder.timers, "timers"), builder.clock);
        this.requests = controller == null ? Objects.requireNonNull(driven) : controller::request;
        changed.tell(requests);
        companions.readToolkits();
        informers.start();
        companions.start(engine, codec, writer, charts);
        Timers timers = Objects.requireNonNull(builder.timers, "timers");
        recurring.add(new Recurring("ask what is needed", REVIEW, this::review, timers));
        if (!builder.silence.isZero()) {
            recurring.add(new Recurring(
                    "look after the watches",
                    Recurring.watchdog(builder.silence),
                    () -> companions.check(builder.silence),
                    timers));
        }
    }

    /** Everybody says again what is needed: what a node or a build has made unneeded is told by no change of a special resource. */
    private void review() {
        informers.claimed();
        informers.caches().requestAll();
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
        requests.accept(specialResource);
    }

    /** Asks for a reconcile of every special resource, for example when what {@link Builder#admission} gives has changed. */
    public void requestAll() {
        informers.caches().requestAll();
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
        recurring.forEach(Recurring::close);
        Controller own = controller;
        if (own != null) {
            own.close();
        }
        companions.close();
        informers.close();
    }

    /** Builds and starts a {@link ClientOperator}. Not thread-safe. */
    public static final class Builder {
        private @Nullable KubernetesClient client;
        private @Nullable Plugins plugins;
        private @Nullable Executor workers;
        private @Nullable Executor background;

        @Nullable Timers timers;

        private @Nullable Consumer<String> requests;
        private PluginGuard guard = PluginGuard.direct();
        private BiFunction<Codec, Consumer<String>, ChartRecipes> charts = (codec, changed) -> ChartRecipes.NONE;
        private UnaryOperator<ClusterWriter> writer = UnaryOperator.identity();
        private WriteThreads writeThreads = WriteThreads.NONE;
        private ImageMirrors imageMirrors = ImageMirrors.NONE;
        Clock clock = MonotonicClock.system();
        private Duration silence = Duration.ofMinutes(15);
        private Duration labelGrace = Engine.DEFAULT_LABEL_GRACE;
        private Supplier<AdmissionSettings> admission = () -> AdmissionSettings.DEFAULTS;
        private @Nullable EventSink events;
        private UnaryOperator<EventSink> eventsThrough = UnaryOperator.identity();
        Metrics metrics = Metrics.none();
        OperatorScope scope = OperatorScope.ALL;

        @Nullable Images toolkitImages;

        @Nullable Images images;

        @Nullable Executor imageReader;

        @Nullable VersionResolver resolver;

        @Nullable Executor moduleWorker;

        private @Nullable Images driverImages;
        private @Nullable ImageLooks looks;
        private @Nullable Executor imageLooker;
        Path registriesConf = ClusterRegistries.REGISTRIES_CONF;
        private BuildSettings buildSettings = BuildSettings.DEFAULTS;
        private String runtimeImage = RuntimeState.DEFAULT_IMAGE;

        Builder() {}

        /** The client. Required; not closed. */
        public Builder client(KubernetesClient client) {
            this.client = client;
            return this;
        }

        /** What is looked after, by whose name, and as long as when; all unless set. */
        public Builder scope(OperatorScope scope) {
            this.scope = scope;
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
         * Reads for which kernels driver toolkits are, without {@link #preflights}, which read them, too.
         *
         * @param images reads registries
         * @param executor runs the looks, which block. Not shut down
         * @param registriesConf the file with mirrors ({@code registries.conf}); it need not be there
         */
        public Builder toolkits(Images images, Executor executor, Path registriesConf) {
            this.toolkitImages = images;
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

        /** The image whose shell puts files for container runtimes onto nodes, unless a plugin names another one. */
        public Builder runtimeImage(String image) {
            this.runtimeImage = image;
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

        /**
         * Reconciles are the caller's: it is told whose is due, and calls {@link Engine#reconcile} from a queue of its own. The workers
         * run them unless set.
         *
         * @param requests told the name of a special resource that is to be reconciled; must not block
         */
        public Builder requests(Consumer<String> requests) {
            this.requests = requests;
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

        /**
         * Makes writes to different nodes, pods and pools at the same time: what a large cluster needs, where one answer after the other
         * would take longer than the allowed rate of requests. On the workers alone unless set.
         */
        public Builder writeThreads(WriteThreads threads) {
            this.writeThreads = threads;
            return this;
        }

        /** The time, which must never go back; the system's, as {@link MonotonicClock}, unless set. */
        public Builder clock(Clock clock) {
            this.clock = clock;
            return this;
        }

        /** Where events go; to the API server, as {@link ClientEvents}, unless set. */
        public Builder events(EventSink events) {
            this.events = events;
            return this;
        }

        /** Wraps where events go: to log them, too. */
        public Builder eventsThrough(UnaryOperator<EventSink> decorator) {
            this.eventsThrough = decorator;
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

        /** See {@link Engine.Builder#admission}; by policies of the API server unless set. */
        public Builder admission(Supplier<AdmissionSettings> settings) {
            this.admission = settings;
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
