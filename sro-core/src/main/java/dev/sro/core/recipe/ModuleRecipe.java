package dev.sro.core.recipe;

import dev.sro.api.ManifestTemplate;
import dev.sro.api.NodeFacts;
import dev.sro.api.Outcome;
import dev.sro.api.Pool;
import dev.sro.api.Problem;
import dev.sro.api.RecipeContext;
import dev.sro.api.State;
import dev.sro.api.StateGraph;
import dev.sro.core.model.KubeObject;
import dev.sro.core.model.MetadataKeys;
import dev.sro.core.recipe.chart.Chart;
import dev.sro.core.recipe.chart.ChartException;
import dev.sro.core.recipe.chart.ChartFile;
import dev.sro.core.recipe.chart.ChartPaths;
import dev.sro.core.recipe.chart.ChartStep;
import dev.sro.core.recipe.chart.ChartValues;
import dev.sro.core.recipe.chart.Decomposition;
import dev.sro.core.recipe.chart.ManifestRenderer;
import dev.sro.core.recipe.chart.RenderRequest;
import dev.sro.core.recipe.chart.RenderedChart;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The chart of a module, rendered once for each version of OpenShift, which a pool stands for. Each numbered template is a step;
 * all others belong to the first one, as the Special Resource Operator gave them to every step.
 */
public final class ModuleRecipe extends ManifestRecipe {

    /** Label {@code "true"} on every object of a module, as the original had it. */
    public static final String OWNED = "specialresourcemodule.openshift.io/owned";

    private static final String HELM_HOOK = "helm.sh/hook";
    private final Chart chart;
    private final RecipeContext context;
    private final String release;
    private final String namespace;
    private final Map<String, Object> module;
    private final Map<String, Map<String, Object>> versions;
    private final ManifestRenderer renderer;
    private final StateGraph graph;
    private final Map<String, String> templates = new HashMap<>();
    private final Map<String, RenderedChart> rendered = new HashMap<>();
    private final Set<String> noticed = new ConcurrentSkipListSet<>();
    private final Set<String> hooks = new ConcurrentSkipListSet<>();

    /**
     * @param context the module as a special resource, and the cluster
     * @param release name of the module
     * @param namespace of its objects
     * @param module as a tree, as charts see it
     * @param versions what is known of each version, by the name of its pool
     */
    public ModuleRecipe(
            Chart chart,
            RecipeContext context,
            String release,
            String namespace,
            Map<String, Object> module,
            Map<String, Map<String, Object>> versions,
            ManifestRenderer renderer) {
        this.chart = chart;
        this.context = context;
        this.release = release;
        this.namespace = namespace;
        this.module = RuntimeValues.written(module);
        this.versions = Map.copyOf(versions);
        this.renderer = renderer;
        this.graph = StateGraph.chain(states());
    }

    private List<State> states() {
        SortedMap<String, ChartFile> files = ChartPaths.templates(chart);
        List<ChartStep> steps = new ArrayList<>();
        List<String> others = new ArrayList<>();
        for (ChartStep step : Decomposition.of(chart, files.keySet()).steps()) {
            if (step.isState()) {
                steps.add(step);
            } else {
                others.addAll(step.paths());
            }
        }
        List<State> states = new ArrayList<>();
        Set<String> taken = new HashSet<>();
        if (steps.isEmpty()) {
            states.add(state(ChartStates.LAST, others, files));
        }
        for (ChartStep step : steps) {
            List<String> paths = new ArrayList<>(states.isEmpty() ? others : List.of());
            paths.addAll(step.paths());
            String id = ChartStates.id(step.id(), taken);
            // Without the chart's name, as the original had it.
            templates.put(id, step.paths().get(0).replaceFirst("^[^/]+/(?=templates/)", ""));
            states.add(state(id, paths, files));
        }
        return states;
    }

