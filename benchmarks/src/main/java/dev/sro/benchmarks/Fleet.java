package dev.sro.benchmarks;

import dev.sro.api.ClusterFacts;
import dev.sro.api.resource.SpecialResource;
import dev.sro.api.resource.SpecialResourceStatus;
import dev.sro.core.apply.ClusterWriter;
import dev.sro.core.apply.StoredNode;
import dev.sro.core.apply.WriteThreads;
import dev.sro.core.client.codec.Fabric8Codec;
import dev.sro.core.client.router.ClusterCaches;
import dev.sro.core.client.router.UnwatchedSource;
import dev.sro.core.engine.Engine;
import dev.sro.core.facts.ObservedNode;
import dev.sro.core.model.KubeObject;
import dev.sro.core.model.MetadataKeys;
import dev.sro.core.model.NodeFields;
import dev.sro.core.model.ValueTrees;
import dev.sro.core.plugin.Plugins;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/**
 * The engine on its real caches, which are fed with events of nodes and pods as a watch tells them, without an API server: what
 * is written counts as stored, and DaemonSets have a pod on every node of their kernel. For clusters of a size that is about the
 * operator's own cost. Writes are counted. Not thread-safe, except that events and reconciles may be on two threads.
 */
final class Fleet {

    static final String NAME = "fleet";

    private final Fabric8Codec codec = new Fabric8Codec(new KubernetesSerialization());
    private final ClusterFacts facts = ClusterFacts.builder()
            .addServedKinds("v1/Namespace", "apps/v1/DaemonSet", "sro.openshift.io/v1beta1/SpecialResource")
            .addClusterScopedKinds("v1/Namespace", "sro.openshift.io/v1beta1/SpecialResource")
            .build();
    private final AtomicLong version = new AtomicLong(1_000);
    private final Map<String, Integer> writes = new TreeMap<>();
    private final Map<String, String> notes = new ConcurrentHashMap<>();
    private final List<KubeObject> fresh = new ArrayList<>();
    private final Map<String, Map<String, KubeObject>> daemonSets = new HashMap<>();
    private final int kernels;
    private final ClusterCaches caches;
    private final Engine engine;
    private SpecialResource resource;
    private Consumer<String> labelled = node -> {};
    private Runnable planned = () -> {};
    private volatile Runnable request = () -> {};

    /**
     * @param states of the recipe, each a DaemonSet per kernel
     * @param changed is told whenever an event asks for a reconcile
     */
    Fleet(int nodes, int kernels, int states, Consumer<String> changed) {
        this(nodes, kernels, states, WriteThreads.NONE, changed);
    }

    Fleet(int nodes, int kernels, int states, WriteThreads threads, Consumer<String> changed) {
        this.kernels = kernels;
        this.caches = new ClusterCaches(codec, new UnwatchedSource(this::facts), changed);
        this.engine = Engine.builder()
                .reader(caches)
                .writer(writer())
                .writeThreads(threads)
                .observer(caches)
                .plugins(Plugins.of(new FleetPlugin(states)))
                .codec(codec)
                .build();
        this.resource = new KubernetesSerialization().unmarshal(FleetPlugin.RESOURCE, SpecialResource.class);
        resource.getMetadata().setUid("uid-" + NAME);
        resource.getMetadata().setGeneration(1L);
        store(resource);
        caches.resourceSeen(resource);
        for (int i = 0; i < nodes; i++) {
            caches.nodeSeen(World.node(i, kernels));
        }
    }

    Engine engine() {
        return engine;
    }

    ClusterCaches caches() {
        return caches;
    }

    /** Writes since it was asked before, by kind. */
    synchronized Map<String, Integer> takeWrites() {
        Map<String, Integer> taken = new TreeMap<>(writes);
        writes.clear();
        return taken;
    }

    /** Who is told of each node that is labelled, on the thread of the reconcile. */
    void onLabelled(Consumer<String> listener) {
        this.labelled = listener;
    }

