package dev.sro.core.module;

import dev.sro.api.Outcome;
import dev.sro.api.State;
import dev.sro.api.resource.SpecialResource;
import dev.sro.api.resource.SpecialResourceModule;
import dev.sro.api.resource.SpecialResourceModuleStatus;
import dev.sro.api.resource.SpecialResourceStatus;
import dev.sro.core.apply.Applier;
import dev.sro.core.apply.ClusterWriter;
import dev.sro.core.apply.Observer;
import dev.sro.core.apply.UnexpectedFailure;
import dev.sro.core.apply.WriteException;
import dev.sro.core.driver.SecretReads;
import dev.sro.core.engine.port.ClusterReader;
import dev.sro.core.engine.port.Sight;
import dev.sro.core.engine.trip.Preview;
import dev.sro.core.manifest.DesiredState;
import dev.sro.core.manifest.NamespaceManifest;
import dev.sro.core.model.Code;
import dev.sro.core.model.KubeObject;
import dev.sro.core.model.ObjectRef;
import dev.sro.core.model.Operands;
import dev.sro.core.plan.Plan;
import dev.sro.core.plan.RecipeQuestion;
import dev.sro.core.plan.Write;
import dev.sro.core.plan.planner.PlanInput;
import dev.sro.core.plan.planner.Planner;
import dev.sro.core.recipe.Recipe;
import dev.sro.core.upgrade.policy.UpgradeAdvice;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings modules to what they shall be: one straight trip from what is watched to the writes, with the planner of special
 * resources. Blocks while registries are read for a version that is new; a module with nothing to do makes no request. Thread-safe
 * for different modules.
 */
public final class ModuleReconciler {

    private static final Logger LOG = LoggerFactory.getLogger(ModuleReconciler.class);
    private static final Duration SOON = Duration.ofSeconds(1);
    private static final int MAX_ROUNDS = 4;

    private final ModuleStore store;
    private final ClusterReader reader;
    private final ClusterWriter writer;
    private final Applier applier;
    private final DesiredModules desires;
    private final Clock clock;
    private final Map<String, ModuleMemory> memories = new ConcurrentHashMap<>();

    /**
     * @param store the modules and what they watch
     * @param reader the caches, which see objects of modules as those of special resources
     * @param observer is told of writes: the caches
     * @param desires finds out what shall exist
     */
    public ModuleReconciler(
            ModuleStore store,
            ClusterReader reader,
            ClusterWriter writer,
            Observer observer,
            DesiredModules desires,
            Clock clock) {
        this.store = store;
        this.reader = reader;
        this.writer = writer;
        this.applier = new Applier(writer, observer, clock);
        this.desires = desires;
        this.clock = clock;
    }

    /**
     * Does what there is to do.
     *
     * @param looking called before each look at the caches, see {@link dev.sro.core.engine.Controller.Reconcile}
     * @return when to look again although nothing changes
     */
    public Optional<Instant> reconcile(String name, Runnable looking) {
        Optional<Instant> wakeUp = Optional.empty();
        for (int round = 0; round < MAX_ROUNDS; round++) {
            looking.run();
            Optional<SpecialResourceModule> found = store.find(name);
            if (found.isEmpty()) {
                memories.remove(name);
                desires.gone(name);
                return Optional.empty();
            }
            SpecialResourceModule module = found.get();
            ModuleMemory memory = memory(name, module);
            Trip trip = plan(module, memory);
            wakeUp = trip.plan().wakeUp();
            try {
                switch (make(module, memory, trip)) {
                    case DONE -> {
                        return earlier(wakeUp, trip.retry());
                    }
                    case STOPPED -> {
                        return Optional.of(clock.instant().plus(SOON));
                    }
                    case MORE -> {
                        // What was written may open the way for the next.
                    }
                }
            } catch (WriteException e) {
                LOG.atWarn().addKeyValue("module", name).log("cannot be written: {}", e.getMessage());
                return Optional.of(clock.instant().plus(SOON));
            }
        }
        return earlier(wakeUp, Optional.of(clock.instant().plus(SOON)));
    }

    /** What a reconcile of a module would do now, which may not be there yet. Writes nothing, and looks up what is new. */
    public Preview preview(SpecialResourceModule module) {
        Trip trip = plan(module, memory(module.getMetadata().getName(), module));
        Optional<DesiredModule> desired = Optional.ofNullable(trip.desired());
        Optional<PlanInput> input = Optional.ofNullable(trip.input());
        return new Preview(
                trip.plan(),
                desired.map(DesiredModule::recipe),
                input.map(PlanInput::states).orElse(List.of()),
                List.of(),
                input.flatMap(PlanInput::namespace),
                input.map(PlanInput::owned).orElse(Map.of()),
                input.map(PlanInput::unseenKinds).orElse(Map.of()),
                input.map(PlanInput::notices).orElse(List.of()),
                input.map(PlanInput::warnings).orElse(List.of()),
                SecretReads.NONE,
                trip.obstacle());
    }

