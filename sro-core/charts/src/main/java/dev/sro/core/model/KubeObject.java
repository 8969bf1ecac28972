package dev.sro.core.model;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A Kubernetes object as a tree of maps, lists and scalars. Immutable: the tree is copied on the way in and never handed
 * out for change.
 */
public final class KubeObject {

    private final Map<String, Object> tree;
    private final ObjectRef ref;
    private volatile @Nullable String digest;

    private KubeObject(Map<String, Object> tree) {
        this.tree = tree;
        Map<String, Object> metadata = ValueTrees.map(tree, "metadata");
        this.ref = new ObjectRef(
                ValueTrees.text(tree, "apiVersion"),
                ValueTrees.text(tree, "kind"),
                ValueTrees.text(metadata, "namespace"),
                ValueTrees.text(metadata, "name"));
    }

    /** Copies the tree. */
    public static KubeObject of(Map<String, ?> tree) {
        return new KubeObject(ValueTrees.copy(tree));
    }

    /** What names it. */
    public ObjectRef ref() {
        return ref;
    }

    /** Empty before the API server has seen it. */
    public String uid() {
        return ValueTrees.text(metadata(), "uid");
    }

    /** Empty before the API server has seen it. */
    public String resourceVersion() {
        return ValueTrees.text(metadata(), "resourceVersion");
    }

    /** Zero when the API server does not count generations for the kind. */
    public long generation() {
        return ValueTrees.number(metadata(), "generation", 0);
    }

    /** Whether it is being deleted. */
    public boolean terminating() {
        return metadata().containsKey("deletionTimestamp");
    }

    /** Metadata as a read-only tree. */
    public Map<String, Object> metadata() {
        return ValueTrees.map(tree, "metadata");
    }

    /** The label's value, or empty. */
    public Optional<String> label(String key) {
        return Optional.ofNullable(ValueTrees.map(metadata(), "labels").get(key))
                .map(Object::toString);
    }

    /** The annotation's value, or empty. */
    public Optional<String> annotation(String key) {
        return Optional.ofNullable(ValueTrees.map(metadata(), "annotations").get(key))
                .map(Object::toString);
    }

    /** The map at this path, empty when there is none. */
    public Map<String, Object> map(String... path) {
        return ValueTrees.map(tree, path);
    }

    /** The list of maps at this path, empty when there is none. */
    public List<Map<String, Object>> maps(String... path) {
        return ValueTrees.maps(tree, path);
    }

    /** The whole object as a read-only tree. */
    public Map<String, Object> tree() {
        return tree;
    }

    /** A changed copy. */
    public KubeObject edit(Consumer<Map<String, Object>> change) {
        Map<String, Object> copy = ValueTrees.mutableCopy(tree);
        change.accept(copy);
        return new KubeObject(ValueTrees.freeze(copy));
    }

    /** 16 hexadecimal digits that are equal for equal trees, whatever the order of keys. */
    public String digest() {
        String known = digest;
        if (known == null) {
            known = ValueTrees.digest(tree);
            digest = known;
        }
        return known;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof KubeObject object && tree.equals(object.tree);
    }

    @Override
    public int hashCode() {
        return tree.hashCode();
    }

    @Override
    public String toString() {
        return ref.toString();
    }
}
