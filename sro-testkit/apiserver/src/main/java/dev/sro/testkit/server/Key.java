package dev.sro.testkit.server;

import org.jspecify.annotations.Nullable;

/** Where an object lies inside of its type: namespace (empty for cluster-scoped types) and name, ordered as lists are. */
record Key(String namespace, String name) implements Comparable<Key> {
    static Key of(@Nullable String namespace, String name) {
        return new Key(namespace == null ? "" : namespace, name);
    }

    @Override
    public int compareTo(Key other) {
        int c = compareAsPath(namespace, other.namespace);
        return c == 0 ? name.compareTo(other.name) : c;
    }

    /** Lists come in the order of "namespace/name", and '/' sorts after '-': "a-b" comes before "a". */
    private static int compareAsPath(String a, String b) {
        int common = Math.min(a.length(), b.length());
        for (int i = 0; i < common; i++) {
            int c = Character.compare(a.charAt(i), b.charAt(i));
            if (c != 0) {
                return c;
            }
        }
        if (a.length() == b.length()) {
            return 0;
        }
        return a.length() < b.length()
                ? Character.compare('/', b.charAt(common))
                : Character.compare(a.charAt(common), '/');
    }
}
