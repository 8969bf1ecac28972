package dev.sro.core.model;

import java.util.Comparator;

/**
 * Names one object in a cluster. Sorted by kind, namespace, name.
 *
 * @param apiVersion {@code group/version}, or {@code v1}
 * @param kind the kind
 * @param namespace empty for cluster-scoped objects
 * @param name the name
 */
public record ObjectRef(String apiVersion, String kind, String namespace, String name)
        implements Comparable<ObjectRef> {

    private static final Comparator<ObjectRef> ORDER = Comparator.comparing(ObjectRef::kind)
            .thenComparing(ObjectRef::apiVersion)
            .thenComparing(ObjectRef::namespace)
            .thenComparing(ObjectRef::name);

    /** {@code apps/v1/DaemonSet}: how kinds are written in a status. */
    public String kindKey() {
        return apiVersion + "/" + kind;
    }

    @Override
    public int compareTo(ObjectRef other) {
        return ORDER.compare(this, other);
    }

    /**
     * The same for all versions in which its kind is served, with the group alone for a version: an API server has one object for
     * all of them, so one that is wanted in a newer version is not another one.
     */
    public ObjectRef inAnyVersion() {
        int slash = apiVersion.indexOf('/');
        return new ObjectRef(slash < 0 ? "" : apiVersion.substring(0, slash), kind, namespace, name);
    }

    /** {@code DaemonSet ns/name}: how messages name an object. */
    @Override
    public String toString() {
        return kind + " " + (namespace.isEmpty() ? name : namespace + "/" + name);
    }
}
