package dev.sro.api.resource;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Required;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A Helm chart that is the recipe of a special resource.
 *
 * <p>Mutable and not thread-safe: do not change an object that came out of an informer cache.
 *
 * @since 0.1.0
 */
public final class ChartReference extends ResourceValue {
    @JsonPropertyDescription("Name of the chart.")
    @Required
    private @Nullable String name;

    @JsonPropertyDescription("Version of the chart, a Helm version constraint.")
    @Required
    private @Nullable String version;

    @JsonPropertyDescription("Repository that holds the chart.")
    @Required
    private @Nullable ChartRepository repository;

    @JsonPropertyDescription("Tags of the chart; kept, never read.")
    private @Nullable List<String> tags;

    /** Creates an object with no field set. */
    public ChartReference() {}

    /** Returns the name of the chart; empty when absent. */
    public String getName() {
        return orEmpty(name);
    }

    /** Sets it; null removes it. */
    public void setName(@Nullable String name) {
        this.name = name;
    }

    /** Returns the version of the chart, a Helm version constraint; empty when absent. */
    public String getVersion() {
        return orEmpty(version);
    }

    /** Sets it; null removes it. */
    public void setVersion(@Nullable String version) {
        this.version = version;
    }

    /** Returns the repository that holds the chart; null when absent. */
    public @Nullable ChartRepository getRepository() {
        return repository;
    }

    /** Sets it; null removes it. */
    public void setRepository(@Nullable ChartRepository repository) {
        this.repository = repository;
    }

    /** Returns the tags of the chart, which nothing reads; empty when absent. */
    public List<String> getTags() {
        return orEmpty(tags);
    }

    /** Sets it; null removes it. */
    public void setTags(@Nullable List<String> tags) {
        this.tags = tags;
    }
}
