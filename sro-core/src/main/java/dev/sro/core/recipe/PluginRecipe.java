package dev.sro.core.recipe;

import dev.sro.api.ConflictRule;
import dev.sro.api.DeviceMatcher;
import dev.sro.api.ManifestTemplate;
import dev.sro.api.NodeClassifier;
import dev.sro.api.NodeFacts;
import dev.sro.api.Outcome;
import dev.sro.api.Pool;
import dev.sro.api.PoolKeyProvider;
import dev.sro.api.Problem;
import dev.sro.api.ReadinessProbe;
import dev.sro.api.RecipeContext;
import dev.sro.api.State;
import dev.sro.api.StateGraph;
import dev.sro.api.device.Exposure;
import dev.sro.api.device.Handover;
import dev.sro.api.device.ResourceExposure;
import dev.sro.api.device.RuntimeConfiguration;
import dev.sro.api.device.RuntimeHook;
import dev.sro.api.driver.BuildPlan;
import dev.sro.api.driver.BuildPlanner;
import dev.sro.api.driver.ImageCandidate;
import dev.sro.api.driver.ImageCandidates;
import dev.sro.api.driver.ImageResolver;
import dev.sro.api.driver.LoadPlan;
import dev.sro.api.driver.LoadPlanner;
import dev.sro.api.driver.PreflightCheck;
import dev.sro.api.driver.PreflightTarget;
import dev.sro.api.driver.PreflightVerdict;
import dev.sro.api.driver.SignPlan;
import dev.sro.api.operation.Monitoring;
import dev.sro.api.operation.Observability;
import dev.sro.api.operation.Scheduling;
import dev.sro.core.model.KubeObject;
import dev.sro.core.model.ObjectRef;
import dev.sro.core.monitoring.MonitoringObjects;
import dev.sro.core.plugin.LoadedPlugin;
import dev.sro.core.upgrade.policy.UpgradeAdvice;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A recipe with a plugin behind it, which is asked through the guard. */
final class PluginRecipe implements Recipe {

    /** What a probe said of an object, and when it is to be asked again although nothing changed. */
    private record Judged(KubeObject live, State state, Optional<Outcome> said, Instant again) {}

    /** What was said about nodes that another special resource would serve, too. */
    private static final class Rival {
        private final RecipeContext context;
        private final NodeAnswerCache<Optional<Problem>> nodes = new NodeAnswerCache<>();

        Rival(RecipeContext context) {
            this.context = context;
        }
    }

    /** A probe that failed is called again after this time at the earliest. */
    private static final Duration RETRY_PROBE = Duration.ofSeconds(30);

    private final LoadedPlugin plugin;
    private final PluginGuard guard;
    private final RecipeContext context;
    private final StateGraph graph;
    private final Scheduling scheduling;
    private final Set<String> optional;
    private final Optional<Monitoring> monitoring;
    private final PluginHooks hooks;
    private final UpgradeAdvice advice;
    private final NodeAnswerCache<NodeAnswers> nodes = new NodeAnswerCache<>();
    private final NodeAnswerCache<RuntimeConfiguration> runtimes = new NodeAnswerCache<>();
    private final ConcurrentHashMap<String, Rival> rivals = new ConcurrentHashMap<>();
    private final Set<String> noticed = new ConcurrentSkipListSet<>();
    private final ConcurrentHashMap<ObjectRef, Judged> judged = new ConcurrentHashMap<>();

    PluginRecipe(
            LoadedPlugin plugin, PluginGuard guard, RecipeContext context, StateGraph graph, Scheduling scheduling) {
        this.scheduling = scheduling;
        this.plugin = plugin;
        this.monitoring = plugin.plugin() instanceof Observability observability
                ? Optional.of(guard.call(
                        plugin.name(), plugin.classLoader(), "monitoring", () -> observability.monitoring(context)))
                : Optional.empty();
        Set<String> without = new HashSet<>(plugin.descriptor().optionalCrds());
        if (monitoring.isPresent()) {
            without.addAll(MonitoringObjects.OPTIONAL);
        }
        this.optional = Set.copyOf(without);
        this.guard = guard;
        this.hooks = PluginHooks.of(plugin, guard);
        this.context = context;
        this.advice = PluginUpgradeAdvice.create(plugin, guard, context, graph);
        this.graph = graph;
    }

