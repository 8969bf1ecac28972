package dev.sro.core.engine;

import dev.sro.api.Outcome;
import dev.sro.api.Problem;
import dev.sro.api.resource.SpecialResource;
import dev.sro.core.apply.UnexpectedFailure;
import dev.sro.core.manifest.Desired;
import dev.sro.core.manifest.DesiredState;
import dev.sro.core.manifest.NamespaceManifest;
import dev.sro.core.manifest.OptionalKinds;
import dev.sro.core.manifest.Renderer;
import dev.sro.core.model.Code;
import dev.sro.core.model.Codec;
import dev.sro.core.model.ObjectRef;
import dev.sro.core.model.Operands;
import dev.sro.core.partition.AdmissionSettings;
import dev.sro.core.plan.Plan;
import dev.sro.core.plan.PlanInput;
import dev.sro.core.plan.Planner;
import dev.sro.core.pool.ReadinessTaints;
import dev.sro.core.recipe.Recipe;
import dev.sro.core.recipe.RecipeFailure;
import dev.sro.core.recipe.RecipeResolver;
import dev.sro.core.release.Release;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The way from the caches to the plan. Keeps no state; thread-safe. */
final class Trip {

    private final ClusterReader reader;
    private final RecipeResolver resolver;
    private final Codec codec;
    private final ResourceConflicts conflicts;
    private final Dependencies dependencies;
    private final DesiredAssembly assembly;

    private static final Logger LOG = LoggerFactory.getLogger(Trip.class);

    Trip(
            ClusterReader reader,
            RecipeResolver resolver,
            Renderer renderer,
            Codec codec,
            DriverBuilds builds,
            Supplier<AdmissionSettings> admission,
            RuntimeFiles runtimeFiles,
            Set<String> inheritedLabels) {
        this.reader = reader;
        this.resolver = resolver;
        this.codec = codec;
        this.conflicts = new ResourceConflicts(reader, resolver);
        this.dependencies = new Dependencies(reader, resolver, codec, inheritedLabels);
        this.assembly = new DesiredAssembly(reader, resolver, renderer, conflicts, builds, admission, runtimeFiles);
    }

    /** What is to be done now, and will be. */
    Plan plan(SpecialResource resource, ResourceSession session, Instant now) {
        return preview(resource, session, DriverBuilds.Places.TAKEN, now).plan();
    }

    /** What would be done now. */
    Preview preview(SpecialResource resource, ResourceSession session, Instant now) {
        return preview(resource, session, DriverBuilds.Places.LOOKED_AT, now);
    }

    /** What fails in a way that nobody thought of is a problem of the special resource, which keeps what it has. */
    private Preview preview(
            SpecialResource resource, ResourceSession session, DriverBuilds.Places places, Instant now) {
        try {
            return preview(resource, session, places, now, List.of());
        } catch (RuntimeException | Error e) {
            LOG.atError()
                    .addKeyValue("specialResource", resource.getMetadata().getName())
                    .setCause(e)
                    .log("what is to be done cannot be said");
            return preview(resource, session, places, now, List.of(UnexpectedFailure.planning(e)));
        }
    }

