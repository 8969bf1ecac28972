package dev.sro.testkit.server;

import java.util.List;
import java.util.Set;

/**
 * What the server knows of a resource type. Immutable.
 *
 * @param gvr group, version and plural under which it is served
 * @param storage the type under which its objects are kept; differs from {@code gvr} where several versions share storage
 * @param kind for instance {@code DaemonSet}
 * @param singular lower-case singular
 * @param namespaced whether its objects live in namespaces
 * @param shortNames what kubectl accepts besides
 * @param categories groups of types such as {@code all}
 * @param subresources the names of its subresources, sorted
 * @param verbs the verbs of its objects
 * @param custom whether a CustomResourceDefinition brought it
 */
public record ResourceType(
        Gvr gvr,
        Gvr storage,
        String kind,
        String singular,
        boolean namespaced,
        List<String> shortNames,
        List<String> categories,
        Set<String> subresources,
        List<String> verbs,
        boolean custom) {
    static final List<String> ALL_VERBS =
            List.of("create", "delete", "deletecollection", "get", "list", "patch", "update", "watch");

    public ResourceType {
        shortNames = List.copyOf(shortNames);
        categories = List.copyOf(categories);
        subresources = java.util.Collections.unmodifiableSortedSet(new java.util.TreeSet<>(subresources));
        verbs = List.copyOf(verbs);
    }

    /** The kind of its lists. */
    public String listKind() {
        return kind + "List";
    }

    /** The apiVersion of its objects. */
    public String apiVersion() {
        return gvr.apiVersion();
    }

    /** Whether it has a {@code status} subresource. */
    public boolean hasStatus() {
        return subresources.contains("status");
    }

    /** Whether objects of it can be stored; reviews such as SelfSubjectAccessReview are only answered. */
    public boolean stored() {
        return verbs.contains("get");
    }

    boolean allows(String verb) {
        return verbs.contains(verb);
    }
}
