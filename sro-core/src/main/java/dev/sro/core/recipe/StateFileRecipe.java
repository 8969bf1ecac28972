package dev.sro.core.recipe;

import dev.sro.api.DeviceMatcher;
import dev.sro.api.ManifestTemplate;
import dev.sro.api.NodeFacts;
import dev.sro.api.Outcome;
import dev.sro.api.Pool;
import dev.sro.api.Problem;
import dev.sro.api.RecipeContext;
import dev.sro.api.State;
import dev.sro.api.StateGraph;
import dev.sro.api.resource.DriverSpec;
import dev.sro.core.model.KubeObject;
import dev.sro.core.recipe.gotemplate.GoTemplate;
import dev.sro.core.recipe.gotemplate.MissingKey;
import dev.sro.core.recipe.gotemplate.MissingKeys;
import dev.sro.core.recipe.gotemplate.TemplateException;
import dev.sro.core.recipe.gotemplate.TemplateRenderer;
import dev.sro.core.recipe.source.StateFileSet;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A recipe of numbered manifests with Go templates, by the rules of the first generations of the Special Resource Operator: each
 * file is a state. Those knew one kernel; here each file is rendered for each pool, and what then has the pool's kernel in it is
 * kernel-affine.
 */
final class StateFileRecipe extends ManifestRecipe {

    private static final String DEFAULT_NODES = "node-role.kubernetes.io/worker";

    private final StateFileSet files;
    private final RecipeContext context;
    private final Map<String, Object> resource;
    private final String namespace;
    private final String hardware;
    private final String nodeFeature;
    private final StateGraph graph;
    private final StateFileObjects objects;
    private final boolean folders;
    private final boolean waits;
    private final boolean tokens;
    private volatile String firstPool = "";
    private final Set<String> noticed = new ConcurrentSkipListSet<>();

    /**
     * @param resource the special resource as a tree
     * @param namespace of the operands
     * @throws RecipeFailure if the files are no states
     */
    StateFileRecipe(StateFileSet files, RecipeContext context, Map<String, Object> resource, String namespace) {
        this.files = files;
        this.context = context;
        this.resource = RuntimeValues.written(resource);
        this.namespace = namespace;
        this.hardware = StateFileValues.hardware(context, files);
        this.nodeFeature = StateFileValues.nodeFeature(context, files);
        this.objects = new StateFileObjects(
                namespace, hardware, files.placeholders(), StateFileText.groupsWithoutHardware(files));
        this.folders = StateFileStates.isFolders(files);
        this.waits = StateFileText.saysWhatToWaitFor(files);
        this.tokens = RuntimeTokens.isIn(files);
        StateFileText.requireComplete(files);
        this.graph = StateGraph.chain(
                files.files().isEmpty() && loadsDriver(context) ? List.of() : StateFileStates.create(files, noticed));
    }

    /** Whether SRO itself has something to do, so that a recipe without any file leaves it at that. */
    private static boolean loadsDriver(RecipeContext context) {
        DriverSpec driver = context.spec().getDriver();
        return driver != null && driver.getModprobe() != null;
    }

    @Override
    public String label() {
        return files.from();
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
    public void warn(String warning) {
        noticed.add(warning);
    }

    @Override
    public List<String> warnings() {
        List<String> all = new ArrayList<>(files.warnings());
        all.addAll(noticed);
        return all;
    }

    @Override
    public Map<String, String> namespaceLabels() {
        return objects.namespaceLabels();
    }

    @Override
    public Map<String, String> namespaceAnnotations() {
        return objects.namespaceAnnotations();
    }

    /** The label that the recipe or the special resource names; without one and without a node selector the workers. */
    @Override
    public boolean findsDevices() {
        return !nodeFeature.isEmpty();
    }

    @Override
    public Map<String, NodeAnswers> answers(Collection<NodeFacts> facts) {
        boolean workers =
                nodeFeature.isEmpty() && context.spec().getNodeSelector().isEmpty();
        Map<String, NodeAnswers> answers = new HashMap<>(facts.size() * 2);
        for (NodeFacts node : facts) {
            boolean present = workers
                    ? node.labels().containsKey(DEFAULT_NODES)
                    : nodeFeature.isEmpty() || "true".equals(node.labels().get(nodeFeature));
            answers.put(
                    node.name(),
                    new NodeAnswers(
                            present ? DeviceMatcher.Presence.PRESENT : DeviceMatcher.Presence.ABSENT,
                            Map.of(),
                            Map.of()));
        }
        return answers;
    }

    @Override
    public Manifest manifest(State state, ManifestTemplate.Text template, List<Pool> pools, @Nullable Pool pool) {
        if (pool == null) {
            return new Manifest("", false);
        }
        firstPool = pools.get(0).name();
        if (StateFileText.isPlain(template.text(), folders)) {
            return new Manifest(template.text(), false);
        }
        Map<String, Object> values = StateFileValues.collect(context, resource, files, namespace, pools, pool);
        String once = execute(template.name(), template.text(), values);
        return new Manifest(
                files.rerendered() && once.contains("{{") ? execute(template.name(), once, values) : once, false);
    }

    private static String execute(String name, String text, Map<String, Object> values) {
        AtomicReference<@Nullable MissingKey> missing = new AtomicReference<>();
        try {
            return TemplateRenderer.builder()
                    .template(GoTemplate.parse(name, text))
                    .missingKeys(MissingKeys.ERROR)
                    .onMissing(missing::set)
                    .build()
                    .render(name, values);
        } catch (TemplateException e) {
            MissingKey key = missing.get();
            String why = key == null
                    ? String.valueOf(e.getMessage())
                    : key.position() + ": ." + String.join(".", key.path()) + " is not defined" + advice(key.path());
            throw new RecipeFailure(new Problem("TemplateFailed", why, Problem.Owner.VENDOR, false), e);
        }
    }

    /** A field that only has to be set is named as the user writes it. */
    private static String advice(List<String> path) {
        boolean ofSpec = path.size() > 2
                && path.get(0).equals("SpecialResource")
                && path.get(1).equals("Spec");
        if (!ofSpec) {
            return "";
        }
        String field = path.get(2);
        return "; set spec." + Character.toLowerCase(field.charAt(0)) + field.substring(1)
                + " of the special resource, if its definition has that field, or correct the recipe";
    }

    /** Before there was an annotation that says what to wait for, all of it was waited for. */
    @Override
    public Optional<Outcome> probe(
            KubeObject live, Function<KubeObject, GenericKubernetesResource> typed, State state, Instant now) {
        return waits ? super.probe(live, typed, state, now) : Optional.empty();
    }

    @Override
    public Optional<GenericKubernetesResource> afterDecode(
            GenericKubernetesResource object, State state, @Nullable Pool pool) {
        Pool own = Objects.requireNonNull(pool);
        if (tokens) {
            RuntimeTokens.of(own, hardware, nodeFeature, context.cluster().openShiftVersion())
                    .replaceIn(object);
        }
        return objects.finished(object, own, own.name().equals(firstPool), noticed);
    }
}
