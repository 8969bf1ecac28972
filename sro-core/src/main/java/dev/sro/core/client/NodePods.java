package dev.sro.core.client;

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
import java.util.function.Consumer;

/**
 * Pods of nodes in transition: each node has a watch of its own from the time that a special resource works on it, and none
 * afterwards. Thread-safe.
 */
final class NodePods implements AutoCloseable {

    /** The pods of one node. */
    private static final class OfNode {
        private final Map<String, NodePod> pods = new HashMap<>();
        private final Set<String> wantedBy = new HashSet<>();
        private AutoCloseable watch = () -> {};
        private boolean listed;
    }

    /** What a watch of a node's pods tells. */
    interface Ears {
        void seen(Pod pod);

        void gone(Pod pod);

        /** The list is complete, or cannot be had. */
        void listed(boolean complete);
    }

    private final Map<String, OfNode> nodes = new HashMap<>();
    private final BiFunction<String, Ears, AutoCloseable> watches;
    private final Consumer<String> changed;

    /**
     * @param watches starts to watch the pods of a node
     * @param changed called with the name of each special resource that is concerned
     */
    NodePods(BiFunction<String, Ears, AutoCloseable> watches, Consumer<String> changed) {
        this.watches = watches;
        this.changed = changed;
    }

    void want(String specialResource, Set<String> wanted) {
        List<String> fresh = new ArrayList<>();
        List<AutoCloseable> done = new ArrayList<>();
        synchronized (this) {
            nodes.entrySet().removeIf(node -> {
                boolean left = !wanted.contains(node.getKey())
                        && node.getValue().wantedBy.remove(specialResource)
                        && node.getValue().wantedBy.isEmpty();
                if (left) {
                    done.add(node.getValue().watch);
                }
                return left;
            });
            for (String node : wanted) {
                OfNode known = nodes.get(node);
                if (known == null) {
                    known = new OfNode();
                    nodes.put(node, known);
                    fresh.add(node);
                }
                known.wantedBy.add(specialResource);
            }
        }
        done.forEach(NodePods::close);
        fresh.forEach(this::open);
    }

    private void open(String node) {
        AutoCloseable watch = watches.apply(node, new Ears() {
            @Override
            public void seen(Pod pod) {
                change(node, pods -> {
                    NodePod projected = PodProjector.onNode(pod);
                    return !projected.equals(pods.put(projected.uid(), projected));
                });
            }

            @Override
            public void gone(Pod pod) {
                change(
                        node,
                        pods -> pods.remove(String.valueOf(pod.getMetadata().getUid())) != null);
            }

            @Override
            public void listed(boolean complete) {
                synchronized (NodePods.this) {
                    OfNode known = nodes.get(node);
                    if (known != null) {
                        known.listed |= complete;
                    }
                }
                tell(node);
            }
        });
        boolean stale;
        synchronized (this) {
            OfNode known = nodes.get(node);
            stale = known == null;
            if (known != null) {
                known.watch = watch;
            }
        }
        if (stale) {
            close(watch);
        }
    }

    private interface Change {
        boolean on(Map<String, NodePod> pods);
    }

    private void change(String node, Change change) {
        boolean real;
        synchronized (this) {
            OfNode known = nodes.get(node);
            real = known != null && change.on(known.pods) && known.listed;
        }
        if (real) {
            tell(node);
        }
    }

    private void tell(String node) {
        Set<String> who;
        synchronized (this) {
            OfNode known = nodes.get(node);
            who = known == null ? Set.of() : Set.copyOf(known.wantedBy);
        }
        who.forEach(changed);
    }

    synchronized Optional<List<NodePod>> of(String node) {
        OfNode known = nodes.get(node);
        return known == null || !known.listed ? Optional.empty() : Optional.of(List.copyOf(known.pods.values()));
    }

    /** A deletion was accepted: until the watch says more, the pod counts as terminating. */
    synchronized void deleting(String uid) {
        nodes.values().forEach(node -> node.pods.computeIfPresent(uid, (key, pod) -> pod.leaving()));
    }

    private static void close(AutoCloseable watch) {
        try {
            watch.close();
        } catch (Exception e) {
            throw new IllegalStateException("cannot close the watch of a node's pods", e);
        }
    }

    @Override
    public void close() {
        List<AutoCloseable> all;
        synchronized (this) {
            all = nodes.values().stream().map(node -> node.watch).toList();
            nodes.clear();
        }
        all.forEach(NodePods::close);
    }
}