    /** What a request to the API server is, on the thread that makes it. */
    void onRequest(Runnable listener) {
        this.request = listener;
    }

    /** Who is told that a plan begins, before it looks at any node, on its thread. */
    void onPlan(Runnable listener) {
        this.planned = listener;
    }

    /** Reconciles and lets pods start until nothing is written any more. */
    void converge(boolean ready) {
        int made;
        do {
            made = engine.reconcile(NAME).writes();
            made += startPods(ready);
        } while (made > 0);
    }

    private int startPods(boolean ready) {
        List<KubeObject> started;
        synchronized (this) {
            started = List.copyOf(fresh);
            fresh.clear();
        }
        for (KubeObject daemonSet : started) {
            caches.objectSeen(rolledOut(daemonSet));
            String kernel = ValueTrees.text(
                    daemonSet.map("spec", "template", "spec", "nodeSelector"), MetadataKeys.KERNEL_LABEL);
            for (ObservedNode node : caches.nodes()) {
                if (kernel.equals(node.facts().labels().get(MetadataKeys.KERNEL_LABEL))) {
                    caches.podSeen(pod(daemonSet, node.name(), ready));
                }
            }
        }
        return started.size();
    }

    private GenericKubernetesResource rolledOut(KubeObject daemonSet) {
        return codec.fromTree(
                daemonSet
                        .edit(tree -> {
                            ValueTrees.ensureMap(tree, "metadata")
                                    .put("resourceVersion", String.valueOf(version.incrementAndGet()));
                            ValueTrees.ensureMap(tree, "status").put("observedGeneration", 1);
                        })
                        .tree(),
                GenericKubernetesResource.class);
    }

    private Pod pod(KubeObject daemonSet, String node, boolean ready) {
        return new PodBuilder()
                .withNewMetadata()
                .withNamespace(NAME)
                .withName(daemonSet.ref().name() + "-" + node)
                .withUid("uid-" + daemonSet.ref().name() + "-" + node)
                .addToLabels(MetadataKeys.OWNED, "true")
                .addToLabels("pod-template-generation", "1")
                .addNewOwnerReference()
                .withApiVersion("apps/v1")
                .withKind("DaemonSet")
                .withName(daemonSet.ref().name())
                .withUid(daemonSet.uid())
                .withController(true)
                .endOwnerReference()
                .endMetadata()
                .withNewSpec()
                .withNodeName(node)
                .endSpec()
                .withNewStatus()
                .withPhase("Running")
                .addNewCondition()
                .withType("Ready")
                .withStatus(ready ? "True" : "False")
                .endCondition()
                .addNewContainerStatus()
                .withName("step")
                .withRestartCount(0)
                .withNewState()
                .withNewWaiting()
                .withReason(ready ? null : "CrashLoopBackOff")
                .withMessage(ready ? null : "back-off 5m0s restarting failed container=step")
                .endWaiting()
                .endState()
                .endContainerStatus()
                .endStatus()
                .build();
    }

    /** The pod of a state on a node becomes ready, or is not any more. */
    void pod(int state, int node, boolean ready) {
        KubeObject daemonSet =
                daemonSets.getOrDefault(NAME + "-" + state, Map.of()).get(World.kernel(node, kernels));
        if (daemonSet == null) {
            throw new IllegalStateException("no DaemonSet of state " + state + " for node " + node);
        }
        caches.podSeen(pod(daemonSet, "node-" + node, ready));
    }

