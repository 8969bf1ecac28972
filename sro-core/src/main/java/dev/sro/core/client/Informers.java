package dev.sro.core.client;

import dev.sro.api.ClusterFacts;
import dev.sro.api.Outcome;
import dev.sro.api.Problem;
import dev.sro.api.resource.SpecialResource;
import dev.sro.core.build.Toolkits;
import dev.sro.core.engine.ClusterReader;
import dev.sro.core.facts.NodeFeatures;
import dev.sro.core.model.KubeObject;
import dev.sro.core.model.Marks;
import dev.sro.core.model.ObjectRef;
import dev.sro.core.probe.NodePod;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.Informable;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Feeds {@link ClusterCaches} from fabric8's informers: special resources, nodes, namespaces and operand pods from the
 * start, and each kind of operand from the moment that a recipe needs it. Thread-safe.
 */
final class Informers implements ClusterCaches.Source, AutoCloseable {

    /** Kinds whose objects SRO does not make but whose state says how far one of its own is. */
    private static final Set<String> CHILD_KINDS = Set.of("build.openshift.io/v1/Build");

    /** Objects per request of a list, so that no answer of a large cluster has to be in memory whole; client-go's number. */
    private static final long PAGE = 500;

    private static final Logger LOG = LoggerFactory.getLogger(Informers.class);

    private final KubernetesClient client;
    private final Clock clock;
    private final ClusterCaches caches;
    private final ConcurrentHashMap<String, KindWatch> watches = new ConcurrentHashMap<>();
    private final Set<KindWatch> podWatches = ConcurrentHashMap.newKeySet();
    private final List<KindWatch> baseWatches = new CopyOnWriteArrayList<>();
    /** What is known better with them, and can do without: they are waited for, and what may not be seen is not there. */
    private final List<KindWatch> extras = new CopyOnWriteArrayList<>();

    private final Environment environment;
    private final StateMaps stateMaps;
    private final NodePods nodePods;
    private volatile Kinds kinds;
    private volatile @Nullable ToolkitReader toolkits;

    Informers(KubernetesClient client, Fabric8Codec codec, Clock clock, Consumer<String> changed) {
        this.client = client;
        this.clock = clock;
        this.kinds = Kinds.discover(client);
        this.caches = new ClusterCaches(codec, this, changed);
        this.environment = new Environment(codec);
        this.stateMaps = new StateMaps(client, clock, caches::requestAll);
        this.nodePods = new NodePods(this::podsOf, changed);
    }

    ClusterCaches caches() {
        return caches;
    }

    /** From now on toolkits are looked into, with this, for the kernels that they are for. */
    void read(ToolkitReader reader) {
        toolkits = reader;
    }

    /** What was read of toolkits changed. */
    void toolkitsRead() {
        environment.forget();
    }

    /** All driver toolkits of the cluster, as far as they are read; empty where nothing reads them. */
    List<Toolkits.Known> toolkits(String architecture) {
        ToolkitReader reader = toolkits;
        return reader == null ? List.of() : reader.known(environment.known.toolkits(), architecture);
    }

    /** Recipes in ConfigMaps and directories. */
    StateMaps stateMaps() {
        return stateMaps;
    }

    /** How this kind is served, asked anew if it was not when last asked. */
    Optional<ResourceDefinitionContext> find(ObjectRef ref) {
        if (kinds.find(ref).isEmpty()) {
            refresh();
        }
        return kinds.find(ref);
    }

    @Override
    public ClusterFacts facts() {
        return environment.facts(kinds.facts());
    }

    @Override
    public void refresh() {
        try {
            kinds = Kinds.discover(client);
        } catch (KubernetesClientException e) {
            LOG.atWarn().log("cannot ask what the cluster serves: {}", e.getMessage());
        }
    }

