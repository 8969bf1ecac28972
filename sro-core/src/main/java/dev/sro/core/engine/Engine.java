package dev.sro.core.engine;

import dev.sro.api.resource.SpecialResource;
import dev.sro.core.apply.Applier;
import dev.sro.core.driver.DriverRequests;
import dev.sro.core.driver.TagCatalogue;
import dev.sro.core.engine.background.ImageAccess;
import dev.sro.core.engine.background.ImageFindings;
import dev.sro.core.engine.background.LogAccess;
import dev.sro.core.engine.background.LogReadings;
import dev.sro.core.engine.driver.DriverBuilds;
import dev.sro.core.engine.driver.PoolDrivers;
import dev.sro.core.engine.port.ClusterReader;
import dev.sro.core.engine.port.Metrics;
import dev.sro.core.engine.roster.LabelGrace;
import dev.sro.core.engine.session.ResourceSession;
import dev.sro.core.engine.trip.Preview;
import dev.sro.core.engine.trip.RuntimeFiles;
import dev.sro.core.engine.trip.Trip;
import dev.sro.core.manifest.Renderer;
import dev.sro.core.model.Codec;
import dev.sro.core.plan.Plan;
import dev.sro.core.plan.Write;
import dev.sro.core.recipe.RecipeResolver;
import dev.sro.core.upgrade.machine.RolloutPlan;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
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
    private final DriverRequests requests;
    private final DriverBuilds builds;
    private final ConcurrentHashMap<String, ResourceSession> sessions = new ConcurrentHashMap<>();

    Engine(EngineBuilder builder) {
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
        this.requests = new DriverRequests(TagCatalogue.builtIn());
        Codec codec = Objects.requireNonNull(builder.codec, "codec");
        this.resolver = new RecipeResolver(
                Objects.requireNonNull(builder.plugins, "plugins"), builder.guard, builder.charts, builder.stateFiles);
        Renderer renderer = new Renderer(codec, builder.imageMirrors, resolver::sharedHooks, builder.accounts);
        this.builds =
                new DriverBuilds(reader, builder.buildSources, builder.buildSettings, builder.accounts, builder.looked);
        this.trip = new Trip(
                reader,
                resolver,
                renderer,
                codec,
                builds,
                builder.admission,
                new RuntimeFiles(builder.runtimeImage),
                builder.selectingLabels,
                builder.accounts);
        this.forecasts = new Forecasts(
                reader, serves, resolver, renderer, requests, builder.buildSources, builder.buildSettings);
    }

    /** What special resources would consist of on other kernels. */
    public Forecasts forecasts() {
        return forecasts;
    }

    /** A new builder. */
    public static EngineBuilder builder() {
        return new EngineBuilder();
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
                reader.view(name, Set.of());
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
            applied.tried(now, session.failures());
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
                        new LabelGrace(labelGrace),
                        new PoolDrivers(images, requests, new ImageFindings(images, name))));
    }
}
