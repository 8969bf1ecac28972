package dev.sro.core.engine;

import dev.sro.api.Outcome;
import dev.sro.api.Pool;
import dev.sro.api.Problem;
import dev.sro.api.State;
import dev.sro.api.resource.SpecialResource;
import dev.sro.core.driver.DriverWish;
import dev.sro.core.driver.Drivers;
import dev.sro.core.manifest.Desired;
import dev.sro.core.manifest.DesiredHook;
import dev.sro.core.manifest.DesiredState;
import dev.sro.core.manifest.NamespaceManifest;
import dev.sro.core.manifest.Renderer;
import dev.sro.core.model.Codec;
import dev.sro.core.model.ImageMirrors;
import dev.sro.core.model.KubeObject;
import dev.sro.core.model.Marks;
import dev.sro.core.model.ObjectRef;
import dev.sro.core.model.Operands;
import dev.sro.core.plan.Plan;
import dev.sro.core.plan.PlanInput;
import dev.sro.core.plan.Planner;
import dev.sro.core.plan.UpgradeInput;
import dev.sro.core.pool.ReadinessTaints;
import dev.sro.core.probe.LogQuery;
import dev.sro.core.probe.LogState;
import dev.sro.core.probe.PodFacts;
import dev.sro.core.recipe.Recipe;
import dev.sro.core.recipe.RecipeFailure;
import dev.sro.core.recipe.RecipeResolver;
import dev.sro.core.release.Release;
import dev.sro.core.release.ReleaseRecord;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The way from the caches to the plan. Keeps no state; thread-safe. */
final class Trip {

    private final ClusterReader reader;
    private final RecipeResolver resolver;
    private final Renderer renderer;
    private final Codec codec;
    private final Neighbours neighbours;
    private final Dependencies dependencies;
    private final Upgrades upgrades;
    private final DriverBuilds builds;

    Trip(ClusterReader reader, RecipeResolver resolver, Renderer renderer, Codec codec, DriverBuilds builds) {
        this.builds = builds;
        this.reader = reader;
        this.resolver = resolver;
        this.renderer = renderer;
        this.codec = codec;
        this.neighbours = new Neighbours(reader, resolver);
        this.dependencies = new Dependencies(reader, resolver, codec);
        this.upgrades = new Upgrades(reader);
    }

    Plan plan(SpecialResource resource, Memory memory, Instant now) {
        return preview(resource, memory, now).plan();
    }

    Preview preview(SpecialResource resource, Memory memory, Instant now) {
        String name = resource.getMetadata().getName();
        boolean leaving = Neighbours.isLeaving(resource);
        List<Problem> problems = new ArrayList<>(leaving ? List.of() : checks(resource));
        Dependencies.Found needs = Dependencies.Found.NONE;
        Roster roster = Roster.empty(name, reader.nodes());
        List<DesiredState> states = List.of();
        Recipe recipe = null;
        Optional<UpgradeInput> upgrade = Optional.empty();
        Drivers drivers = Drivers.NONE;
        List<String> left = new ArrayList<>();
        if (!leaving && problems.isEmpty()) {
            if (memory.looksForCrds(now)) {
                reader.refreshCluster();
            }
            Optional<Outcome> surroundings = reader.watchEnvironment();
            if (surroundings.isPresent()) {
                return blind(surroundings.get(), now);
            }
            RecipeResolver.Resolution resolution = memory.resolve(resource, reader.cluster(), resolver, now);
            if (resolution.waiting().isPresent()) {
                return blind(
                        Outcome.waiting(
                                "ChartPending", now, resolution.waiting().get()),
                        now);
            }
            problems.addAll(resolution.problems());
            needs = dependencies.of(resource, now);
            left.addAll(needs.warnings());
            recipe = resolution.recipe();
            if (recipe != null) {
                try {
                    roster = roster(resource, recipe, memory, now);
                    List<Pool> keys = roster.pools().stream()
                            .map(pool -> pool.withNodes(List.of()))
                            .toList();
                    String namespace = Operands.namespace(resource);
                    Map<String, DriverWish> wishes = memory.drivers().wishes(recipe, namespace, keys, now);
                    Optional<Outcome> unread = wishes.isEmpty() ? Optional.empty() : unread(resource);
                    if (unread.isPresent()) {
                        return blind(unread.get(), now);
                    }
                    drivers = drivers(resource, recipe, memory, wishes, keys, now);
                    left.addAll(PoolDrivers.warnings(wishes.values()));
                    states = memory.render(renderer, recipe, namespace, keys, drivers, now);
                    Upgrades.Prepared prepared = upgrades.prepare(
                            resource, recipe, states, roster.members().values(), memory);
                    states = prepared.states();
                    upgrade = prepared.input();
                    roster = roster.tolerated(
                            name,
                            ReadinessTaints.of(resource, recipe.scheduling()).stream()
                                    .map(ReadinessTaints.Wanted::toleration)
                                    .toList(),
                            states);
                    states = only(roster.pools(), states);
                    if (recipe.dropsUndeclaredFields()) {
                        states = memory.undeclared()
                                .without(
                                        states,
                                        reader.owned(name),
                                        memory.failures().current(),
                                        left);
                    }
                } catch (RecipeFailure e) {
                    problems.add(e.problem());
                    memory.answersFailed(now);
                    roster = Roster.empty(name, reader.nodes());
                }
            }
        }
        // Without states there is nothing to release: the recipe, or what it says of nodes, is not known.
        Optional<Release> release = states.isEmpty() ? Optional.empty() : memory.release();
        Map<String, Outcome> unseen = unseen(resource, states, release, upgrade);
        Optional<Outcome> filling = filling(unseen);
        if (filling.isPresent()) {
            return blind(filling.get(), now);
        }
        PlanInput input = input(
                resource, memory, now, problems, roster, states, recipe, left, unseen, needs, release, upgrade,
                drivers);
        Plan plan = Planner.plan(input);
        if (recipe != null) {
            plan = plan.wakingUp(recipe.retryProbes(input.owned().keySet(), now));
        }
        plan = plan.wakingUp(memory.grace().until(now));
        plan = plan.wakingUp(memory.logs().settle(reader::pods, now));
        plan = plan.wakingUp(memory.drivers().book().settle(now));
        plan = plan.wakingUp(DriverBuilds.wakeUp(drivers, now));
        return preview(input, leaving ? plan : plan.wakingUp(memory.retryRecipe()), recipe);
    }