    private static Optional<Instant> earlier(Optional<Instant> one, Optional<Instant> other) {
        return one.isEmpty() ? other : other.isEmpty() || one.get().isBefore(other.get()) ? one : other;
    }

    private ModuleMemory memory(String name, SpecialResourceModule module) {
        String uid = String.valueOf(module.getMetadata().getUid());
        ModuleMemory known = memories.get(name);
        if (known == null || !known.uid().equals(uid)) {
            known = new ModuleMemory(uid, module.getStatus());
            memories.put(name, known);
        }
        known.stored(module.getStatus());
        return known;
    }

    /** A plan with what it was made for. */
    private record Trip(
            Plan plan,
            @Nullable DesiredModule desired,
            @Nullable PlanInput input,
            Optional<Outcome> obstacle,
            Optional<Instant> retry) {

        static Trip blind(Outcome obstacle, Instant now, Optional<Instant> retry) {
            return new Trip(Planner.blind(obstacle, now), null, null, Optional.of(obstacle), retry);
        }
    }

    /** What fails in a way that nobody thought of is a problem of the module, which keeps what it has. */
    private Trip plan(SpecialResourceModule module, ModuleMemory memory) {
        Instant now = clock.instant();
        if (module.getMetadata().getDeletionTimestamp() != null) {
            return plan(module, memory, null, now);
        }
        try {
            return plan(module, memory, desires.of(module, memory, now), now);
        } catch (RuntimeException | Error e) {
            LOG.atError()
                    .addKeyValue("module", module.getMetadata().getName())
                    .setCause(e)
                    .log("what is to be done cannot be said");
            DesiredModule nothing = DesiredModule.problems(
                    List.of(UnexpectedFailure.planning(e)), Optional.of(now.plus(UnexpectedFailure.AGAIN)));
            return plan(module, memory, nothing, now);
        }
    }

    private Trip plan(SpecialResourceModule module, ModuleMemory memory, @Nullable DesiredModule desired, Instant now) {
        if (desired != null && desired.waiting().isPresent()) {
            return Trip.blind(desired.waiting().get(), now, desired.retry());
        }
        SpecialResource resource = Modules.asSpecialResource(module, memory.planned(), memory.finalizers());
        List<DesiredState> states = desired == null ? List.of() : desired.states();
        Map<String, Outcome> unseen =
                unseen(desires.sight(resource, desired != null && desired.recipe() != null), memory.planned(), states);
        Optional<Outcome> filling = Optional.ofNullable(unseen.get(ClusterReader.BASE))
                .or(() -> unseen.values().stream()
                        .filter(Outcome.Waiting.class::isInstance)
                        .filter(outcome -> !Code.ACCOUNT_PENDING.is(outcome))
                        .findFirst());
        if (filling.isPresent()) {
            return Trip.blind(filling.get(), now, Optional.empty());
        }
        PlanInput.Builder input = PlanInput.builder()
                .observed(resource, owned(module), reader::pods, reader::children)
                .now(now)
                .nodeProblems(new TreeMap<>())
                .states(states)
                .account(desires.account(resource))
                .unseenKinds(unseen)
                .failures(memory.failures().current())
                .lastStatusWrite(memory.lastStatusWrite());
        if (desired != null) {
            input.problems(desired.problems()).pools(desired.pools());
            input.warnings(
                    desired.recipe() == null ? List.of() : desired.recipe().warnings());
            input.notices(
                    desired.recipe() == null ? List.of() : desired.recipe().notActedOn());
            String namespace = Modules.namespace(module);
            if (!reader.isForeignNamespace(namespace, resource.getMetadata().getName())) {
                input.namespace(NamespaceManifest.render(resource, namespace));
            }
        }
        PlanInput whole = input.build();
        return new Trip(
                memory.rounds()
                        .plan(whole, memory.memo(), new ChartOracle(desired == null ? null : desired.recipe(), now)),
                desired,
                whole,
                Optional.empty(),
                desired == null ? Optional.empty() : desired.retry());
    }

