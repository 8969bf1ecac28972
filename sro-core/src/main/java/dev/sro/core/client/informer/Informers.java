package dev.sro.core.client.informer;

import dev.sro.api.ClusterFacts;
import dev.sro.api.Outcome;
import dev.sro.api.ProxySettings;
import dev.sro.api.resource.SpecialResource;
import dev.sro.core.build.Toolkits;
import dev.sro.core.client.account.Impersonation;
import dev.sro.core.client.codec.Fabric8Codec;
import dev.sro.core.client.discovery.Definitions;
import dev.sro.core.client.discovery.FeatureWatch;
import dev.sro.core.client.discovery.KindCatalog;
import dev.sro.core.client.discovery.Kinds;
import dev.sro.core.client.discovery.OpenShiftWatch;
import dev.sro.core.client.discovery.ToolkitReader;
import dev.sro.core.client.router.CacheSource;
import dev.sro.core.client.router.ClusterCaches;
import dev.sro.core.client.router.Seer;
import dev.sro.core.client.source.StateMaps;
import dev.sro.core.client.transit.NodePods;
import dev.sro.core.client.transit.TransitWatches;
import dev.sro.core.client.transit.ViewedObjects;
import dev.sro.core.client.watch.KindWatch;
import dev.sro.core.engine.port.ClusterReader;
import dev.sro.core.engine.port.Timers;
import dev.sro.core.facts.NodeFeatures;
import dev.sro.core.model.Code;
import dev.sro.core.model.MetadataKeys;
import dev.sro.core.model.ObjectRef;
import dev.sro.core.probe.ClaimUse;
import dev.sro.core.probe.NodePod;
import dev.sro.core.probe.ViewedKind;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.GenericKubernetesResourceList;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.Informable;
import io.fabric8.kubernetes.client.dsl.MixedOperation;
import io.fabric8.kubernetes.client.dsl.Resource;
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
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Feeds {@link ClusterCaches} from fabric8's informers: special resources, nodes, namespaces and operand pods from the
 * start, and each kind of operand from the moment that a recipe needs it. Thread-safe.
 */
public final class Informers implements CacheSource, AutoCloseable {

    /** Kinds whose objects SRO does not make but whose state says how far one of its own is. */
    private static final Set<String> CHILD_KINDS = Set.of("build.openshift.io/v1/Build");

    private final KubernetesClient client;
    private final Clock clock;
    private final ClusterCaches caches;
    private final OperandWatches operands;
    private final BaseWatches baseWatches = new BaseWatches();
    /** Nodes are known better with it, and can do without: it is waited for, and what may not be seen is not there. */
    private final FeatureWatch features;

    private final OpenShiftWatch openShift;
    private final StateMaps stateMaps;
    private final TransitWatches transit;
    private final NodePods nodePods;
    private final ViewedObjects viewed;
    private final Definitions definitions;
    private final KindCatalog catalog;
    private final Listener listener;

    /** Who is told what concerns more than special resources. Must not block. */
    public interface Listener {
        /** The cluster serves something else than before. */
        void served();

        /** Everybody says again what has to be watched. */
        void claimed();
    }

    /**
     * @param background asks what the cluster serves; its tasks block
     * @param listener told what concerns more than special resources
     */
    public Informers(
            KubernetesClient client,
            Fabric8Codec codec,
            Clock clock,
            Consumer<String> changed,
            Executor background,
            Timers timers,
            Listener listener) {
        this.client = client;
        this.clock = clock;
        this.listener = listener;
        this.catalog = new KindCatalog(client, background, timers, clock, () -> {
            kindsChanged();
            listener.served();
        });
        this.caches = new ClusterCaches(codec, this, changed);
        this.operands =
                new OperandWatches(this::operandsOf, caches::objectsForgotten, caches::requestAll, clock, timers);
        this.openShift = new OpenShiftWatch(
                client,
                codec,
                clock,
                caches,
                catalog::kinds,
                (what, objects, seen, gone) ->
                        watch(what, objects, KindWatch::sameKind, new KindWatch.Handlers<>(seen, gone)));
        this.stateMaps = new StateMaps(client, clock, timers, caches::requestAll);
        this.definitions = new Definitions(client, clock, timers, caches::requestAll);
        this.features = new FeatureWatch(definitions, this::featuresOf, clock);
        this.transit = new TransitWatches(client, codec, clock, catalog::kinds);
        this.nodePods =
                new NodePods(transit::podsOf, claims -> transit.objects(ClaimUse.CLAIMS.versions(), claims), changed);
        this.viewed = new ViewedObjects(transit::objects, changed);
    }

