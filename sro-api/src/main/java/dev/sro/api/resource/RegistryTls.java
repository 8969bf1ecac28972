package dev.sro.api.resource;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import org.jspecify.annotations.Nullable;

/**
 * The security that a connection to a registry must have.
 *
 * <p>Mutable and not thread-safe: do not change an object that came out of an informer cache.
 *
 * @since 0.1.0
 */
public final class RegistryTls extends ResourceValue {
    @JsonPropertyDescription("Whether plain HTTP will do.")
    private @Nullable Boolean insecure;

    @JsonPropertyDescription("Whether any certificate will do.")
    private @Nullable Boolean insecureSkipTLSVerify;

    /** Creates an object with no field set. */
    public RegistryTls() {}

    /** Returns whether plain HTTP will do; null when absent. */
    public @Nullable Boolean getInsecure() {
        return insecure;
    }

    /** Sets it; null removes it. */
    public void setInsecure(@Nullable Boolean insecure) {
        this.insecure = insecure;
    }

    /** Returns whether any certificate will do; null when absent. */
    public @Nullable Boolean getInsecureSkipTLSVerify() {
        return insecureSkipTLSVerify;
    }

    /** Sets it; null removes it. */
    public void setInsecureSkipTLSVerify(@Nullable Boolean insecureSkipTLSVerify) {
        this.insecureSkipTLSVerify = insecureSkipTLSVerify;
    }
}
