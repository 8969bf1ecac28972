package dev.sro.agent.slice;

/**
 * A ResourceClaim. Two with the same name are different ones if their UIDs differ. Immutable.
 *
 * @param uid by which it is known here
 * @param namespace for messages, and to ask the API server for it
 * @param name likewise
 */
public record ClaimRef(String uid, String namespace, String name) {
    /** As people know it: {@code namespace/name}. */
    @Override
    public String toString() {
        return namespace + "/" + name;
    }
}
