package dev.sro.core.client.router;

import dev.sro.api.ClusterFacts;
import dev.sro.api.Outcome;
import dev.sro.api.resource.SpecialResource;
import dev.sro.core.apply.Observer;
import dev.sro.core.apply.StoredNode;
import dev.sro.core.client.cache.ChildCache;
import dev.sro.core.client.cache.Interner;
import dev.sro.core.client.cache.NodeCache;
import dev.sro.core.client.cache.ObjectCache;
import dev.sro.core.client.cache.PodCache;
import dev.sro.core.client.cache.PodProjector;
import dev.sro.core.client.cache.ResourceCache;
import dev.sro.core.engine.port.ClusterReader;
import dev.sro.core.engine.port.Sight;
import dev.sro.core.facts.NodeFeatures;
import dev.sro.core.facts.ObservedNode;
import dev.sro.core.load.WorkerPods;
import dev.sro.core.manifest.AccountManifests;
import dev.sro.core.model.Codec;
import dev.sro.core.model.KubeObject;
import dev.sro.core.model.MetadataKeys;
import dev.sro.core.model.ObjectRef;
import dev.sro.core.probe.NodePod;
import dev.sro.core.probe.PodFacts;
import dev.sro.core.probe.ViewedKind;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What is known of the cluster: fed with the events of watches and with the answers to what SRO wrote itself, of which the newer
 * counts. What changes goes to the {@link ChangeRouter}, which says who has to look again. Thread-safe.
 */
public final class ClusterCaches implements ClusterReader, Observer {

    private final Codec codec;
    private final CacheSource source;
    private final ResourceCache resources = new ResourceCache();
    private final ConcurrentHashMap<String, Map<String, String>> namespaces = new ConcurrentHashMap<>();
    private final ChildCache children = new ChildCache();
    private final Interner interner = new Interner();
    private final NodeCache nodes = new NodeCache(interner);
    private final ObjectCache objects = new ObjectCache();
    private final PodCache pods = new PodCache(interner);
    private final ChangeRouter router;

    /**
     * @param codec turns objects into trees
     * @param source where the events come from
     * @param changed called with the name of each special resource that an event may concern; must not block
     */
    public ClusterCaches(Codec codec, CacheSource source, Consumer<String> changed) {
        this.codec = codec;
        this.source = source;
        this.router = new ChangeRouter(resources, objects, source::claimed, changed);
    }

    @Override
    public Map<String, Outcome> watch(Sight sight) {
        Seer seer = Seer.of(sight, objects);
        Map<String, Set<String>> kinds = new HashMap<>();
        // Where there is no namespace there is nothing in it.
        sight.kinds()
                .forEach((kind, in) -> kinds.put(
                        kind,
                        Stream.concat(in.stream(), seer.former().keySet().stream())
                                .filter(namespaces::containsKey)
                                .collect(Collectors.toUnmodifiableSet())));
        return source.watch(kinds, seer);
    }

    /** A node is there, or changed. */
    public void nodeSeen(Node node) {
        router.node(nodes.seen(StoredNode.of(node)));
    }

    /** A node is gone. */
    public void nodeGone(Node node) {
        router.node(nodes.gone(
                node.getMetadata().getName(),
                String.valueOf(node.getMetadata().getUid()),
                String.valueOf(node.getMetadata().getResourceVersion())));
    }

    /** What Node Feature Discovery says of a node is there, or changed. */
    public void featuresSeen(HasMetadata object) {
        Optional<NodeFeatures> features = NodeFeatures.of(codec.toTree(object));
        if (features.isPresent()) {
            router.node(nodes.featuresSeen(key(object), features.get()));
        } else {
            featuresGone(object);
        }
    }

    /** What Node Feature Discovery said of a node is gone. */
    public void featuresGone(HasMetadata object) {
        router.node(nodes.featuresGone(key(object)));
    }

    private static String key(HasMetadata object) {
        return object.getMetadata().getName() + "/" + object.getMetadata().getNamespace();
    }

    /** A namespace is there, or changed. */
    public void namespaceSeen(Namespace namespace) {
        namespaceSeen(namespace.getMetadata().getName(), namespace.getMetadata().getLabels());
    }

    /** A namespace is gone. */
    public void namespaceGone(Namespace namespace) {
        namespaces.remove(namespace.getMetadata().getName());
        router.everybody();
    }

    /** An operand pod is there, or changed. */
    public void podSeen(Pod pod) {
        if (pods.seen(PodProjector.project(pod), version(pod))) {
            router.pod(pod);
        }
    }

    /** An operand pod is gone. */
    public void podGone(Pod pod) {
        pods.gone(PodProjector.project(pod), version(pod));
        router.pod(pod);
    }

    /** All operand pods of a list of this resourceVersion were told of. */
    public void podsListed(String resourceVersion) {
        pods.listed(resourceVersion).forEach(router::owner);
    }

    private static String version(HasMetadata object) {
        return String.valueOf(object.getMetadata().getResourceVersion());
    }

    @Override
    public Optional<SpecialResource> specialResource(String name) {
        return resources.get(name);
    }

    @Override
    public List<SpecialResource> specialResources() {
        return resources.sorted();
    }

    @Override
    public ClusterFacts cluster() {
        return source.facts();
    }

    @Override
    public void refreshCluster() {
        source.refresh();
    }

    @Override
    public Optional<Duration> watchDefinitions(Set<String> wanted) {
        return source.watchDefinitions(wanted);
    }

    @Override
    public Optional<Outcome> watchEnvironment() {
        return source.watchEnvironment();
    }

    @Override
    public Collection<ObservedNode> nodes() {
        return nodes.all();
    }

    @Override
    public Map<ObjectRef, KubeObject> owned(String specialResource) {
        return objects.owned(MetadataKeys.specialResourceLabel(specialResource));
    }

