package dev.sro.core.client.transit;

import dev.sro.core.client.cache.PodProjector;
import dev.sro.core.probe.ClaimUse;
import dev.sro.core.probe.NodePod;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Pods of nodes in transition: each node has a watch of its own from the time that a special resource works on it, and none
 * afterwards. Thread-safe.
 */
public final class NodePods implements AutoCloseable {

    /** What a watch of a node's pods tells. */
    public interface Listener {
        void seen(Pod pod);

        void gone(Pod pod);

        /** The list is complete, or cannot be had. */
        void listed(boolean complete);
    }

    /** The pods of one node, from when it is wanted until it is not; what its watch tells later counts for nothing. */
    private final class OfNode implements Listener {
        private final String node;
        private final Map<String, NodePod> pods = new HashMap<>();
        private final Set<String> wantedBy = new HashSet<>();
        private AutoCloseable watch = () -> {};
        private boolean listed;

        OfNode(String node) {
            this.node = node;
        }

        @Override
        public void seen(Pod pod) {
            NodePod told = PodProjector.onNode(pod);
            change(() -> {
                NodePod known = pods.get(told.uid());
                // Nobody takes a deletion back: a watch that is late may tell of a change from before it.
                NodePod projected = known != null && known.terminating() ? told.leaving() : told;
                if (!projected.claims().names().isEmpty()) {
                    claims.need();
                }
                return !projected.equals(pods.put(projected.uid(), projected));
            });
        }

        @Override
        public void gone(Pod pod) {
            change(() -> pods.remove(String.valueOf(pod.getMetadata().getUid())) != null);
        }

        @Override
        public void listed(boolean complete) {
            change(() -> {
                listed |= complete;
                return true;
            });
        }

        private void change(BooleanSupplier change) {
            Set<String> who = Set.of();
            synchronized (NodePods.this) {
                if (nodes.get(node) == this && change.getAsBoolean() && listed) {
                    who = Set.copyOf(wantedBy);
                }
            }
            who.forEach(changed);
        }
    }

    private final Map<String, OfNode> nodes = new HashMap<>();
    private final BiFunction<String, Listener, AutoCloseable> watches;
    private final Consumer<String> changed;
    private final KindObjects<Set<String>> claims;

    /**
     * @param watches starts to watch the pods of a node
     * @param claims starts to watch all resource claims
     * @param changed called with the name of each special resource that is concerned
     */
    public NodePods(
            BiFunction<String, Listener, AutoCloseable> watches,
            Function<KindObjects.Listener, AutoCloseable> claims,
            Consumer<String> changed) {
        this.watches = watches;
        this.changed = changed;
        this.claims = new KindObjects<>(claims, claim -> ClaimUse.of(claim).drivers(), this::tellAll);
    }

    /** Sees to it that these nodes are watched for a special resource, and no others. */
    public void want(String specialResource, Set<String> wanted) {
        List<AutoCloseable> done = new ArrayList<>();
        List<OfNode> fresh = new ArrayList<>();
        synchronized (this) {
            nodes.values().removeIf(known -> {
                boolean left = !wanted.contains(known.node)
                        && known.wantedBy.remove(specialResource)
                        && known.wantedBy.isEmpty();
                if (left) {
                    done.add(known.watch);
                }
                return left;
            });
            for (String node : wanted) {
                OfNode known = nodes.computeIfAbsent(node, OfNode::new);
                if (known.wantedBy.isEmpty()) {
                    fresh.add(known);
                }
                known.wantedBy.add(specialResource);
            }
            if (nodes.isEmpty()) {
                // Under the lock, lest those be closed that another one begins to need.
                claims.close();
            }
        }
        done.forEach(NodePods::close);
        fresh.forEach(this::open);
    }

    private void open(OfNode node) {
        AutoCloseable watch = watches.apply(node.node, node);
        boolean stale;
        synchronized (this) {
            node.watch = watch;
            stale = nodes.get(node.node) != node;
        }
        if (stale) {
            close(watch);
        }
    }

    private void tellAll() {
        Set<String> who = new HashSet<>();
        synchronized (this) {
            nodes.values().forEach(node -> who.addAll(node.wantedBy));
        }
        who.forEach(changed);
    }

    public synchronized Optional<List<NodePod>> of(String node) {
        OfNode known = nodes.get(node);
        if (known == null || !known.listed) {
            return Optional.empty();
        }
        List<NodePod> pods = new ArrayList<>();
        for (NodePod pod : known.pods.values()) {
            Optional<NodePod> allocated = allocated(pod);
            if (allocated.isEmpty()) {
                return Optional.empty();
            }
            pods.add(allocated.get());
        }
        return Optional.of(List.copyOf(pods));
    }

    /** The pod with the drivers of its claims; empty while these are being listed. */
    private Optional<NodePod> allocated(NodePod pod) {
        if (pod.claims().names().isEmpty()) {
            return Optional.of(pod);
        }
        return claims.of(pod.claims().names()).map(found -> {
            Set<String> drivers = new HashSet<>();
            found.forEach(drivers::addAll);
            return pod.allocatedBy(drivers);
        });
    }

    /** A deletion was accepted: until it is gone, the pod counts as terminating. */
    public synchronized void deleting(String uid) {
        nodes.values().forEach(node -> node.pods.computeIfPresent(uid, (key, pod) -> pod.leaving()));
    }

    static void close(AutoCloseable watch) {
        try {
            watch.close();
        } catch (Exception e) {
            throw new IllegalStateException("cannot close a watch", e);
        }
    }

    @Override
    public void close() {
        List<AutoCloseable> all;
        synchronized (this) {
            all = nodes.values().stream().map(node -> node.watch).toList();
            nodes.clear();
            claims.close();
        }
        all.forEach(NodePods::close);
    }
}
