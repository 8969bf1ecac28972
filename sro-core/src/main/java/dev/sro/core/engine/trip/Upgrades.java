package dev.sro.core.engine.trip;

import dev.sro.api.resource.DriverUpgradePolicy;
import dev.sro.api.resource.SpecialResource;
import dev.sro.api.resource.UpgradeMaintenance;
import dev.sro.core.engine.port.ClusterReader;
import dev.sro.core.engine.roster.ResourcePrecedence;
import dev.sro.core.engine.session.ResourceSession;
import dev.sro.core.engine.session.UpgradeMemo;
import dev.sro.core.facts.ObservedNode;
import dev.sro.core.load.WorkerPods;
import dev.sro.core.manifest.AppliedDigest;
import dev.sro.core.manifest.Desired;
import dev.sro.core.manifest.DesiredState;
import dev.sro.core.model.KubeObject;
import dev.sro.core.model.MetadataKeys;
import dev.sro.core.model.ObjectRef;
import dev.sro.core.model.Operands;
import dev.sro.core.model.Specs;
import dev.sro.core.model.ValueTrees;
import dev.sro.core.plan.UpgradeInput;
import dev.sro.core.recipe.Recipe;
import dev.sro.core.upgrade.cluster.DriverRevisions;
import dev.sro.core.upgrade.cluster.JournalRecovery;
import dev.sro.core.upgrade.machine.Journal;
import dev.sro.core.upgrade.machine.Rollout;
import dev.sro.core.upgrade.machine.UpgradePhase;
import dev.sro.core.upgrade.policy.UpgradeKeys;
import dev.sro.core.upgrade.policy.UpgradeRules;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * How the driver of a special resource is upgraded: which DaemonSets carry it, which driver is in effect, what is remembered.
 * Keeps no state but in {@link ResourceSession}; thread-safe.
 */
final class Upgrades {

    private static final String CONFIG_MAP = "v1/ConfigMap";

    private static final int MAX_NAME = 253;

    private final ClusterReader reader;

    Upgrades(ClusterReader reader) {
        this.reader = reader;
    }

    /**
     * What comes of a policy.
     *
     * @param states as they are to be while SRO upgrades the driver
     * @param input of the plan; empty when SRO does not upgrade it
     * @param underway nodes that are being upgraded, whose pods have to be seen
     */
    record UpgradeSetup(List<DesiredState> states, Optional<UpgradeInput> input, Set<String> underway) {
        static UpgradeSetup none(List<DesiredState> states) {
            return new UpgradeSetup(states, Optional.empty(), Set.of());
        }
    }

    private static @Nullable DriverUpgradePolicy policy(SpecialResource resource) {
        return Specs.of(resource).getUpgradePolicy();
    }

    /** Kinds that have to be seen. */
    static Set<String> kinds(Optional<UpgradeInput> input) {
        Set<String> kinds = new HashSet<>();
        input.ifPresent(upgrade -> {
            kinds.add(CONFIG_MAP);
            upgrade.rules().maintenance().map(UpgradeMaintenance::getKind).ifPresent(kinds::add);
            upgrade.rules().rebooter().ifPresent(unused -> kinds.add("v1/Pod"));
        });
        return kinds;
    }

