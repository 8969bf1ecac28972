package dev.sro.core.engine.driver;

import dev.sro.api.Outcome;
import dev.sro.api.Pool;
import dev.sro.api.Problem;
import dev.sro.api.RecipeContext;
import dev.sro.api.resource.SpecialResource;
import dev.sro.core.build.BuildInputs;
import dev.sro.core.build.BuildQueue;
import dev.sro.core.build.BuildRecord;
import dev.sro.core.build.BuildSettings;
import dev.sro.core.build.BuildSlots;
import dev.sro.core.build.BuildSources;
import dev.sro.core.build.BuildState;
import dev.sro.core.build.BuildStep;
import dev.sro.core.build.BuildSteps;
import dev.sro.core.build.BuildTarget;
import dev.sro.core.build.InputReading;
import dev.sro.core.build.PoolBuild;
import dev.sro.core.driver.BuildRequest;
import dev.sro.core.driver.DriverRequest;
import dev.sro.core.driver.DriverState;
import dev.sro.core.driver.Drivers;
import dev.sro.core.driver.PoolDriver;
import dev.sro.core.driver.RegistryProbe;
import dev.sro.core.engine.background.ImageFindings;
import dev.sro.core.engine.background.LogReadings;
import dev.sro.core.engine.port.ClusterReader;
import dev.sro.core.engine.port.Sight;
import dev.sro.core.model.Code;
import dev.sro.core.model.ImageMirrors;
import dev.sro.core.model.KubeObject;
import dev.sro.core.model.ManagementState;
import dev.sro.core.model.RecipeAccounts;
import dev.sro.core.probe.LogQuery;
import dev.sro.core.probe.PodFacts;
import dev.sro.core.probe.PodOutcomes;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/**
 * Decides which driver images of special resources are built now. What it remembers itself only saves time; all else is in the
 * cluster. Thread-safe.
 */
public final class DriverBuilds {

    /** What may have become better without an event: an image that can be read again, a place that was given and not taken. */
    private static final Duration LOOK_AGAIN = Duration.ofMinutes(1);

    private static final Set<Code> LOOKS_AGAIN =
            EnumSet.of(Code.BUILD_QUEUED, Code.BUILD_IMAGE_NOT_READABLE, Code.DRIVER_TOOLKIT_MISSING);

    private static final Set<String> BUILT_IN = Set.of("batch/v1/Job", "v1/ConfigMap");

    private static final Set<String> KINDS =
            Set.of("batch/v1/Job", "build.openshift.io/v1/BuildConfig", "shipwright.io/v1beta1/BuildRun");

    /** What is done with a place for a build. */
    public enum Places {
        /** Taken, as the build begins. */
        TAKEN,
        /** Looked at, as nothing is written. */
        LOOKED_AT
    }

    private final ClusterReader reader;
    private final BuildSources sources;
    private final BuildSettings settings;
    private final BuildSlots slots;
    private final ImageCollection collection;
    private final Consumer<String> wake;
    private final ConcurrentHashMap<String, Set<String>> running = new ConcurrentHashMap<>();

    /**
     * @param accounts by whose rights what recipes have is seen
     * @param wake has a special resource reconciled that waits for a place
     */
    public DriverBuilds(
            ClusterReader reader,
            BuildSources sources,
            BuildSettings settings,
            RecipeAccounts accounts,
            Consumer<String> wake) {
        this.reader = reader;
        this.sources = sources;
        this.settings = settings;
        this.slots = new BuildSlots(settings.overall());
        this.wake = wake;
        this.collection = new ImageCollection(reader, sources, settings, accounts);
    }

