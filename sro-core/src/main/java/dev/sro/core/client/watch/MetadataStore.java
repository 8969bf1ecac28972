package dev.sro.core.client.watch;

import dev.sro.core.client.cache.Interner;
import dev.sro.core.model.MetadataKeys;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.client.informers.cache.BasicItemStore;
import io.fabric8.kubernetes.client.informers.cache.Cache;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * What an informer remembers of objects whose handlers keep their own projection: enough to tell that one changed, and to say
 * of one that vanished whose it was. Nodes and pods of a large cluster are many times larger. Thread-safe.
 */
final class MetadataStore<T extends HasMetadata> extends BasicItemStore<T> {

    /** Older than every version that a server gives. */
    private static final String OLDEST = "0";

    private final Function<T, T> empty;
    private final Optional<T> mark;
    private final Interner interner = new Interner();

    /**
     * @param empty makes a new object of the same kind with nothing in it but, where the class does not say it, the kind
     * @param mark shown last, and never forgotten: see {@link EndOfList}
     */
    MetadataStore(Function<T, T> empty, Optional<T> mark) {
        super(Cache::metaNamespaceKeyFunc);
        this.empty = empty;
        this.mark = mark;
    }

    @Override
    public T put(String key, T object) {
        return super.put(key, trimmed(object, object.getMetadata().getResourceVersion()));
    }

    @Override
    public Stream<T> values() {
        return Stream.concat(super.values(), mark.stream());
    }

    /** Handlers get objects as they came, not as they are remembered. */
    @Override
    public boolean isFullState() {
        return false;
    }

    /** All objects, older than any: an informer that starts with them tells its handlers of everything that it lists. */
    Stream<T> outdated() {
        return super.values().map(object -> trimmed(object, OLDEST));
    }

    private T trimmed(T object, String resourceVersion) {
        ObjectMeta from = object.getMetadata();
        ObjectMeta to = new ObjectMeta();
        to.setName(from.getName());
        to.setNamespace(from.getNamespace() == null ? null : interner.of(from.getNamespace()));
        to.setUid(from.getUid());
        to.setResourceVersion(resourceVersion);
        String specialResource =
                from.getLabels() == null ? null : from.getLabels().get(MetadataKeys.SPECIAL_RESOURCE);
        to.setLabels(
                specialResource == null
                        ? Map.of()
                        : interner.of(Map.of(MetadataKeys.SPECIAL_RESOURCE, specialResource)));
        to.setOwnerReferences(interner.of(List.copyOf(from.getOwnerReferences())));
        // Each of these is a collection of its own otherwise, and always empty.
        to.setAnnotations(Map.of());
        to.setFinalizers(List.of());
        to.setManagedFields(List.of());
        to.setAdditionalProperties(Map.of());
        T trimmed = empty.apply(object);
        trimmed.setMetadata(to);
        return trimmed;
    }
}