    /** A namespace in which others have something is not ours to take away. */
    private Map<ObjectRef, KubeObject> owned(SpecialResourceModule module) {
        String name = module.getMetadata().getName();
        Map<ObjectRef, KubeObject> owned = new HashMap<>(reader.owned(Modules.inventory(name)));
        String namespace = Modules.namespace(module);
        boolean used = reader.specialResources().stream()
                        .anyMatch(resource -> Operands.namespace(resource).equals(namespace))
                || store.all().stream()
                        .anyMatch(other -> !other.getMetadata().getName().equals(name)
                                && Modules.namespace(other).equals(namespace));
        if (used && module.getMetadata().getDeletionTimestamp() != null) {
            owned.remove(new ObjectRef("v1", "Namespace", "", namespace));
        }
        return owned;
    }

    private Map<String, Outcome> unseen(Sight.Builder sight, SpecialResourceStatus planned, List<DesiredState> states) {
        Set<String> wanted = new HashSet<>(Set.of("v1/Namespace"));
        wanted.forEach(sight::kind);
        states.stream()
                .flatMap(DesiredState::objects)
                .map(object -> object.object().ref())
                .forEach(ref -> {
                    wanted.add(ref.kindKey());
                    sight.object(ref);
                });
        Map<String, Outcome> unseen =
                new HashMap<>(reader.watch(sight.managed(planned).build()));
        // A kind that is not served any more has no objects left to see.
        unseen.entrySet()
                .removeIf(kind -> !kind.getKey().equals(ClusterReader.BASE)
                        && !wanted.contains(kind.getKey())
                        && Code.KIND_NOT_SERVED.is(kind.getValue()));
        return unseen;
    }

    private enum Made {
        /** There is nothing more to do. */
        DONE,
        /** There may be more to do. */
        MORE,
        /** The API server is away, or what must come first was refused: no event will tell when to try again. */
        STOPPED
    }

    /** Makes the writes in their order. */
    private Made make(SpecialResourceModule module, ModuleMemory memory, Trip trip) throws WriteException {
        SpecialResourceStatus planned = memory.planned();
        for (Write write : trip.plan().writes()) {
            if (write instanceof Write.UpdateStatus update) {
                planned = update.status();
            }
        }
        SpecialResourceModuleStatus status = status(memory, trip, planned);
        List<Write> work = new ArrayList<>();
        for (Write write : trip.plan().writes()) {
            if (write instanceof Write.SetFinalizer finalizer) {
                finalizer(module, memory, finalizer);
            } else if (write instanceof Write.UpdateStatus) {
                if (work.isEmpty()) {
                    write(module, memory, planned, status);
                }
            } else {
                work.add(write);
            }
        }
        if (!work.isEmpty()) {
            return applier.apply(work, memory.failures()).stopped() ? Made.STOPPED : Made.MORE;
        }
        if (trip.desired() != null) {
            write(module, memory, planned, status);
        }
        return Made.DONE;
    }

    private static SpecialResourceModuleStatus status(ModuleMemory memory, Trip trip, SpecialResourceStatus planned) {
        DesiredModule desired = trip.desired();
        if (desired == null || desired.recipe() == null || !desired.problems().isEmpty()) {
            return ModuleStatuses.build(planned, memory.versions());
        }
        return ModuleStatuses.build(
                planned, ModuleStatuses.versions(trip.plan(), desired.recipe(), desired.versions(), desired.values()));
    }

    private void finalizer(SpecialResourceModule module, ModuleMemory memory, Write.SetFinalizer write)
            throws WriteException {
        ObjectRef self = new ObjectRef(
                module.getApiVersion(),
                module.getKind(),
                "",
                module.getMetadata().getName());
        SpecialResource stored = writer.setFinalizer(self, write.uid(), write.present());
        memory.finalizers(stored.getMetadata().getFinalizers());
    }

    private void write(
            SpecialResourceModule module,
            ModuleMemory memory,
            SpecialResourceStatus planned,
            SpecialResourceModuleStatus status)
            throws WriteException {
        if (!status.equals(memory.status())) {
            store.writeStatus(module, status);
            memory.written(status, clock.instant());
        }
        memory.planned(planned);
    }

    /** Answers by the recipe alone: charts have no plugins. */
    private record ChartOracle(@Nullable Recipe recipe, Instant now) implements RecipeQuestion.Oracle {

        @Override
        public Optional<Outcome> probe(KubeObject live, State state) {
            return recipe == null ? Optional.empty() : recipe.probe(live, ChartOracle::typed, state, now);
        }

        @Override
        public Outcome afterApply(KubeObject live) {
            return Outcome.ready();
        }

        @Override
        public Outcome beforeDelete(KubeObject live) {
            return Outcome.ready();
        }

        @Override
        public UpgradeAdvice upgrades() {
            return UpgradeAdvice.none();
        }

        private static GenericKubernetesResource typed(KubeObject unused) {
            throw new IllegalStateException("charts of modules look at trees");
        }
    }
}