    /**
     * The builds of a special resource.
     *
     * @param drivers by name of the pool
     * @param images what is known of images
     */
    private PoolBuilds of(
            RecipeContext context,
            String namespace,
            ImageMirrors mirrors,
            List<Pool> pools,
            Map<String, PoolDriver> drivers,
            ImageFindings images,
            LogReadings logs,
            Places places,
            Instant now) {
        List<BuildQueue.Need> needs = new ArrayList<>();
        for (Pool pool : pools) {
            Optional<BuildRequest> request = Optional.ofNullable(drivers.get(pool.name()))
                    .flatMap(PoolDriver::build)
                    .map(settings::completed);
            request.filter(BuildRequest::wanted)
                    .ifPresent(wanted -> needs.add(need(
                            new BuildTarget(context.name(), namespace, pool, context.cluster(), mirrors),
                            wanted,
                            images,
                            now)));
        }
        if (needs.isEmpty() && !running.containsKey(context.name())) {
            return new PoolBuilds(new TreeMap<>(), List.of(), Optional.empty());
        }
        Optional<Outcome> filling = filling(context);
        if (filling.isPresent()) {
            return new PoolBuilds(new TreeMap<>(), List.of(), filling);
        }
        List<BuildRecord> records = records(context.name());
        ended(context.name(), records);
        SortedMap<String, PoolBuild> builds = new BuildQueue(
                        records,
                        new BuildQueue.Pods() {
                            @Override
                            public String end(BuildRecord failed) {
                                return DriverBuilds.this.end(failed, logs);
                            }

                            @Override
                            public Optional<Problem> obstacle(BuildRecord running) {
                                return reader.pods(running.uid()).stream()
                                        .filter(pod -> !pod.terminating())
                                        .flatMap(pod -> PodOutcomes.obstacle(pod).stream())
                                        .findFirst();
                            }
                        },
                        build -> places == Places.TAKEN
                                ? slots.take(context.name(), build, this::everywhere, now)
                                : slots.wouldTake(build, this::everywhere, now),
                        now,
                        settings)
                .decide(needs);
        return new PoolBuilds(builds, records, Optional.empty());
    }

    /**
     * How far builds are.
     *
     * @param records of the objects of builds
     * @param filling what is not seen yet, so that nothing can be said
     */
    private record PoolBuilds(
            SortedMap<String, PoolBuild> builds, List<BuildRecord> records, Optional<Outcome> filling) {}

    /**
     * What comes of builds.
     *
     * @param drivers with the state that builds their images
     * @param collected what comes of images that nobody needs any more
     * @param filling what of the builds is not seen yet, so that nothing can be said, least of all that a driver that runs were not
     *     ready
     */
    public record BuiltDrivers(Drivers drivers, ImageCollection.Collected collected, Optional<Outcome> filling) {}

    /** These drivers with the state that builds their images. */
    public BuiltDrivers with(
            Drivers drivers,
            Map<String, DriverRequest> requests,
            RecipeContext context,
            String namespace,
            ImageMirrors mirrors,
            List<Pool> pools,
            DriverLookups known,
            Places places,
            Instant now) {
        PoolBuilds built =
                of(context, namespace, mirrors, pools, drivers.byPool(), known.images(), known.logs(), places, now);
        boolean managed = ManagementState.of(context.specialResource()) != ManagementState.UNMANAGED;
        ImageCollection.Collected collected = built.filling().isEmpty() && managed
                ? collection.collect(
                        context.name(),
                        namespace,
                        requests,
                        drivers.byPool(),
                        built.builds().values(),
                        built.records(),
                        known,
                        now)
                : ImageCollection.Collected.unchanged(collection.recorded(context.name()));
        List<DriverState> states = new ArrayList<>();
        states.add(new BuildState(built.builds(), settings, collected.images()));
        states.addAll(drivers.states());
        return new BuiltDrivers(new Drivers(states, drivers.byPool()), collected, built.filling());
    }

    private static Optional<BuildState> in(Drivers drivers) {
        return drivers.states().stream()
                .filter(BuildState.class::isInstance)
                .map(BuildState.class::cast)
                .findFirst();
    }

    /** Nothing is built for it any more, or it does not exist. */
    public void gone(String specialResource) {
        if (running.remove(specialResource) != null) {
            slots.released().forEach(wake);
        }
    }

    /** When to look again at these builds although nothing changes; {@link Instant#MAX} for never. */
    public static Instant wakeUp(Drivers drivers, Instant now) {
        return in(drivers).stream()
                .flatMap(state -> state.builds().values().stream())
                .map(build ->
                        looksAgain(build.outcome()) ? earlier(build.wakeUp(), now.plus(LOOK_AGAIN)) : build.wakeUp())
                .min(Comparator.naturalOrder())
                .orElse(Instant.MAX);
    }

    private static Instant earlier(Instant one, Instant other) {
        return one.isBefore(other) ? one : other;
    }

    private static boolean looksAgain(Outcome outcome) {
        return Code.isOneOf(LOOKS_AGAIN, outcome);
    }

