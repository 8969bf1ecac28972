package dev.sro.api;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;

/**
 * Optional for a plugin: says which objects of somebody else SRO may take over when it has to write an object of the same
 * name, for example those of the vendor's former operator. Without it none is: {@code Failed(ObjectNotOwned)}.
 *
 * <p>What stays when a special resource goes is said by {@link State#cleanup()} and by the annotation
 * {@code sro.dev/keep: "true"} on an object.
 */
@NotActedOnYet(until = "delete the former objects, orphaning their pods where these have to go on running")
public interface AdoptionPolicy {

    /** What becomes of a foreign object. */
    enum Adoption {
        /** SRO applies its object over it and deletes it in the end. */
        TAKE,
        /** It is left alone, and the state fails with {@code ObjectNotOwned}. */
        REFUSE
    }

    /**
     * The verdict for one object.
     *
     * @param foreign as observed; to be treated as immutable
     * @param context where the object stands that shall be written
     */
    Adoption adopt(GenericKubernetesResource foreign, ManifestHook.Context context);
}
