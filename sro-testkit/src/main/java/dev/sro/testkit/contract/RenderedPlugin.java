package dev.sro.testkit.contract;

import dev.sro.api.AcceleratorPlugin;
import dev.sro.api.ClusterFacts;
import dev.sro.api.NodeFacts;
import dev.sro.api.Problem;
import dev.sro.api.resource.SpecialResource;
import dev.sro.core.manifest.Desired;
import dev.sro.core.manifest.DesiredState;
import dev.sro.core.model.KubeObject;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The objects that the engine would write for a plugin, without a cluster: those of all states, for nodes that a test describes. For tests
 * of manifests beside those of {@link AcceleratorPluginContract}. Immutable.
 *
 * @param objects as they would be written: states in order, in a state what all pools share first, then pool by pool
 * @param problems what kept objects from being made, and every other problem of a state or of the recipe
 */
public record RenderedPlugin(List<GenericKubernetesResource> objects, List<Problem> problems) {
    private static final KubernetesSerialization SERIALIZATION = new KubernetesSerialization();

    /** Copies the lists. */
    public RenderedPlugin {
        objects = List.copyOf(objects);
        problems = List.copyOf(problems);
    }

    /**
     * Renders for a special resource on a cluster. If there is no recipe for it, there are no objects, and the problems say why.
     *
     * @throws AssertionError if the plugin throws where it must not
     */
    public static RenderedPlugin of(
            AcceleratorPlugin plugin, SpecialResource resource, ClusterFacts cluster, List<NodeFacts> nodes) {
        ContractCluster recipe = new ContractCluster(cluster, nodes, resource);
        List<Problem> problems = recipe.problems(plugin);
        return recipe.resolves(plugin)
                ? new RenderedPlugin(objects(recipe.rendered(plugin)), problems)
                : new RenderedPlugin(List.of(), problems);
    }

    static List<GenericKubernetesResource> objects(List<DesiredState> states) {
        return states.stream()
                .flatMap(state -> Stream.concat(
                        state.shared().stream(),
                        state.byPool().entrySet().stream()
                                .sorted(Map.Entry.comparingByKey())
                                .flatMap(pool -> pool.getValue().stream())))
                .map(Desired::object)
                .map(KubeObject::tree)
                .map(tree -> SERIALIZATION.convertValue(tree, GenericKubernetesResource.class))
                .toList();
    }

    /** {@code Kind name} of every object, in order. */
    public List<String> names() {
        return objects.stream()
                .map(object -> object.getKind() + " " + object.getMetadata().getName())
                .toList();
    }

    /**
     * The object of this kind and name.
     *
     * @throws AssertionError if there is none or more than one, naming those that there are
     */
    public GenericKubernetesResource get(String kind, String name) {
        List<GenericKubernetesResource> found = objects.stream()
                .filter(object -> object.getKind().equals(kind)
                        && object.getMetadata().getName().equals(name))
                .toList();
        if (found.size() != 1) {
            throw new AssertionError(kind + " " + name + " is there " + found.size() + " times in " + names());
        }
        return found.get(0);
    }
}
