package dev.sro.core.client;

import dev.sro.core.model.KubeObject;
import dev.sro.core.model.Trees;
import dev.sro.core.probe.NodePod;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Which drivers of Dynamic Resource Allocation serve the claims of pods. Claims are watched from the time that a pod with one is on a
 * node in transition until no node is. Thread-safe.
 */
final class DeviceClaims implements AutoCloseable {

    /** What a watch of ResourceClaims tells. */
    interface Ears {
        void seen(KubeObject claim);

        void gone(KubeObject claim);

        /** The list is complete, or cannot be had. */
        void listed(boolean complete);
    }

    private final Function<Ears, AutoCloseable> watches;
    private final Runnable changed;
    private final Map<String, Set<String>> drivers = new HashMap<>();
    private @Nullable Run current;

    /**
     * @param watches starts to watch all claims
     * @param changed called when drivers of claims become known, or others
     */
    DeviceClaims(Function<Ears, AutoCloseable> watches, Runnable changed) {
        this.watches = watches;
        this.changed = changed;
    }

    /** One watch; what it tells after it was closed counts for nothing. */
    private final class Run implements Ears {
        private AutoCloseable watch = () -> {};
        private boolean listed;

        @Override
        public void seen(KubeObject claim) {
            Set<String> found = new HashSet<>();
            Trees.maps(Trees.map(claim.tree(), "status", "allocation", "devices"), "results")
                    .forEach(result -> found.add(String.valueOf(result.getOrDefault("driver", ""))));
            change(() -> !found.equals(drivers.put(key(claim), found)));
        }

        @Override
        public void gone(KubeObject claim) {
            change(() -> drivers.remove(key(claim)) != null);
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

    /** The pod with the drivers of its claims; empty while these are being listed. */
    synchronized Optional<NodePod> allocated(NodePod pod) {
        if (pod.claims().names().isEmpty()) {
            return Optional.of(pod);
        }
        Run run = current;
        if (run == null || !run.listed) {
            return Optional.empty();
        }
        Set<String> found = new HashSet<>();
        Consumer<String> add = name -> found.addAll(drivers.getOrDefault(name, Set.of()));
        pod.claims().names().forEach(add);
        return Optional.of(pod.allocatedBy(found));
    }

    /** Nobody needs them any more. */
    @Override
    public void close() {
        Run run;
        synchronized (this) {
            run = current;
            current = null;
            drivers.clear();
        }
        if (run != null) {
            NodePods.close(run.watch);
        }
    }
}