    private Roster roster(SpecialResource resource, Recipe recipe, Memory memory, Instant now) {
        String name = resource.getMetadata().getName();
        Grace grace = memory.grace();
        Map<String, String> selector =
                resource.getSpec() == null ? Map.of() : resource.getSpec().getNodeSelector();
        Set<String> excused = new HashSet<>();
        Roster roster = Roster.of(
                resource,
                recipe,
                grace.judged(name, selector, reader.nodes(), now),
                nodes -> neighbours.takers(resource, nodes, memory, now),
                node -> {
                    boolean excuse = grace.excuses(node, Marks.nodeManager(name), now);
                    if (excuse) {
                        excused.add(node.name());
                    }
                    return excuse;
                });
        grace.served(roster.members(), excused);
        return roster;
    }

    /**
     * What runs says which images the pools have, so it is looked at before anything is chosen: otherwise a restart might replace
     * a driver that works.
     */
    private Optional<Outcome> unread(SpecialResource resource) {
        Set<String> kinds = new HashSet<>();
        if (resource.getStatus() != null) {
            kinds.addAll(resource.getStatus().getManagedKinds());
        }
        return filling(reader.watch(kinds));
    }

    private Drivers drivers(
            SpecialResource resource,
            Recipe recipe,
            Memory memory,
            Map<String, DriverWish> wishes,
            List<Pool> pools,
            Instant now) {
        if (wishes.isEmpty()) {
            builds.gone(resource.getMetadata().getName());
            return Drivers.NONE;
        }
        ImageMirrors mirrors = renderer.mirrorsOf(resource);
        String namespace = Operands.namespace(resource);
        Drivers resolved = memory.drivers()
                .resolve(
                        wishes,
                        namespace,
                        pools,
                        reader.owned(resource.getMetadata().getName()).values(),
                        reader::children,
                        mirrors,
                        now);
        return builds.with(resolved, recipe.context(), namespace, mirrors, pools, memory, now);
    }

    private static Preview blind(Outcome obstacle, Instant now) {
        return Preview.blind(Planner.blind(obstacle, now), obstacle);
    }

