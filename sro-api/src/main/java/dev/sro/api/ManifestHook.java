package dev.sro.api;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Optional for a plugin: changes manifests on their way to the cluster. Plugin hooks run before those of SRO
 * (namespace, labels, kernel affinity, node selector), so that they see what the vendor wrote.
 *
 * @since 0.1.0
 */
public interface ManifestHook {

    /**
     * Where a manifest stands.
     *
     * @param recipe the special resource and the cluster
     * @param state the state it belongs to
     * @param pool the pool it is rendered for; null for a state of scope CLUSTER
     */
    record Context(
            RecipeContext recipe, State state, @Nullable Pool pool) {}

    /** Pre-decode: sees and returns the YAML text, before it is parsed. */
    default String beforeDecode(String text, Context context) {
        return text;
    }

    /**
     * Post-decode: sees each object and returns it, changed or not, or empty to leave it out. The object is the hook's
     * own copy.
     */
    default Optional<GenericKubernetesResource> afterDecode(GenericKubernetesResource object, Context context) {
        return Optional.of(object);
    }
}
