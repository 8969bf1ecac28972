package dev.sro.core.engine.trip;

import dev.sro.api.Outcome;
import dev.sro.api.Pool;
import dev.sro.api.Problem;
import dev.sro.api.resource.SpecialResource;
import dev.sro.core.driver.DriverRequest;
import dev.sro.core.driver.Drivers;
import dev.sro.core.driver.SecretReads;
import dev.sro.core.engine.driver.DriverBuilds;
import dev.sro.core.engine.driver.ImageCollection;
import dev.sro.core.engine.driver.PoolDrivers;
import dev.sro.core.engine.port.ClusterReader;
import dev.sro.core.engine.port.Sight;
import dev.sro.core.engine.relation.Capabilities;
import dev.sro.core.engine.relation.DependentTaints;
import dev.sro.core.engine.relation.ResourceConflicts;
import dev.sro.core.engine.roster.LabelGrace;
import dev.sro.core.engine.roster.Roster;
import dev.sro.core.engine.session.Rendering;
import dev.sro.core.engine.session.ResourceSession;
import dev.sro.core.manifest.AccountManifests;
import dev.sro.core.manifest.DesiredState;
import dev.sro.core.manifest.OptionalKinds;
import dev.sro.core.manifest.Renderer;
import dev.sro.core.model.ImageMirrors;
import dev.sro.core.model.MetadataKeys;
import dev.sro.core.model.Operands;
import dev.sro.core.model.RecipeAccount;
import dev.sro.core.model.RecipeAccounts;
import dev.sro.core.model.Specs;
import dev.sro.core.partition.AdmissionSettings;
import dev.sro.core.partition.Partition;
import dev.sro.core.plan.UpgradeInput;
import dev.sro.core.pool.ReadinessTaints;
import dev.sro.core.recipe.Recipe;
import dev.sro.core.recipe.RecipeFailure;
import dev.sro.core.recipe.RecipeResolver;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** From a recipe to the states that it wants on which nodes, with everything that these depend on. Keeps no state; thread-safe. */
final class DesiredAssembly {

    /**
     * What is wanted. Immutable.
     *
     * @param obstacle what has to be seen first; the rest says nothing then
     * @param awaited what other special resources have to bring first, by state and node
     * @param secrets what is read for the drivers
     * @param keptOff how many nodes would be served if no taint kept the operands off
     * @param underway nodes whose pods have to be seen, as their driver is being upgraded or their devices are to be offered in another way
     * @param again when what gave no answer now is asked again, later than now; {@link Instant#MAX} for never
     */
    record Assembled(
            Optional<Outcome> obstacle,
            Roster roster,
            List<DesiredState> states,
            OptionalKinds skipped,
            Map<String, Map<String, String>> awaited,
            Drivers drivers,
            Partition partition,
            Optional<UpgradeInput> upgrade,
            ImageCollection.Collected collected,
            SecretReads secrets,
            int keptOff,
            Set<String> underway,
            Instant again) {

        /** Nothing, and these nodes. */
        static Assembled nothing(Roster roster) {
            return new Assembled(
                    Optional.empty(),
                    roster,
                    List.of(),
                    OptionalKinds.NONE,
                    Map.of(),
                    Drivers.NONE,
                    Partition.NONE,
                    Optional.empty(),
                    ImageCollection.Collected.NOTHING,
                    SecretReads.NONE,
                    0,
                    Set.of(),
                    Instant.MAX);
        }

        private static Assembled behind(Outcome obstacle) {
            Assembled none = nothing(Roster.empty("", List.of()));
            return new Assembled(
                    Optional.of(obstacle),
                    none.roster,
                    none.states,
                    none.skipped,
                    none.awaited,
                    none.drivers,
                    none.partition,
                    none.upgrade,
                    none.collected,
                    none.secrets,
                    0,
                    Set.of(),
                    Instant.MAX);
        }
    }