    public ClusterCaches caches() {
        return caches;
    }

    /** From now on toolkits are looked into, with this, for the kernels that they are for. */
    public void read(ToolkitReader reader) {
        openShift.read(reader);
    }

    /** What was read of toolkits changed. */
    public void toolkitsRead() {
        openShift.forget();
    }

    /** All driver toolkits of the cluster, as far as they are read; empty where nothing reads them. */
    public List<Toolkits.ToolkitImage> toolkits(String architecture) {
        return openShift.toolkits(architecture);
    }

    /** How OpenShift's own workloads get out of the cluster; nothing elsewhere. */
    public ProxySettings proxy() {
        return openShift.proxy();
    }

    /** Recipes in ConfigMaps and directories. */
    public StateMaps stateMaps() {
        return stateMaps;
    }

    /** How this kind is served, asked anew if it was not when last asked. */
    public Optional<ResourceDefinitionContext> find(ObjectRef ref) {
        Optional<ResourceDefinitionContext> known = catalog.kinds().find(ref);
        return known.isPresent() ? known : catalog.now().find(ref);
    }

    /** A write was told that there is no such thing: that may be true of its kind. */
    public void missing() {
        catalog.suspect();
    }

    @Override
    public ClusterFacts facts() {
        if (definitions.haveChanged()) {
            catalog.refresh();
        }
        return openShift.facts(catalog.kinds().facts());
    }

    @Override
    public void refresh() {
        catalog.refresh();
    }

    /** What can be watched from now on is; what is not served any more went with all its objects. */
    private void kindsChanged() {
        Kinds kinds = catalog.kinds();
        features.open(kinds);
        openChildren(kinds);
        openShift.watch();
        operands.retain(kind -> kinds.find(kind).isPresent());
        caches.requestAll();
    }

    private void openChildren(Kinds kinds) {
        CHILD_KINDS.forEach(kind -> kinds.find(kind)
                .ifPresent(context -> baseWatches.open(
                        kind,
                        () -> watch(
                                kind,
                                client.genericKubernetesResources(context).inAnyNamespace(),
                                KindWatch::sameKind,
                                new KindWatch.Handlers<>(caches::childSeen, caches::childGone)))));
    }

    /** Sees to it that {@link KindCatalog} hears when one of these definitions comes. */
    public void await(Set<String> resources) {
        definitions.keep(resources, catalog.kinds().facts().servedResources());
    }

    /** These came, and nothing has to be heard of them any more. */
    public void came(Set<String> resources) {
        if (definitions.release(resources)) {
            caches.requestAll();
        }
    }

    /** Starts to fill the caches that every special resource needs. Until they are, {@link #watch} says so. */
    public void start() {
        base(
                "v1/Node",
                client.nodes(),
                node -> new Node(),
                new KindWatch.Handlers<>(caches::nodeSeen, caches::nodeGone));
        base(
                "v1/Namespace",
                client.namespaces(),
                namespace -> new Namespace(),
                new KindWatch.Handlers<>(caches::namespaceSeen, caches::namespaceGone));
        base(
                "v1/Pod",
                client.pods().inAnyNamespace().withLabel(MetadataKeys.OWNED, "true"),
                pod -> new Pod(),
                new KindWatch.Handlers<>(caches::podSeen, caches::podGone, caches::podsListed));
        features.open(catalog.kinds());
        openChildren(catalog.kinds());
        openShift.watch();
        base(
                SpecialResource.GROUP + "/" + SpecialResource.VERSION + "/" + SpecialResource.KIND,
                client.resources(SpecialResource.class),
                resource -> new SpecialResource(),
                new KindWatch.Handlers<>(caches::resourceSeen, caches::resourceGone, caches::resourcesListed));
        catalog.start();
    }

    private KindWatch featuresOf(ResourceDefinitionContext context) {
        return watch(
                NodeFeatures.KIND,
                client.genericKubernetesResources(context).inAnyNamespace(),
                KindWatch::sameKind,
                new KindWatch.Handlers<>(caches::featuresSeen, caches::featuresGone));
    }

    private <T extends HasMetadata> void base(
            String kind, Informable<T> objects, Function<T, T> empty, KindWatch.Handlers<T> handlers) {
        baseWatches.open(kind, () -> watch(kind, objects, empty, handlers));
    }