    private Preview preview(
            SpecialResource resource,
            ResourceSession session,
            DriverBuilds.Places places,
            Instant now,
            List<Problem> unexpected) {
        String name = resource.getMetadata().getName();
        boolean leaving = ResourceConflicts.isLeaving(resource);
        List<Problem> problems = new ArrayList<>(leaving || !unexpected.isEmpty() ? List.of() : checks(resource));
        problems.addAll(unexpected);
        Dependencies.Found needs = Dependencies.Found.NONE;
        Recipe recipe = null;
        DesiredAssembly.Assembled wanted = null;
        List<String> left = new ArrayList<>();
        // Only what was asked in this trip says when it is asked again: that is later than now.
        Instant again = Instant.MAX;
        if (!leaving && problems.isEmpty()) {
            if (session.looksForCrds(now)) {
                reader.refreshCluster();
            }
            Optional<Outcome> surroundings = reader.watchEnvironment();
            if (surroundings.isPresent()) {
                return blind(surroundings.get(), now);
            }
            RecipeResolver.Resolution resolution = session.resolve(resource, name, reader.cluster(), resolver, now);
            Optional<String> pending = resolution.waiting();
            if (pending.isPresent()) {
                return blind(Outcome.waiting(Code.CHART_PENDING.text(), now, pending.get()), now)
                        .wakingUp(resolver.settle(name));
            }
            problems.addAll(resolution.problems());
            again = session.retryRecipe();
            needs = dependencies.of(resource, now);
            if (needs.pending().isPresent()) {
                return blind(needs.pending().get(), now).wakingUp(resolver.settle(name));
            }
            left.addAll(needs.warnings());
            recipe = resolution.recipe();
            if (recipe != null) {
                try {
                    wanted = assembly.assemble(resource, recipe, session, places, now, problems, left);
                } catch (RecipeFailure e) {
                    problems.add(e.problem());
                    again = now.plus(ResourceSession.RETRY_RECIPE);
                }
            }
        }
        if (wanted == null) {
            wanted = DesiredAssembly.Assembled.nothing(Roster.empty(name, reader.nodes()));
        } else if (wanted.obstacle().isPresent()) {
            return blind(wanted.obstacle().get(), now);
        }
        reader.watchPods(name, wanted.underway());
        // Without states there is nothing to release: the recipe, or what it says of nodes, is not known.
        Optional<Release> release = wanted.states().isEmpty() ? Optional.empty() : session.release();
        Map<String, Outcome> unseen = SeenKinds.unseen(
                reader,
                resource,
                wanted.states(),
                release,
                wanted.upgrade(),
                wanted.skipped().kinds());
        Optional<Outcome> filling = SeenKinds.filling(unseen);
        if (filling.isPresent()) {
            return blind(filling.get(), now);
        }
        CachedLookups lookups = new CachedLookups(
                reader,
                codec,
                recipe,
                session.logs(),
                wanted.drivers(),
                session.lifecycle(resource, reader.cluster(), resolver));
        PlanInput input =
                input(resource, session, now, problems, wanted, recipe, left, unseen, needs, release, lookups);
        Plan plan = awake(Planner.plan(input), input, wanted, recipe, session)
                .wakingUp(unexpected.isEmpty() ? Instant.MAX : now.plus(UnexpectedFailure.AGAIN));
        reader.watchClaims(name, lookups.asksForClaims());
        return preview(
                input,
                leaving
                        ? plan
                        : plan.wakingUp(again)
                                .wakingUp(wanted.again())
                                .wakingUp(resolver.settle(name))
                                .wakingUp(resolver.looksAgain(resource, now)),
                recipe);
    }

    /** With every time at which something has to be looked at again. */
    private Plan awake(
            Plan plan,
            PlanInput input,
            DesiredAssembly.Assembled wanted,
            @Nullable Recipe recipe,
            ResourceSession session) {
        Instant now = input.now();
        Plan result = recipe == null
                ? plan
                : plan.wakingUp(recipe.retryProbes(input.owned().keySet(), now));
        return result.wakingUp(session.lifecycle(input.resource(), reader.cluster(), resolver)
                        .retry(input.owned().keySet(), now))
                .wakingUp(definitions(recipe, session, now))
                .wakingUp(session.grace().until(now))
                .wakingUp(session.logs().settle(reader::pods))
                .wakingUp(session.drivers().findings().settle())
                .wakingUp(DriverBuilds.wakeUp(wanted.drivers(), now))
                .deleting(wanted.collected().writes())
                .wakingUp(wanted.collected().wakeUp());
    }