    /** What is said of an object of a build instead of the rule of its kind; empty for what is none. */
    public static Optional<Outcome> judge(Drivers drivers, KubeObject live) {
        Optional<String> hash = live.annotation(BuildStep.INPUTS);
        if (hash.isEmpty() || !KINDS.contains(live.ref().kindKey())) {
            return Optional.empty();
        }
        return in(drivers).stream()
                .flatMap(state -> state.builds().values().stream())
                .filter(build -> !build.runs().isEmpty())
                .filter(build -> {
                    PoolBuild.Run last = build.runs().get(build.runs().size() - 1);
                    return last.step().name(last.attempt()).equals(live.ref().name());
                })
                .findFirst()
                .map(PoolBuild::outcome)
                // The steps before the last one are done, or there would be no last one.
                .or(() -> Optional.of(Outcome.ready()));
    }

    private BuildQueue.Need need(BuildTarget target, BuildRequest request, ImageFindings images, Instant now) {
        Optional<Duration> again =
                settings.baseImageCheck().isZero() ? Optional.empty() : Optional.of(settings.baseImageCheck());
        BuildInputs inputs =
                InputReading.read(target, request, sources, question -> digest(images, question, again), now);
        return new BuildQueue.Need(
                target.pool().name(), BuildSteps.of(target, request, inputs, settings), request.missing());
    }

    private static BuildSources.Answer digest(
            ImageFindings images, BuildSources.Question question, Optional<Duration> again) {
        return answer(images.ofInput(query(question), again).finding());
    }

    /** How a registry is asked for an image that a build takes in. */
    static RegistryProbe.Query query(BuildSources.Question question) {
        return new RegistryProbe.Query(
                question.image(),
                question.architecture(),
                Optional.empty(),
                question.security(),
                question.namespace(),
                question.pullSecrets());
    }

    /** What was found, as builds take it. */
    static BuildSources.Answer answer(RegistryProbe.Finding finding) {
        return switch (finding.kind()) {
            case FOUND -> new BuildSources.Available(finding.digest());
            case UNREAD -> new BuildSources.Pending();
            default -> new BuildSources.Absent(finding.message());
        };
    }

    /** While it is not seen which builds there are, none begins. */
    private Optional<Outcome> filling(RecipeContext context) {
        Set<String> served = new HashSet<>(KINDS);
        // With what was built until now, which is added to and must not be forgotten.
        served.add("v1/ConfigMap");
        served.removeIf(kind ->
                !BUILT_IN.contains(kind) && !context.cluster().servedKinds().contains(kind));
        return reader.watch(Sight.own(served)).values().stream()
                .filter(Outcome.Waiting.class::isInstance)
                .findFirst();
    }

    private List<BuildRecord> records(String specialResource) {
        List<BuildRecord> records = new ArrayList<>();
        for (KubeObject live : reader.owned(specialResource).values()) {
            if (live.annotation(BuildStep.INPUTS).isPresent()) {
                BuildRecord.of(live, reader.children(live.uid())).ifPresent(records::add);
            }
        }
        return records;
    }

    private Set<String> everywhere() {
        Set<String> names = new HashSet<>();
        for (SpecialResource resource : reader.specialResources()) {
            names.addAll(runningOf(records(resource.getMetadata().getName())));
        }
        return names;
    }

    private static Set<String> runningOf(List<BuildRecord> records) {
        Set<String> names = new HashSet<>();
        records.stream()
                .filter(record -> record.phase() == BuildRecord.Phase.RUNNING)
                .forEach(record -> names.add(record.ref().name()));
        return names;
    }

    /** Whoever waits for a place gets its chance when a build of this special resource has ended. */
    private void ended(String specialResource, List<BuildRecord> records) {
        Set<String> now = runningOf(records);
        Set<String> before = now.isEmpty() ? running.remove(specialResource) : running.put(specialResource, now);
        if (before != null && !now.containsAll(before)) {
            slots.released().forEach(wake);
        }
    }

    private String end(BuildRecord failed, LogReadings logs) {
        Map<String, PodFacts> pods = new HashMap<>();
        reader.pods(failed.uid()).forEach(pod -> pods.put(pod.name(), pod));
        return pods.values().stream()
                .filter(pod -> pod.phase().equals("Failed"))
                .max(Comparator.comparing(PodFacts::name))
                .map(pod -> {
                    String log = logs.state(LogQuery.end(failed.uid(), pod)).detail();
                    // What the kubelet kept is known before the log is read, and after a restart of the operator at
                    // once.
                    return log.isEmpty() ? pod.message() : log;
                })
                .orElse("");
    }
}