    private <T extends HasMetadata> KindWatch watch(
            String kind, Informable<T> objects, Function<T, T> empty, KindWatch.Handlers<T> handlers) {
        return KindWatch.start(
                kind,
                () -> objects.withLimit(KindWatch.PAGE).runnableInformer(0),
                empty,
                handlers,
                caches::requestAll,
                clock);
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
    public void view(String specialResource, Set<ViewedKind<?>> kinds) {
        viewed.view(specialResource, kinds);
    }

    @Override
    public <T> Optional<Collection<T>> viewed(ViewedKind<T> kind) {
        return viewed.all(kind);
    }

    @Override
    public void deletingPod(String uid) {
        nodePods.deleting(uid);
    }

    /** Looks after all watches; see {@link KindWatch#check}. */
    public void check(Duration silence) {
        baseWatches.check(silence);
        operands.check(silence);
        openShift.watches().forEach(watch -> watch.check(silence));
        transit.check(silence);
        Kinds kinds = catalog.kinds();
        stateMaps.check(silence);
        Instant now = clock.instant();
        boolean lost = operands.all().stream()
                .flatMap(watch -> watch.obstacle(now).stream())
                .anyMatch(Code.KIND_NOT_SERVED::is);
        if (lost) {
            catalog.suspect();
        }
        boolean due = features.check(silence, kinds);
        if (definitions.check(silence, kinds.facts().servedResources()) || due) {
            catalog.refresh();
        }
    }

    /** Why kinds cannot be seen now, by kind; empty when all can. */
    public SortedMap<String, Outcome> unseen() {
        Instant now = clock.instant();
        SortedMap<String, Outcome> unseen = new TreeMap<>();
        Stream.of(baseWatches.all(), operands.all(), openShift.watches())
                .flatMap(Collection::stream)
                .forEach(watch -> watch.obstacle(now).ifPresent(outcome -> unseen.put(watch.kind(), outcome)));
        return unseen;
    }

    @Override
    public Map<String, Outcome> watch(Map<String, Set<String>> wanted, Seer seer) {
        Instant now = clock.instant();
        Map<String, Outcome> unseen = new HashMap<>();
        baseWatches.obstacle(now).ifPresent(outcome -> unseen.put(ClusterReader.BASE, outcome));
        wanted.forEach((kind, namespaces) ->
                operands.watch(kind, namespaces, seer, catalog, now).ifPresent(outcome -> unseen.put(kind, outcome)));
        return unseen;
    }

    private Optional<KindWatch> operandsOf(OperandScope scope) {
        return catalog.kinds().find(scope.kind()).map(context -> {
            caches.objectsDoubted(scope.kind(), scope.namespace());
            KubernetesClient by = scope.account()
                    .map(account -> Impersonation.as(account, client))
                    .orElse(client);
            MixedOperation<
                            GenericKubernetesResource,
                            GenericKubernetesResourceList,
                            Resource<GenericKubernetesResource>>
                    all = by.genericKubernetesResources(context);
            return watch(
                    scope.toString(),
                    (scope.namespace().isEmpty() ? all.inAnyNamespace() : all.inNamespace(scope.namespace()))
                            .withLabel(MetadataKeys.OWNED, "true"),
                    KindWatch::sameKind,
                    new KindWatch.Handlers<>(
                            caches::objectSeen,
                            caches::objectGone,
                            version -> caches.objectsListed(scope.kind(), scope.namespace(), version)));
        });
    }

    /** A special resource came, changed or went: kinds may be watched that nobody needs any more. */
    @Override
    public void claimed() {
        operands.doubt();
        stateMaps.doubt();
        definitions.doubt();
        listener.claimed();
    }

    @Override
    public Optional<Duration> watchDefinitions(Set<String> resources) {
        return definitions.watch(resources, catalog.kinds().facts().servedResources());
    }

    @Override
    public Optional<Outcome> watchEnvironment() {
        return features.watch()
                .flatMap(watch -> watch.obstacle(clock.instant()))
                .filter(Outcome.Waiting.class::isInstance)
                .or(openShift::watch);
    }

    @Override
    public void close() {
        catalog.close();
        baseWatches.close();
        operands.close();
        openShift.close();
        nodePods.close();
        viewed.close();
        features.close();
        stateMaps.close();
        definitions.close();
    }
}