    /** When to look for kinds that the recipe can do without; {@link Instant#MAX} where an event will tell. */
    private Instant definitions(@Nullable Recipe recipe, ResourceSession session, Instant now) {
        Instant again = recipe == null || recipe.awaitedResources().isEmpty()
                ? Instant.MAX
                : reader.watchDefinitions(recipe.awaitedResources())
                        .map(now::plus)
                        .orElse(Instant.MAX);
        session.lookForKinds(again);
        return again;
    }

    private static Preview blind(Outcome obstacle, Instant now) {
        return Preview.blind(Planner.blind(obstacle, now), obstacle);
    }

    private static Preview preview(PlanInput input, Plan plan, @Nullable Recipe recipe) {
        return new Preview(
                plan,
                Optional.ofNullable(recipe),
                input.states(),
                input.skipped(),
                input.namespace(),
                input.owned(),
                input.unseenKinds(),
                input.notices(),
                input.warnings(),
                Optional.empty());
    }

    private List<Problem> checks(SpecialResource resource) {
        List<Problem> problems = new ArrayList<>(SpecChecks.check(resource));
        problems.addAll(dependencies.check(resource));
        return problems;
    }

    private PlanInput input(
            SpecialResource resource,
            ResourceSession session,
            Instant now,
            List<Problem> problems,
            DesiredAssembly.Assembled wanted,
            @Nullable Recipe recipe,
            List<String> left,
            Map<String, Outcome> unseen,
            Dependencies.Found needs,
            Optional<Release> release,
            CachedLookups lookups) {
        Roster roster = wanted.roster();
        OptionalKinds skipped = wanted.skipped();
        ResourceConflicts.Sharing sharing = conflicts.sharing(resource);
        SharedTaints.Shared taints = SharedTaints.of(
                resource,
                recipe == null ? Optional.empty() : ReadinessTaints.of(resource, recipe.scheduling()),
                reader.specialResources());
        return PlanInput.builder()
                .resource(resource)
                .now(now)
                .problems(problems)
                .notices(recipe == null ? List.of() : recipe.notActedOn())
                .warnings(recipe == null ? List.of() : recipe.warnings())
                .addAllWarnings(left)
                .addAllWarnings(taints.warnings())
                .nodeProblems(roster.problems())
                .pools(roster.pools())
                .nodes(roster.members())
                .strays(roster.strays())
                .keptOff(wanted.keptOff())
                .pluginLabels(roster.labels())
                .readinessTaint(taints.own())
                .foreignTaints(taints.foreign())
                .partitionTaints(problems.isEmpty() ? wanted.partition().taintTexts() : List.of())
                .namespace(namespace(resource, recipe, wanted.states(), sharing.foreign()))
                .dependencies(needs.all())
                .leavingDependencies(dependencies.leaving(resource))
                .states(wanted.states())
                .skipped(skipped.skipped())
                .awaited(wanted.awaited())
                .drivers(wanted.drivers().byPool())
                .release(release)
                .upgrade(wanted.upgrade())
                .owned(skipped.hiding(sharing.owned()))
                .namespaceInUse(sharing.inUse())
                .unseenKinds(unseen)
                .failures(session.failures().current())
                .lastStatusWrite(session.lastStatusWrite())
                .lookups(lookups)
                .memo(session.memo())
                .build();
    }

    private static Optional<Desired> namespace(
            SpecialResource resource, @Nullable Recipe recipe, List<DesiredState> states, boolean foreign) {
        String namespace = Operands.namespace(resource);
        ObjectRef ref = new ObjectRef("v1", "Namespace", "", namespace);
        boolean inRecipe = states.stream()
                .flatMap(state -> state.shared().stream())
                .anyMatch(object -> object.object().ref().equals(ref));
        if (recipe == null || inRecipe || foreign) {
            return Optional.empty();
        }
        return Optional.of(
                NamespaceManifest.of(resource, namespace, recipe.namespaceLabels(), recipe.namespaceAnnotations()));
    }
}
