package dev.sro.api.resource;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import org.jspecify.annotations.Nullable;

/**
 * A Secret with what a chart repository wants to see: keys {@code username} and {@code password}, {@code ca.crt} with the
 * certificates that the server is checked against, {@code tls.crt} and {@code tls.key} with the client certificate. All PEM; all
 * optional, but one is there.
 *
 * <p>Mutable and not thread-safe: do not change an object that came out of an informer cache.
 *
 * @since 0.1.0
 */
public final class CredentialsSecret extends ResourceValue {
    @JsonPropertyDescription("Name of the Secret.")
    @Required
    @Pattern("^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$") @Size(min = 1, max = 253) private @Nullable String name;

    @JsonPropertyDescription("Namespace of the Secret. The operator needs the right to get it there.")
    @Required
    @Pattern("^[a-z0-9]([-a-z0-9]*[a-z0-9])?$") @Size(min = 1, max = 63) private @Nullable String namespace;

    /** Creates an object with no field set. */
    public CredentialsSecret() {}

    /** Returns the name of the Secret; empty when absent. */
    public String getName() {
        return orEmpty(name);
    }

    /** Sets it; null removes it. */
    public void setName(@Nullable String name) {
        this.name = name;
    }

    /** Returns the namespace of the Secret; empty when absent. */
    public String getNamespace() {
        return orEmpty(namespace);
    }

    /** Sets it; null removes it. */
    public void setNamespace(@Nullable String namespace) {
        this.namespace = namespace;
    }
}
