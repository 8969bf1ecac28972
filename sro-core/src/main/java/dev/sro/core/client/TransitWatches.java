package dev.sro.core.client;

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
final class TransitWatches {

    /** The first that is served says which driver allocated a claim; what is read of it is the same in all. */
    private static final List<String> CLAIM_KINDS = List.of(
            "resource.k8s.io/v1/ResourceClaim",
            "resource.k8s.io/v1beta2/ResourceClaim",
            "resource.k8s.io/v1beta1/ResourceClaim");

    private final KubernetesClient client;
    private final Fabric8Codec codec;
    private final Clock clock;
    private final Supplier<Kinds> kinds;
    private final Set<KindWatch> open = ConcurrentHashMap.newKeySet();

    TransitWatches(KubernetesClient client, Fabric8Codec codec, Clock clock, Supplier<Kinds> kinds) {
        this.client = client;
        this.codec = codec;
        this.clock = clock;
        this.kinds = kinds;
    }

    /** The pods of one node. */
    AutoCloseable podsOf(String node, NodePods.Listener ears) {
        return open(
                "v1/Pod of node " + node,
                client.pods().inAnyNamespace().withField("spec.nodeName", node),
                pod -> new Pod(),
                new KindWatch.Handlers<>(ears::seen, ears::gone),
                ears::listed);
    }

    /** All resource claims; none where they are not served. */
    AutoCloseable claims(DeviceClaims.Listener ears) {
        Optional<ResourceDefinitionContext> context = CLAIM_KINDS.stream()
                .flatMap(kind -> kinds.get().find(kind).stream())
                .findFirst();
        if (context.isEmpty()) {
            ears.listed(true);
            return () -> {};
        }
        return open(
                "resource.k8s.io/" + context.get().getVersion() + "/ResourceClaim",
                client.genericKubernetesResources(context.get()).inAnyNamespace(),
                Informers::sameKind,
                new KindWatch.Handlers<GenericKubernetesResource>(
                        claim -> ears.seen(KubeObject.of(codec.toTree(claim))),
                        claim -> ears.gone(KubeObject.of(codec.toTree(claim)))),
                ears::listed);
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
                () -> objects.withLimit(Informers.PAGE).runnableInformer(0),
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
    void check(Duration silence) {
        open.forEach(watch -> watch.check(silence));
    }
}
