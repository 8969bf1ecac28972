package dev.sro.core.client.transit;

import dev.sro.core.model.KubeObject;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What is needed of the objects of one kind, as of resource claims. They are watched from the time that somebody needs them until nobody does.
 * Thread-safe.
 *
 * @param <T> what is kept of an object; changes of anything else are none
 */
public final class KindObjects<T> implements AutoCloseable {

    /** What a watch of that kind tells. */
    public interface Listener {
        void seen(KubeObject object);

        void gone(KubeObject object);

        /** The list is complete, or cannot be had. */
        void listed(boolean complete);
    }

    private final Function<Listener, AutoCloseable> watches;
    private final Function<KubeObject, T> projection;
    private final Runnable changed;
    private final Map<String, T> objects = new HashMap<>();
    private @Nullable Run current;

    /**
     * @param watches starts to watch all objects of the kind
     * @param projection what is kept of an object
     * @param changed called when objects become known, or others
     */
    KindObjects(Function<Listener, AutoCloseable> watches, Function<KubeObject, T> projection, Runnable changed) {
        this.watches = watches;
        this.projection = projection;
        this.changed = changed;
    }

    /** One watch; what it tells after it was closed counts for nothing. */
    private final class Run implements Listener {
        private AutoCloseable watch = () -> {};
        private boolean listed;

        @Override
        public void seen(KubeObject object) {
            T found = projection.apply(object);
            change(() -> !found.equals(objects.put(key(object), found)));
        }

        @Override
        public void gone(KubeObject object) {
            change(() -> objects.remove(key(object)) != null);
        }

        @Override
        public void listed(boolean complete) {
            synchronized (KindObjects.this) {
                listed |= complete;
            }
            changed.run();
        }

        private void change(java.util.function.BooleanSupplier change) {
            boolean real;
            synchronized (KindObjects.this) {
                real = current == this && change.getAsBoolean() && listed;
            }
            if (real) {
                changed.run();
            }
        }
    }

    private static String key(KubeObject object) {
        return object.ref().namespace() + "/" + object.ref().name();
    }

    /** From now on they are watched. */
    void need() {
        Run run;
        synchronized (this) {
            if (current != null) {
                return;
            }
            run = new Run();
            current = run;
        }
        AutoCloseable watch = watches.apply(run);
        boolean stale;
        synchronized (this) {
            run.watch = watch;
            stale = current != run;
        }
        if (stale) {
            NodePods.close(watch);
        }
    }

    /** By {@code namespace/name}; empty while they are being listed, and when nobody needs them. */
    synchronized Optional<Map<String, T>> all() {
        Run run = current;
        return run == null || !run.listed ? Optional.empty() : Optional.of(Map.copyOf(objects));
    }

    /** Those of these names that are there; empty as for {@link #all}. */
    synchronized Optional<List<T>> of(Set<String> names) {
        Run run = current;
        return run == null || !run.listed
                ? Optional.empty()
                : Optional.of(names.stream()
                        .map(objects::get)
                        .filter(Objects::nonNull)
                        .toList());
    }

    /** Nobody needs them any more. */
    @Override
    public void close() {
        Run run;
        synchronized (this) {
            run = current;
            current = null;
            objects.clear();
        }
        if (run != null) {
            NodePods.close(run.watch);
        }
    }
}
