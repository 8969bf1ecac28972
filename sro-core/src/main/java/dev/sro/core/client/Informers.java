package dev.sro.core.client;

import dev.sro.api.ClusterFacts;
import dev.sro.api.Outcome;
import dev.sro.api.Problem;
import dev.sro.api.resource.SpecialResource;
import dev.sro.core.engine.ClusterReader;
import dev.sro.core.model.Marks;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.time.Clock;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Feeds {@link ClusterCaches} from fabric8's informers: special resources, nodes, namespaces and operand pods from the
 * start, and each kind of operand from the moment that a recipe needs it. Thread-safe.
 */
final class Informers implements ClusterCaches.Source, AutoCloseable {

    /** Kinds whose objects SRO does not make but whose state says how far one of its own is. */
    private static final Set<String> CHILD_KINDS = Set.of("build.openshift.io/v1/Build");

    private static final Logger LOG = LoggerFactory.getLogger(Informers.class);

    private final KubernetesClient client;
    private final Clock clock;
    private final ClusterCaches caches;
    private final ConcurrentHashMap<String, KindWatch> watches = new ConcurrentHashMap<>();
    private final List<KindWatch> baseWatches = new CopyOnWriteArrayList<>();
    private volatile Kinds kinds;

    Informers(KubernetesClient client, Fabric8Codec codec, Clock clock, Consumer<String> changed) {
        this.client = client;
        this.clock = clock;
        this.kinds = Kinds.discover(client);
        this.caches = new ClusterCaches(codec, this, changed);
    }

    ClusterCaches caches() {
        return caches;
    }

    Kinds kinds() {
        return kinds;
    }

    @Override
    public ClusterFacts facts() {
        return kinds.facts();
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
        base("v1/Node", client.nodes().runnableInformer(0), caches::nodeSeen, caches::nodeGone);
        base("v1/Namespace", client.namespaces().runnableInformer(0), caches::namespaceSeen, caches::namespaceGone);
        base(
                "v1/Pod",
                client.pods().inAnyNamespace().withLabel(Marks.OWNED, "true").runnableInformer(0),
                caches::podSeen,
                caches::podGone);
        CHILD_KINDS.forEach(kind -> kinds.find(kind)
                .ifPresent(context -> base(
                        kind,
                        client.genericKubernetesResources(context)
                                .inAnyNamespace()
                                .runnableInformer(0),
                        caches::childSeen,
                        caches::childGone)));
        base(
                SpecialResource.GROUP + "/" + SpecialResource.VERSION + "/" + SpecialResource.KIND,
                client.resources(SpecialResource.class).runnableInformer(0),
                caches::resourceSeen,
                caches::resourceGone);
    }

    private <T extends HasMetadata> void base(
            String kind, SharedIndexInformer<T> informer, Consumer<T> seen, Consumer<T> gone) {
        baseWatches.add(KindWatch.start(kind, informer, seen, gone, caches::requestAll));
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
                        caches::objectSeen,
                        caches::objectGone,
                        caches::requestAll));
        return Outcome.waiting("CacheFilling", clock.instant(), "the cache of " + kind + " fills");
    }

    @Override
    public void close() {
        baseWatches.forEach(KindWatch::close);
        watches.values().forEach(KindWatch::close);
    }
}
