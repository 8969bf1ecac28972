package dev.sro.testkit.merge;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sro.testkit.schema.TypeSchema;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which fields of an object were added, modified and removed.
 *
 * @param added paths that only the right side has
 * @param modified leaves (scalars, atomic maps and lists) that differ
 * @param removed paths that only the left side has
 */
@SuppressWarnings("ReferenceEquality") // identity is the short cut for subtrees that both sides share
record Comparison(FieldSet added, FieldSet modified, FieldSet removed) {
    private static final Comparison SAME = new Comparison(FieldSet.EMPTY, FieldSet.EMPTY, FieldSet.EMPTY);

    /** What happened to the path itself. */
    private enum Self {
        SAME,
        ADDED,
        MODIFIED,
        REMOVED
    }

    private record Diff(Self self, Comparison below) {
        static final Diff NONE = new Diff(Self.SAME, Comparison.SAME);
        static final Diff ADDED = new Diff(Self.ADDED, Comparison.SAME);
        static final Diff MODIFIED = new Diff(Self.MODIFIED, Comparison.SAME);
        static final Diff REMOVED = new Diff(Self.REMOVED, Comparison.SAME);
    }

    static Comparison of(TypeSchema type, JsonNode left, JsonNode right) {
        return diff(type, left, right).below();
    }

    boolean isSame() {
        return added.isEmpty() && modified.isEmpty() && removed.isEmpty();
    }

    /** Paths that the right side has and the left side has not, or not so. */
    FieldSet touched() {
        return added.union(modified);
    }

    /** Without these paths and all below them. */
    Comparison without(FieldSet trees) {
        return new Comparison(added.minusTrees(trees), modified.minusTrees(trees), removed.minusTrees(trees));
    }

    private static Diff diff(TypeSchema declared, @Nullable JsonNode left, @Nullable JsonNode right) {
        if (left == right) {
            return Diff.NONE;
        }
        TypeSchema type = declared.forValue(right != null ? right : left);
        if (type != declared && left != null && right != null && declared.forValue(left) != type) {
            return changedForm(declared, left, right);
        }
        if (type.shape() == TypeSchema.Shape.MAP) {
            JsonNode l = JsonValues.map(left);
            JsonNode r = JsonValues.map(right);
            boolean leaf = type.atomic() || (JsonValues.empty(l) && JsonValues.empty(r));
            return leaf ? leaf(left, right) : new Diff(self(left, right), entries(type, l, r));
        }
        if (type.shape() == TypeSchema.Shape.LIST) {
            JsonNode l = JsonValues.list(left);
            JsonNode r = JsonValues.list(right);
            boolean leaf = type.atomic() || (JsonValues.empty(l) && JsonValues.empty(r));
            return leaf ? leaf(left, right) : new Diff(self(left, right), items(type, l, r));
        }
        return leaf(left, right);
    }

    /** A deduced value that was, say, a map and is now a list: all of the one goes, all of the other comes. */
    private static Diff changedForm(TypeSchema declared, JsonNode left, JsonNode right) {
        Comparison gone = diff(declared, left, null).below();
        Comparison come = diff(declared, null, right).below();
        return new Diff(Self.MODIFIED, new Comparison(come.added, FieldSet.EMPTY, gone.removed));
    }

    private static Diff leaf(@Nullable JsonNode left, @Nullable JsonNode right) {
        if (left == null) {
            return Diff.ADDED;
        }
        if (right == null) {
            return Diff.REMOVED;
        }
        return JsonValues.equal(left, right) ? Diff.NONE : Diff.MODIFIED;
    }

    private static Self self(@Nullable JsonNode left, @Nullable JsonNode right) {
        if (left == null) {
            return Self.ADDED;
        }
        return right == null ? Self.REMOVED : Self.SAME;
    }

