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
 * The custom resource with which a user asks for a device to be put to work: a recipe, the nodes it is for, and what the engine
 * found. It is cluster-scoped; use it with {@code client.resources(SpecialResource.class)}.
 *
 * <p>Mutable and not thread-safe: do not change an object that came out of an informer cache.
 *
 * <p>The one databind annotation here undoes the deserializer that fabric8 puts on every resource and that would recur for ever;
 * nothing weaker does. It is not part of what plugins compile against.
 *
 * @since 0.1.0
 */
@Group(SpecialResource.GROUP)
@Version(SpecialResource.VERSION)
@Kind(SpecialResource.KIND)
@Plural(SpecialResource.PLURAL)
@Singular("specialresource")
@ShortNames("sr")
@JsonDeserialize(using = JsonDeserializer.None.class)
@JsonPropertyOrder({"apiVersion", "kind", "metadata", "spec", "status"})
public final class SpecialResource extends TopLevelValue {
    /** API group. */
    public static final String GROUP = "sro.openshift.io";

    /** API version within the group. */
    public static final String VERSION = "v1beta1";

    /** Kind. */
    public static final String KIND = "SpecialResource";

    /** Name of the collection in URLs. */
    public static final String PLURAL = "specialresources";

    private @Nullable SpecialResourceSpec spec;
    private @Nullable SpecialResourceStatus status;

    /** Creates a special resource with empty metadata, no spec and no status. */
    public SpecialResource() {
        super(KIND);
    }

    /** Returns what the user wants; null when absent. */
    public @Nullable SpecialResourceSpec getSpec() {
        return spec;
    }

    /** Sets what the user wants; null removes it. */
    public void setSpec(@Nullable SpecialResourceSpec spec) {
        this.spec = spec;
    }

    /** Returns what the engine last found; null before it looked. */
    public @Nullable SpecialResourceStatus getStatus() {
        return status;
    }

    /** Sets what the engine found; null removes it. */
    public void setStatus(@Nullable SpecialResourceStatus status) {
        this.status = status;
    }
}
