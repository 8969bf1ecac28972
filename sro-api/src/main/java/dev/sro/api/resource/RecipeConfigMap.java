package dev.sro.api.resource;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import org.jspecify.annotations.Nullable;

/**
 * A ConfigMap whose keys are the states of a recipe.
 *
 * <p>Mutable and not thread-safe: do not change an object that came out of an informer cache.
 *
 * @since 0.1.0
 */
public final class RecipeConfigMap extends ResourceValue {
    @JsonPropertyDescription("Name of the ConfigMap. Empty: the one named like the special resource, or labelled"
            + " specialresource.openshift.io/config=true with its name in the annotation"
            + " specialresource.openshift.io/hardware.")
    private @Nullable String name;

    @JsonPropertyDescription("Namespace of the ConfigMap; empty means the namespace of the operands.")
    private @Nullable String namespace;

    /** Creates an object with no field set. */
    public RecipeConfigMap() {}

    /** Returns the name; empty when absent. */
    public String getName() {
        return orEmpty(name);
    }

    /** Sets it; null removes it. */
    public void setName(@Nullable String name) {
        this.name = name;
    }

    /** Returns the namespace, where empty stands for that of the operands; empty when absent. */
    public String getNamespace() {
        return orEmpty(namespace);
    }

    /** Sets it; null removes it. */
    public void setNamespace(@Nullable String namespace) {
        this.namespace = namespace;
    }
}