    /** Starts to fill the caches that every special resource needs. Until they are, {@link #watch} says so. */
    void start() {
        base("v1/Node", client.nodes(), node -> new Node(), caches::nodeSeen, caches::nodeGone);
        base(
                "v1/Namespace",
                client.namespaces(),
                namespace -> new Namespace(),
                caches::namespaceSeen,
                caches::namespaceGone);
        base(
                "v1/Pod",
                client.pods().inAnyNamespace().withLabel(Marks.OWNED, "true"),
                pod -> new Pod(),
                caches::podSeen,
                caches::podGone);
        kinds.find(NodeFeatures.KIND)
                .ifPresent(context -> extras.add(watch(
                        NodeFeatures.KIND,
                        client.genericKubernetesResources(context).inAnyNamespace(),
                        Informers::sameKind,
                        caches::featuresSeen,
                        caches::featuresGone)));
        CHILD_KINDS.forEach(kind -> kinds.find(kind)
                .ifPresent(context -> base(
                        kind,
                        client.genericKubernetesResources(context).inAnyNamespace(),
                        Informers::sameKind,
                        caches::childSeen,
                        caches::childGone)));
        base(
                SpecialResource.GROUP + "/" + SpecialResource.VERSION + "/" + SpecialResource.KIND,
                client.resources(SpecialResource.class),
                resource -> new SpecialResource(),
                caches::resourceSeen,
                caches::resourceGone);
    }

    private <T extends HasMetadata> void base(
            String kind, Informable<T> objects, Function<T, T> empty, Consumer<T> seen, Consumer<T> gone) {
        baseWatches.add(watch(kind, objects, empty, seen, gone));
    }

    private <T extends HasMetadata> KindWatch watch(
            String kind, Informable<T> objects, Function<T, T> empty, Consumer<T> seen, Consumer<T> gone) {
        return KindWatch.start(
                kind,
                () -> objects.withLimit(PAGE).runnableInformer(0),
                empty,
                new KindWatch.Handlers<>(seen, gone),
                caches::requestAll,
                clock);
    }

    private AutoCloseable podsOf(String node, NodePods.Ears ears) {
        String what = "v1/Pod of node " + node;
        AtomicReference<@Nullable KindWatch> started = new AtomicReference<>();
        KindWatch watch = KindWatch.start(
                what,
                () -> client.pods()
                        .inAnyNamespace()
                        .withField("spec.nodeName", node)
                        .withLimit(PAGE)
                        .runnableInformer(0),
                pod -> new Pod(),
                new KindWatch.Handlers<>(ears::seen, ears::gone),
                () -> {
                    KindWatch self = started.get();
                    ears.listed(self != null && self.obstacle(clock.instant()).isEmpty());
                },
                clock);
        started.set(watch);
        podWatches.add(watch);
        if (watch.obstacle(clock.instant()).isEmpty()) {
            // It was quicker than this thread.
            ears.listed(true);
        }
        return () -> {
            podWatches.remove(watch);
            watch.close();
        };
    }

    @Override
    public void watchPods(String specialResource, Set<String> nodes) {
        nodePods.want(specialResource, nodes);
    }

    @Override
    public Optional<List<NodePod>> podsOn(String node) {
        return nodePods.of(node);
    }

    @Override
    public void deletingPod(String uid) {
        nodePods.deleting(uid);
    }

    static GenericKubernetesResource sameKind(GenericKubernetesResource object) {
        GenericKubernetesResource empty = new GenericKubernetesResource();
        empty.setApiVersion(object.getApiVersion());
        empty.setKind(object.getKind());
        return empty;
    }

    /** Looks after all watches; see {@link KindWatch#check}. */
    void check(Duration silence) {
        baseWatches.forEach(watch -> watch.check(silence));
        watches.values().forEach(watch -> watch.check(silence));
        environment.watches.forEach(watch -> watch.check(silence));
        podWatches.forEach(watch -> watch.check(silence));
        extras.forEach(watch -> watch.check(silence));
        stateMaps.check(silence);
    }