    @Override
    public String label() {
        return plugin.label();
    }

    @Override
    public boolean isOfOthers() {
        return false;
    }

    @Override
    public RecipeContext context() {
        return context;
    }

    @Override
    public StateGraph graph() {
        return graph;
    }

    @Override
    public Scheduling scheduling() {
        return scheduling;
    }

    @Override
    public Optional<Exposure> exposure() {
        return plugin.plugin() instanceof ResourceExposure exposing
                ? Optional.of(call("exposure", () -> exposing.exposure(context)))
                : Optional.empty();
    }

    @Override
    public boolean findsDevices() {
        return plugin.plugin() instanceof DeviceMatcher;
    }

    @Override
    public UpgradeAdvice upgrades() {
        return advice;
    }

    @Override
    public Optional<Monitoring> monitoring() {
        return monitoring;
    }

    @Override
    public Map<String, String> namespaceLabels() {
        return monitoring
                .filter(asked -> MonitoringObjects.isClusterMonitoring(context, asked))
                .map(asked -> Map.of(MonitoringObjects.CLUSTER_MONITORING, "true"))
                .orElse(Map.of());
    }

    @Override
    public Set<String> optionalResources() {
        return optional;
    }

    @Override
    public Set<String> awaitedResources() {
        return monitoring.isPresent() ? MonitoringObjects.optional(plugin.descriptor()) : optional;
    }

    @Override
    public Map<String, NodeAnswers> answers(Collection<NodeFacts> facts) {
        if (!asksAboutNodes()) {
            Map<String, NodeAnswers> result = new HashMap<>(facts.size() * 2);
            facts.forEach(node -> result.put(node.name(), NodeAnswers.DEFAULT));
            return result;
        }
        return nodes.of(facts, unknown -> call("node questions", () -> ask(unknown)));
    }

    private boolean asksAboutNodes() {
        return plugin.plugin() instanceof DeviceMatcher
                || plugin.plugin() instanceof PoolKeyProvider
                || plugin.plugin() instanceof NodeClassifier
                || plugin.plugin() instanceof ResourceExposure;
    }

    private Map<String, NodeAnswers> ask(Map<String, NodeFacts> unknown) {
        Map<String, NodeAnswers> answers = new HashMap<>();
        unknown.forEach((name, node) -> {
            DeviceMatcher.Presence presence = plugin.plugin() instanceof DeviceMatcher matcher
                    ? matcher.match(node, context)
                    : DeviceMatcher.Presence.PRESENT;
            answers.put(
                    name,
                    new NodeAnswers(
                            presence,
                            plugin.plugin() instanceof PoolKeyProvider keys ? keys.poolKey(node, context) : Map.of(),
                            labels(node, presence),
                            handover(node, presence)));
        });
        return answers;
    }

    private Optional<Handover> handover(NodeFacts node, DeviceMatcher.Presence presence) {
        return presence != DeviceMatcher.Presence.ABSENT && plugin.plugin() instanceof ResourceExposure exposure
                ? exposure.handover(node, context)
                : Optional.empty();
    }

    private Map<String, String> labels(NodeFacts node, DeviceMatcher.Presence presence) {
        if (!(plugin.plugin() instanceof NodeClassifier classifier)) {
            return Map.of();
        }
        return presence == DeviceMatcher.Presence.ABSENT
                ? classifier.labelsWithoutDevice(node, context)
                : classifier.nodeLabels(node, context);
    }

    @Override
    public boolean judgesConflicts() {
        return plugin.plugin() instanceof ConflictRule;
    }

    @Override
    public Map<String, Problem> conflicts(RecipeContext other, Collection<NodeFacts> facts) {
        if (!(plugin.plugin() instanceof ConflictRule rule)) {
            return Map.of();
        }
        Rival rival = rivals.compute(
                other.name(), (name, known) -> known != null && known.context.equals(other) ? known : new Rival(other));
        Map<String, Problem> problems = new HashMap<>();
        rival.nodes
                .of(
                        facts,
                        unknown -> call("conflict", () -> asked(unknown, node -> rule.conflict(context, other, node))))
                .forEach((node, said) -> said.ifPresent(problem -> problems.put(node, problem)));
        return problems;
    }

