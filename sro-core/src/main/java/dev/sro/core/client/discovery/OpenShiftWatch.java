package dev.sro.core.client.discovery;

import dev.sro.api.ClusterFacts;
import dev.sro.api.Outcome;
import dev.sro.api.ProxySettings;
import dev.sro.core.build.Toolkits;
import dev.sro.core.client.codec.Fabric8Codec;
import dev.sro.core.client.router.ClusterCaches;
import dev.sro.core.client.watch.KindWatch;
import dev.sro.core.model.KubeObject;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.Informable;
import java.time.Clock;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The objects that say what OpenShift is; watched from the start, each from when it is served. Thread-safe. */
public final class OpenShiftWatch implements AutoCloseable {
    /** Starts to watch objects; errors and gaps are its own business. */
    @FunctionalInterface
    public interface Opener {
        KindWatch open(
                String what,
                Informable<GenericKubernetesResource> objects,
                Consumer<GenericKubernetesResource> seen,
                Consumer<GenericKubernetesResource> gone);
    }

    private final OpenShiftFacts known = new OpenShiftFacts();
    private final KubernetesClient client;
    private final Fabric8Codec codec;
    private final Clock clock;
    private final ClusterCaches caches;
    private final Supplier<Kinds> kinds;
    private final Opener opener;
    private final List<KindWatch> watches = new CopyOnWriteArrayList<>();
    private final Set<String> opened = new HashSet<>();
    private volatile @Nullable ToolkitReader toolkits;
    private @Nullable ClusterFacts base;
    private @Nullable ClusterFacts facts;
    private boolean stale;
    private int nodes;

    public OpenShiftWatch(
            KubernetesClient client,
            Fabric8Codec codec,
            Clock clock,
            ClusterCaches caches,
            Supplier<Kinds> kinds,
            Opener opener) {
        this.client = client;
        this.codec = codec;
        this.clock = clock;
        this.caches = caches;
        this.kinds = kinds;
        this.opener = opener;
    }

    /** From now on toolkits are looked into, with this, for the kernels that they are for. */
    public void read(ToolkitReader reader) {
        toolkits = reader;
    }

    /** All driver toolkits of the cluster, as far as they are read; empty where nothing reads them. */
    public List<Toolkits.ToolkitImage> toolkits(String architecture) {
        ToolkitReader reader = toolkits;
        return reader == null ? List.of() : reader.known(known.toolkits(), architecture);
    }

    /** How the cluster's own workloads get out of it. */
    public ProxySettings proxy() {
        return known.proxyInEffect();
    }

    /** All watches; none where the cluster is not OpenShift. */
    public List<KindWatch> watches() {
        return watches;
    }

    /** The same object as long as nothing changes. */
    public synchronized ClusterFacts facts(ClusterFacts cluster) {
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

    /** Watches what is served by now; what is not seen yet. */
    public synchronized Optional<Outcome> watch() {
        if (!kinds.get().facts().isOpenShift()) {
            return Optional.empty();
        }
        // An aggregated API may answer only some time after SRO started.
        one("config.openshift.io/v1/ClusterVersion", "", "version");
        one("config.openshift.io/v1/Proxy", "", "cluster");
        one("image.openshift.io/v1/ImageStream", "openshift", "driver-toolkit");
        one("v1/ConfigMap", "openshift-machine-config-operator", "machine-config-osimageurl");
        one("v1/ServiceAccount", "", "builder");
        return watches.stream()
                .flatMap(watch -> watch.obstacle(clock.instant()).stream())
                // What may not be seen is empty then, and the recipe says so where it matters.
                .filter(Outcome.Waiting.class::isInstance)
                .findFirst();
    }

    private void one(String kind, String namespace, String name) {
        if (opened.contains(kind)) {
            return;
        }
        kinds.get().find(kind).ifPresent(context -> {
            opened.add(kind);
            var all = client.genericKubernetesResources(context);
            if (!namespace.isEmpty()) {
                add(kind + " " + name, all.inNamespace(namespace).withField("metadata.name", name));
            } else if (context.isNamespaceScoped()) {
                add(kind, all.inAnyNamespace().withField("metadata.name", name));
            } else {
                add(kind + " " + name, all.withField("metadata.name", name));
            }
        });
    }

    private void add(String what, Informable<GenericKubernetesResource> objects) {
        watches.add(opener.open(
                what,
                objects,
                object -> changed(() -> known.seen(KubeObject.of(codec.toTree(object)))),
                object -> changed(() -> known.gone(KubeObject.of(codec.toTree(object))))));
    }

    private void changed(Runnable change) {
        change.run();
        forget();
    }

    public void forget() {
        synchronized (this) {
            stale = true;
        }
        caches.requestAll();
    }

    @Override
    public void close() {
        watches.forEach(KindWatch::close);
    }
}
