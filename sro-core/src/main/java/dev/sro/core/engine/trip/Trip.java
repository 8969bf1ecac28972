package dev.sro.core.engine.trip;

import dev.sro.api.Outcome;
import dev.sro.api.Problem;
import dev.sro.api.resource.SpecialResource;
import dev.sro.core.apply.UnexpectedFailure;
import dev.sro.core.driver.SecretReads;
import dev.sro.core.engine.driver.DriverBuilds;
import dev.sro.core.engine.port.ClusterReader;
import dev.sro.core.engine.port.Sight;
import dev.sro.core.engine.relation.Dependencies;
import dev.sro.core.engine.relation.RecipeMemo;
import dev.sro.core.engine.relation.ResourceConflicts;
import dev.sro.core.engine.relation.SharedTaints;
import dev.sro.core.engine.relation.SpecChecks;
import dev.sro.core.engine.roster.ResourcePrecedence;
import dev.sro.core.engine.roster.Roster;
import dev.sro.core.engine.session.ResourceSession;
import dev.sro.core.manifest.AdminAccess;
import dev.sro.core.manifest.Desired;
import dev.sro.core.manifest.DesiredState;
import dev.sro.core.manifest.NamespaceLimits;
import dev.sro.core.manifest.NamespaceManifest;
import dev.sro.core.manifest.OptionalKinds;
import dev.sro.core.manifest.Renderer;
import dev.sro.core.model.Code;
import dev.sro.core.model.Codec;
import dev.sro.core.model.KubeObject;
import dev.sro.core.model.MetadataKeys;
import dev.sro.core.model.ObjectRef;
import dev.sro.core.model.Operands;
import dev.sro.core.model.RecipeAccount;
import dev.sro.core.model.RecipeAccounts;
import dev.sro.core.partition.AdmissionSettings;
import dev.sro.core.plan.Plan;
import dev.sro.core.plan.planner.PlanInput;
import dev.sro.core.plan.planner.Planner;
import dev.sro.core.pool.ReadinessTaints;
import dev.sro.core.probe.ClaimUse;
import dev.sro.core.probe.NodePod;
import dev.sro.core.recipe.Recipe;
import dev.sro.core.recipe.RecipeFailure;
import dev.sro.core.recipe.RecipeResolver;
import dev.sro.core.release.Release;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The way from the caches to the plan. Keeps no state; thread-safe. */
public final class Trip {

    private final ClusterReader reader;
    private final RecipeResolver resolver;
    private final Codec codec;
    private final ResourceConflicts conflicts;
    private final Dependencies dependencies;
    private final DesiredAssembly assembly;
    private final RecipeAccounts accounts;

    private static final Logger LOG = LoggerFactory.getLogger(Trip.class);

    public Trip(
            ClusterReader reader,
            RecipeResolver resolver,
            Renderer renderer,
            Codec codec,
            DriverBuilds builds,
            Supplier<AdmissionSettings> admission,
            RuntimeFiles runtimeFiles,
            Set<String> inheritedLabels,
            RecipeAccounts accounts) {
        this.accounts = accounts;
        this.reader = reader;
        this.resolver = resolver;
        this.codec = codec;
        this.conflicts = new ResourceConflicts(reader, resolver);
        this.dependencies = new Dependencies(reader, resolver, codec, inheritedLabels);
        this.assembly =
                new DesiredAssembly(reader, resolver, renderer, conflicts, builds, admission, runtimeFiles, accounts);
    }

    /** What is to be done now, and will be. */
    public Plan plan(SpecialResource resource, ResourceSession session, Instant now) {
        return preview(resource, session, DriverBuilds.Places.TAKEN, now).plan();
    }

