package dev.sro.api.resource;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Required;
import org.jspecify.annotations.Nullable;

/**
 * A Git repository with driver sources.
 *
 * <p>Mutable and not thread-safe: do not change an object that came out of an informer cache.
 *
 * @since 0.1.0
 */
public final class GitSource extends ResourceValue {
    @JsonPropertyDescription("Branch, tag or commit.")
    @Required
    private @Nullable String ref;

    @JsonPropertyDescription("Address of the Git repository.")
    @Required
    private @Nullable String uri;

    /** Creates an object with no field set. */
    public GitSource() {}

    /** Returns the branch, tag or commit; empty when absent. */
    public String getRef() {
        return orEmpty(ref);
    }

    /** Sets it; null removes it. */
    public void setRef(@Nullable String ref) {
        this.ref = ref;
    }

    /** Returns the address of the Git repository; empty when absent. */
    public String getUri() {
        return orEmpty(uri);
    }

    /** Sets it; null removes it. */
    public void setUri(@Nullable String uri) {
        this.uri = uri;
    }
}
