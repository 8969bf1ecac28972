package dev.sro.core.client;

import dev.sro.api.ClusterFacts;
import dev.sro.api.Outcome;
import dev.sro.api.Problem;
import dev.sro.api.resource.SpecialResource;
import dev.sro.core.apply.Observer;
import dev.sro.core.engine.ClusterReader;
import dev.sro.core.facts.ObservedNode;
import dev.sro.core.model.KubeObject;
import dev.sro.core.model.Marks;
import dev.sro.core.model.ObjectRef;
import dev.sro.core.probe.PodFacts;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.time.Clock;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The caches on fabric8's informers: special resources, nodes, namespaces, operand pods, and each kind of operand from
 * the moment that a recipe needs it. Says which special resource may have to be reconciled after an event. Thread-safe.
 */
final class InformerReader implements ClusterReader, Observer, AutoCloseable {

    /** Kinds whose objects SRO does not make but whose state says how far one of its own is. */
    private static final Set<String> CHILD_KINDS = Set.of("build.openshift.io/v1/Build");

    private final KubernetesClient client;
    private final Fabric8Codec codec;
    private final Clock clock;
    private final Consumer<String> changed;
    private final ConcurrentHashMap<String, SpecialResource> resources = new ConcurrentHashMap<>();
    private final ConcurrentHashMap<String, Map<String, String>> namespaces = new ConcurrentHashMap<>();
    private final ConcurrentHashMap<String, Map<String, KubeObject>> children = new ConcurrentHashMap<>();
    private final NodeCache nodes = new NodeCache();
    private final ObjectCache objects = new ObjectCache();
    private final PodCache pods = new PodCache();
    private final ConcurrentHashMap<String, KindWatch> watches = new ConcurrentHashMap<>();
    private final List<KindWatch> baseWatches = new CopyOnWriteArrayList<>();
    private volatile Kinds kinds;

    InformerReader(KubernetesClient client, Fabric8Codec codec, Clock clock, Consumer<String> changed) {
        this.client = client;
        this.codec = codec;
        this.clock = clock;
        this.changed = changed;
        this.kinds = Kinds.discover(client);
    }

    /** Starts to fill the caches that every special resource needs. Until they are, {@link #watch} says so. */
    void start() {
        base(
                "v1/Node",
                client.nodes().runnableInformer(0),
                node -> route(nodes.seen(node)),
                node -> route(nodes.gone(node.getMetadata().getName())));
        base(
                "v1/Namespace",
                client.namespaces().runnableInformer(0),
                namespace -> namespaceSeen(
                        namespace.getMetadata().getName(),
                        namespace.getMetadata().getLabels()),
                namespace -> {
                    namespaces.remove(namespace.getMetadata().getName());
                    requestAll();
                });
        base(
                "v1/Pod",
                client.pods().inAnyNamespace().withLabel(Marks.OWNED, "true").runnableInformer(0),
                this::podSeen,
                this::podGone);
        CHILD_KINDS.forEach(kind -> kinds.find(kind)
                .ifPresent(context -> base(
                        kind,
                        client.genericKubernetesResources(context)
                                .inAnyNamespace()
                                .runnableInformer(0),
                        child -> childSeen(codec(child)),
                        child -> childGone(codec(child)))));
        base(
                SpecialResource.GROUP + "/" + SpecialResource.VERSION + "/" + SpecialResource.KIND,
                client.resources(SpecialResource.class).runnableInformer(0),
                this::resourceSeen,
                this::resourceGone);
    }

    private <T extends HasMetadata> void base(
            String kind, SharedIndexInformer<T> informer, Consumer<T> seen, Consumer<T> gone) {
        baseWatches.add(KindWatch.start(kind, informer, seen, gone, this::requestAll));
    }

    private void podSeen(Pod pod) {
        if (pods.seen(PodProjector.project(pod))) {
            requestByLabel(pod);
        }
    }

    private void podGone(Pod pod) {
        pods.gone(PodProjector.project(pod));
        requestByLabel(pod);
    }

    Kinds kinds() {
        return kinds;
    }

    @Override
    public Optional<SpecialResource> specialResource(String name) {
        return Optional.ofNullable(resources.get(name));
    }

    @Override
    public List<SpecialResource> specialResources() {
        return resources.values().stream()
                .sorted(Comparator.comparing(resource -> resource.getMetadata().getName()))
                .toList();
    }

    @Override
    public ClusterFacts cluster() {
        return kinds.facts();
    }

    @Override
    public Collection<ObservedNode> nodes() {
        return nodes.all();
    }

    @Override
    public Map<ObjectRef, KubeObject> owned(String specialResource) {
        return objects.owned(Marks.specialResourceLabel(specialResource));
    }

    @Override
    public boolean isForeignNamespace(String namespace, String specialResource) {
        Map<String, String> labels = namespaces.get(namespace);
        return labels != null
                && !Marks.specialResourceLabel(specialResource).equals(labels.get(Marks.SPECIAL_RESOURCE));
    }

    @Override
    public List<PodFacts> pods(String ownerUid) {
        return pods.of(ownerUid);
    }

    @Override
    public List<KubeObject> children(String ownerUid) {
        return List.copyOf(children.getOrDefault(ownerUid, Map.of()).values());
    }

