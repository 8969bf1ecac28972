package dev.sro.core.client;

import dev.sro.core.apply.ClusterWriter;
import dev.sro.core.apply.WriteThreads;
import dev.sro.core.build.BuildSettings;
import dev.sro.core.client.source.ClusterRegistries;
import dev.sro.core.client.writer.ClientEvents;
import dev.sro.core.engine.Engine;
import dev.sro.core.engine.port.EventSink;
import dev.sro.core.engine.port.ImageLooks;
import dev.sro.core.engine.port.Metrics;
import dev.sro.core.engine.port.Timers;
import dev.sro.core.image.Images;
import dev.sro.core.lookup.MonotonicClock;
import dev.sro.core.model.Codec;
import dev.sro.core.model.ImageMirrors;
import dev.sro.core.model.RecipeAccounts;
import dev.sro.core.module.VersionResolver;
import dev.sro.core.partition.AdmissionSettings;
import dev.sro.core.plugin.Plugins;
import dev.sro.core.recipe.ChartRecipes;
import dev.sro.core.recipe.PluginGuard;
import dev.sro.core.recipe.chart.ManifestRenderer;
import dev.sro.core.recipe.source.ChartFetcher;
import dev.sro.core.recipe.source.ChartStore;
import dev.sro.core.runtimehook.RuntimeState;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Builder of a {@link ClientOperator}, which it starts. Not thread-safe. */
public final class ClientOperatorBuilder {

    @Nullable KubernetesClient client;

    @Nullable Plugins plugins;

    @Nullable Executor workers;

    @Nullable Executor background;

    @Nullable Timers timers;

    @Nullable Consumer<String> requests;

    PluginGuard guard = PluginGuard.direct();
    BiFunction<Codec, Consumer<String>, ChartRecipes> charts = (codec, changed) -> ChartRecipes.NONE;
    UnaryOperator<ClusterWriter> writer = UnaryOperator.identity();
    RecipeAccounts accounts = RecipeAccounts.NONE;
    WriteThreads writeThreads = WriteThreads.NONE;
    ImageMirrors imageMirrors = ImageMirrors.NONE;
    Clock clock = MonotonicClock.system();
    Duration silence = Duration.ofMinutes(15);
    Duration labelGrace = Engine.DEFAULT_LABEL_GRACE;
    Supplier<AdmissionSettings> admission = () -> AdmissionSettings.DEFAULTS;

    @Nullable EventSink events;

    UnaryOperator<EventSink> eventsThrough = UnaryOperator.identity();
    Metrics metrics = Metrics.none();
    OperatorScope scope = OperatorScope.ALL;

    @Nullable Images toolkitImages;

    @Nullable Images images;

    @Nullable Executor imageReader;

    @Nullable VersionResolver resolver;

    @Nullable Executor moduleWorker;

    @Nullable Images driverImages;

    @Nullable ImageLooks looks;

    @Nullable Executor imageLooker;

    Path registriesConf = ClusterRegistries.REGISTRIES_CONF;
    BuildSettings buildSettings = BuildSettings.DEFAULTS;
    String runtimeImage = RuntimeState.DEFAULT_IMAGE;

    ClientOperatorBuilder() {}

    /** The client. Required; not closed. */
    public ClientOperatorBuilder client(KubernetesClient client) {
        this.client = client;
        return this;
    }

    /** What is looked after, by whose name, and as long as when; all unless set. */
    public ClientOperatorBuilder scope(OperatorScope scope) {
        this.scope = scope;
        return this;
    }

