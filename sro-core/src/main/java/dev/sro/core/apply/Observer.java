package dev.sro.core.apply;

import dev.sro.api.resource.SpecialResource;
import dev.sro.core.model.KubeObject;
import dev.sro.core.model.ObjectRef;

/**
 * Is told what a write brought about, so that the caches know it before the watch does and nothing is written twice. An answer is a
 * change of the known world like any other: whoever it concerns has to look again, whether or not a watch tells of it later.
 * Thread-safe.
 */
public interface Observer {

    /** This is now stored. */
    void stored(KubeObject object);

    /** A deletion of this object was accepted. */
    void deleting(ObjectRef ref, String uid);

    /** The node is now stored like this. */
    void stored(StoredNode node);

    /** The special resource is now stored like this. */
    void stored(SpecialResource resource);
}
