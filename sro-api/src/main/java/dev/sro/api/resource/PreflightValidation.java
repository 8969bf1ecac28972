package dev.sro.api.resource;

import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.annotation.JsonDeserialize;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Kind;
import io.fabric8.kubernetes.model.annotation.Plural;
import io.fabric8.kubernetes.model.annotation.ShortNames;
import io.fabric8.kubernetes.model.annotation.Singular;
import io.fabric8.kubernetes.model.annotation.Version;
import org.jspecify.annotations.Nullable;

/**
 * The custom resource with which a user asks whether the special resources of a cluster are ready for a kernel to come,
 * before any node gets it. Nothing in the cluster is changed for the answer. It is cluster-scoped.
 *
 * <p>Mutable and not thread-safe: do not change an object that came out of an informer cache.
 *
 * <p>The databind annotation is there for the same reason as on {@link SpecialResource}.
 *
 * @since 0.1.0
 */
@Group(SpecialResource.GROUP)
@Version(SpecialResource.VERSION)
@Kind(PreflightValidation.KIND)
@Plural(PreflightValidation.PLURAL)
@Singular("preflightvalidation")
@ShortNames("pv")
@JsonDeserialize(using = JsonDeserializer.None.class)
@JsonPropertyOrder({"apiVersion", "kind", "metadata", "spec", "status"})
public final class PreflightValidation extends TopLevelValue {
    /** Kind. */
    public static final String KIND = "PreflightValidation";

    /** Name of the collection in URLs. */
    public static final String PLURAL = "preflightvalidations";

    private @Nullable PreflightValidationSpec spec;
    private @Nullable PreflightValidationStatus status;

    /** Creates a preflight with empty metadata, no spec and no status. */
    public PreflightValidation() {
        super(KIND);
    }

    /** Returns what the user wants; null when absent. */
    public @Nullable PreflightValidationSpec getSpec() {
        return spec;
    }

    /** Sets what the user wants; null removes it. */
    public void setSpec(@Nullable PreflightValidationSpec spec) {
        this.spec = spec;
    }

    /** Returns what the engine last found; null before it looked. */
    public @Nullable PreflightValidationStatus getStatus() {
        return status;
    }

    /** Sets what the engine found; null removes it. */
    public void setStatus(@Nullable PreflightValidationStatus status) {
        this.status = status;
    }
}