    /**
     * Makes the states as they are to be.
     *
     * @param rendered by the recipe; the same list as long as nothing changed
     * @param providers special resources that bring what this one's states wait for: they go first where the policy names none
     * @throws dev.sro.core.recipe.RecipeFailure if the plugin gives no answer
     */
    UpgradeSetup prepare(
            SpecialResource resource,
            Recipe recipe,
            List<DesiredState> rendered,
            Collection<ObservedNode> nodes,
            ResourceSession session,
            Set<String> providers) {
        DriverUpgradePolicy policy = policy(resource);
        String name = resource.getMetadata().getName();
        List<Desired> asRecipe = policy == null ? List.of() : drivers(rendered);
        if (policy == null || asRecipe.isEmpty()) {
            return UpgradeSetup.none(rendered);
        }
        UpgradeRules rules = UpgradeRules.read(policy, recipe.upgrades().strategy());
        UpgradeKeys keys = UpgradeKeys.of(name, policy);
        Map<ObjectRef, KubeObject> owned = reader.owned(name);
        if (!rules.autoUpgrade() && !isAsked(nodes, keys)) {
            return UpgradeSetup.none(rendered);
        }
        String namespace = Operands.namespace(resource);
        ObjectRef journalRef =
                new ObjectRef("v1", "ConfigMap", namespace, MetadataKeys.fit(name + "-driver-upgrade", MAX_NAME));
        ObjectRef revisionsRef =
                new ObjectRef("v1", "ConfigMap", namespace, MetadataKeys.fit(name + "-driver-revisions", MAX_NAME));
        UpgradeMemo memo = session.upgrades();
        Journal.Parsed journal = memo.journal(Optional.ofNullable(owned.get(journalRef)));
        Journal remembered = JournalRecovery.restore(
                journal.journal(),
                resource.getStatus() == null ? null : resource.getStatus().getUpgrade(),
                rules.policy("").rollbackOf());
        DriverRevisions revisions = memo.revisions(Optional.ofNullable(owned.get(revisionsRef)));
        Map<String, String> digests = new TreeMap<>();
        asRecipe.forEach(
                driver -> digests.put(DriverRevisions.name(driver.object()), DriverRevisions.digest(driver.object())));
        String wanted = revisions.target(digests);
        String target = Rollout.target(rules.policy(wanted), remembered);
        boolean back = !target.equals(wanted);
        List<DesiredState> states = memo.made(
                rendered,
                target + " " + rules.autoUpgrade() + " "
                        + (back ? revisions.templates().keySet() : ""),
                from -> managed(
                        from,
                        rules.autoUpgrade(),
                        back ? driver -> revisions.former(target, driver) : UnaryOperator.identity()));
        Set<String> underway = inTransition(nodes, keys);
        session.failures().retainPods(ref -> underway.stream().anyMatch(node -> isOn(node, ref)));
        return new UpgradeSetup(
                states,
                Optional.of(new UpgradeInput(
                        rules,
                        keys,
                        wanted,
                        target,
                        drivers(states),
                        asRecipe,
                        remembered,
                        journal.problems(),
                        journalRef,
                        revisions,
                        revisionsRef,
                        awaited(name, rules, nodes, providers),
                        followers(name),
                        reader.nodes().size() == 1)),
                underway);
    }

    private boolean isOn(String node, ObjectRef pod) {
        return reader.podsOn(node).orElse(List.of()).stream()
                .anyMatch(known ->
                        known.name().equals(pod.name()) && known.namespace().equals(pod.namespace()));
    }

    /** Without autoUpgrade the machine runs only for nodes that somebody asks for, to their end. */
    private static boolean isAsked(Collection<ObservedNode> nodes, UpgradeKeys keys) {
        return nodes.stream().anyMatch(node -> {
            String label = node.facts().labels().getOrDefault(keys.state(), "");
            boolean underway = !label.isEmpty() && !label.equals(UpgradePhase.DONE.label());
            return underway || "true".equals(node.holds().annotations().get(keys.requested()));
        });
    }

    private static Set<String> inTransition(Collection<ObservedNode> nodes, UpgradeKeys keys) {
        Set<String> names = new HashSet<>();
        for (ObservedNode node : nodes) {
            if (UpgradeInput.phasesWithPods().contains(node.facts().labels().getOrDefault(keys.state(), ""))) {
                names.add(node.name());
            }
        }
        return names;
    }

    /**
     * DaemonSets, and templates of worker pods, that carry the driver: those that say so; without a word, the kernel-affine ones of the first state that has any and
     * is reached node by node. What comes after it builds upon the driver.
     */
    static List<Desired> drivers(List<DesiredState> states) {
        List<Desired> drivers = new ArrayList<>();
        boolean first = true;
        for (DesiredState state : states) {
            boolean any = false;
            for (Desired desired : objects(state)) {
                if (!desired.object().ref().kind().equals("DaemonSet") && !WorkerPods.isTemplate(desired.object())) {
                    continue;
                }
                String said = desired.object().annotation(MetadataKeys.DRIVER).orElse("");
                boolean affine = desired.pool() != null && state.state().reach().byNode();
                any |= affine && !said.equals("false");
                if (said.isEmpty() ? affine && first : said.equals("true")) {
                    drivers.add(desired);
                }
            }
            first &= !any;
        }
        return drivers;
    }

    private static List<Desired> objects(DesiredState state) {
        List<Desired> all = new ArrayList<>(state.shared());
        new TreeMap<>(state.byPool()).values().forEach(all::addAll);
        return all;
    }

