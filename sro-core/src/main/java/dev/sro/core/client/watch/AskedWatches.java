package dev.sro.core.client.watch;

import dev.sro.core.engine.port.Timers;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.dsl.Informable;
import io.fabric8.kubernetes.client.informers.cache.Cache;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * A few objects each, by their name or label, that are watched from the moment that a plan asks for them until no plan does any more:
 * see {@link WatchSweep}. Of an object only what somebody needs is kept. Thread-safe.
 *
 * @param <K> what tells one watch from another
 * @param <V> what is kept of an object; a change of it is a change
 */
public final class AskedWatches<K, V> implements AutoCloseable {

    /**
     * What one watch sees.
     *
     * @param kept by the namespaces and names of the objects
     * @param asked the count of doubts when somebody asked for it last
     */
    public record Shelf<V>(KindWatch watch, Map<String, V> kept, long asked) {

        private Shelf<V> again(long now) {
            return now == asked ? this : new Shelf<>(watch, kept, now);
        }

        /** What there is, in the order of names. */
        public List<V> sorted() {
            return List.copyOf(new TreeMap<>(kept).values());
        }
    }

    private final Clock clock;
    private final Consumer<K> changed;
    private final WatchSweep sweep;
    private final ConcurrentHashMap<K, Shelf<V>> shelves = new ConcurrentHashMap<>();

    /**
     * @param changed told when what a watch sees changed, or whether it sees it; must not block
     */
    public AskedWatches(Clock clock, Timers timers, Consumer<K> changed) {
        this.clock = clock;
        this.changed = changed;
        this.sweep = new WatchSweep(timers, this::drop);
    }

    /**
     * What is seen of these objects; the first to ask has them watched.
     *
     * @param key equal for equal objects
     * @param kind as in status, for messages
     * @param objects which ones
     * @param reduced what informers keep of an object
     * @param content what is kept here
     */
    public <T extends HasMetadata> Shelf<V> ask(
            K key, String kind, Supplier<Informable<T>> objects, Function<T, T> reduced, Function<T, V> content) {
        long now = sweep.now();
        return shelves.compute(
                key,
                (unused, known) ->
                        known == null ? open(key, kind, objects.get(), reduced, content, now) : known.again(now));
    }

    private <T extends HasMetadata> Shelf<V> open(
            K key, String kind, Informable<T> objects, Function<T, T> reduced, Function<T, V> content, long now) {
        Map<String, V> kept = new ConcurrentHashMap<>();
        KindWatch watch = KindWatch.start(
                kind,
                () -> objects.runnableInformer(0),
                reduced,
                new KindWatch.Handlers<>(
                        object -> {
                            V seen = content.apply(object);
                            if (!seen.equals(kept.put(Cache.metaNamespaceKeyFunc(object), seen))) {
                                changed.accept(key);
                            }
                        },
                        object -> {
                            kept.remove(Cache.metaNamespaceKeyFunc(object));
                            changed.accept(key);
                        }),
                () -> changed.accept(key),
                clock);
        return new Shelf<>(watch, kept, now);
    }

    /** What is seen of these objects, if somebody asked for them before; this is asking, too. */
    public Optional<Shelf<V>> known(K key) {
        long now = sweep.now();
        return Optional.ofNullable(shelves.computeIfPresent(key, (unused, found) -> found.again(now)));
    }

    /** Everybody is reconciled now, and asks again for what is needed. */
    public void doubt() {
        sweep.doubt();
    }

    private void drop(long since) {
        shelves.forEach((key, shelf) -> {
            // Who asks meanwhile finds another value there, and the watch open.
            if (shelf.asked < since && shelves.remove(key, shelf)) {
                shelf.watch.close();
            }
        });
    }

    /** Looks after the watches; see {@link KindWatch#check}. */
    public void check(Duration silence) {
        shelves.values().forEach(shelf -> shelf.watch.check(silence));
    }

    @Override
    public void close() {
        sweep.close();
        shelves.values().forEach(shelf -> shelf.watch.close());
    }
}