    private static State state(String id, List<String> paths, Map<String, ChartFile> files) {
        State.Builder state = State.builder().id(id).scope(State.Scope.POOL);
        for (String path : paths) {
            ChartFile file = files.get(path);
            state.addManifests(ManifestTemplate.text(path, file == null ? "" : file.text()));
        }
        return state.build();
    }

    /** The numbered template of a state; its id where it has none. */
    public String template(String state) {
        return templates.getOrDefault(state, state);
    }

    @Override
    public String label() {
        return "chart " + chart.label();
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
    public List<String> notActedOn() {
        return List.copyOf(hooks);
    }

    @Override
    public void warn(String warning) {
        noticed.add(warning);
    }

    @Override
    public List<String> warnings() {
        return List.copyOf(noticed);
    }

    @Override
    public Map<String, NodeAnswers> answers(Collection<NodeFacts> facts) {
        return Map.of();
    }

    @Override
    public Manifest manifest(State state, ManifestTemplate.Text template, List<Pool> pools, @Nullable Pool pool) {
        RenderedChart result = render(Objects.requireNonNull(pool, "all states are rendered for versions"));
        Problem problem = result.problems().get(template.name());
        if (problem != null) {
            throw new RecipeFailure(problem);
        }
        return new Manifest(result.texts().getOrDefault(template.name(), ""), false);
    }

    private synchronized RenderedChart render(Pool pool) {
        RenderedChart known = rendered.get(pool.name());
        if (known != null) {
            return known;
        }
        Map<String, Object> runtime = new LinkedHashMap<>();
        runtime.put("apiVersion", "sro.openshift.io/v1beta1");
        runtime.put("kind", "Values");
        runtime.putAll(versions.getOrDefault(pool.name(), Map.of()));
        runtime.put("groupName", RuntimeValues.GROUP_NAMES);
        runtime.put("specialResourceModule", module);
        SortedSet<String> apis = ChartStates.apiVersions(context.cluster().servedKinds());
        try {
            RenderedChart result = renderer.render(new RenderRequest(
                    chart,
                    ChartValues.given(SetTemplates.execute(context.set(), runtime, noticed), runtime),
                    new RenderRequest.Release(MetadataKeys.releaseName(release), namespace),
                    new RenderRequest.Cluster(context.cluster().kubernetesVersion(), apis),
                    false));
            noticed.addAll(result.warnings());
            rendered.put(pool.name(), result);
            return result;
        } catch (ChartException e) {
            throw new RecipeFailure(e.problem(), e);
        }
    }

    @Override
    public boolean dropsUndeclaredFields() {
        return false;
    }

    /** Marks whose it is and of which version; leaves Helm's own hooks out. */
    @Override
    public Optional<GenericKubernetesResource> afterDecode(
            GenericKubernetesResource object, State state, @Nullable Pool pool) {
        Map<String, String> annotations =
                new TreeMap<>(Objects.requireNonNullElse(object.getMetadata().getAnnotations(), Map.of()));
        String hook = annotations.get(HELM_HOOK);
        if (hook != null) {
            hooks.add("the " + hook + " hook " + object.getKind() + " "
                    + object.getMetadata().getName());
            return Optional.empty();
        }
        annotations.put("meta.helm.sh/release-name", release);
        annotations.put("meta.helm.sh/release-namespace", namespace);
        if (pool != null) {
            annotations.put(MetadataKeys.POOL, pool.name());
        }
        object.getMetadata().setAnnotations(annotations);
        Map<String, String> labels =
                new TreeMap<>(Objects.requireNonNullElse(object.getMetadata().getLabels(), Map.of()));
        labels.put("app.kubernetes.io/managed-by", "Helm");
        labels.put(OWNED, "true");
        object.getMetadata().setLabels(labels);
        return Optional.of(object);
    }

    @Override
    public Optional<Outcome> probe(
            KubeObject live, Function<KubeObject, GenericKubernetesResource> typed, State state, Instant now) {
        return live.annotation(MetadataKeys.WAIT).orElse("").equals("true")
                ? Optional.empty()
                : Optional.of(Outcome.ready());
    }
}
