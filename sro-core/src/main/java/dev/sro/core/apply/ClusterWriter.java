package dev.sro.core.apply;

import dev.sro.api.resource.SpecialResource;
import dev.sro.api.resource.SpecialResourceStatus;
import dev.sro.core.model.KubeObject;
import dev.sro.core.model.NodeFields;
import dev.sro.core.model.NodeVerdict;
import dev.sro.core.model.ObjectRef;
import dev.sro.core.model.RecipeAccount;
import dev.sro.core.partition.TaintChange;
import java.util.SortedMap;
import java.util.SortedSet;

/**
 * Port: the writes that SRO makes. Every method is one request, except {@link #create}. Implementations are thread-safe
 * and do not retry.
 */
public interface ClusterWriter {

    /**
     * The same writes by the rights of a service account, whatever SRO's own are. Not a default: a writer around another one that
     * forgot it would give SRO's rights to whoever wrote the recipe.
     */
    ClusterWriter as(RecipeAccount account);

    /**
     * Server-side apply of an object that does not exist as far as is known. Looks first whether it does: one that
     * carries our label for the same special resource is applied to, any other is {@code NOT_OWNED}.
     *
     * @return the object as stored
     */
    KubeObject create(KubeObject object) throws WriteException;

    /**
     * Server-side apply, with force, of an object that is ours.
     *
     * @return the object as stored
     */
    KubeObject apply(KubeObject object) throws WriteException;

    /**
     * As {@link #apply}, of an object that the Special Resource Operator made. What that holds by its field manager is let go
     * first, or a field that the recipe drops one day would stay.
     *
     * @return the object as stored
     */
    default KubeObject adopt(KubeObject object) throws WriteException {
        return apply(object);
    }

    /**
     * Deletes the object if it still has this uid, or whatever it has where that is empty; that it is gone already is no error.
     *
     * @param foreground whether it stays until what it controls is gone
     */
    void delete(ObjectRef ref, String uid, boolean foreground) throws WriteException;

    /**
     * Server-side apply of all that the manager holds on a node, without force.
     *
     * @return the node after it
     */
    StoredNode labelNode(String node, String uid, String manager, NodeFields marks) throws WriteException;

    /**
     * Takes labels and annotations off a node, whoever holds them.
     *
     * @return the node after it
     */
    StoredNode clearNode(String node, String uid, SortedSet<String> labels, SortedSet<String> annotations)
            throws WriteException;

    /**
     * Asks for a pod to go by the eviction API, if it still has this uid; that it is gone already is no error. One that a
     * disruption budget keeps is {@code BLOCKED}.
     */
    void evict(ObjectRef pod, String uid) throws WriteException;

    /**
     * Changes taints of a node, and in the same request the record of whose they are; that it is so already is no error. Taints are
     * one field that has many writers: this reads the node first and writes on condition that it did not change, so it takes up to
     * two requests.
     *
     * @return the node after it
     */
    StoredNode taintNode(String node, String uid, TaintChange change) throws WriteException;

    /**
     * Server-side apply, without force, of all conditions that the manager holds in the status of a node. It needs {@code patch} on
     * {@code nodes/status}, for which only plugins ask that have such conditions.
     *
     * @param verdicts by type
     * @return the node after it
     */
    StoredNode judgeNode(String node, String uid, String manager, SortedMap<String, NodeVerdict> verdicts)
            throws WriteException;

    /**
     * Server-side apply of a special resource's status.
     *
     * @return the special resource as stored
     */
    SpecialResource updateStatus(ObjectRef ref, String uid, SpecialResourceStatus status) throws WriteException;

    /**
     * Server-side apply of our finalizer, or of its absence.
     *
     * @return the special resource as stored
     */
    SpecialResource setFinalizer(ObjectRef ref, String uid, boolean present) throws WriteException;
}
