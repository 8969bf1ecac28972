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
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.concurrent.ConcurrentHashMap;
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
    private final List<SharedIndexInformer<?>> informers = new ArrayList<>();
    private volatile Kinds kinds;

    /** An informer for one kind of operand, or the problem why there is none. */
    private record KindWatch(
            @Nullable SharedIndexInformer<?> informer,
            @Nullable Problem problem) {}

    InformerReader(KubernetesClient client, Fabric8Codec codec, Clock clock, Consumer<String> changed) {
        this.client = client;
        this.codec = codec;
        this.clock = clock;
        this.changed = changed;
        this.kinds = Kinds.discover(client);
    }

    /** Fills the caches that every special resource needs; returns when they are filled. */
    void start() {
        add(client.nodes()
                .inform(handler(
                        node -> route(nodes.seen(node)),
                        node -> route(nodes.gone(node.getMetadata().getName())))));
        add(client.namespaces()
                .inform(handler(
                        namespace -> namespaceSeen(
                                namespace.getMetadata().getName(),
                                namespace.getMetadata().getLabels()),
                        namespace -> {
                            namespaces.remove(namespace.getMetadata().getName());
                            requestAll();
                        })));
        add(client.pods()
                .inAnyNamespace()
                .withLabel(Marks.OWNED, "true")
                .inform(handler(
                        pod -> {
                            if (pods.seen(PodProjector.project(pod))) {
                                requestByLabel(pod);
                            }
                        },
                        pod -> {
                            pods.gone(PodProjector.project(pod));
                            requestByLabel(pod);
                        })));
        CHILD_KINDS.forEach(kind -> kinds.find(kind).ifPresent(this::watchChildren));
        add(client.apiextensions().v1().customResourceDefinitions().inform(handler(crd -> {}, crd -> {})));
        add(client.resources(SpecialResource.class).inform(handler(this::resourceSeen, this::resourceGone)));
    }

    private void add(SharedIndexInformer<?> informer) {
        synchronized (informers) {
            informers.add(informer);
        }
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
        for (String kind : wanted) {
            KindWatch watch = watches.computeIfAbsent(kind, this::open);
            if (watch.problem() != null) {
                unseen.put(kind, Outcome.failed(watch.problem()));
                watches.remove(kind, watch);
            } else if (watch.informer() != null && !watch.informer().hasSynced()) {
                unseen.put(kind, Outcome.waiting("CacheFilling", clock.instant(), "the cache of " + kind + " fills"));
            }
        }
        return unseen;
    }

    private KindWatch open(String kind) {
        Optional<ResourceDefinitionContext> context = kinds.find(kind);
        if (context.isEmpty()) {
            kinds = Kinds.discover(client);
            context = kinds.find(kind);
        }
        if (context.isEmpty()) {
            return new KindWatch(
                    null,
                    Problem.platform(
                            "KindNotServed", "the cluster does not serve " + kind + "; install what provides it"));
        }
        try {
            SharedIndexInformer<?> informer = client.genericKubernetesResources(context.get())
                    .inAnyNamespace()
                    .withLabel(Marks.OWNED, "true")
                    .inform(handler(this::objectSeen, this::objectGone));
            add(informer);
            return new KindWatch(informer, null);
        } catch (KubernetesClientException e) {
            return new KindWatch(
                    null, Problem.platform("Forbidden", "cannot list and watch " + kind + ": " + e.getMessage()));
        }
    }

    private void watchChildren(ResourceDefinitionContext kind) {
        add(client.genericKubernetesResources(kind)
                .inAnyNamespace()
                .inform(handler(child -> childSeen(codec(child)), child -> childGone(codec(child)))));
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

    private static <T> ResourceEventHandler<T> handler(Consumer<T> seen, Consumer<T> gone) {
        return new ResourceEventHandler<>() {
            @Override
            public void onAdd(T object) {
                seen.accept(object);
            }

            @Override
            public void onUpdate(T before, T object) {
                seen.accept(object);
            }

            @Override
            public void onDelete(T object, boolean unknownState) {
                gone.accept(object);
            }
        };
    }

    @Override
    public void close() {
        synchronized (informers) {
            informers.forEach(SharedIndexInformer::close);
            informers.clear();
        }
    }
}
