package dev.sro.core.client.cache;

import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.Collection;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Cluster-scoped objects of one kind as last seen, from events and from the answers to our own writes: what is older changes nothing,
 * and an answer brings back nothing that is gone. Thread-safe.
 */
public final class NamedCache<T extends HasMetadata> {

    /** The labels of an object; empty if it has none. */
    public static Map<String, String> labels(HasMetadata object) {
        Map<String, String> labels = object.getMetadata().getLabels();
        return labels == null ? Map.of() : labels;
    }

    private final ConcurrentHashMap<String, T> objects = new ConcurrentHashMap<>();

    public Optional<T> find(String name) {
        return Optional.ofNullable(objects.get(name));
    }

    public Collection<T> all() {
        return objects.values();
    }

    public Set<String> names() {
        return objects.keySet();
    }

    /**
     * An event told of it.
     *
     * @return what was known of it before; null if nothing was
     */
    public @Nullable T seen(T object) {
        String name = object.getMetadata().getName();
        T before = objects.get(name);
        objects.merge(name, object, NamedCache::newer);
        return before;
    }

    /** An answer to a write of ours told of it. */
    public void answered(T object) {
        objects.computeIfPresent(
                object.getMetadata().getName(), (name, known) -> isSame(known, object) ? newer(known, object) : known);
    }

    public void gone(T object) {
        objects.remove(object.getMetadata().getName());
    }

    /** Another object of the same name is always the newer one: events come in their order. */
    private static <T extends HasMetadata> T newer(T known, T object) {
        return isSame(known, object)
                        && Versions.isOlder(
                                object.getMetadata().getResourceVersion(),
                                known.getMetadata().getResourceVersion())
                ? known
                : object;
    }

    private static boolean isSame(HasMetadata one, HasMetadata other) {
        return Objects.equals(one.getMetadata().getUid(), other.getMetadata().getUid());
    }
}