    /** Why kinds cannot be seen now, by kind; empty when all can. */
    SortedMap<String, Outcome> unseen() {
        Instant now = clock.instant();
        SortedMap<String, Outcome> unseen = new TreeMap<>();
        Stream.of(baseWatches, watches.values(), environment.watches)
                .flatMap(Collection::stream)
                .forEach(watch -> watch.obstacle(now).ifPresent(outcome -> unseen.put(watch.kind(), outcome)));
        return unseen;
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
                unused -> watch(
                        kind,
                        client.genericKubernetesResources(context.get())
                                .inAnyNamespace()
                                .withLabel(Marks.OWNED, "true"),
                        Informers::sameKind,
                        caches::objectSeen,
                        caches::objectGone));
        return Outcome.waiting("CacheFilling", clock.instant(), "the cache of " + kind + " fills");
    }

    @Override
    public Optional<Outcome> watchEnvironment() {
        return extras.stream()
                .flatMap(watch -> watch.obstacle(clock.instant()).stream())
                .filter(Outcome.Waiting.class::isInstance)
                .findFirst()
                .or(environment::watch);
    }

    /** The objects that say what OpenShift is; watched from the first reconcile. Thread-safe. */
    private final class Environment {
        private final OpenShiftFacts known = new OpenShiftFacts();
        private final Fabric8Codec codec;
        private final List<KindWatch> watches = new CopyOnWriteArrayList<>();
        private @Nullable ClusterFacts base;
        private @Nullable ClusterFacts facts;
        private boolean stale;
        private int nodes;

        Environment(Fabric8Codec codec) {
            this.codec = codec;
        }

        /** The same object as long as nothing changes. */
        synchronized ClusterFacts facts(ClusterFacts cluster) {
            if (watches.isEmpty()) {
                return cluster;
            }
            ClusterFacts current = facts;
            int present = caches.nodes().size();
            if (current == null || stale || base != cluster || (nodes != present && toolkits != null)) {
                base = cluster;
                nodes = present;
                ClusterFacts fresh = withKernels(known.on(cluster));
                // The same object where nothing changed: recipes are resolved anew for another one.
                current = current != null && fresh.equals(current) ? current : fresh;
                stale = false;
                facts = current;
            }
            return current;
        }

        private ClusterFacts withKernels(ClusterFacts cluster) {
            ToolkitReader reader = toolkits;
            List<ToolkitReader.Tagged> all = known.toolkits();
            if (reader == null || all.isEmpty()) {
                return cluster;
            }
            reader.retain(all);
            Set<String> architectures = caches.nodes().stream()
                    .map(node -> node.facts().architecture())
                    .filter(architecture -> !architecture.isEmpty())
                    .collect(Collectors.toCollection(TreeSet::new));
            return ClusterFacts.builder()
                    .from(cluster)
                    .driverToolkitKernels(reader.kernels(all, architectures))
                    .build();
        }

        synchronized Optional<Outcome> watch() {
            if (!kinds.facts().isOpenShift()) {
                return Optional.empty();
            }
            if (watches.isEmpty()) {
                one("config.openshift.io/v1/ClusterVersion", "", "version");
                one("config.openshift.io/v1/Proxy", "", "cluster");
                one("image.openshift.io/v1/ImageStream", "openshift", "driver-toolkit");
                one("v1/ConfigMap", "openshift-machine-config-operator", "machine-config-osimageurl");
                kinds.find("v1/ServiceAccount")
                        .ifPresent(context -> add(
                                "v1/ServiceAccount",
                                client.genericKubernetesResources(context)
                                        .inAnyNamespace()
                                        .withField("metadata.name", "builder")));
            }
            return watches.stream()
                    .flatMap(watch -> watch.obstacle(clock.instant()).stream())
                    // What may not be seen is empty then, and the recipe says so where it matters.
                    .filter(Outcome.Waiting.class::isInstance)
                    .findFirst();
        }

        private void one(String kind, String namespace, String name) {
            kinds.find(kind).ifPresent(context -> {
                var objects = client.genericKubernetesResources(context);
                add(
                        kind + " " + name,
                        (namespace.isEmpty() ? objects : objects.inNamespace(namespace))
                                .withField("metadata.name", name));
            });
        }

        private void add(String what, Informable<GenericKubernetesResource> objects) {
            watches.add(Informers.this.watch(
                    what,
                    objects,
                    Informers::sameKind,
                    object -> changed(() -> known.seen(KubeObject.of(codec.toTree(object)))),
                    object -> changed(() -> known.gone(KubeObject.of(codec.toTree(object))))));
        }

        private void changed(Runnable change) {
            change.run();
            forget();
        }

        void forget() {
            synchronized (this) {
                stale = true;
            }
            caches.requestAll();
        }
    }

    @Override
    public void close() {
        baseWatches.forEach(KindWatch::close);
        watches.values().forEach(KindWatch::close);
        environment.watches.forEach(KindWatch::close);
        nodePods.close();
        extras.forEach(KindWatch::close);
        stateMaps.close();
    }
}