    /** These nodes as the watch has them now, with what was written to them and a note that makes them differ. */
    List<Node> nodes(int first, int count, String note) {
        Map<String, ObservedNode> known = new HashMap<>();
        caches.nodes().forEach(node -> known.put(node.name(), node));
        String manager = MetadataKeys.nodeManager(NAME);
        List<Node> result = new ArrayList<>(count);
        for (int i = first; i < first + count; i++) {
            Node node = World.node(i, kernels);
            ObservedNode there = known.get(node.getMetadata().getName());
            if (there != null) {
                Set<String> held = there.appliedLabels().getOrDefault(manager, Set.of());
                Map<String, String> labels = node.getMetadata().getLabels();
                held.forEach(label -> labels.put(label, there.facts().labels().get(label)));
                World.manage(node, manager, held);
            }
            node.getMetadata().getLabels().put("example.com/note", note);
            notes.put(node.getMetadata().getName(), note);
            node.getMetadata().setResourceVersion(String.valueOf(version.incrementAndGet()));
            result.add(node);
        }
        return result;
    }

    private KubeObject stored(KubeObject object) {
        String name = object.ref().name();
        KubeObject stored = object.edit(tree -> {
            Map<String, Object> metadata = ValueTrees.ensureMap(tree, "metadata");
            metadata.put("uid", "uid-" + object.ref().kind() + "-" + name);
            metadata.put("generation", 1);
            metadata.put("resourceVersion", String.valueOf(version.incrementAndGet()));
            if (object.ref().kind().equals("Namespace")) {
                ValueTrees.ensureMap(tree, "status").put("phase", "Active");
            } else {
                ValueTrees.ensureMap(tree, "metadata", "annotations")
                        .put("deprecated.daemonset.template.generation", "1");
            }
        });
        if (object.ref().kind().equals("DaemonSet")) {
            String kernel =
                    ValueTrees.text(stored.map("spec", "template", "spec", "nodeSelector"), MetadataKeys.KERNEL_LABEL);
            String base = name.substring(0, name.lastIndexOf('-'));
            daemonSets.computeIfAbsent(base, unused -> new HashMap<>()).put(kernel, stored);
            fresh.add(stored);
        }
        return stored;
    }

    private SpecialResource store(SpecialResource changed) {
        changed.getMetadata().setResourceVersion(String.valueOf(version.incrementAndGet()));
        resource = changed;
        return changed;
    }

    private SpecialResource copy() {
        return codec.fromTree(codec.toTree(resource), SpecialResource.class);
    }

    private synchronized Object write(String method, Object[] args) {
        writes.merge(method, 1, Integer::sum);
        switch (method) {
            case "create", "apply", "adopt" -> {
                return stored((KubeObject) args[0]);
            }
            case "labelNode" -> {
                StoredNode after = labelled((String) args[0], (String) args[2], (NodeFields) args[3]);
                labelled.accept(after.name());
                return after;
            }
            case "updateStatus" -> {
                SpecialResource next = copy();
                next.setStatus((SpecialResourceStatus) args[2]);
                return store(next);
            }
            case "setFinalizer" -> {
                SpecialResource next = copy();
                next.getMetadata().setFinalizers(List.of(MetadataKeys.FINALIZER));
                return store(next);
            }
            default -> throw new IllegalStateException("nobody expects " + method);
        }
    }

    /** The node as the API server answers with it. */
    private StoredNode labelled(String name, String manager, NodeFields marks) {
        Node node = World.node(Integer.parseInt(name.substring(name.lastIndexOf('-') + 1)), kernels);
        node.getMetadata().getLabels().putAll(marks.labels());
        String note = notes.get(name);
        if (note != null) {
            node.getMetadata().getLabels().put("example.com/note", note);
        }
        World.manage(node, manager, marks.labels().keySet());
        node.getMetadata().setResourceVersion(String.valueOf(version.incrementAndGet()));
        return StoredNode.of(node);
    }

    private ClusterWriter writer() {
        return (ClusterWriter) Proxy.newProxyInstance(
                ClusterWriter.class.getClassLoader(), new Class<?>[] {ClusterWriter.class}, (proxy, method, args) -> {
                    request.run();
                    return method.getName().equals("delete") ? null : write(method.getName(), args);
                });
    }

    private ClusterFacts facts() {
        planned.run();
        return facts;
    }
}
