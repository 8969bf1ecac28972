package dev.sro.core.engine;

import dev.sro.api.resource.SpecialResource;
import dev.sro.core.apply.Applier;
import dev.sro.core.apply.ClusterWriter;
import dev.sro.core.apply.Observer;
import dev.sro.core.apply.WriteThreads;
import dev.sro.core.build.BuildSettings;
import dev.sro.core.build.BuildSources;
import dev.sro.core.driver.DriverState;
import dev.sro.core.driver.DriverWishes;
import dev.sro.core.driver.TagCatalogue;
import dev.sro.core.load.LoadState;
import dev.sro.core.lookup.MonotonicClock;
import dev.sro.core.manifest.Renderer;
import dev.sro.core.model.Codec;
import dev.sro.core.model.ImageMirrors;
import dev.sro.core.partition.AdmissionSettings;
import dev.sro.core.plan.Plan;
import dev.sro.core.plan.Write;
import dev.sro.core.plugin.Plugins;
import dev.sro.core.recipe.ChartRecipes;
import dev.sro.core.recipe.PluginGuard;
import dev.sro.core.recipe.RecipeResolver;
import dev.sro.core.recipe.StateFileRecipes;
import dev.sro.core.runtimehook.RuntimeState;
import dev.sro.core.upgrade.RolloutPlan;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Reconciles special resources: one straight trip from the caches to the writes. Starts no thread and waits for nothing;
 * who calls it, and when, is the business of a {@link Controller} or of another operator.
 *
 * <p>Thread-safe for different special resources; one special resource must not be reconciled twice at the same time. Previews may
 * be asked for at any time, by any thread: one waits while the same special resource is being planned, not while it is being written.
 */
public final class Engine {

    /** A trip whose writes open the way for further ones goes on at once, this often. */
    private static final int MAX_ROUNDS = 4;

    /** Far more than Node Feature Discovery takes from its start to its labels, which is about a minute. */
    public static final Duration DEFAULT_LABEL_GRACE = Duration.ofMinutes(5);

    /** How long to stay away from an API server that does not answer. */
    private static final Duration AWAY = Duration.ofSeconds(1);

    private final ClusterReader reader;
    private final Predicate<SpecialResource> serves;
    private final Clock clock;
    private final EventPublisher publisher;
    private final Metrics metrics;
    private final Applier applier;
    private final Trip trip;
    private final Forecasts forecasts;
    private final RecipeResolver resolver;
    private final LogAccess logs;
    private final Duration labelGrace;
    private final ImageAccess images;
    private final DriverWishes wishes;
    private final DriverBuilds builds;
    private final ConcurrentHashMap<String, ResourceSession> sessions = new ConcurrentHashMap<>();

    private Engine(Builder builder) {
        this.reader = Objects.requireNonNull(builder.reader, "reader");
        this.serves = builder.serves;
        this.clock = builder.clock;
        this.publisher = new EventPublisher(builder.events);
        this.metrics = builder.metrics;
        this.applier = new Applier(
                Objects.requireNonNull(builder.writer, "writer"),
                Objects.requireNonNull(builder.observer, "observer"),
                clock,
                builder.writeThreads);
        this.labelGrace = builder.labelGrace;
        this.logs = new LogAccess(builder.logReader, builder.logExecutor, builder.logRead, clock);
        this.images = new ImageAccess(
                builder.looks, builder.lookExecutor, builder.looked, clock, List.copyOf(builder.driverStates));
        this.wishes = new DriverWishes(TagCatalogue.builtIn());
        Codec codec = Objects.requireNonNull(builder.codec, "codec");
        this.resolver = new RecipeResolver(
                Objects.requireNonNull(builder.plugins, "plugins"), builder.guard, builder.charts, builder.stateFiles);
        Renderer renderer = new Renderer(codec, builder.imageMirrors, resolver::sharedHooks);
        this.builds = new DriverBuilds(reader, builder.buildSources, builder.buildSettings, builder.looked);
        this.trip = new Trip(
                reader,
                resolver,
                renderer,
                codec,
                builds,
                builder.admission,
                new RuntimeFiles(builder.runtimeImage),
                builder.selectingLabels);
        this.forecasts =
                new Forecasts(reader, serves, resolver, renderer, wishes, builder.buildSources, builder.buildSettings);
    }

    /** What special resources would consist of on other kernels. */
    public Forecasts forecasts() {
        return forecasts;
    }

    /** A new builder. */
    public static Builder builder() {
        return new Builder();
    }

    /** What a reconcile would do now, without doing it; empty when there is no such special resource. */
    public Optional<Plan> plan(String name) {
        return preview(name).map(Preview::plan);
    }

    /** A plan with what it was made of; empty when there is no such special resource. Writes nothing. */
    public Optional<Preview> preview(String name) {
        return reader.specialResource(name).map(this::preview);
    }

    /** The same for a special resource that is not there yet, or not like this. */
    public Preview preview(SpecialResource resource) {
        ResourceSession session = session(resource);
        synchronized (session) {
            return trip.preview(resource, session, clock.instant());
        }
    }

