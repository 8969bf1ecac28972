package dev.sro.api.resource;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Required;
import org.jspecify.annotations.Nullable;

/**
 * A webhook that starts builds on OpenShift. The names of the fields are those of a BuildConfig.
 *
 * <p>Mutable and not thread-safe: do not change an object that came out of an informer cache.
 *
 * @since 0.1.0
 */
public final class BuildWebhook extends ResourceValue {
    @JsonPropertyDescription("Who calls: GitHub, GitLab, Bitbucket or Generic.")
    @Required
    @Pattern("^(GitHub|GitLab|Bitbucket|Generic)$") private @Nullable String type;

    @JsonPropertyDescription("Secret whose key WebHookSecretKey the caller has to know.")
    @Required
    private @Nullable LocalReference secretReference;

    /** Creates an object with no field set. */
    public BuildWebhook() {}

    /** Returns who calls; empty when absent. */
    public String getType() {
        return orEmpty(type);
    }

    /** Sets it; null removes it. */
    public void setType(@Nullable String type) {
        this.type = type;
    }

    /** Returns the Secret with what the caller has to know; null when absent. */
    public @Nullable LocalReference getSecretReference() {
        return secretReference;
    }

    /** Sets it; null removes it. */
    public void setSecretReference(@Nullable LocalReference secretReference) {
        this.secretReference = secretReference;
    }
}
