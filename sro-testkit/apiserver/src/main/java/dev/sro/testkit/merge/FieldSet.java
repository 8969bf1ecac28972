package dev.sro.testkit.merge;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A set of field paths, as a trie whose edges are FieldsV1 path elements ({@code f:name}, {@code k:{...}}, {@code v:...}) in
 * sorted order. Immutable and thread-safe; all operations share unchanged subtrees.
 */
final class FieldSet {
    static final FieldSet EMPTY = new FieldSet(new String[0], new boolean[0], new FieldSet[0]);

    private final String[] elements;
    private final boolean[] members;
    private final @Nullable FieldSet[] children;

    private FieldSet(String[] elements, boolean[] members, @Nullable FieldSet[] children) {
        this.elements = elements;
        this.members = members;
        this.children = children;
    }

    boolean isEmpty() {
        return elements.length == 0;
    }

    int size() {
        return elements.length;
    }

    String element(int i) {
        return elements[i];
    }

    @Nullable FieldSet child(int i) {
        return children[i];
    }

    boolean member(int i) {
        return members[i];
    }

    /** Whether the path of this one element is in the set. */
    boolean has(String element) {
        int i = Arrays.binarySearch(elements, element);
        return i >= 0 && members[i];
    }

    /** The set of what follows this element; empty if there is nothing. */
    FieldSet under(String element) {
        int i = Arrays.binarySearch(elements, element);
        FieldSet child = i < 0 ? null : children[i];
        return child == null ? EMPTY : child;
    }

    FieldSet union(FieldSet other) {
        if (isEmpty()) {
            return other;
        }
        return other.isEmpty() ? this : combine(this, other, Operation.UNION);
    }

    /** The paths of this set that are not in the other one; paths below such a path stay. */
    FieldSet minus(FieldSet other) {
        return isEmpty() || other.isEmpty() ? this : combine(this, other, Operation.MINUS);
    }

    FieldSet intersect(FieldSet other) {
        return isEmpty() || other.isEmpty() ? EMPTY : combine(this, other, Operation.INTERSECT);
    }

    /** The paths of this set that are neither in the other one nor below one of its paths. */
    FieldSet minusTrees(FieldSet other) {
        return isEmpty() || other.isEmpty() ? this : combine(this, other, Operation.MINUS_TREES);
    }

    private enum Operation {
        UNION,
        MINUS,
        INTERSECT,
        MINUS_TREES;

        boolean member(boolean a, boolean b) {
            return switch (this) {
                case UNION -> a || b;
                case INTERSECT -> a && b;
                case MINUS, MINUS_TREES -> a && !b;
            };
        }

        @Nullable FieldSet child(@Nullable FieldSet a, @Nullable FieldSet b, boolean memberOfB) {
            if (this == MINUS_TREES && memberOfB) {
                return null;
            }
            if (a == null) {
                return this == UNION ? b : null;
            }
            if (b == null) {
                return this == INTERSECT ? null : a;
            }
            return combine(a, b, this);
        }
    }

    @SuppressWarnings("ReferenceEquality") // a short cut for shared subtrees
    private static FieldSet combine(FieldSet a, FieldSet b, Operation operation) {
        if (a == b && operation != Operation.MINUS && operation != Operation.MINUS_TREES) {
            return a;
        }
        Builder out = new Builder(Math.max(a.size(), b.size()));
        int i = 0;
        int j = 0;
        while (i < a.size() || j < b.size()) {
            int order = i == a.size() ? 1 : j == b.size() ? -1 : a.elements[i].compareTo(b.elements[j]);
            boolean inA = order <= 0;
            boolean inB = order >= 0;
            boolean memberOfB = inB && b.members[j];
            boolean member = operation.member(inA && a.members[i], memberOfB);
            FieldSet child = operation.child(inA ? a.children[i] : null, inB ? b.children[j] : null, memberOfB);
            out.add(inA ? a.elements[i] : b.elements[j], member, child);
            i += inA ? 1 : 0;
            j += inB ? 1 : 0;
        }
        return out.buildSorted();
    }