    /** Reconciles the special resource of this name; nothing, if it is not served here. Refused writes are in the result and in the status, not thrown. */
    public Reconciliation reconcile(String name) {
        return reconcile(name, () -> {});
    }

    /**
     * The same.
     *
     * @param looking called before each look at the caches: what changed in them until then is acted on, so that nobody has to ask for
     *     another reconcile because of it
     */
    public Reconciliation reconcile(String name, Runnable looking) {
        Instant start = clock.instant();
        int writes = 0;
        int failures = 0;
        Plan plan = null;
        boolean more = true;
        AppliedOnce applied = new AppliedOnce();
        for (int round = 0; round < MAX_ROUNDS; round++) {
            looking.run();
            Optional<SpecialResource> found = reader.specialResource(name).filter(serves);
            if (found.isEmpty()) {
                reader.watchPods(name, Set.of());
                reader.watchClaims(name, false);
                sessions.keySet().removeIf(key -> key.startsWith(name + "/"));
                builds.gone(name);
                resolver.gone(name);
                metrics.gone(name);
                return plan == null
                        ? Reconciliation.gone()
                        : new Reconciliation(plan, writes, failures, Optional.empty());
            }
            SpecialResource resource = found.get();
            ResourceSession session = session(resource);
            synchronized (session) {
                plan = trip.plan(resource, session, clock.instant());
            }
            boolean last = round == MAX_ROUNDS - 1;
            if (applied.isContested(plan, session.failures(), clock.instant())
                    || session.failures().forgetUnwanted(plan.writes(), clock.instant())) {
                continue;
            }
            List<Write> now = last ? plan.writes() : plan.writesBeforeStatus();
            if (now.isEmpty()) {
                more = false;
                break;
            }
            Applier.Result result = applier.apply(now, session.failures());
            writes += result.made();
            failures += result.failed();
            if (result.stopped()) {
                Optional<Instant> retry = Optional.of(clock.instant().plus(AWAY));
                return ended(name, new Reconciliation(plan, writes, failures, retry), start);
            }
            tell(resource, session, plan, now);
        }
        return ended(name, new Reconciliation(plan, writes, failures, wakeUp(plan, more)), start);
    }

    /** What the last round wrote may open the way for more, and no event has to tell of it: look again soon. */
    private Optional<Instant> wakeUp(@Nullable Plan plan, boolean more) {
        Optional<Instant> planned = plan == null ? Optional.empty() : plan.wakeUp();
        Instant soon = clock.instant().plus(AWAY);
        return more ? Optional.of(planned.filter(at -> at.isBefore(soon)).orElse(soon)) : planned;
    }

    private Reconciliation ended(String name, Reconciliation result, Instant start) {
        if (result.plan() != null) {
            metrics.reconciled(
                    name, result.plan(), result.writes(), result.failures(), Duration.between(start, clock.instant()));
        }
        return result;
    }

    private void tell(SpecialResource resource, ResourceSession session, Plan plan, List<Write> made) {
        boolean status = made.stream().anyMatch(Write.UpdateStatus.class::isInstance);
        List<RolloutPlan.Notice> fresh;
        synchronized (session) {
            if (status) {
                session.statusWritten(clock.instant());
            }
            fresh = plan.upgrade()
                    .map(upgrade -> session.fresh(upgrade.notices()))
                    .orElse(List.of());
        }
        if (status) {
            publisher.transitions(resource, plan.transitions());
        }
        publisher.notices(resource, fresh);
    }

    private ResourceSession session(SpecialResource resource) {
        String key =
                resource.getMetadata().getName() + "/" + resource.getMetadata().getUid();
        String name = resource.getMetadata().getName();
        return sessions.computeIfAbsent(
                key,
                unused -> new ResourceSession(
                        new LogReadings(logs, name),
                        new Grace(labelGrace),
                        new PoolDrivers(images, wishes, new ImageFindings(images, name))));
    }

    /** Builds an {@link Engine}. Not thread-safe. */
    public static final class Builder {
        private @Nullable ClusterReader reader;
        private Predicate<SpecialResource> serves = resource -> true;
        private Set<String> selectingLabels = Set.of();
        private @Nullable ClusterWriter writer;
        private @Nullable Observer observer;
        private @Nullable Plugins plugins;
        private @Nullable Codec codec;
        private PluginGuard guard = PluginGuard.direct();
        private ChartRecipes charts = ChartRecipes.NONE;
        private StateFileRecipes stateFiles = StateFileRecipes.NONE;
        private ImageMirrors imageMirrors = ImageMirrors.NONE;
        private LogReader logReader = LogReader.NONE;
        private Executor logExecutor = Runnable::run;
        private Consumer<String> logRead = name -> {};
        private Duration labelGrace = DEFAULT_LABEL_GRACE;
        private ImageLooks looks = ImageLooks.NONE;
        private Executor lookExecutor = Runnable::run;
        private Consumer<String> looked = name -> {};
        private List<DriverState> driverStates = List.of(new LoadState());
        private String runtimeImage = RuntimeState.DEFAULT_IMAGE;
        private BuildSources buildSources = BuildSources.NONE;
        private BuildSettings buildSettings = BuildSettings.DEFAULTS;
        private Supplier<AdmissionSettings> admission = () -> AdmissionSettings.DEFAULTS;
        private WriteThreads writeThreads = WriteThreads.NONE;
        private Clock clock = MonotonicClock.system();
        private EventSink events = EventSink.none();
        private Metrics metrics = Metrics.none();