    private final ClusterReader reader;
    private final Renderer renderer;
    private final ResourceConflicts conflicts;
    private final Upgrades upgrades;
    private final Capabilities capabilities;
    private final DriverBuilds builds;
    private final Partitioner partitioner;
    private final RuntimeFiles runtimeFiles;
    private final Handovers handovers;
    private final RecipeAccounts accounts;

    DesiredAssembly(
            ClusterReader reader,
            RecipeResolver resolver,
            Renderer renderer,
            ResourceConflicts conflicts,
            DriverBuilds builds,
            Supplier<AdmissionSettings> admission,
            RuntimeFiles runtimeFiles,
            RecipeAccounts accounts) {
        this.accounts = accounts;
        this.reader = reader;
        this.renderer = renderer;
        this.conflicts = conflicts;
        this.builds = builds;
        this.runtimeFiles = runtimeFiles;
        this.partitioner = new Partitioner(reader, admission);
        this.upgrades = new Upgrades(reader);
        this.handovers = new Handovers(reader::podsOn);
        this.capabilities = new Capabilities(reader, resolver);
    }

    /**
     * What the recipe wants.
     *
     * @param places what is done with a place for a build
     * @param problems gets those of fields that do not go together
     * @param warnings gets what the user should know
     * @throws RecipeFailure if the recipe cannot say it
     */
    Assembled assemble(
            SpecialResource resource,
            Recipe recipe,
            ResourceSession session,
            DriverBuilds.Places places,
            Instant now,
            List<Problem> problems,
            List<String> warnings)
            throws RecipeFailure {
        Optional<Problem> refused = recipe.isOfOthers() ? accounts.refusal(resource) : Optional.empty();
        if (refused.isPresent()) {
            throw new RecipeFailure(refused.get());
        }
        String name = resource.getMetadata().getName();
        Partition partition = partitioner.of(resource, recipe, problems);
        Capabilities.Assessment waits = capabilities.of(
                resource,
                recipe,
                roster(resource, recipe, session, now),
                session.rivals(),
                session.capabilities(),
                now);
        warnings.addAll(waits.warnings());
        Handovers.Assessment goingOver = handovers.of(Operands.namespace(resource), waits.roster());
        warnings.addAll(goingOver.warnings());
        RuntimeFiles.RuntimeSetup runtime = runtimeFiles.prepare(name, recipe, goingOver.roster(), session);
        Roster roster = runtime.roster();
        warnings.addAll(runtime.warnings());
        List<Pool> keys = keys(roster);
        String namespace = Operands.namespace(resource);
        Map<String, DriverRequest> requests = session.drivers().requests(recipe, namespace, keys, roster::builds, now);
        Optional<Outcome> unread = requests.isEmpty() ? Optional.empty() : unread(resource, recipe);
        if (unread.isPresent()) {
            return Assembled.behind(unread.get());
        }
        DriverBuilds.BuiltDrivers built = drivers(resource, recipe, session, requests, keys, places, now);
        if (built.filling().isPresent()) {
            return Assembled.behind(built.filling().get());
        }
        Drivers drivers = runtime.with(built.drivers());
        warnings.addAll(built.collected().warnings());
        warnings.addAll(PoolDrivers.warnings(requests.values()));
        List<Map<String, Object>> dependents = DependentTaints.tolerations(name, reader.specialResources());
        Rendering.Input input = new Rendering.Input(recipe, namespace, keys, drivers, dependents);
        Instant again = session.drivers().retry();
        OptionalKinds skipped = session.rendering().served(renderer, input, reader.cluster(), now);
        again = earlier(again, session.rendered().retryAt());
        Roster tolerated =
                roster.tolerated(name, tolerations(resource, recipe, partition, dependents), skipped.states());
        List<Pool> served = keys(tolerated);
        if (!served.isEmpty() && served.size() < keys.size()) {
            skipped = session.renderingOfServed().served(renderer, input.withPools(served), reader.cluster(), now);
            again = earlier(again, session.rendered().retryAt());
        }
        Upgrades.UpgradeSetup prepared = upgrades.prepare(
                resource, recipe, skipped.states(), roster.members().values(), session, waits.providers());
        List<DesiredState> states = only(tolerated.pools(), prepared.states());
        if (recipe.dropsUndeclaredFields()) {
            states = session.undeclared()
                    .without(states, reader.owned(name), session.failures().current(), warnings);
        }
        return new Assembled(
                Optional.empty(),
                tolerated,
                partitioner.with(withAccount(states, resource, recipe), resource, partition, warnings),
                skipped,
                waits.awaited(),
                drivers,
                partition,
                prepared.input(),
                built.collected(),
                SecretReads.of(requests.values()),
                roster.members().size() - tolerated.members().size(),
                union(prepared.underway(), goingOver.nodes()),
                again);
    }

