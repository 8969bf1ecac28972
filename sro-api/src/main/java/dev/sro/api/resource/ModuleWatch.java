package dev.sro.api.resource;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Required;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Objects from which versions of OpenShift are taken.
 *
 * <p>Mutable and not thread-safe: do not change an object that came out of an informer cache.
 *
 * @since 0.1.0
 */
public final class ModuleWatch extends ResourceValue {
    @JsonPropertyDescription("API version of the objects.")
    @Required
    private @Nullable String apiVersion;

    @JsonPropertyDescription("Kind of the objects.")
    @Required
    private @Nullable String kind;

    @JsonPropertyDescription("Name of the object; absent: all objects of the kind.")
    private @Nullable String name;

    @JsonPropertyDescription("Namespace of the objects; absent: all.")
    private @Nullable String namespace;

    @JsonPropertyDescription("JSONPath, as kubectl has it, of texts that are versions of OpenShift or images.")
    @Required
    private @Nullable String path;

    @JsonPropertyDescription("Which objects count.")
    private @Nullable List<ModuleSelector> selector;

    /** Creates an object with no field set. */
    public ModuleWatch() {}

    /** Returns the API version of the objects; empty when absent. */
    public String getApiVersion() {
        return orEmpty(apiVersion);
    }

    /** Sets it; null removes it. */
    public void setApiVersion(@Nullable String apiVersion) {
        this.apiVersion = apiVersion;
    }

    /** Returns the kind of the objects; empty when absent. */
    public String getKind() {
        return orEmpty(kind);
    }

    /** Sets it; null removes it. */
    public void setKind(@Nullable String kind) {
        this.kind = kind;
    }

    /** Returns the name of the object; empty when absent. */
    public String getName() {
        return orEmpty(name);
    }

    /** Sets it; null removes it. */
    public void setName(@Nullable String name) {
        this.name = name;
    }

    /** Returns the namespace of the objects; empty when absent. */
    public String getNamespace() {
        return orEmpty(namespace);
    }

    /** Sets it; null removes it. */
    public void setNamespace(@Nullable String namespace) {
        this.namespace = namespace;
    }

    /** Returns the JSONPath of texts that are versions of OpenShift or images; empty when absent. */
    public String getPath() {
        return orEmpty(path);
    }

    /** Sets it; null removes it. */
    public void setPath(@Nullable String path) {
        this.path = path;
    }

    /** Returns which objects count; empty when absent. */
    public List<ModuleSelector> getSelector() {
        return orEmpty(selector);
    }

    /** Sets it; null removes it. */
    public void setSelector(@Nullable List<ModuleSelector> selector) {
        this.selector = selector;
    }
}