        Builder() {}

        /** The caches. Required. */
        public Builder reader(ClusterReader reader) {
            this.reader = reader;
            return this;
        }

        /**
         * Which special resources are reconciled; all unless set. The others are seen, as they have nodes and are depended on, and left
         * alone; one that is not served any more is left as it is.
         *
         * @param which asked at each reconcile; must not block
         * @param labels keys of the labels that it looks at: special resources that are made for {@code spec.dependencies} get them
         */
        public Builder serves(Predicate<SpecialResource> which, Set<String> labels) {
            this.serves = which;
            this.selectingLabels = Set.copyOf(labels);
            return this;
        }

        /** The writes. Required. */
        public Builder writer(ClusterWriter writer) {
            this.writer = writer;
            return this;
        }

        /** Who is told what was written: usually the caches. Required. */
        public Builder observer(Observer observer) {
            this.observer = observer;
            return this;
        }

        /** On which threads writes are made that do not depend on each other; on the caller's alone unless set. */
        public Builder writeThreads(WriteThreads threads) {
            this.writeThreads = threads;
            return this;
        }

        /** The plugins. Required. */
        public Builder plugins(Plugins plugins) {
            this.plugins = plugins;
            return this;
        }

        /** Turns typed objects into trees. Required. */
        public Builder codec(Codec codec) {
            this.codec = codec;
            return this;
        }

        /** How plugins are called; on the caller's thread and without deadline unless set. */
        public Builder guard(PluginGuard guard) {
            this.guard = guard;
            return this;
        }

        /** Makes recipes of numbered manifests in ConfigMaps and directories. Default: none. */
        public Builder stateFiles(StateFileRecipes stateFiles) {
            this.stateFiles = stateFiles;
            return this;
        }

        /** From where images are pulled instead, unless a special resource says otherwise. Default: nowhere else. */
        public Builder imageMirrors(ImageMirrors imageMirrors) {
            this.imageMirrors = imageMirrors;
            return this;
        }

        /** Makes recipes of charts. Default: none. */
        public Builder charts(ChartRecipes charts) {
            this.charts = charts;
            return this;
        }

        /**
         * How logs are read that objects wait for; they are not unless set.
         *
         * @param reader reads one
         * @param executor runs the reads, which block; not shut down
         * @param read called with the name of a special resource when some were read: it is to be reconciled
         */
        public Builder logs(LogReader reader, Executor executor, Consumer<String> read) {
            this.logReader = reader;
            this.logExecutor = executor;
            this.logRead = read;
            return this;
        }

        /**
         * How images of drivers are looked for; nothing is known of any unless set.
         *
         * @param looks looks for one
         * @param executor runs the looks, which block; not shut down
         * @param looked called with the name of a special resource when one was looked for: it is to be reconciled
         */
        public Builder images(ImageLooks looks, Executor executor, Consumer<String> looked) {
            this.looks = looks;
            this.lookExecutor = executor;
            this.looked = looked;
            return this;
        }

        /**
         * How images of drivers are built that are missing.
         *
         * @param sources what builds take in; unless set, no ConfigMap and no Secret is there
         * @param settings of the operator
         */
        public Builder builds(BuildSources sources, BuildSettings settings) {
            this.buildSources = sources;
            this.buildSettings = settings;
            return this;
        }

        /** How pods that ask for a device are changed, asked at each reconcile. Default: by policies of the API server where it has them. */
        public Builder admission(Supplier<AdmissionSettings> settings) {
            this.admission = settings;
            return this;
        }

        /** The image whose shell places files for container runtimes, unless a plugin names another one. */
        public Builder runtimeImage(String image) {
            this.runtimeImage = image;
            return this;
        }

        /** States that SRO makes itself of what is known of drivers, in this order. Default: what loads modules. */
        public Builder driverStates(List<DriverState> states) {
            this.driverStates = List.copyOf(states);
            return this;
        }

        /** The time, which must never go back; the system's, as {@link MonotonicClock}, unless set. */
        public Builder clock(Clock clock) {
            this.clock = clock;
            return this;
        }

        /** Where events go; dropped unless set. */
        public Builder events(EventSink events) {
            this.events = events;
            return this;
        }

        /**
         * For how long a label of Node Feature Discovery that vanishes from a node that is served says nothing; five minutes unless
         * set, zero for not at all.
         */
        public Builder labelGrace(Duration grace) {
            if (grace.isNegative()) {
                throw new IllegalArgumentException("labelGrace " + grace + " is negative");
            }
            this.labelGrace = grace;
            return this;
        }

        /** What is measured; nothing unless set. */
        public Builder metrics(Metrics metrics) {
            this.metrics = metrics;
            return this;
        }

        /** The engine. */
        public Engine build() {
            return new Engine(this);
        }
    }
}
