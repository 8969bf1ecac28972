package dev.sro.core.client;

import dev.sro.api.Outcome;
import dev.sro.api.ProxySettings;
import dev.sro.core.client.codec.Fabric8Codec;
import dev.sro.core.client.informer.Informers;
import dev.sro.core.client.source.ClientImages;
import dev.sro.core.client.source.ClientLogs;
import dev.sro.core.client.watch.RecurringTask;
import dev.sro.core.client.writer.ClientEvents;
import dev.sro.core.client.writer.ClientWriter;
import dev.sro.core.driver.RegistryProbe;
import dev.sro.core.engine.Controller;
import dev.sro.core.engine.Engine;
import dev.sro.core.engine.EngineBuilder;
import dev.sro.core.engine.port.EventSink;
import dev.sro.core.engine.port.ImageLooks;
import dev.sro.core.engine.port.Timers;
import dev.sro.core.image.Images;
import dev.sro.core.recipe.ChartRecipes;
import dev.sro.core.recipe.StateFileRecipes;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SortedMap;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
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
    private final List<RecurringTask> recurring = new ArrayList<>();

    ClientOperator(ClientOperatorBuilder builder) {
        KubernetesClient client = Objects.requireNonNull(builder.client, "client");
        Executor workers = Objects.requireNonNull(builder.workers, "workers");
        Executor background = builder.background;
        EventSink events = builder.events;
        Fabric8Codec codec = new Fabric8Codec(client.getKubernetesSerialization());
        ChangeDispatcher changed = new ChangeDispatcher();
        this.informers = new Informers(
                client,
                codec,
                builder.clock,
                changed,
                background == null ? workers : background,
                Objects.requireNonNull(builder.timers, "timers"),
                changed);
        OperatorScope scope = builder.scope;
        this.companions = new CompanionControllers(builder.companions(), client, informers);
        changed.tell(companions);
        ClientWriter writer = new ClientWriter(client, codec, informers::find, informers::missing, scope.terms());
        ChartRecipes charts = builder.charts.apply(codec, changed);
        EngineBuilder settings = Engine.builder();
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
                .accounts(builder.accounts)
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
        recurring.add(new RecurringTask("ask what is needed", REVIEW, this::review, timers));
        if (!builder.silence.isZero()) {
            recurring.add(new RecurringTask(
                    "look after the watches",
                    RecurringTask.watchdog(builder.silence),
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
    public static ClientOperatorBuilder builder() {
        return new ClientOperatorBuilder();
    }

    /** The engine, for plans. */
    public Engine engine() {
        return engine;
    }

    /** How OpenShift's own workloads get out of the cluster; nothing elsewhere, and until it was seen. */
    public ProxySettings proxy() {
        return informers.proxy();
    }

    /** Asks for a reconcile, for example after plugins were reloaded. */
    public void request(String specialResource) {
        requests.accept(specialResource);
    }

    /** Asks for a reconcile of every special resource, for example when what {@link ClientOperatorBuilder#admission} gives has changed. */
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
        recurring.forEach(RecurringTask::close);
        Controller own = controller;
        if (own != null) {
            own.close();
        }
        companions.close();
        informers.close();
    }
}
