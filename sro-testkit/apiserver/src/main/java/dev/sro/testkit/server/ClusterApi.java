package dev.sro.testkit.server;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Server-side access to the objects of an embedded cluster, for simulated controllers and for tests: no HTTP, no recording, no
 * faults, no authorization. Semantics (defaults, generation, finalizers, grace, garbage collection) are those of the API.
 *
 * <p>Objects that are returned or passed to a subscriber are shared with the store: never modify them. A function given to
 * {@link #update} gets a copy of its own. Lists are in the order of namespace, then name. Thread-safe.
 *
 * <p>Refusals are {@link ApiException}s with the code that a client would see.
 */
public interface ClusterApi {
    /** The object, if it is there. {@code namespace} is null for cluster-scoped types. */
    Optional<ObjectNode> get(Gvr type, @Nullable String namespace, String name);

    /** All objects of a type, in all namespaces. */
    List<ObjectNode> list(Gvr type);

    /** The objects of a type in one namespace (null: all) whose labels match. */
    List<ObjectNode> list(Gvr type, @Nullable String namespace, LabelSelector selector);

    /** The pods whose {@code spec.nodeName} is this node. Indexed. */
    List<ObjectNode> podsOnNode(String nodeName);

    /** The objects of a type with an owner reference to this uid. Indexed. */
    List<ObjectNode> ownedBy(Gvr type, String ownerUid);

    /** The objects of any type with an owner reference to this uid. Indexed. */
    List<ObjectNode> ownedBy(String ownerUid);

    /**
     * Creates an object. The namespace is read from the object. The argument is copied.
     *
     * @throws ApiException 409 if it exists, 404 if the namespace is missing, 422 if it is invalid
     */
    ObjectNode create(Gvr type, ObjectNode object);

    /**
     * Changes an object under the store's lock, so that no conflict is possible. The function gets a copy, may change it in
     * place, and returns what is to be stored. With subresource {@code status} only the status is taken over, without one
     * everything but the status (where the type has that subresource). An unchanged object causes no write.
     *
     * @param subresource null or {@code status}
     * @return the object after the write
     * @throws ApiException 404 if it is missing, 422 if the result is invalid
     */
    ObjectNode update(
            Gvr type,
            @Nullable String namespace,
            String name,
            @Nullable String subresource,
            UnaryOperator<ObjectNode> change);

    /** Deletes an object; false if it was not there. With finalizers or grace it stays, marked with a deletionTimestamp. */
    boolean delete(Gvr type, @Nullable String namespace, String name, DeleteOptions options);

    /**
     * Registers for changes, of one type or (null) of all. The consumer is called under the store's lock, in the order of the
     * writes: it must be short, should only note what is to be done, and must not block.
     */
    Subscription subscribe(@Nullable Gvr type, Consumer<Change> consumer);

    /** The version of the latest write. */
    long resourceVersion();

    /** The same access, with writes recorded in managedFields as those of {@code fieldManager}. */
    ClusterApi as(String fieldManager);

    /** The resource types that are served now. */
    ResourceRegistry resources();

    /** Ends a registration when closed. */
    interface Subscription extends AutoCloseable {
        @Override
        void close();
    }
}