    /** What would be done now. */
    public Preview preview(SpecialResource resource, ResourceSession session, Instant now) {
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
        boolean leaving = ResourcePrecedence.isLeaving(resource);
        List<Problem> problems = new ArrayList<>(leaving || !unexpected.isEmpty() ? List.of() : checks(resource));
        problems.addAll(unexpected);
        Dependencies.Assessment needs = Dependencies.Assessment.NONE;
        Recipe recipe = null;
        DesiredAssembly.Assembled wanted = null;
        List<String> left = new ArrayList<>();
        // Only what was asked in this trip says when it is asked again: that is later than now.
        Instant again = Instant.MAX;
        if (!leaving && problems.isEmpty()) {
            if (session.recipe().looksForCrds(now)) {
                reader.refreshCluster();
            }
            Optional<Outcome> surroundings = reader.watchEnvironment();
            if (surroundings.isPresent()) {
                return blind(surroundings.get(), now);
            }
            RecipeResolver.Resolution resolution =
                    session.recipe().resolve(resource, name, reader.cluster(), resolver, now);
            Optional<String> pending = resolution.waiting();
            if (pending.isPresent()) {
                return blind(Outcome.waiting(Code.CHART_PENDING.text(), now, pending.get()), now)
                        .wakingUp(resolver.settle(name));
            }
            problems.addAll(resolution.problems());
            again = session.recipe().retryRecipe();
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
                    again = now.plus(RecipeMemo.RETRY_RECIPE);
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
        // Nothing is made then, no account either; what there was goes, and is known by its kinds.
        boolean idle = recipe != null
                && recipe.isOfOthers()
                && accounts.of(resource).isPresent()
                && wanted.roster().pools().isEmpty();
        Map<String, Outcome> unseen = SeenKinds.unseen(
                reader,
                resource,
                recipe == null || idle
                        ? Sight.of(resource, accounts)
                        : Sight.of(resource, accounts, recipe.isOfOthers()),
                idle ? SeenKinds.withoutNodes(wanted.states()) : wanted.states(),
                idle ? Optional.empty() : release,
                wanted.upgrade(),
                wanted.skipped().kinds());
        Optional<Outcome> filling = SeenKinds.filling(unseen);
        if (filling.isPresent()) {
            return blind(filling.get(), now);
        }
        RecipeOracle oracle = new RecipeOracle(
                codec, recipe, wanted.drivers(), session.lifecycle(resource, reader.cluster(), resolver), now);
        PlanInput input = input(resource, session, now, problems, wanted, recipe, left, unseen, needs, release);
        Plan made = session.rounds().plan(input, session.memo(), oracle);
        made.demands().logs().forEach(session.logs()::state);
        Plan plan = awake(made, input, wanted, recipe, session)
                .wakingUp(unexpected.isEmpty() ? Instant.MAX : now.plus(UnexpectedFailure.AGAIN));
        reader.view(name, made.demands().kinds());
        return preview(
                input,
                leaving
                        ? plan
                        : plan.wakingUp(again)
                                .wakingUp(wanted.again())
                                .wakingUp(resolver.settle(name))
                                .wakingUp(resolver.looksAgain(resource, now)),
                recipe,
                wanted.secrets());
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
        session.recipe().lookForKinds(again);
        return again;
    }

    private static Preview blind(Outcome obstacle, Instant now) {
        return Preview.blind(Planner.blind(obstacle, now), obstacle);
    }

    private static Preview preview(PlanInput input, Plan plan, @Nullable Recipe recipe, SecretReads secrets) {
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
                secrets,
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
            Dependencies.Assessment needs,
            Optional<Release> release) {
        Roster roster = wanted.roster();
        OptionalKinds skipped = wanted.skipped();
        ResourceConflicts.Sharing sharing = conflicts.sharing(resource);
        SharedTaints.Shared taints = SharedTaints.share(
                resource,
                recipe == null ? Optional.empty() : ReadinessTaints.resolve(resource, recipe.scheduling()),
                reader.specialResources());
        Map<ObjectRef, KubeObject> owned = skipped.hiding(sharing.owned());
        Optional<Desired> namespace = namespace(resource, recipe, wanted.states(), owned, sharing.foreign(), left);
        return PlanInput.builder()
                .observed(resource, owned, reader::pods, reader::children)
                .nodePods(podsOn(wanted.underway()))
                .claims(claims(owned))
                .logs(session.logs().known())
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
                .namespace(namespace)
                .dependencies(needs.all())
                .leavingDependencies(dependencies.leaving(resource))
                .states(wanted.states())
                .skipped(skipped.skipped())
                .awaited(wanted.awaited())
                .drivers(wanted.drivers().byPool())
                .release(release)
                .account(accounts.of(resource))
                .upgrade(wanted.upgrade())
                .namespaceInUse(sharing.inUse())
                .unseenKinds(unseen)
                .failures(session.failures().current())
                .lastStatusWrite(session.lastStatusWrite())
                .build();
    }

    private Map<String, List<NodePod>> podsOn(Set<String> nodes) {
        Map<String, List<NodePod>> pods = new HashMap<>();
        nodes.forEach(node -> reader.podsOn(node).ifPresent(known -> pods.put(node, known)));
        return pods;
    }

    /** They matter to those that have a driver for Dynamic Resource Allocation. */
    private Optional<Collection<ClaimUse>> claims(Map<ObjectRef, KubeObject> owned) {
        return owned.values().stream()
                        .anyMatch(
                                live -> live.annotation(MetadataKeys.DRA_DRIVER).isPresent())
                ? reader.viewed(ClaimUse.CLAIMS)
                : Optional.of(List.of());
    }

    private Optional<Desired> namespace(
            SpecialResource resource,
            @Nullable Recipe recipe,
            List<DesiredState> states,
            Map<ObjectRef, KubeObject> owned,
            boolean foreign,
            List<String> warnings) {
        String namespace = Operands.namespace(resource);
        ObjectRef ref = new ObjectRef("v1", "Namespace", "", namespace);
        boolean inRecipe = states.stream()
                .flatMap(state -> state.shared().stream())
                .anyMatch(object -> object.object().ref().equals(ref));
        if (recipe == null || inRecipe || foreign) {
            return Optional.empty();
        }
        Map<String, String> labels = new HashMap<>(recipe.namespaceLabels());
        Map<String, String> annotations = new HashMap<>(recipe.namespaceAnnotations());
        if (recipe.isOfOthers() && accounts.of(resource).isPresent()) {
            NamespaceLimits.withoutOrders(labels, "label", namespace, warnings);
            NamespaceLimits.withoutOrders(annotations, "annotate", namespace, warnings);
        }
        // Those that exist count, too: a state that cannot be rendered for a while takes nothing from them.
        Stream<KubeObject> objects = Stream.concat(
                        states.stream().flatMap(DesiredState::objects).map(Desired::object), owned.values().stream())
                // What the account of a recipe may not write opens nothing for it.
                .filter(object -> RecipeAccount.of(object).isEmpty());
        if (AdminAccess.isAsked(objects, namespace)) {
            labels.put(AdminAccess.LABEL, "true");
        }
        return Optional.of(NamespaceManifest.render(resource, namespace, labels, annotations));
    }
}