    /** Reads FieldsV1. */
    static FieldSet parse(JsonNode fieldsV1) {
        Builder out = new Builder(fieldsV1.size());
        for (Map.Entry<String, JsonNode> e : fieldsV1.properties()) {
            if (!e.getKey().equals(".")) {
                FieldSet child = parse(e.getValue());
                boolean member = child.isEmpty() || e.getValue().has(".");
                out.add(e.getKey(), member, child);
            }
        }
        return out.build();
    }

    /** FieldsV1. */
    ObjectNode toJson() {
        ObjectNode out = JsonNodeFactory.instance.objectNode();
        for (int i = 0; i < elements.length; i++) {
            FieldSet child = children[i];
            if (child == null) {
                out.putObject(elements[i]);
            } else {
                ObjectNode sub = JsonNodeFactory.instance.objectNode();
                if (members[i]) {
                    sub.putObject(".");
                }
                sub.setAll(child.toJson());
                out.set(elements[i], sub);
            }
        }
        return out;
    }

    /** All paths in order, in the notation of conflict messages: {@code .spec.ports[port=80,protocol="TCP"].name}. */
    List<String> paths() {
        List<String> out = new ArrayList<>();
        collectPaths("", out);
        return out;
    }

    private void collectPaths(String prefix, List<String> out) {
        for (int i = 0; i < elements.length; i++) {
            if (members[i]) {
                out.add(prefix + PathElements.display(elements[i]));
            }
        }
        for (int i = 0; i < elements.length; i++) {
            FieldSet child = children[i];
            if (child != null) {
                child.collectPaths(prefix + PathElements.display(elements[i]), out);
            }
        }
    }

    @Override
    public boolean equals(@Nullable Object o) {
        return this == o
                || (o instanceof FieldSet other
                        && Arrays.equals(elements, other.elements)
                        && Arrays.equals(members, other.members)
                        && Arrays.equals(children, other.children));
    }

    @Override
    public int hashCode() {
        return 31 * (31 * Arrays.hashCode(elements) + Arrays.hashCode(members)) + Arrays.hashCode(children);
    }

    @Override
    public String toString() {
        return toJson().toString();
    }

    /** Collects the elements of one level. Not thread-safe. */
    static final class Builder {
        private record Entry(
                String element, boolean member, @Nullable FieldSet child) {}

        private final List<Entry> entries;

        Builder() {
            this(8);
        }

        Builder(int expected) {
            entries = new ArrayList<>(expected);
        }

        /** Adds an element unless it is neither member nor has something below. An element must not be added twice. */
        void add(String element, boolean member, @Nullable FieldSet child) {
            FieldSet below = child == null || child.isEmpty() ? null : child;
            if (member || below != null) {
                entries.add(new Entry(element, member, below));
            }
        }

        FieldSet build() {
            if (entries.size() > 1) {
                entries.sort(Comparator.comparing(Entry::element));
            }
            return buildSorted();
        }

        private FieldSet buildSorted() {
            int n = entries.size();
            if (n == 0) {
                return EMPTY;
            }
            String[] elements = new String[n];
            boolean[] members = new boolean[n];
            @Nullable FieldSet[] children = new @Nullable FieldSet[n];
            for (int i = 0; i < n; i++) {
                Entry e = entries.get(i);
                elements[i] = e.element();
                members[i] = e.member();
                children[i] = e.child();
            }
            return new FieldSet(elements, members, children);
        }
    }

    /** The set of these top-level fields. */
    static FieldSet ofFields(Iterable<String> names) {
        Builder out = new Builder();
        for (String name : names) {
            out.add("f:" + name, true, null);
        }
        return out.build();
    }

    /** The set of one path, given by its elements. */
    static FieldSet ofPath(String... elements) {
        FieldSet set = EMPTY;
        List<String> path = new ArrayList<>(List.of(elements));
        Collections.reverse(path);
        for (String element : path) {
            Builder out = new Builder(1);
            out.add(element, set.isEmpty(), set);
            set = out.build();
        }
        return set;
    }
}
