package dev.sro.api.resource;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Required;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An image that holds driver artifacts.
 *
 * <p>Mutable and not thread-safe: do not change an object that came out of an informer cache.
 *
 * @since 0.1.0
 */
public final class ImageArtifact extends ResourceValue {
    @JsonPropertyDescription("Name of the image object.")
    @Required
    private @Nullable String name;

    @JsonPropertyDescription("Kind of the image object, for example ImageStreamTag.")
    @Required
    private @Nullable String kind;

    @JsonPropertyDescription("Namespace of the image object.")
    @Required
    private @Nullable String namespace;

    @JsonPropertyDescription("Name of the secret to pull the image with.")
    private @Nullable String pullsecret;

    @JsonPropertyDescription("Paths in the image and where they go.")
    @Required
    private @Nullable List<HostPathArtifact> path;

    /** Creates an object with no field set. */
    public ImageArtifact() {}

    /** Returns the name of the image object; empty when absent. */
    public String getName() {
        return orEmpty(name);
    }

    /** Sets it; null removes it. */
    public void setName(@Nullable String name) {
        this.name = name;
    }

    /** Returns the kind of the image object, for example ImageStreamTag; empty when absent. */
    public String getKind() {
        return orEmpty(kind);
    }

    /** Sets it; null removes it. */
    public void setKind(@Nullable String kind) {
        this.kind = kind;
    }

    /** Returns the namespace of the image object; empty when absent. */
    public String getNamespace() {
        return orEmpty(namespace);
    }

    /** Sets it; null removes it. */
    public void setNamespace(@Nullable String namespace) {
        this.namespace = namespace;
    }

    /** Returns the name of the secret to pull the image with; null when absent. */
    public @Nullable String getPullsecret() {
        return pullsecret;
    }

    /** Sets it; null removes it. */
    public void setPullsecret(@Nullable String pullsecret) {
        this.pullsecret = pullsecret;
    }

    /** Returns the paths in the image and where they go; empty when absent. */
    public List<HostPathArtifact> getPath() {
        return orEmpty(path);
    }

    /** Sets it; null removes it. */
    public void setPath(@Nullable List<HostPathArtifact> path) {
        this.path = path;
    }
}
