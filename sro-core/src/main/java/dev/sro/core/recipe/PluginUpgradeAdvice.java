package dev.sro.core.recipe;

import dev.sro.api.NodeFacts;
import dev.sro.api.Problem;
import dev.sro.api.RecipeContext;
import dev.sro.api.StateGraph;
import dev.sro.api.operation.DriverSet;
import dev.sro.api.operation.PodUse;
import dev.sro.api.operation.UpgradeAction;
import dev.sro.api.operation.UpgradePolicy;
import dev.sro.api.operation.UpgradeStrategy;
import dev.sro.core.plugin.LoadedPlugin;
import dev.sro.core.upgrade.policy.StrategyChecks;
import dev.sro.core.upgrade.policy.UpgradeAdvice;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A plugin's upgrade policy behind the guard. Answers are kept: they are made of immutable values. Thread-safe. */
final class PluginUpgradeAdvice implements UpgradeAdvice {

    /** Answers that are kept of each kind; what is beyond is asked again. */
    private static final int KEPT = 2_000;

    private record Change(DriverSet running, DriverSet desired, NodeFacts node) {}

    private final LoadedPlugin plugin;
    private final PluginGuard guard;
    private final RecipeContext context;
    private final UpgradePolicy policy;
    private final StateGraph graph;
    private final Map<PodUse, Boolean> users = new ConcurrentHashMap<>();
    private final Map<Change, UpgradeAction> actions = new ConcurrentHashMap<>();
    private volatile @Nullable UpgradeStrategy strategy;

    private PluginUpgradeAdvice(
            LoadedPlugin plugin, PluginGuard guard, RecipeContext context, UpgradePolicy policy, StateGraph graph) {
        this.plugin = plugin;
        this.guard = guard;
        this.context = context;
        this.policy = policy;
        this.graph = graph;
    }

    static UpgradeAdvice create(LoadedPlugin plugin, PluginGuard guard, RecipeContext context, StateGraph graph) {
        return plugin.plugin() instanceof UpgradePolicy policy
                ? new PluginUpgradeAdvice(plugin, guard, context, policy, graph)
                : UpgradeAdvice.none();
    }

    @Override
    public Optional<UpgradeStrategy> strategy() {
        UpgradeStrategy known = strategy;
        if (known == null) {
            UpgradeStrategy said = call("upgradeStrategy", () -> policy.upgradeStrategy(context));
            known = call("upgradeStrategy", () -> StrategyChecks.checked(said, graph));
            strategy = known;
        }
        return Optional.of(known);
    }

    @Override
    public UpgradeAction action(DriverSet running, DriverSet desired, NodeFacts node) {
        Change change = new Change(running, desired, node);
        UpgradeAction known = actions.get(change);
        if (known == null) {
            known = call("upgradeAction", () -> policy.upgradeAction(running, desired, node));
            keep(actions, Map.of(change, known));
        }
        return known;
    }

    @Override
    public Optional<Problem> incompatibility(DriverSet running, DriverSet desired) {
        return call("incompatibility", () -> policy.incompatibility(running, desired));
    }

    @Override
    public Optional<List<Boolean>> usesDevice(List<PodUse> pods) {
        List<PodUse> unknown =
                pods.stream().filter(pod -> !users.containsKey(pod)).toList();
        Map<PodUse, Boolean> said = new HashMap<>();
        if (!unknown.isEmpty()) {
            said.putAll(call("usesDevice", () -> {
                Map<PodUse, Boolean> fresh = new HashMap<>();
                unknown.forEach(pod -> fresh.put(pod, policy.usesDevice(pod, context)));
                return fresh;
            }));
        }
        List<Boolean> answers = new ArrayList<>();
        pods.forEach(pod -> answers.add(said.getOrDefault(pod, users.getOrDefault(pod, false))));
        keep(users, said);
        return Optional.of(answers);
    }

    @Override
    public Optional<UpgradePolicy.Verdict> classify(Problem problem) {
        return Optional.of(call("classify", () -> policy.classify(problem)));
    }

    private static <K, V> void keep(Map<K, V> known, Map<K, V> fresh) {
        if (known.size() > KEPT) {
            known.clear();
        }
        known.putAll(fresh);
    }

    private <T> T call(String what, Supplier<T> call) {
        return guard.call(plugin.name(), plugin.classLoader(), what, call);
    }
}
