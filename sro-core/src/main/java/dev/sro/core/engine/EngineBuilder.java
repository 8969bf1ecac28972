package dev.sro.core.engine;

import dev.sro.api.resource.SpecialResource;
import dev.sro.core.apply.ClusterWriter;
import dev.sro.core.apply.Observer;
import dev.sro.core.apply.WriteThreads;
import dev.sro.core.build.BuildSettings;
import dev.sro.core.build.BuildSources;
import dev.sro.core.driver.DriverState;
import dev.sro.core.engine.port.ClusterReader;
import dev.sro.core.engine.port.EventSink;
import dev.sro.core.engine.port.ImageLooks;
import dev.sro.core.engine.port.LogReader;
import dev.sro.core.engine.port.Metrics;
import dev.sro.core.load.LoadState;
import dev.sro.core.lookup.MonotonicClock;
import dev.sro.core.model.Codec;
import dev.sro.core.model.ImageMirrors;
import dev.sro.core.model.RecipeAccounts;
import dev.sro.core.partition.AdmissionSettings;
import dev.sro.core.plugin.Plugins;
import dev.sro.core.recipe.ChartRecipes;
import dev.sro.core.recipe.PluginGuard;
import dev.sro.core.recipe.StateFileRecipes;
import dev.sro.core.runtimehook.RuntimeState;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Builder of an {@link Engine}. Not thread-safe. */
public final class EngineBuilder {

    @Nullable ClusterReader reader;

    Predicate<SpecialResource> serves = resource -> true;
    Set<String> selectingLabels = Set.of();

    @Nullable ClusterWriter writer;

    @Nullable Observer observer;

    @Nullable Plugins plugins;

    @Nullable Codec codec;

    PluginGuard guard = PluginGuard.direct();
    ChartRecipes charts = ChartRecipes.NONE;
    StateFileRecipes stateFiles = StateFileRecipes.NONE;
    ImageMirrors imageMirrors = ImageMirrors.NONE;
    LogReader logReader = LogReader.NONE;
    Executor logExecutor = Runnable::run;
    Consumer<String> logRead = name -> {};
    Duration labelGrace = Engine.DEFAULT_LABEL_GRACE;
    ImageLooks looks = ImageLooks.NONE;
    Executor lookExecutor = Runnable::run;
    Consumer<String> looked = name -> {};
    List<DriverState> driverStates = List.of(new LoadState());
    String runtimeImage = RuntimeState.DEFAULT_IMAGE;
    BuildSources buildSources = BuildSources.NONE;
    BuildSettings buildSettings = BuildSettings.DEFAULTS;
    Supplier<AdmissionSettings> admission = () -> AdmissionSettings.DEFAULTS;
    RecipeAccounts accounts = RecipeAccounts.NONE;
    WriteThreads writeThreads = WriteThreads.NONE;
    Clock clock = MonotonicClock.system();
    EventSink events = EventSink.none();
    Metrics metrics = Metrics.none();

    EngineBuilder() {}

    /** The caches. Required. */
    public EngineBuilder reader(ClusterReader reader) {
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
    public EngineBuilder serves(Predicate<SpecialResource> which, Set<String> labels) {
        this.serves = which;
        this.selectingLabels = Set.copyOf(labels);
        return this;
    }

    /** The writes. Required. */
    public EngineBuilder writer(ClusterWriter writer) {
        this.writer = writer;
        return this;
    }

    /** Who is told what was written: usually the caches. Required. */
    public EngineBuilder observer(Observer observer) {
        this.observer = observer;
        return this;
    }

    /** On which threads writes are made that do not depend on each other; on the caller's alone unless set. */
    public EngineBuilder writeThreads(WriteThreads threads) {
        this.writeThreads = threads;
        return this;
    }

    /** The plugins. Required. */
    public EngineBuilder plugins(Plugins plugins) {
        this.plugins = plugins;
        return this;
    }

    /** Turns typed objects into trees. Required. */
    public EngineBuilder codec(Codec codec) {
        this.codec = codec;
        return this;
    }

    /** How plugins are called; on the caller's thread and without deadline unless set. */
    public EngineBuilder guard(PluginGuard guard) {
        this.guard = guard;
        return this;
    }

    /** Makes recipes of numbered manifests in ConfigMaps and directories. Default: none. */
    public EngineBuilder stateFiles(StateFileRecipes stateFiles) {
        this.stateFiles = stateFiles;
        return this;
    }

    /** From where images are pulled instead, unless a special resource says otherwise. Default: nowhere else. */
    public EngineBuilder imageMirrors(ImageMirrors imageMirrors) {
        this.imageMirrors = imageMirrors;
        return this;
    }

    /** Makes recipes of charts. Default: none. */
    public EngineBuilder charts(ChartRecipes charts) {
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
    public EngineBuilder logs(LogReader reader, Executor executor, Consumer<String> read) {
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
    public EngineBuilder images(ImageLooks looks, Executor executor, Consumer<String> looked) {
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
    public EngineBuilder builds(BuildSources sources, BuildSettings settings) {
        this.buildSources = sources;
        this.buildSettings = settings;
        return this;
    }

    /** How pods that ask for a device are changed, asked at each reconcile. Default: by policies of the API server where it has them. */
    public EngineBuilder admission(Supplier<AdmissionSettings> settings) {
        this.admission = settings;
        return this;
    }

    /** By whose rights recipes are applied that no plugin brought. Default: SRO's own. */
    public EngineBuilder accounts(RecipeAccounts accounts) {
        this.accounts = accounts;
        return this;
    }

    /** The image whose shell places files for container runtimes, unless a plugin names another one. */
    public EngineBuilder runtimeImage(String image) {
        this.runtimeImage = image;
        return this;
    }

    /** States that SRO makes itself of what is known of drivers, in this order. Default: what loads modules. */
    public EngineBuilder driverStates(List<DriverState> states) {
        this.driverStates = List.copyOf(states);
        return this;
    }

    /** The time, which must never go back; the system's, as {@link MonotonicClock}, unless set. */
    public EngineBuilder clock(Clock clock) {
        this.clock = clock;
        return this;
    }

    /** Where events go; dropped unless set. */
    public EngineBuilder events(EventSink events) {
        this.events = events;
        return this;
    }

    /**
     * For how long a label of Node Feature Discovery that vanishes from a node that is served says nothing; five minutes unless
     * set, zero for not at all.
     */
    public EngineBuilder labelGrace(Duration grace) {
        if (grace.isNegative()) {
            throw new IllegalArgumentException("labelGrace " + grace + " is negative");
        }
        this.labelGrace = grace;
        return this;
    }

    /** What is measured; nothing unless set. */
    public EngineBuilder metrics(Metrics metrics) {
        this.metrics = metrics;
        return this;
    }

    /** The engine. */
    public Engine build() {
        return new Engine(this);
    }
}