    @Override
    public Map<String, Outcome> watch(Set<String> wanted) {
        Map<String, Outcome> unseen = new HashMap<>();
        for (KindWatch base : baseWatches) {
            base.obstacle(clock.instant()).ifPresent(outcome -> unseen.put(ClusterReader.BASE, outcome));
        }
        for (String kind : wanted) {
            KindWatch watch = watches.get(kind);
            if (watch != null) {
                watch.obstacle(clock.instant()).ifPresent(outcome -> unseen.put(kind, outcome));
            } else {
                unseen.put(kind, open(kind));
            }
        }
        return unseen;
    }

    private Outcome open(String kind) {
        if (kinds.find(kind).isEmpty()) {
            try {
                kinds = Kinds.discover(client);
            } catch (KubernetesClientException e) {
                return Outcome.failed(Problem.platform(
                        "ApiServerUnavailable", "cannot ask what the cluster serves: " + e.getMessage()));
            }
        }
        Optional<ResourceDefinitionContext> context = kinds.find(kind);
        if (context.isEmpty()) {
            return Outcome.failed(Problem.platform(
                    "KindNotServed", "the cluster does not serve " + kind + "; install what provides it"));
        }
        watches.computeIfAbsent(
                kind,
                unused -> KindWatch.start(
                        kind,
                        client.genericKubernetesResources(context.get())
                                .inAnyNamespace()
                                .withLabel(Marks.OWNED, "true")
                                .runnableInformer(0),
                        this::objectSeen,
                        this::objectGone,
                        this::requestAll));
        return Outcome.waiting("CacheFilling", clock.instant(), "the cache of " + kind + " fills");
    }

    private KubeObject codec(HasMetadata object) {
        return KubeObject.of(codec.toTree(object));
    }

    @Override
    public void stored(KubeObject object) {
        objects.seen(object);
        if (object.ref().kind().equals("Namespace")) {
            Map<String, String> labels = new HashMap<>();
            object.map("metadata", "labels").forEach((key, value) -> labels.put(key, String.valueOf(value)));
            namespaces.put(object.ref().name(), labels);
        }
    }

    @Override
    public void deleting(ObjectRef ref, String uid) {
        objects.deleting(ref, uid);
    }

    @Override
    public void labelled(String node, String manager, SortedMap<String, String> labels, String resourceVersion) {
        nodes.labelled(node, manager, labels, resourceVersion);
    }

    @Override
    public void stored(SpecialResource resource) {
        resources.computeIfPresent(resource.getMetadata().getName(), (name, known) -> newer(known, resource));
    }

    private static SpecialResource newer(SpecialResource known, SpecialResource other) {
        return Versions.isOlder(
                        other.getMetadata().getResourceVersion(),
                        known.getMetadata().getResourceVersion())
                ? known
                : other;
    }

    private void resourceSeen(SpecialResource resource) {
        resources.merge(resource.getMetadata().getName(), resource, InformerReader::newer);
        request(resource.getMetadata().getName());
    }

    private void resourceGone(SpecialResource resource) {
        resources.remove(resource.getMetadata().getName());
        requestAll();
        request(resource.getMetadata().getName());
    }

    private void objectSeen(HasMetadata object) {
        if (objects.seen(codec(object))) {
            requestByLabel(object);
        }
    }

    private void objectGone(HasMetadata object) {
        objects.gone(codec(object));
        requestByLabel(object);
    }

    private void childSeen(KubeObject child) {
        for (Map<String, Object> owner : child.maps("metadata", "ownerReferences")) {
            String uid = String.valueOf(owner.get("uid"));
            children.computeIfAbsent(uid, unused -> new ConcurrentHashMap<>()).put(child.uid(), child);
            requestOwner(uid);
        }
    }

    private void childGone(KubeObject child) {
        for (Map<String, Object> owner : child.maps("metadata", "ownerReferences")) {
            String uid = String.valueOf(owner.get("uid"));
            children.getOrDefault(uid, new HashMap<>()).remove(child.uid());
            requestOwner(uid);
        }
    }

    private void namespaceSeen(String name, @Nullable Map<String, String> labels) {
        Map<String, String> now = labels == null ? Map.of() : Map.copyOf(labels);
        if (!now.equals(namespaces.put(name, now))) {
            requestAll();
        }
    }

    private void route(NodeCache.Change change) {
        if (change.isReal()) {
            requestAll();
        }
    }

    private void requestOwner(String uid) {
        objects.byUid(uid).flatMap(owner -> owner.label(Marks.SPECIAL_RESOURCE)).ifPresent(this::requestLabelled);
    }

    private void requestByLabel(HasMetadata object) {
        Map<String, String> labels = object.getMetadata().getLabels();
        String label = labels == null ? null : labels.get(Marks.SPECIAL_RESOURCE);
        if (label != null) {
            requestLabelled(label);
        }
    }

    private void requestLabelled(String label) {
        for (String name : resources.keySet()) {
            if (Marks.specialResourceLabel(name).equals(label)) {
                request(name);
            }
        }
    }

    private void requestAll() {
        resources.keySet().forEach(this::request);
    }

    private void request(String name) {
        changed.accept(name);
    }

    @Override
    public void close() {
        baseWatches.forEach(KindWatch::close);
        watches.values().forEach(KindWatch::close);
    }
}
