package dev.sro.core.recipe;

import dev.sro.api.ManifestTemplate;
import dev.sro.api.NodeFacts;
import dev.sro.api.Outcome;
import dev.sro.api.Pool;
import dev.sro.api.Problem;
import dev.sro.api.Reach;
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
import dev.sro.core.recipe.chart.GeneratingCharts;
import dev.sro.core.recipe.chart.ManifestRenderer;
import dev.sro.core.recipe.chart.RenderRequest;
import dev.sro.core.recipe.chart.RenderedChart;
import dev.sro.core.yaml.Json;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.ObjectMeta;
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
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A recipe that is a Helm chart, by the rules of the Special Resource Operator: each numbered template is a state, all others
 * together are the last one. A template in which some object is kernel-affine is rendered for each pool, any other once, for
 * the first pool.
 */
final class ChartRecipe extends ManifestRecipe {

    /** What makes a template one per kernel, whatever the value: the original looked at the text alone. */
    private static final Pattern KERNEL_AFFINE =
            Pattern.compile("(?m)^\\s+specialresource\\.openshift\\.io/kernel-affine:.*$");

    /** {@code keep} is what its author does not want to go with the release, or when a later chart has it no more. */
    private static final String RESOURCE_POLICY = "helm.sh/resource-policy";

    /** Of the state that makes the chart's definitions; no template can have this name. */
    private static final String DEFINITIONS = "0000-custom-resource-definitions";

    private final Chart chart;
    private final RecipeContext context;
    private final Map<String, Object> resource;
    private final String namespace;
    private final ManifestRenderer renderer;
    private final RenderRequest.Cluster cluster;
    private final List<String> warnings;
    private final KernelBuilds builds;
    private final StateGraph graph;
    private final ChartRelease release;
    private final SortedMap<String, ChartFile> definitions;
    private final Map<Pool, RenderedChart> rendered = new HashMap<>();
    private final Map<Pool, Map<String, List<String>>> generated = new HashMap<>();
    private final Map<Pool, Optional<RenderedChart>> renderedForOther = new HashMap<>();
    private List<Pool> renderedFor = List.of();
    private final Set<String> noticed = new ConcurrentSkipListSet<>();
    private final Set<String> overwritten = new ConcurrentSkipListSet<>();
    private final Set<String> idleHooks = new ConcurrentSkipListSet<>();

    /**
     * @param resource the special resource as a tree
     * @param namespace of the operands
     * @param warnings what the user should know of where the chart came from
     */
    ChartRecipe(
            Chart chart,
            RecipeContext context,
            Map<String, Object> resource,
            String namespace,
            ManifestRenderer renderer,
            List<String> warnings) {
        this.chart = chart;
        this.definitions = ChartPaths.crds(chart);
        this.cluster = new RenderRequest.Cluster(
                context.cluster().kubernetesVersion(),
                ChartStates.apiVersions(context.cluster().servedKinds()));
        this.context = context;
        this.resource = RuntimeValues.written(resource);
        this.namespace = namespace;
        this.renderer = renderer;
        this.warnings = List.copyOf(warnings);
        this.builds = new KernelBuilds(chart, context.set());
        this.graph = StateGraph.chain(states());
        this.release = new ChartRelease(
                context.name(),
                namespace,
                ChartRecord.metadata(chart.metadata()),
                chart.digest(),
                chart.values(),
                context.set());
    }

    private List<State> states() {
        SortedMap<String, ChartFile> templates = ChartPaths.templates(chart);
        List<State> states = new ArrayList<>();
        if (!definitions.isEmpty()) {
            State.Builder crds = State.builder()
                    .id(DEFINITIONS)
                    .scope(State.Scope.CLUSTER)
                    // As Helm does: with the definition all its objects would go.
                    .cleanup(State.Cleanup.KEEP);
            definitions.forEach((path, file) -> crds.addManifests(ManifestTemplate.text(path, file.text())));
            states.add(crds.build());
        }
        Set<String> taken = new HashSet<>(Set.of(DEFINITIONS, ChartStates.LAST));
        for (ChartStep step : Decomposition.of(chart, templates.keySet()).steps()) {
            if (!step.paths().isEmpty()) {
                states.add(state(step, templates, taken));
            }
        }
        return states;
    }

