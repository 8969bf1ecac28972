package dev.sro.runtime.plan.access;

import java.util.Comparator;

/**
 * One thing that somebody may or may not do, as the API server decides about it. Immutable.
 *
 * @param namespace empty for the whole cluster
 * @param verb create, patch and their like
 * @param group empty for the core group
 * @param resource the plural, with its subresource behind a slash; or a path, which begins with one
 * @param name of the object; empty for all of them
 */
public record Right(String namespace, String verb, String group, String resource, String name)
        implements Comparable<Right> {

    private static final Comparator<Right> ORDER = Comparator.comparing(Right::namespace)
            .thenComparing(Right::group)
            .thenComparing(Right::resource)
            .thenComparing(Right::name)
            .thenComparing(Right::verb);

    /** The resource with its group, as messages of the API server's clients name it. */
    public String resources() {
        return resource + (group.isEmpty() ? "" : "." + group);
    }

    /** The same, and the name where there is one. */
    public String what() {
        return resources() + (name.isEmpty() ? "" : " " + name);
    }

    /** Whether it is a path of the API server, which is in no namespace. */
    boolean isPath() {
        return resource.startsWith("/");
    }

    static String where(String namespace) {
        return namespace.isEmpty() ? "at the cluster scope" : "in namespace " + namespace;
    }

    @Override
    public int compareTo(Right other) {
        return ORDER.compare(this, other);
    }
}
