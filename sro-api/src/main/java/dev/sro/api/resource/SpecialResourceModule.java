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
 * The custom resource with which a user has drivers built in this cluster for the versions of OpenShift that other
 * clusters have. It is cluster-scoped.
 *
 * <p>Mutable and not thread-safe: do not change an object that came out of an informer cache.
 *
 * <p>The databind annotation is there for the same reason as on {@link SpecialResource}.
 *
 * @since 0.1.0
 */
@Group(SpecialResource.GROUP)
@Version(SpecialResource.VERSION)
@Kind(SpecialResourceModule.KIND)
@Plural(SpecialResourceModule.PLURAL)
@Singular("specialresourcemodule")
@ShortNames("srm")
@JsonDeserialize(using = JsonDeserializer.None.class)
@JsonPropertyOrder({"apiVersion", "kind", "metadata", "spec", "status"})
public final class SpecialResourceModule extends TopLevelValue {
    /** Kind. */
    public static final String KIND = "SpecialResourceModule";

    /** Name of the collection in URLs. */
    public static final String PLURAL = "specialresourcemodules";

    private @Nullable SpecialResourceModuleSpec spec;
    private @Nullable SpecialResourceModuleStatus status;

    /** Creates a module with empty metadata, no spec and no status. */
    public SpecialResourceModule() {
        super(KIND);
    }

    /** Returns what the user wants; null when absent. */
    public @Nullable SpecialResourceModuleSpec getSpec() {
        return spec;
    }

    /** Sets what the user wants; null removes it. */
    public void setSpec(@Nullable SpecialResourceModuleSpec spec) {
        this.spec = spec;
    }

    /** Returns what the engine last found; null before it looked. */
    public @Nullable SpecialResourceModuleStatus getStatus() {
        return status;
    }

    /** Sets what the engine found; null removes it. */
    public void setStatus(@Nullable SpecialResourceModuleStatus status) {
        this.status = status;
    }
}