    private static Set<String> union(Set<String> one, Set<String> other) {
        Set<String> all = new HashSet<>(one);
        all.addAll(other);
        return all;
    }

    private List<DesiredState> withAccount(List<DesiredState> states, SpecialResource resource, Recipe recipe) {
        Optional<RecipeAccount> made = recipe.isOfOthers() ? conflicts.account(resource, accounts) : Optional.empty();
        return made.map(account -> AccountManifests.before(states, resource, account))
                .orElse(states);
    }

    private static Instant earlier(Instant one, Instant other) {
        return one.isBefore(other) ? one : other;
    }

    /** Pools without their nodes. */
    private static List<Pool> keys(Roster roster) {
        return roster.pools().stream().map(pool -> pool.withNodes(List.of())).toList();
    }

    /** What every operand tolerates. */
    private static List<Map<String, Object>> tolerations(
            SpecialResource resource, Recipe recipe, Partition partition, List<Map<String, Object>> dependents) {
        return Stream.of(
                        dependents.stream(),
                        ReadinessTaints.resolve(resource, recipe.scheduling()).stream()
                                .map(ReadinessTaints.Wanted::toleration),
                        partition.operandTolerations().stream())
                .flatMap(each -> each)
                .toList();
    }

    private Roster roster(SpecialResource resource, Recipe recipe, ResourceSession session, Instant now) {
        String name = resource.getMetadata().getName();
        LabelGrace grace = session.grace();
        Map<String, String> selector = Specs.of(resource).getNodeSelector();
        Set<String> excused = new HashSet<>();
        Roster roster = session.roster()
                .of(
                        resource,
                        recipe,
                        grace.judged(name, selector, reader.nodes(), now),
                        nodes -> conflicts.takers(resource, recipe, nodes, session.rivals(), now),
                        node -> {
                            boolean excuse = grace.excuses(node, MetadataKeys.nodeManager(name), now);
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
    private Optional<Outcome> unread(SpecialResource resource, Recipe recipe) {
        Sight.Builder sight = Sight.of(resource, accounts, recipe.isOfOthers());
        if (resource.getStatus() != null) {
            sight.managed(resource.getStatus());
        }
        return SeenKinds.filling(reader.watch(sight.build()));
    }

    private DriverBuilds.BuiltDrivers drivers(
            SpecialResource resource,
            Recipe recipe,
            ResourceSession session,
            Map<String, DriverRequest> requests,
            List<Pool> pools,
            DriverBuilds.Places places,
            Instant now) {
        if (requests.isEmpty()) {
            builds.gone(resource.getMetadata().getName());
            return new DriverBuilds.BuiltDrivers(Drivers.NONE, ImageCollection.Collected.NOTHING, Optional.empty());
        }
        ImageMirrors mirrors = renderer.mirrorsOf(resource);
        String namespace = Operands.namespace(resource);
        Drivers resolved = session.drivers()
                .resolve(
                        requests,
                        namespace,
                        pools,
                        reader.owned(resource.getMetadata().getName()).values(),
                        reader::children,
                        mirrors,
                        now);
        return builds.with(
                resolved, requests, recipe.context(), namespace, mirrors, pools, session.lookups(), places, now);
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
}
