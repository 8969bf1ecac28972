package dev.sro.core.das;

/**
 * The pod of a claim. Immutable.
 *
 * @param namespace in which it is
 * @param name likewise
 * @param uid by which it is told from others that had its name before
 */
public record ClaimPod(String namespace, String name, String uid) {
    /** As people know it: {@code namespace/name}. */
    @Override
    public String toString() {
        return namespace + "/" + name;
    }
}