    /** Drivers that SRO replaces itself, with the templates of the driver in effect. */
    private static List<DesiredState> managed(
            List<DesiredState> states, boolean auto, UnaryOperator<KubeObject> inEffect) {
        Set<ObjectRef> drivers = new HashSet<>();
        drivers(states).forEach(driver -> drivers.add(driver.object().ref()));
        List<DesiredState> result = new ArrayList<>();
        for (DesiredState state : states) {
            Map<String, List<Desired>> byPool = new HashMap<>();
            state.byPool()
                    .forEach((pool, own) -> byPool.put(
                            pool,
                            own.stream()
                                    .map(desired ->
                                            drivers.contains(desired.object().ref())
                                                    ? managed(desired, auto, inEffect)
                                                    : desired)
                                    .toList()));
            result.add(new DesiredState(
                    state.state(),
                    state.before(),
                    state.shared().stream()
                            .map(desired -> drivers.contains(desired.object().ref())
                                    ? managed(desired, auto, inEffect)
                                    : desired)
                            .toList(),
                    byPool,
                    state.problems(),
                    state.hooks()));
        }
        return result;
    }

    private static Desired managed(Desired desired, boolean auto, UnaryOperator<KubeObject> inEffect) {
        KubeObject former = inEffect.apply(desired.object());
        KubeObject changed = !auto || WorkerPods.isTemplate(former)
                ? former
                : former.edit(tree -> ValueTrees.ensureMap(tree, "spec")
                        .put("updateStrategy", new HashMap<>(Map.of("type", "OnDelete"))));
        String revision = DriverRevisions.digest(changed);
        KubeObject marked = changed.edit(tree -> {
            Map<String, Object> annotations = ValueTrees.ensureMap(tree, "metadata", "annotations");
            annotations.put(MetadataKeys.DRIVER_REVISION, revision);
            annotations.remove(MetadataKeys.APPLIED);
        });
        return new Desired(AppliedDigest.stamp(marked), desired.state(), desired.pool());
    }

    /** Nodes on which special resources that go first still have to begin or are at work, with their names. */
    private Map<String, String> awaited(
            String name, UpgradeRules rules, Collection<ObservedNode> nodes, Collection<String> providers) {
        Map<String, String> awaited = new HashMap<>();
        for (String first : rules.after().isEmpty() ? providers : rules.after()) {
            SpecialResource other = reader.specialResource(first).orElse(null);
            DriverUpgradePolicy policy = other == null ? null : policy(other);
            if (other == null || policy == null) {
                continue;
            }
            boolean mutual = policy.getAfter().contains(name);
            if (ResourcePrecedence.isLeaving(other)
                    || !Boolean.TRUE.equals(policy.getAutoUpgrade())
                    || (mutual && first.compareTo(name) > 0)) {
                continue;
            }
            UpgradeKeys keys = UpgradeKeys.of(first, policy);
            Set<String> outdated = outdated(first);
            boolean unseen = isUnseen(other);
            for (ObservedNode node : nodes) {
                UpgradePhase phase = UpgradePhase.parse(node.facts().labels().get(keys.state()))
                        .orElse(UpgradePhase.UNKNOWN);
                boolean skipped = "true".equals(node.facts().labels().get(keys.skip()));
                // Nodes whose worker pods are behind say so themselves.
                boolean behind = outdated.contains(node.name())
                        || phase == UpgradePhase.REQUIRED
                        || (unseen && node.isHeldBy(MetadataKeys.nodeManager(first)));
                boolean begins = behind && phase != UpgradePhase.FAILED && !skipped;
                if (phase.inProgress() || begins) {
                    awaited.putIfAbsent(node.name(), first);
                }
            }
        }
        return awaited;
    }

    /** Whether its user wants something else of it than was acted on: until then nobody can tell whether it has to begin. */
    private static boolean isUnseen(SpecialResource other) {
        return !ResourcePrecedence.isUnmanaged(other)
                && other.getStatus() != null
                && !Objects.equals(
                        other.getStatus().getObservedGeneration(),
                        other.getMetadata().getGeneration());
    }

    private Set<String> followers(String name) {
        Set<String> managers = new HashSet<>();
        for (SpecialResource other : reader.specialResources()) {
            DriverUpgradePolicy policy = policy(other);
            if (policy != null && policy.getAfter().contains(name)) {
                managers.add(MetadataKeys.nodeManager(other.getMetadata().getName()));
            }
        }
        return managers;
    }

    private Set<String> outdated(String specialResource) {
        Set<String> nodes = new HashSet<>();
        for (KubeObject live : reader.owned(specialResource).values()) {
            String generation =
                    live.annotation("deprecated.daemonset.template.generation").orElse("");
            if (live.annotation(MetadataKeys.DRIVER_REVISION).isPresent() && !generation.isEmpty()) {
                reader.pods(live.uid()).stream()
                        .filter(pod -> !pod.templateGeneration().equals(generation))
                        .forEach(pod -> nodes.add(pod.node()));
            }
        }
        return nodes;
    }
}