    @Override
    public Optional<ImageCandidates> images(Pool pool) {
        return plugin.plugin() instanceof ImageResolver resolver
                ? Optional.of(call("images", () -> resolver.images(context, pool)))
                : Optional.empty();
    }

    @Override
    public Optional<BuildPlan> buildPlan(Pool pool, ImageCandidate image) {
        return plugin.plugin() instanceof BuildPlanner planner
                ? call("buildPlan", () -> planner.buildPlan(context, pool, image))
                : Optional.empty();
    }

    @Override
    public Optional<SignPlan> signPlan(Pool pool, ImageCandidate image) {
        return plugin.plugin() instanceof BuildPlanner planner
                ? call("signPlan", () -> planner.signPlan(context, pool, image))
                : Optional.empty();
    }

    @Override
    public Optional<LoadPlan> loadPlan(Pool pool) {
        return plugin.plugin() instanceof LoadPlanner planner
                ? Optional.of(call("loadPlan", () -> planner.loadPlan(context, pool)))
                : Optional.empty();
    }

    @Override
    public boolean hasRuntime() {
        return plugin.plugin() instanceof RuntimeHook;
    }

    @Override
    public Map<String, RuntimeConfiguration> runtime(Collection<NodeFacts> facts) {
        return plugin.plugin() instanceof RuntimeHook hook
                ? runtimes.of(
                        facts, unknown -> call("runtime", () -> asked(unknown, node -> hook.runtime(node, context))))
                : Map.of();
    }

    private static <T> Map<String, T> asked(Map<String, NodeFacts> nodes, Function<NodeFacts, T> question) {
        Map<String, T> answers = new HashMap<>();
        nodes.forEach((name, node) -> answers.put(name, question.apply(node)));
        return answers;
    }

    @Override
    public Manifest manifest(State state, ManifestTemplate.Text template, List<Pool> pools, @Nullable Pool pool) {
        return new Manifest(hooks.beforeDecode(template.text(), context, state, pool), true);
    }

    @Override
    public Map<String, Object> variables(Pool pool) {
        return call("variables", () -> Map.copyOf(plugin.plugin().variables(context, pool)));
    }

    @Override
    public List<PreflightVerdict> preflight(PreflightTarget target) {
        return plugin.plugin() instanceof PreflightCheck check
                ? call("preflight", () -> List.copyOf(check.preflight(context, target)))
                : List.of();
    }

    @Override
    public List<String> warnings() {
        return List.copyOf(noticed);
    }

    @Override
    public void warn(String warning) {
        noticed.add(warning);
    }

    @Override
    public boolean sharesFirst() {
        return false;
    }

    @Override
    public boolean dropsUndeclaredFields() {
        return false;
    }

    @Override
    public boolean hasHooks() {
        return !hooks.isEmpty();
    }

    @Override
    public Optional<GenericKubernetesResource> afterDecode(
            GenericKubernetesResource object, State state, @Nullable Pool pool) {
        return hooks.afterDecode(object, context, state, pool);
    }

    @Override
    public boolean hasProbe() {
        return plugin.plugin() instanceof ReadinessProbe;
    }

    @Override
    public Optional<Outcome> probe(
            KubeObject live, Function<KubeObject, GenericKubernetesResource> typed, State state, Instant now) {
        if (!(plugin.plugin() instanceof ReadinessProbe probe)) {
            return Optional.empty();
        }
        Judged known = judged.get(live.ref());
        if (known != null && known.state.equals(state) && known.live.equals(live) && now.isBefore(known.again)) {
            return known.said;
        }
        Optional<Outcome> said;
        Instant again = Instant.MAX;
        try {
            said = call("probe", () -> probe.probe(typed.apply(live), state, now));
        } catch (RecipeFailure e) {
            said = Optional.of(Outcome.failed(e.problem()));
            again = now.plus(RETRY_PROBE);
        }
        judged.put(live.ref(), new Judged(live, state, said, again));
        return said;
    }

    @Override
    public Instant retryProbes(Set<ObjectRef> live, Instant now) {
        judged.keySet().retainAll(live);
        return judged.values().stream()
                .map(Judged::again)
                .filter(now::isBefore)
                .min(Comparator.naturalOrder())
                .orElse(Instant.MAX);
    }

    private <T> T call(String what, Supplier<T> call) {
        return guard.call(plugin.name(), plugin.classLoader(), what, call);
    }
}
