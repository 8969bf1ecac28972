package dev.sro.core.apply;

import dev.sro.api.resource.SpecialResource;
import dev.sro.core.model.KubeObject;
import dev.sro.core.model.NodeMarks;
import dev.sro.core.model.NodeVerdict;
import dev.sro.core.model.ObjectRef;
import dev.sro.core.partition.NodeTaints;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;

/**
 * Is told what a write brought about, so that the caches know it before the watch does and nothing is written twice.
 * Thread-safe.
 */
public interface Observer {

    /** This is now stored. */
    void stored(KubeObject object);

    /** A deletion of this object was accepted. */
    void deleting(ObjectRef ref, String uid);

    /** The manager now holds exactly this on the node, which has this resourceVersion. */
    void labelled(String node, String manager, NodeMarks marks, String resourceVersion);

    /**
     * The node now has exactly these taints.
     *
     * @param annotation on which is recorded whose they are; empty when no record was concerned
     */
    void tainted(String node, NodeTaints taints, Optional<String> annotation);

    /** These are not on the node any more, which has this resourceVersion. */
    void cleared(String node, Set<String> labels, Set<String> annotations, String resourceVersion);

    /** The manager now holds exactly these conditions in the status of the node, by type. */
    void judged(String node, String manager, SortedMap<String, NodeVerdict> verdicts);

    /** The special resource is now stored like this. */
    void stored(SpecialResource resource);
}
