package dev.sro.core.recipe;

import dev.sro.api.ManifestTemplate;
import dev.sro.api.NodeFacts;
import dev.sro.api.Outcome;
import dev.sro.api.Pool;
import dev.sro.api.Problem;
import dev.sro.api.RecipeContext;
import dev.sro.api.State;
import dev.sro.api.StateGraph;
import dev.sro.api.device.Exposure;
import dev.sro.api.device.RuntimeConfiguration;
import dev.sro.api.driver.BuildPlan;
import dev.sro.api.driver.ImageCandidate;
import dev.sro.api.driver.ImageCandidates;
import dev.sro.api.driver.LoadPlan;
import dev.sro.api.driver.PreflightTarget;
import dev.sro.api.driver.PreflightVerdict;
import dev.sro.api.driver.SignPlan;
import dev.sro.api.operation.Monitoring;
import dev.sro.api.operation.Scheduling;
import dev.sro.core.model.KubeObject;
import dev.sro.core.model.ObjectRef;
import dev.sro.core.upgrade.policy.UpgradeAdvice;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The states of one special resource, with what is behind them: a plugin, a chart or numbered manifests. Answers about nodes are kept until the
 * node's facts change. Implementations are thread-safe.
 */
public interface Recipe {

    /**
     * The text of a template, ready to be parsed.
     *
     * @param text YAML with any number of documents
     * @param placeholders whether <code>${name}</code> in its strings is to be replaced, once it is parsed
     */
    record Manifest(String text, boolean placeholders) {}

    /** What it is, with its version, for messages. */
    String label();

    /** The special resource and the cluster that the states were made for. */
    RecipeContext context();

    /** The states. */
    StateGraph graph();

    /** What is recorded as a release, as Helm does; empty for what is no chart. Objects marked as hooks are its hooks then. */
    default Optional<ChartRelease> release() {
        return Optional.empty();
    }

    /** Which pods come to the nodes; empty when the recipe has no policy. */
    Scheduling scheduling();

    /**
     * How pods ask for the device; empty where the recipe does not say.
     *
     * @throws RecipeFailure if it gives no answer
     */
    default Optional<Exposure> exposure() {
        return Optional.empty();
    }

    /** Whether the recipe itself tells nodes that have the device from others. */
    default boolean findsDevices() {
        return false;
    }

    /** What the recipe says of upgrades of its driver. */
    default UpgradeAdvice upgrades() {
        return UpgradeAdvice.none();
    }

    /** What of the recipe the engine does not act on, for the user; empty for most recipes. */
    default List<String> notActedOn() {
        return List.of();
    }

    /** How the device is monitored; empty where the recipe does not say. */
    default Optional<Monitoring> monitoring() {
        return Optional.empty();
    }

    /**
     * Resources, as {@code plural.group}, that the recipe can do without: objects of kinds that are not served are left out until
     * they are.
     */
    default Set<String> optionalResources() {
        return Set.of();
    }

    /** Those of {@link #optionalResources} that the recipe has objects of and SRO has the right to wait for. */
    default Set<String> awaitedResources() {
        return optionalResources();
    }

    /** What is probably not meant like that, for the user: a value that is not defined. May grow while states are rendered. */
    List<String> warnings();

    /** Names of its own values, or the user's, that what is known of the cluster overwrites; known once it was rendered. */
    default Set<String> overwritten() {
        return Set.of();
    }

    /** One more of the {@link #warnings}, found while the recipe's objects were made. */
    void warn(String warning);

    /** Whether it is applied by the rights of an account of its own: only code that the administrator chose acts with SRO's. */
    default boolean isOfOthers() {
        return true;
    }

    /** Labels that the recipe wants on the namespace of the operands; known once it was rendered. Empty for most recipes. */
    default Map<String, String> namespaceLabels() {
        return Map.of();
    }

    /** Annotations that the recipe wants there, as {@link #namespaceLabels()}. */
    default Map<String, String> namespaceAnnotations() {
        return Map.of();
    }

    /**
     * What the recipe says of these nodes, by node name; a plugin is asked only about nodes whose facts changed.
     *
     * @throws RecipeFailure if it gives no answer
     */
    Map<String, NodeAnswers> answers(Collection<NodeFacts> facts);

