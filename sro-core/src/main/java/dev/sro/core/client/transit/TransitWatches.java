package dev.sro.core.client.transit;

import dev.sro.core.client.codec.Fabric8Codec;
import dev.sro.core.client.discovery.Kinds;
import dev.sro.core.client.watch.KindWatch;
import dev.sro.core.model.KubeObject;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.Informable;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Watches that are open only while nodes are in transition. Thread-safe. */
public final class TransitWatches {

    /** The first that is served says which driver allocated a claim; what is read of it is the same in all. */
    private final KubernetesClient client;

    private final Fabric8Codec codec;
    private final Clock clock;
    private final Supplier<Kinds> kinds;
    private final Set<KindWatch> open = ConcurrentHashMap.newKeySet();

    public TransitWatches(KubernetesClient client, Fabric8Codec codec, Clock clock, Supplier<Kinds> kinds) {
        this.client = client;
        this.codec = codec;
        this.clock = clock;
        this.kinds = kinds;
    }

    /** The pods of one node. */
    public AutoCloseable podsOf(String node, NodePods.Listener listener) {
        return open(
                "v1/Pod of node " + node,
                client.pods().inAnyNamespace().withField("spec.nodeName", node),
                pod -> new Pod(),
                new KindWatch.Handlers<>(listener::seen, listener::gone),
                listener::listed);
    }

    /** All objects of the first of these versions of a kind that is served; none where none is. */
    public AutoCloseable objects(List<String> versions, KindObjects.Listener listener) {
        Optional<ResourceDefinitionContext> context = versions.stream()
                .flatMap(kind -> kinds.get().find(kind).stream())
                .findFirst();
        if (context.isEmpty()) {
            listener.listed(true);
            return () -> {};
        }
        return open(
                context.get().getGroup() + "/" + context.get().getVersion() + "/"
                        + context.get().getKind(),
                client.genericKubernetesResources(context.get()).inAnyNamespace(),
                KindWatch::sameKind,
                new KindWatch.Handlers<GenericKubernetesResource>(
                        object -> listener.seen(KubeObject.of(codec.toTree(object))),
                        object -> listener.gone(KubeObject.of(codec.toTree(object)))),
                listener::listed);
    }

    private <T extends HasMetadata> AutoCloseable open(
            String what,
            Informable<T> objects,
            Function<T, T> empty,
            KindWatch.Handlers<T> handlers,
            Consumer<Boolean> listed) {
        AtomicReference<@Nullable KindWatch> started = new AtomicReference<>();
        KindWatch watch = KindWatch.start(
                what,
                () -> objects.withLimit(KindWatch.PAGE).runnableInformer(0),
                empty,
                handlers,
                () -> {
                    KindWatch self = started.get();
                    listed.accept(self != null && self.obstacle(clock.instant()).isEmpty());
                },
                clock);
        started.set(watch);
        open.add(watch);
        if (watch.obstacle(clock.instant()).isEmpty()) {
            // It was quicker than this thread.
            listed.accept(true);
        }
        return () -> {
            open.remove(watch);
            watch.close();
        };
    }

    /** Looks after all of them; see {@link KindWatch#check}. */
    public void check(Duration silence) {
        open.forEach(watch -> watch.check(silence));
    }
}