    private State state(ChartStep step, Map<String, ChartFile> files, Set<String> taken) {
        List<ManifestTemplate> templates = new ArrayList<>();
        boolean affine = false;
        for (String path : step.paths()) {
            ChartFile file = files.get(path);
            String text = file == null ? "" : file.text();
            templates.add(ManifestTemplate.text(path, text));
            affine |= KERNEL_AFFINE.matcher(text).find() || builds.maybeIn(text);
        }
        return State.builder()
                .id(step.isState() ? ChartStates.id(step.id(), taken) : ChartStates.LAST)
                .scope(affine ? State.Scope.POOL : State.Scope.CLUSTER)
                .reach(step.isState() ? Reach.nodeByNode() : Reach.whole())
                .addAllManifests(templates)
                .build();
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
    public Set<String> overwritten() {
        return Set.copyOf(overwritten);
    }

    @Override
    public void warn(String warning) {
        noticed.add(warning);
    }

    @Override
    public List<String> warnings() {
        List<String> all = new ArrayList<>(warnings);
        all.addAll(noticed);
        all.addAll(idleHooks);
        return all;
    }

    @Override
    public Optional<ChartRelease> release() {
        return Optional.of(release);
    }

    @Override
    public Map<String, NodeAnswers> answers(Collection<NodeFacts> facts) {
        Map<String, NodeAnswers> answers = new HashMap<>(facts.size() * 2);
        facts.forEach(node -> answers.put(node.name(), NodeAnswers.DEFAULT));
        return answers;
    }

    @Override
    public Manifest manifest(State state, ManifestTemplate.Text template, List<Pool> pools, @Nullable Pool pool) {
        Pool subject = pool != null ? pool : pools.isEmpty() ? null : pools.get(0);
        if (subject == null) {
            // There is no kernel to render for.
            return new Manifest("", false);
        }
        RenderedChart result = render(pools, subject);
        Problem problem = result.problems().get(template.name());
        if (problem != null) {
            throw new RecipeFailure(problem);
        }
        Map<String, String> texts = definitions.containsKey(template.name()) ? result.crds() : result.texts();
        return new Manifest(texts.getOrDefault(template.name(), ""), false);
    }

    /** All templates at once, for each pool as long as the pools are the same. */
    private synchronized RenderedChart render(List<Pool> pools, Pool subject) {
        if (!renderedFor.equals(pools)) {
            rendered.clear();
            generated.clear();
            renderedForOther.clear();
            noticed.clear();
            renderedFor = List.copyOf(pools);
        }
        RenderedChart known = rendered.get(subject);
        if (known != null) {
            return known;
        }
        Map<String, Object> runtime = runtime(pools, subject);
        try {
            RenderedChart result = render(runtime, noticed);
            noticed.addAll(result.warnings());
            rendered.put(subject, result);
            generated.put(
                    subject,
                    GeneratingCharts.again(chart)
                            .map(again -> generated(runtime, again, result))
                            .orElse(Map.of()));
            return result;
        } catch (ChartException e) {
            throw new RecipeFailure(e.problem(), e);
        }
    }

    /** What the templates would come to if the pool had another kernel; empty where that cannot be rendered. */
    private synchronized Optional<RenderedChart> renderForOther(Pool subject) {
        return renderedForOther.computeIfAbsent(subject, pool -> {
            try {
                Map<String, Object> runtime = KernelBuilds.other(runtime(renderedFor, KernelBuilds.other(pool)));
                return Optional.of(render(runtime, new TreeSet<>()));
            } catch (ChartException | RecipeFailure e) {
                return Optional.empty();
            }
        });
    }

    private Map<String, Object> runtime(List<Pool> pools, Pool subject) {
        Map<String, Object> runtime = RuntimeValues.collect(context.cluster(), resource, namespace, pools, subject);
        if (context.spec().getDriver() != null) {
            runtime.put("driverImage", DriverImageToken.compute(subject));
            Map<String, Object> images = new LinkedHashMap<>();
            pools.forEach(pool -> images.putIfAbsent(pool.kernel().raw(), DriverImageToken.compute(pool)));
            runtime.put("driverImages", images);
        }
        return runtime;
    }

    private Map<String, List<String>> generated(Map<String, Object> runtime, Chart again, RenderedChart first) {
        try {
            return GeneratedPaths.between(first, render(again, runtime, new TreeSet<>()));
        } catch (ChartException e) {
            return Map.of();
        }
    }

    private RenderedChart render(Map<String, Object> runtime, Set<String> notices) {
        return render(chart, runtime, notices);
    }

    private RenderedChart render(Chart what, Map<String, Object> runtime, Set<String> notices) {
        Map<String, Object> set = SetTemplates.execute(context.set(), runtime, notices);
        Map<String, Object> own = new LinkedHashMap<>(chart.values());
        own.putAll(set);
        overwritten.addAll(RuntimeValues.overwritten(runtime, own));
        return renderer.render(new RenderRequest(
                what,
                ChartValues.given(set, RuntimeValues.forChart(runtime, own)),
                new RenderRequest.Release(MetadataKeys.releaseName(context.name()), namespace),
                cluster,
                isStrict()));
    }

    private boolean isStrict() {
        Map<String, String> annotations =
                context.specialResource().getMetadata().getAnnotations();
        return annotations != null && "true".equals(annotations.get(MetadataKeys.STRICT));
    }

    /** Marks the object as Helm's, so that nobody installs the same chart over it, or as a hook, which Helm does not. */
    @Override
    public Optional<GenericKubernetesResource> afterDecode(
            GenericKubernetesResource object, State state, @Nullable Pool pool) {
        markGenerated(object, pool);
        Map<String, String> annotations = object.getMetadata().getAnnotations();
        if (pool != null && object.getKind().equals("BuildConfig") && isFor(object, state, pool)) {
            Map<String, String> affine = new TreeMap<>(annotations == null ? Map.of() : annotations);
            affine.putIfAbsent(MetadataKeys.KERNEL_AFFINE, "true");
            object.getMetadata().setAnnotations(affine);
            annotations = affine;
        }
        String hook = annotations == null || state.id().equals(DEFINITIONS)
                ? null
                : annotations.get(HookAnnotation.ANNOTATION);
        if (annotations != null && hook != null) {
            HookAnnotation.idle(hook)
                    .ifPresent(why -> idleHooks.add("the " + hook + " hook " + object.getKind() + " "
                            + object.getMetadata().getName() + ": " + why));
            Map<String, String> marked = new TreeMap<>(annotations);
            marked.put(MetadataKeys.HOOK, "");
            object.getMetadata().setAnnotations(marked);
            return HookAnnotation.isKnown(hook) ? Optional.of(object) : Optional.empty();
        }
        if (!state.id().equals(DEFINITIONS) && !object.getKind().equals("Namespace")) {
            Map<String, String> marked = new TreeMap<>(annotations == null ? Map.of() : annotations);
            marked.put("meta.helm.sh/release-name", MetadataKeys.releaseName(context.name()));
            marked.put("meta.helm.sh/release-namespace", namespace);
            if (marked.getOrDefault(RESOURCE_POLICY, "").trim().equalsIgnoreCase("keep")) {
                marked.put(MetadataKeys.KEEP, "true");
            }
            object.getMetadata().setAnnotations(marked);
            Map<String, String> labels = new TreeMap<>(
                    Objects.requireNonNullElse(object.getMetadata().getLabels(), Map.of()));
            labels.put("app.kubernetes.io/managed-by", "Helm");
            object.getMetadata().setLabels(labels);
        }
        return Optional.of(object);
    }

    /** What comes out otherwise each time would else be written with each start of SRO, and each node that comes. */
    private void markGenerated(GenericKubernetesResource object, @Nullable Pool pool) {
        ObjectMeta metadata = object.getMetadata();
        List<String> paths = generated(pool)
                .getOrDefault(
                        object.getKind() + "/" + Objects.requireNonNullElse(metadata.getNamespace(), "") + "/"
                                + metadata.getName(),
                        List.of());
        if (!paths.isEmpty()) {
            Map<String, String> marked = new TreeMap<>(Objects.requireNonNullElse(metadata.getAnnotations(), Map.of()));
            marked.put(MetadataKeys.GENERATED, Json.text(paths));
            metadata.setAnnotations(marked);
        }
    }

    private synchronized Map<String, List<String>> generated(@Nullable Pool pool) {
        Pool subject = pool != null || renderedFor.isEmpty() ? pool : renderedFor.get(0);
        return subject == null ? Map.of() : generated.getOrDefault(subject, Map.of());
    }

    /** Whether a build is for this kernel alone: it names it, or would be another one for another kernel. */
    private boolean isFor(GenericKubernetesResource object, State state, Pool pool) {
        if (String.valueOf(object.getAdditionalProperties())
                .contains(pool.kernel().raw())) {
            return true;
        }
        RenderedChart own = rendered(pool);
        return own != null
                && renderForOther(pool)
                        .filter(other -> state.manifests().stream()
                                .map(ManifestTemplate::name)
                                .anyMatch(name -> KernelBuilds.differs(
                                        object.getMetadata().getName(),
                                        own.texts().getOrDefault(name, ""),
                                        other.texts().getOrDefault(name, ""))))
                        .isPresent();
    }

    private synchronized @Nullable RenderedChart rendered(Pool pool) {
        return rendered.get(pool);
    }

    @Override
    public Optional<Outcome> probe(
            KubeObject live, Function<KubeObject, GenericKubernetesResource> typed, State state, Instant now) {
        return isDependency() ? Optional.empty() : super.probe(live, typed, state, now);
    }

    /** What others wait for is there when all of it works: charts of third parties have no annotations. */
    private boolean isDependency() {
        Map<String, String> labels = context.specialResource().getMetadata().getLabels();
        return labels != null && "true".equals(labels.get(MetadataKeys.DEPENDENCY));
    }
}
