package dev.sro.core.client.transit;

import dev.sro.core.probe.ViewedKind;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Objects of kinds that are watched only while a special resource wants them. Thread-safe. */
public final class ViewedObjects implements AutoCloseable {

    private record OfKind<T>(Set<String> wantedBy, KindObjects<T> objects) {

        void drop(String specialResource) {
            if (wantedBy.remove(specialResource) && wantedBy.isEmpty()) {
                objects.close();
            }
        }
    }

    private final BiFunction<List<String>, KindObjects.Listener, AutoCloseable> watches;
    private final Consumer<String> changed;
    private final ConcurrentHashMap<ViewedKind<?>, OfKind<?>> kinds = new ConcurrentHashMap<>();

    /**
     * @param watches starts to watch all objects of the first of these versions that is served
     * @param changed called with the name of each special resource that is concerned
     */
    public ViewedObjects(
            BiFunction<List<String>, KindObjects.Listener, AutoCloseable> watches, Consumer<String> changed) {
        this.watches = watches;
        this.changed = changed;
    }

    /** Under one lock, so that nobody begins to want them while the watch of those who did is being closed. */
    public synchronized void view(String specialResource, Set<ViewedKind<?>> wanted) {
        for (ViewedKind<?> kind : wanted) {
            OfKind<?> known = kinds.computeIfAbsent(kind, key -> ofKind(key));
            known.wantedBy.add(specialResource);
            known.objects.need();
        }
        kinds.forEach((kind, known) -> {
            if (!wanted.contains(kind)) {
                known.drop(specialResource);
            }
        });
    }

    private <T> OfKind<T> ofKind(ViewedKind<T> kind) {
        Set<String> wantedBy = ConcurrentHashMap.newKeySet();
        return new OfKind<>(
                wantedBy,
                new KindObjects<>(
                        listener -> watches.apply(kind.versions(), listener),
                        kind.projection(),
                        () -> wantedBy.forEach(changed)));
    }

    /** All of a kind; empty while they are being listed, and when nobody wants them. */
    // Each kind is put there with objects of its own type.
    @SuppressWarnings("unchecked")
    public <T> Optional<Collection<T>> all(ViewedKind<T> kind) {
        @Nullable OfKind<T> known = (OfKind<T>) kinds.get(kind);
        return known == null ? Optional.empty() : known.objects.all().map(all -> List.copyOf(all.values()));
    }

    @Override
    public synchronized void close() {
        kinds.values().forEach(known -> {
            known.wantedBy.clear();
            known.objects.close();
        });
    }
}