    private static Comparison entries(TypeSchema type, @Nullable JsonNode left, @Nullable JsonNode right) {
        Level level = new Level();
        if (left != null) {
            for (Map.Entry<String, JsonNode> e : left.properties()) {
                JsonNode other = right == null ? null : right.get(e.getKey());
                if (other != e.getValue()) {
                    level.entry(type, e.getKey(), e.getValue(), other);
                }
            }
        }
        if (right != null) {
            for (Map.Entry<String, JsonNode> e : right.properties()) {
                if (left == null || !left.has(e.getKey())) {
                    level.entry(type, e.getKey(), null, e.getValue());
                }
            }
        }
        return level.build();
    }

    private static Comparison items(TypeSchema type, @Nullable JsonNode left, @Nullable JsonNode right) {
        Map<String, List<JsonNode>> before = byElement(type, left);
        Map<String, List<JsonNode>> after = byElement(type, right);
        TypeSchema itemType = elementOf(type);
        Level level = new Level();
        Set<String> all = new LinkedHashSet<>(before.keySet());
        all.addAll(after.keySet());
        for (String element : all) {
            List<JsonNode> l = before.getOrDefault(element, List.of());
            List<JsonNode> r = after.getOrDefault(element, List.of());
            if (l.size() < 2 && r.size() < 2) {
                level.add(element, diff(itemType, l.isEmpty() ? null : l.get(0), r.isEmpty() ? null : r.get(0)));
            } else {
                duplicates(level, itemType, element, l, r);
            }
        }
        return level.build();
    }

    /** Items that share a key are owned together; their own fields are not tracked. */
    private static void duplicates(Level level, TypeSchema type, String element, List<JsonNode> l, List<JsonNode> r) {
        if (l.size() > 1 && r.size() > 1) {
            boolean equal = l.size() == r.size();
            for (int i = 0; equal && i < l.size(); i++) {
                equal = JsonValues.equal(l.get(i), r.get(i));
            }
            level.add(element, equal ? Diff.NONE : Diff.MODIFIED);
        } else if (l.size() > 1) {
            Comparison below = r.isEmpty() ? SAME : diff(type, null, r.get(0)).below();
            level.add(element, new Diff(Self.REMOVED, below));
        } else {
            Comparison below = l.isEmpty() ? SAME : diff(type, l.get(0), null).below();
            level.add(element, new Diff(Self.ADDED, below));
        }
    }

    private static Map<String, List<JsonNode>> byElement(TypeSchema type, @Nullable JsonNode list) {
        if (list == null) {
            return Map.of();
        }
        Map<String, List<JsonNode>> out = new LinkedHashMap<>();
        for (JsonNode item : list) {
            String element = PathElements.item(type, item);
            if (element != null) {
                out.computeIfAbsent(element, e -> new ArrayList<>(1)).add(item);
            }
        }
        return out;
    }

    static TypeSchema elementOf(TypeSchema type) {
        TypeSchema element = type.element();
        return element == null ? TypeSchema.deduced() : element;
    }

    private static final class Level {
        private final FieldSet.Builder added = new FieldSet.Builder();
        private final FieldSet.Builder modified = new FieldSet.Builder();
        private final FieldSet.Builder removed = new FieldSet.Builder();

        void entry(TypeSchema type, String name, @Nullable JsonNode left, @Nullable JsonNode right) {
            TypeSchema.Field field = type.field(name);
            if (field != null) {
                add(field.key(), diff(field.type(), left, right));
            } else {
                add(PathElements.field(name), diff(elementOf(type), left, right));
            }
        }

        void add(String element, Diff diff) {
            if (diff == Diff.NONE) {
                return;
            }
            Comparison below = diff.below();
            added.add(element, diff.self() == Self.ADDED, below.added());
            modified.add(element, diff.self() == Self.MODIFIED, below.modified());
            removed.add(element, diff.self() == Self.REMOVED, below.removed());
        }

        Comparison build() {
            return new Comparison(added.build(), modified.build(), removed.build());
        }
    }
}
