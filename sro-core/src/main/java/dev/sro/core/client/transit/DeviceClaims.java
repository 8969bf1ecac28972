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
 * What is needed of resource claims. They are watched from the time that somebody needs them until nobody does. Thread-safe.
 *
 * @param <T> what is kept of a claim; changes of anything else are none
 */
public final class DeviceClaims<T> implements AutoCloseable {

    /** What a watch of ResourceClaims tells. */
    public interface Listener {
        void seen(KubeObject claim);

        void gone(KubeObject claim);

        /** The list is complete, or cannot be had. */
        void listed(boolean complete);
    }

    private final Function<Listener, AutoCloseable> watches;
    private final Function<KubeObject, T> projection;
    private final Runnable changed;
    private final Map<String, T> claims = new HashMap<>();
    private @Nullable Run current;

    /**
     * @param watches starts to watch all claims
     * @param projection what is kept of a claim
     * @param changed called when claims become known, or others
     */
    DeviceClaims(Function<Listener, AutoCloseable> watches, Function<KubeObject, T> projection, Runnable changed) {
        this.watches = watches;
        this.projection = projection;
        this.changed = changed;
    }

    /** One watch; what it tells after it was closed counts for nothing. */
    private final class Run implements Listener {
        private AutoCloseable watch = () -> {};
        private boolean listed;

        @Override
        public void seen(KubeObject claim) {
            T found = projection.apply(claim);
            change(() -> !found.equals(claims.put(key(claim), found)));
        }

        @Override
        public void gone(KubeObject claim) {
            change(() -> claims.remove(key(claim)) != null);
        }

        @Override
        public void listed(boolean complete) {
            synchronized (DeviceClaims.this) {
                listed |= complete;
            }
            changed.run();
        }

        private void change(java.util.function.BooleanSupplier change) {
            boolean real;
            synchronized (DeviceClaims.this) {
                real = current == this && change.getAsBoolean() && listed;
            }
            if (real) {
                changed.run();
            }
        }
    }

    private static String key(KubeObject claim) {
        return claim.ref().namespace() + "/" + claim.ref().name();
    }

    /** From now on claims are watched. */
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
        return run == null || !run.listed ? Optional.empty() : Optional.of(Map.copyOf(claims));
    }

    /** Those of these names that are there; empty as for {@link #all}. */
    synchronized Optional<List<T>> of(Set<String> names) {
        Run run = current;
        return run == null || !run.listed
                ? Optional.empty()
                : Optional.of(
                        names.stream().map(claims::get).filter(Objects::nonNull).toList());
    }

    /** Nobody needs them any more. */
    @Override
    public void close() {
        Run run;
        synchronized (this) {
            run = current;
            current = null;
            claims.clear();
        }
        if (run != null) {
            NodePods.close(run.watch);
        }
    }
}