    /** Whether the recipe has a say in which other special resources may serve its nodes. */
    default boolean judgesConflicts() {
        return false;
    }

    /**
     * Why this special resource may not serve some of these nodes beside another one, by node name; a plugin is asked only about nodes
     * whose facts changed, and about all of them when the other one changed.
     *
     * @param other the other special resource
     * @param nodes that both of them would serve
     * @throws RecipeFailure if there is no answer
     */
    default Map<String, Problem> conflicts(RecipeContext other, Collection<NodeFacts> nodes) {
        return Map.of();
    }

    /**
     * Images that may serve a pool, best first; empty where the recipe says nothing of images.
     *
     * @throws RecipeFailure if it gives no answer
     */
    default Optional<ImageCandidates> images(Pool pool) {
        return Optional.empty();
    }

    /**
     * How an image is built; empty where the recipe does not say.
     *
     * @throws RecipeFailure if it gives no answer
     */
    default Optional<BuildPlan> buildPlan(Pool pool, ImageCandidate image) {
        return Optional.empty();
    }

    /**
     * What is signed in an image; empty where the recipe does not say.
     *
     * @throws RecipeFailure if it gives no answer
     */
    default Optional<SignPlan> signPlan(Pool pool, ImageCandidate image) {
        return Optional.empty();
    }

    /**
     * What is loaded on the nodes of a pool; empty where the recipe's own states do that.
     *
     * @throws RecipeFailure if it gives no answer
     */
    default Optional<LoadPlan> loadPlan(Pool pool) {
        return Optional.empty();
    }

    /** Whether {@link #runtime} has anything to say. */
    default boolean hasRuntime() {
        return false;
    }

    /**
     * What the container runtimes of these nodes have to know, by node name; a plugin is asked only about nodes whose facts changed.
     *
     * @throws RecipeFailure if there is no answer
     */
    default Map<String, RuntimeConfiguration> runtime(Collection<NodeFacts> facts) {
        return Map.of();
    }

    /**
     * The YAML of a template.
     *
     * @param pools all pools, sorted
     * @param pool the one to render for; null in a state of scope CLUSTER
     * @throws RecipeFailure if there is none
     */
    Manifest manifest(State state, ManifestTemplate.Text template, List<Pool> pools, @Nullable Pool pool);

    /**
     * The recipe's own variables for a pool, for placeholders.
     *
     * @throws RecipeFailure if it gives none
     */
    Map<String, Object> variables(Pool pool);

    /**
     * Whether of an object that is not kernel-affine and yet comes out differently for pools the one of the first pool is
     * taken. Otherwise that is a mistake.
     */
    boolean sharesFirst();

    /**
     * Whether fields that the cluster's API does not have are left out, as they were by the clients that the recipe was made for.
     * Otherwise they are a mistake.
     */
    boolean dropsUndeclaredFields();

    /**
     * What the recipe itself says of a kernel to come, image by image; empty when it says nothing.
     *
     * @throws RecipeFailure if it gives no answer
     */
    default List<PreflightVerdict> preflight(PreflightTarget target) {
        return List.of();
    }

    /** Whether {@link #afterDecode} has to be asked. */
    boolean hasHooks();

    /**
     * The recipe's own post-decode hook.
     *
     * @return the object, changed or not; empty to leave it out
     * @throws RecipeFailure if it gives no answer
     */
    Optional<GenericKubernetesResource> afterDecode(GenericKubernetesResource object, State state, @Nullable Pool pool);

    /** Whether the recipe judges objects itself. */
    boolean hasProbe();

    /**
     * What the recipe says of an object; empty for the built-in rule. It is asked only when the object changed, and some time
     * after it gave no answer.
     *
     * @param typed makes of the object what plugins see
     */
    Optional<Outcome> probe(
            KubeObject live, Function<KubeObject, GenericKubernetesResource> typed, State state, Instant now);

    /** When a probe that failed is to be called again; {@link Instant#MAX} when none did. Forgets all other objects. */
    Instant retryProbes(Set<ObjectRef> live, Instant now);
}