    @Override
    public boolean isForeignNamespace(String namespace, String specialResource) {
        Map<String, String> labels = namespaces.get(namespace);
        return labels != null
                && !MetadataKeys.specialResourceLabel(specialResource)
                        .equals(labels.get(MetadataKeys.SPECIAL_RESOURCE));
    }

    @Override
    public Optional<KubeObject> leftNamespace(String namespace) {
        String maker = namespaces.getOrDefault(namespace, Map.of()).get(MetadataKeys.SPECIAL_RESOURCE);
        if (maker == null || !resources.labelled(maker).isEmpty()) {
            return Optional.empty();
        }
        return Optional.ofNullable(objects.owned(maker).get(new ObjectRef("v1", "Namespace", "", namespace)));
    }

    @Override
    public List<PodFacts> pods(String ownerUid) {
        return pods.of(ownerUid);
    }

    @Override
    public void watchPods(String specialResource, Set<String> watched) {
        source.watchPods(specialResource, watched);
    }

    @Override
    public Optional<List<NodePod>> podsOn(String node) {
        return source.podsOn(node);
    }

    @Override
    public void view(String specialResource, Set<ViewedKind<?>> kinds) {
        source.view(specialResource, kinds);
    }

    @Override
    public <T> Optional<Collection<T>> viewed(ViewedKind<T> kind) {
        return source.viewed(kind);
    }

    @Override
    public List<KubeObject> children(String ownerUid) {
        return children.of(ownerUid);
    }

    private KubeObject codec(HasMetadata object) {
        return KubeObject.of(codec.toTree(object));
    }

    @Override
    public void stored(KubeObject object) {
        if (object.ref().kind().equals(SpecialResource.KIND)
                && object.label(MetadataKeys.DEPENDENCY).isPresent()) {
            stored(codec.fromTree(object.tree(), SpecialResource.class));
        }
        if (WorkerPods.isOne(object)) {
            Pod pod = codec.fromTree(object.tree(), Pod.class);
            if (pods.answered(PodProjector.project(pod), version(pod))) {
                router.pod(pod);
            }
            return;
        }
        operand(object, objects.answered(object));
        if (object.ref().kind().equals("Namespace")) {
            Map<String, String> labels = new HashMap<>();
            object.map("metadata", "labels").forEach((key, value) -> labels.put(key, String.valueOf(value)));
            namespaceSeen(object.ref().name(), labels);
        }
    }

    @Override
    public void deleting(ObjectRef ref, String uid) {
        router.operands(objects.deleting(ref, uid));
        if (ref.kind().equals("Pod")) {
            pods.deleting(uid).ifPresent(router::owner);
            source.deletingPod(uid);
        }
    }

    @Override
    public void stored(StoredNode node) {
        router.node(nodes.seen(node));
    }

    @Override
    public void stored(SpecialResource resource) {
        router.resource(resource.getMetadata().getName(), resources.answered(resource));
    }

    /** A special resource is there, or changed. */
    public void resourceSeen(SpecialResource resource) {
        router.resource(resource.getMetadata().getName(), resources.seen(resource));
    }

    /** A special resource is gone. */
    public void resourceGone(SpecialResource resource) {
        resources.gone(resource);
        router.resource(resource.getMetadata().getName(), ResourceCache.Change.CLAIM);
    }

    /** All special resources of a list of this resourceVersion were told of. */
    public void resourcesListed(String resourceVersion) {
        resources.listed(resourceVersion).forEach(name -> router.resource(name, ResourceCache.Change.CLAIM));
    }

    /** An operand is there, or changed. */
    public void objectSeen(HasMetadata object) {
        KubeObject seen = codec(object);
        operand(seen, objects.seen(seen));
    }

    /** An operand is gone. */
    public void objectGone(HasMetadata object) {
        KubeObject gone = codec(object);
        operand(gone, objects.gone(gone));
    }

    private void operand(KubeObject object, Set<String> concerned) {
        if (!concerned.isEmpty() && AccountManifests.isOne(object)) {
            // Others in this namespace see and write by it.
            router.everybody();
        } else {
            router.operands(concerned);
        }
    }

    /**
     * Operands of a kind begin to be watched.
     *
     * @param namespace empty for the whole cluster
     */
    public void objectsDoubted(String kindKey, String namespace) {
        objects.doubt(kindKey, namespace);
    }

    /**
     * All operands of a kind, of a list of this resourceVersion, were told of.
     *
     * @param namespace empty for the whole cluster
     */
    public void objectsListed(String kindKey, String namespace, String resourceVersion) {
        router.operands(objects.listed(kindKey, namespace, resourceVersion));
    }

    /**
     * Operands of a kind are not watched any more, or not served: nothing is known of them.
     *
     * @param namespaces whether those in a namespace are meant, and, of the empty name, those that are in none
     */
    public void objectsForgotten(String kindKey, Predicate<String> namespaces) {
        router.operands(objects.forget(kindKey, ref -> namespaces.test(ref.namespace())));
    }

    /** An object that an operand controls is there, or changed. */
    public void childSeen(HasMetadata object) {
        children.seen(codec(object)).forEach(router::owner);
    }

    /** An object that an operand controls is gone. */
    public void childGone(HasMetadata object) {
        children.gone(codec(object)).forEach(router::owner);
    }

    private void namespaceSeen(String name, @Nullable Map<String, String> labels) {
        Map<String, String> now = labels == null ? Map.of() : Map.copyOf(labels);
        if (!now.equals(namespaces.put(name, now))) {
            router.everybody();
        }
    }

    /** Everything may be different: every special resource is to be looked at. */
    public void requestAll() {
        router.everybody();
    }
}
