package dev.sro.api.resource;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Required;
import org.jspecify.annotations.Nullable;

/**
 * Another operator that does cordon and drain when it is asked by an object.
 *
 * <p>Mutable and not thread-safe: do not change an object that came out of an informer cache.
 *
 * @since 0.1.0
 */
public final class UpgradeMaintenance extends ResourceValue {
    @JsonPropertyDescription(
            "Kind of the object, group/version/Kind, for example maintenance.nvidia.com/v1alpha1/NodeMaintenance.")
    @Required
    @Pattern("^[a-z0-9.-]+/v[a-z0-9]+/[A-Z][A-Za-z0-9]+$") private @Nullable String kind;

    @JsonPropertyDescription("Namespace of the objects; absent: the one of the operands.")
    private @Nullable String namespace;

    @JsonPropertyDescription("Who asks, in the object; absent: sro.<name>.")
    private @Nullable String requestorId;

    /** Creates an object with no field set. */
    public UpgradeMaintenance() {}

    /** Returns the kind of the object, group/version/Kind; null when absent. */
    public @Nullable String getKind() {
        return kind;
    }

    /** Sets it; null removes it. */
    public void setKind(@Nullable String kind) {
        this.kind = kind;
    }

    /** Returns the namespace of the objects; null when absent. */
    public @Nullable String getNamespace() {
        return namespace;
    }

    /** Sets it; null removes it. */
    public void setNamespace(@Nullable String namespace) {
        this.namespace = namespace;
    }

    /** Returns who asks; null when absent. */
    public @Nullable String getRequestorId() {
        return requestorId;
    }

    /** Sets it; null removes it. */
    public void setRequestorId(@Nullable String requestorId) {
        this.requestorId = requestorId;
    }
}