    private static Preview preview(PlanInput input, Plan plan, @Nullable Recipe recipe) {
        return new Preview(
                plan,
                Optional.ofNullable(recipe),
                input.states(),
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

    /** Without pools that are not served after all. */
    private static List<DesiredState> only(List<Pool> pools, List<DesiredState> states) {
        Set<String> names = new HashSet<>();
        pools.forEach(pool -> names.add(pool.name()));
        if (states.stream().allMatch(state -> names.containsAll(state.byPool().keySet()))) {
            return states;
        }
        return states.stream().map(state -> state.only(names)).toList();
    }

    private PlanInput input(
            SpecialResource resource,
            Memory memory,
            Instant now,
            List<Problem> problems,
            Roster roster,
            List<DesiredState> states,
            @Nullable Recipe recipe,
            List<String> left,
            Map<String, Outcome> unseen,
            Dependencies.Found needs,
            Optional<Release> release,
            Optional<UpgradeInput> upgrade,
            Drivers drivers) {
        Neighbours.Sharing sharing = neighbours.sharing(resource);
        return PlanInput.builder()
                .resource(resource)
                .now(now)
                .problems(problems)
                .notices(recipe == null ? List.of() : recipe.notActedOn())
                .warnings(recipe == null ? List.of() : recipe.warnings())
                .addAllWarnings(left)
                .nodeProblems(roster.problems())
                .pools(roster.pools())
                .nodes(roster.members())
                .strays(roster.strays())
                .pluginLabels(roster.labels())
                .readinessTaint(recipe == null ? Optional.empty() : ReadinessTaints.of(resource, recipe.scheduling()))
                .namespace(namespace(resource, recipe, states, sharing.foreign()))
                .dependencies(needs.all())
                .leavingDependencies(dependencies.leaving(resource))
                .states(states)
                .drivers(drivers.byPool())
                .release(release)
                .upgrade(upgrade)
                .owned(sharing.owned())
                .namespaceInUse(sharing.inUse())
                .unseenKinds(unseen)
                .failures(memory.failures().current())
                .lastStatusWrite(memory.lastStatusWrite())
                .lookups(new Caches(recipe, memory.logs(), drivers))
                .memo(memory.memo())
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
        return Optional.of(NamespaceManifest.of(resource, namespace, recipe.namespaceLabels()));
    }

    private Map<String, Outcome> unseen(
            SpecialResource resource,
            List<DesiredState> states,
            Optional<Release> release,
            Optional<UpgradeInput> upgrade) {
        Set<String> wanted = Upgrades.kinds(upgrade);
        wanted.add("v1/Namespace");
        release.ifPresent(unused -> wanted.add(ReleaseRecord.KIND_KEY));
        for (DesiredState state : states) {
            state.hooks().stream()
                    .filter(DesiredHook::isAutomatic)
                    .forEach(hook -> wanted.add(hook.object().ref().kindKey()));
            state.shared().forEach(object -> wanted.add(object.object().ref().kindKey()));
            state.byPool()
                    .values()
                    .forEach(own -> own.forEach(
                            object -> wanted.add(object.object().ref().kindKey())));
        }
        Set<String> all = new HashSet<>(wanted);
        if (resource.getStatus() != null) {
            all.addAll(resource.getStatus().getManagedKinds());
        }
        Map<String, Outcome> unseen = new HashMap<>(reader.watch(all));
        // A kind that is not served any more has no objects left to see.
        unseen.entrySet()
                .removeIf(kind -> !wanted.contains(kind.getKey())
                        && kind.getValue() instanceof Outcome.Failed failed
                        && failed.problem().code().equals("KindNotServed"));
        return unseen;
    }

    /** While a cache fills there is nothing to say yet; one that cannot be filled is a problem to report. */
    private static Optional<Outcome> filling(Map<String, Outcome> unseen) {
        Outcome base = unseen.get(ClusterReader.BASE);
        return base != null
                ? Optional.of(base)
                : unseen.values().stream()
                        .filter(Outcome.Waiting.class::isInstance)
                        .findFirst();
    }

    /** Look-ups of a plan, answered by the caches and the plugin. */
    private final class Caches implements PlanInput.Lookups {
        private final @Nullable Recipe recipe;
        private final LogBook logs;
        private final Drivers drivers;

        Caches(@Nullable Recipe recipe, LogBook logs, Drivers drivers) {
            this.drivers = drivers;
            this.recipe = recipe;
            this.logs = logs;
        }

        @Override
        public LogState log(LogQuery query) {
            return logs.state(query);
        }

        @Override
        public List<PodFacts> pods(String ownerUid) {
            return reader.pods(ownerUid);
        }

        @Override
        public List<KubeObject> children(String ownerUid) {
            return reader.children(ownerUid);
        }

        @Override
        public Optional<Outcome> probe(KubeObject live, State state, Instant now) {
            Optional<Outcome> build = DriverBuilds.judge(drivers, live);
            if (build.isPresent()) {
                return build;
            }
            return recipe == null || !recipe.hasProbe()
                    ? Optional.empty()
                    : recipe.probe(
                            live, object -> codec.fromTree(object.tree(), GenericKubernetesResource.class), state, now);
        }
    }
}
