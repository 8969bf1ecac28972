package dev.sro.runtime.waiting;

import dev.sro.core.claim.ClaimObjects;
import dev.sro.core.claim.PodExplainer;
import dev.sro.core.slicing.catalogue.Catalogue;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceClass;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaimTemplate;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiPredicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a cluster has, watched. What an explanation depends on is counted: as long as nothing of it changed, the fleet that was read is good for the
 * next pod, too. Informers are thread-safe; {@link #explainer} is for one thread.
 */
final class WaitingCluster implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(WaitingCluster.class);

    private final Catalogue catalogue;
    private final List<SharedIndexInformer<?>> all = new ArrayList<>();
    private final SharedIndexInformer<ResourceSlice> slices;
    private final SharedIndexInformer<ResourceClaim> claims;
    private final SharedIndexInformer<ResourceClaimTemplate> templates;
    private final SharedIndexInformer<DeviceClass> classes;
    private final SharedIndexInformer<Pod> pods;
    private final SharedIndexInformer<Node> nodes;
    /** Of slices and of what claims have. */
    private final AtomicLong fleetVersion = new AtomicLong();
    /** Of all else that an explanation reads. */
    private final AtomicLong version = new AtomicLong();

    private @Nullable PodExplainer explainer;
    private long fleetRead = -1;
    private long read = -1;
    private long fleetsRead;

    WaitingCluster(KubernetesClient client, Catalogue catalogue) {
        this.catalogue = catalogue;
        this.slices = watch(
                client.resources(ResourceSlice.class).runnableInformer(0),
                fleetVersion,
                (before, after) -> Objects.equals(before.getSpec(), after.getSpec()));
        // A claim that comes or goes without devices changes nothing for the fleet, so claims tell both counts
        // themselves.
        this.claims = client.resources(ResourceClaim.class).inAnyNamespace().runnableInformer(0);
        claims.addEventHandler(new ClaimHandler());
        begin(claims);
        this.templates = watch(
                client.resources(ResourceClaimTemplate.class).inAnyNamespace().runnableInformer(0),
                version,
                (before, after) -> Objects.equals(before.getSpec(), after.getSpec()));
        this.classes = watch(
                client.resources(DeviceClass.class).runnableInformer(0),
                version,
                (before, after) -> Objects.equals(before.getSpec(), after.getSpec()));
        this.nodes = watch(client.nodes().runnableInformer(0), version, WaitingCluster::sameForPods);
        // Those that run wait for nothing, and are most of all.
        this.pods = watch(
                client.pods()
                        .inAnyNamespace()
                        .withField("status.phase", "Pending")
                        .runnableInformer(0),
                new AtomicLong(),
                (before, after) -> true);
    }

    /** Heartbeats of nodes are no news. */
    private static boolean sameForPods(Node before, Node after) {
        return Objects.equals(before.getSpec(), after.getSpec())
                && Objects.equals(
                        before.getMetadata().getLabels(), after.getMetadata().getLabels())
                && Objects.equals(
                        before.getStatus() == null ? null : before.getStatus().getAllocatable(),
                        after.getStatus() == null ? null : after.getStatus().getAllocatable());
    }

    private <T extends HasMetadata> SharedIndexInformer<T> watch(
            SharedIndexInformer<T> informer, AtomicLong count, BiPredicate<T, T> same) {
        informer.addEventHandler(new ResourceEventHandler<T>() {
            @Override
            public void onAdd(T added) {
                count.incrementAndGet();
            }

            @Override
            public void onUpdate(T before, T after) {
                if (!same.test(before, after)) {
                    count.incrementAndGet();
                }
            }

            @Override
            public void onDelete(T deleted, boolean unknown) {
                count.incrementAndGet();
            }
        });
        begin(informer);
        return informer;
    }

    private void begin(SharedIndexInformer<?> informer) {
        informer.exceptionHandler((started, failure) -> {
            LOG.atWarn().log("cannot be watched: {}", failure.getMessage());
            return true;
        });
        all.add(informer);
    }

    /** Tells of what claims have, and of claims that come and go; not of notes that are written on them. */
    private final class ClaimHandler implements ResourceEventHandler<ResourceClaim> {
        private void changed(boolean devices) {
            (devices ? fleetVersion : version).incrementAndGet();
        }

        @Override
        public void onAdd(ResourceClaim added) {
            changed(isAllocated(added));
        }

        @Override
        public void onUpdate(ResourceClaim before, ResourceClaim after) {
            if (!Objects.equals(before.getStatus(), after.getStatus())) {
                changed(isAllocated(before) || isAllocated(after));
            }
        }

        @Override
        public void onDelete(ResourceClaim deleted, boolean unknown) {
            changed(isAllocated(deleted));
        }
    }

    /** Whether a claim has devices. */
    static boolean isAllocated(ResourceClaim claim) {
        return claim.getStatus() != null && claim.getStatus().getAllocation() != null;
    }

    /** Watches from now on. */
    void start() {
        all.forEach(informer -> {
            var unusedStage = informer.start();
        });
    }

    /** Whether all that is watched was seen once. */
    boolean isFilled() {
        return all.stream().allMatch(SharedIndexInformer::hasSynced);
    }

    /** Pods that have not begun. */
    List<Pod> pods() {
        return pods.getStore().list();
    }

    List<ResourceClaim> claims() {
        return claims.getStore().list();
    }

    /** A claim as it is known now. */
    Optional<ResourceClaim> claim(ResourceClaim like) {
        return Optional.ofNullable(claims.getStore()
                        .getByKey(like.getMetadata().getNamespace() + "/"
                                + like.getMetadata().getName()))
                .filter(claim ->
                        claim.getMetadata().getUid().equals(like.getMetadata().getUid()));
    }

    /** What explains pods, as things are now. */
    PodExplainer explainer() {
        // Counted before it is read: what comes meanwhile is read again.
        long fleetNow = fleetVersion.get();
        long now = version.get();
        PodExplainer known = explainer;
        if (known != null && fleetRead == fleetNow && read == now) {
            return known;
        }
        ClaimObjects objects = new ClaimObjects(
                slices.getStore().list(),
                claims(),
                templates.getStore().list(),
                classes.getStore().list(),
                List.of(),
                nodes.getStore().list());
        boolean sameFleet = known != null && fleetRead == fleetNow;
        fleetsRead += sameFleet ? 0 : 1;
        PodExplainer made = known != null && sameFleet ? known.among(objects) : PodExplainer.of(objects, catalogue);
        explainer = made;
        fleetRead = fleetNow;
        read = now;
        return made;
    }

    /** How often the fleet was read from its slices. */
    long fleetsRead() {
        return fleetsRead;
    }

    @Override
    public void close() {
        all.forEach(SharedIndexInformer::close);
    }
}