    /** The plugins. Required. */
    public ClientOperatorBuilder plugins(Plugins plugins) {
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
    public ClientOperatorBuilder charts(
            Map<String, ChartFetcher> fetchers, Executor executor, ManifestRenderer renderer) {
        this.charts = (codec, changed) ->
                new ChartRecipes(new ChartStore(fetchers, executor, clock, changed), renderer, codec::toTree);
        return this;
    }

    /** From where images are pulled instead, unless a special resource says otherwise. Default: nowhere else. */
    public ClientOperatorBuilder imageMirrors(ImageMirrors imageMirrors) {
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
    public ClientOperatorBuilder preflights(Images images, Executor executor, Path registriesConf) {
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
    public ClientOperatorBuilder toolkits(Images images, Executor executor, Path registriesConf) {
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
    public ClientOperatorBuilder driverImages(Images images, Executor executor, Path registriesConf) {
        this.driverImages = images;
        this.imageLooker = executor;
        this.registriesConf = registriesConf;
        return this;
    }

    /** How images of drivers are built that are missing: with what, and how many at a time. */
    public ClientOperatorBuilder builds(BuildSettings settings) {
        this.buildSettings = settings;
        return this;
    }

    /** By whose rights recipes are applied that no plugin brought. Default: SRO's own. */
    public ClientOperatorBuilder accounts(RecipeAccounts accounts) {
        this.accounts = accounts;
        return this;
    }

    /** The image whose shell puts files for container runtimes onto nodes, unless a plugin names another one. */
    public ClientOperatorBuilder runtimeImage(String image) {
        this.runtimeImage = image;
        return this;
    }

    /**
     * Looks for images of drivers in another way than in registries: for tests.
     *
     * @param executor runs the looks. Not shut down
     */
    public ClientOperatorBuilder driverImages(ImageLooks looks, Executor executor) {
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
    public ClientOperatorBuilder modules(VersionResolver versions, Executor executor) {
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
    public ClientOperatorBuilder requests(Consumer<String> requests) {
        this.requests = requests;
        return this;
    }

    /** Runs reconciles. Required; not shut down. */
    public ClientOperatorBuilder workers(Executor workers) {
        this.workers = workers;
        return this;
    }

    /**
     * Reads logs that objects wait for, each within the client's timeout; the workers unless set. Not shut down. A special
     * resource has one task at a time.
     */
    public ClientOperatorBuilder background(Executor executor) {
        this.background = executor;
        return this;
    }

    /** Wakes up, for example {@link Timers#of}. Required. */
    public ClientOperatorBuilder timers(Timers timers) {
        this.timers = timers;
        return this;
    }

    /** How plugins are called; on the worker and without deadline unless set. */
    public ClientOperatorBuilder guard(PluginGuard guard) {
        this.guard = guard;
        return this;
    }

    /** Wraps the writer: to audit, to limit the rate, to test. */
    public ClientOperatorBuilder writer(UnaryOperator<ClusterWriter> decorator) {
        this.writer = decorator;
        return this;
    }

    /**
     * Makes writes to different nodes, pods and pools at the same time: what a large cluster needs, where one answer after the other
     * would take longer than the allowed rate of requests. On the workers alone unless set.
     */
    public ClientOperatorBuilder writeThreads(WriteThreads threads) {
        this.writeThreads = threads;
        return this;
    }

    /** The time, which must never go back; the system's, as {@link MonotonicClock}, unless set. */
    public ClientOperatorBuilder clock(Clock clock) {
        this.clock = clock;
        return this;
    }

    /** Where events go; to the API server, as {@link ClientEvents}, unless set. */
    public ClientOperatorBuilder events(EventSink events) {
        this.events = events;
        return this;
    }

    /** Wraps where events go: to log them, too. */
    public ClientOperatorBuilder eventsThrough(UnaryOperator<EventSink> decorator) {
        this.eventsThrough = decorator;
        return this;
    }

    /** What is measured; nothing unless set. */
    public ClientOperatorBuilder metrics(Metrics metrics) {
        this.metrics = metrics;
        return this;
    }

    /**
     * After what silence of a watch its objects are listed anew; 15 minutes unless set, zero for never. Watches are looked
     * after once a minute, or four times as often as this where that is more.
     */
    public ClientOperatorBuilder relistAfter(Duration silence) {
        if (silence.isNegative()) {
            throw new IllegalArgumentException("relistAfter " + silence + " is negative");
        }
        this.silence = silence;
        return this;
    }

    /** See {@link dev.sro.core.engine.EngineBuilder#admission}; by policies of the API server unless set. */
    public ClientOperatorBuilder admission(Supplier<AdmissionSettings> settings) {
        this.admission = settings;
        return this;
    }

    /** See {@link dev.sro.core.engine.EngineBuilder#labelGrace}; five minutes unless set. */
    public ClientOperatorBuilder labelGrace(Duration grace) {
        this.labelGrace = grace;
        return this;
    }

    /** What is set for those beside the engine. */
    CompanionSettings companions() {
        return new CompanionSettings(
                scope,
                clock,
                Objects.requireNonNull(timers, "timers"),
                metrics,
                images,
                toolkitImages,
                imageReader,
                resolver,
                moduleWorker,
                registriesConf,
                accounts);
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
