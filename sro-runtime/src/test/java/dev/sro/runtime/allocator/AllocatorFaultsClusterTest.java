package dev.sro.runtime.allocator;

import static dev.sro.runtime.allocator.AllocatorObjects.byTemplate;
import static dev.sro.runtime.allocator.AllocatorObjects.gang;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.core.allocation.Allocations;
import dev.sro.core.dra.DraOptions;
import dev.sro.core.lease.LeaderLease;
import dev.sro.core.slicing.SliceAllocator;
import dev.sro.core.slicing.SliceClaim;
import dev.sro.core.slicing.SliceDevice;
import dev.sro.core.slicing.SliceRequest;
import dev.sro.core.slicing.Spread;
import dev.sro.core.slicing.catalogue.Catalogue;
import dev.sro.runtime.Clients;
import dev.sro.testkit.controlplane.Feature;
import dev.sro.testkit.controlplane.RealCluster;
import dev.sro.testkit.controlplane.RealControlPlane;
import dev.sro.testkit.sim.NodeProfile;
import dev.sro.testkit.sim.OsRelease;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceRequestAllocationResult;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import io.fabric8.kubernetes.client.Watch;
import io.fabric8.kubernetes.client.Watcher;
import io.fabric8.kubernetes.client.WatcherException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * The allocator with kube-apiserver, kube-scheduler and kube-controller-manager themselves, by a connection on which a tenth of the writes fail or have their
 * answers lost and watches end; it is killed and started all the time. No device is ever had by two claims, and in the end nobody waits who has room.
 *
 * <p>{@code -Dsro.faults.pods=N} has others than {@value #PODS} pods come and go, {@code -Dsro.faults.seed=N} other ones.
 */
@RealControlPlane(needs = {Feature.CONTROLLERS, Feature.SCHEDULER, Feature.NODES})
class AllocatorFaultsClusterTest {
    private static final int PODS = 60;
    private static final Duration LIMIT = Duration.ofMinutes(3);
    private static final List<String> PROFILES = List.of("1g.5gb", "3g.20gb", "4g.20gb", "7g.40gb");
    private static final LeaderLease.Times TIMES =
            new LeaderLease.Times(Duration.ofSeconds(4), Duration.ofSeconds(3), Duration.ofMillis(500));

    private final List<Runnable> after = new ArrayList<>();

    @AfterEach
    void clean() {
        after.forEach(Runnable::run);
    }

    /** Follows all claims, and what is had twice at any time. Thread-safe. */
    private static final class Judge implements Watcher<ResourceClaim> {
        private final Map<String, List<String>> had = new HashMap<>();
        private final List<String> wrong = new CopyOnWriteArrayList<>();
        private final Set<String> served = new HashSet<>();

        @Override
        public synchronized void eventReceived(Action action, ResourceClaim claim) {
            String name = claim.getMetadata().getName();
            had.remove(name);
            List<String> now = action == Action.DELETED ? List.of() : devicesOf(claim);
            for (String device : now) {
                had.forEach((other, devices) -> devices.stream()
                        .filter(one -> overlap(one, device))
                        .forEach(one -> wrong.add(name + " has " + device + " while " + other + " has " + one)));
            }
            if (!now.isEmpty()) {
                had.put(name, now);
                served.add(name);
            }
        }

        @Override
        public void onClose(WatcherException cause) {
            wrong.add("the watch ended: " + cause.getMessage());
        }

        /** How many claims have had devices. */
        synchronized int served() {
            return served.size();
        }

        synchronized Map<String, List<String>> had() {
            return new HashMap<>(had);
        }
    }

    private static List<String> devicesOf(ResourceClaim claim) {
        return Allocations.results(claim).stream()
                .map((DeviceRequestAllocationResult result) -> result.getPool() + "/" + result.getDevice())
                .toList();
    }

    /** By the names of devices: {@code POOL/gpu-ADDRESS-PROFILE-START}. */
    private static boolean overlap(String one, String other) {
        return gpu(one).equals(gpu(other))
                && start(one) < start(other) + size(other)
                && start(other) < start(one) + size(one);
    }

    private static String gpu(String device) {
        return device.substring(0, device.indexOf("-0-", device.indexOf("/gpu-")) + 2);
    }

    private static String profile(String device) {
        String rest = device.substring(gpu(device).length() + 1);
        return rest.substring(0, rest.lastIndexOf('-')).replace("g-", "g.");
    }

    private static int start(String device) {
        return Integer.parseInt(device.substring(device.lastIndexOf('-') + 1));
    }

    private static int size(String device) {
        return AllocatorObjects.A100.profile(profile(device)).orElseThrow().size();
    }

    @Test
    void noDeviceIsHadTwiceAndNobodyWaitsForEver(RealCluster cluster) throws Exception {
        int pods = Integer.getInteger("sro.faults.pods", PODS);
        long seed = Long.getLong("sro.faults.seed", 1);
        Random random = new Random(seed);
        SliceAllocator empty = fleet(cluster, 3, 2);
        install(cluster);
        Judge judge = new Judge();
        try (FaultyProxy proxy = new FaultyProxy(cluster.config(), seed);
                Watch watch = cluster.client()
                        .resources(ResourceClaim.class)
                        .inNamespace(cluster.namespace())
                        .watch(judge)) {
            proxy.percent(10);
            List<String> live = new ArrayList<>();
            Deployment allocators = new Deployment(proxy);
            after.add(allocators::close);
            allocators.renew();
            for (int i = 0; i < pods; i++) {
                if (random.nextInt(12) == 0) {
                    allocators.renew();
                }
                allocators.look();
                while (live.size() > 9 || (!live.isEmpty() && random.nextInt(3) == 0)) {
                    String gone = live.remove(random.nextInt(live.size()));
                    cluster.client().pods().withName(gone).withGracePeriod(0).delete();
                }
                i += come(cluster, random, i, live);
                LockSupport.parkNanos(Duration.ofMillis(random.nextInt(600)).toNanos());
            }
            proxy.percent(0);
            String[] stuck = new String[1];
            try {
                cluster.await("nobody waits who has room", LIMIT, () -> {
                    allocators.look();
                    stuck[0] = stuck(cluster, empty, judge);
                    return stuck[0].isEmpty();
                });
            } catch (AssertionError e) {
                throw new AssertionError(stuck[0] + " of seed " + seed + " could be placed beside " + judge.had(), e);
            }
            assertThat(judge.wrong)
                    .as("seed %d, %d faults", seed, proxy.faults())
                    .isEmpty();
            assertThat(proxy.faults()).as("faults").isGreaterThan(pods / 2);
            assertThat(judge.served()).as("claims that had devices").isGreaterThan(pods / 6);

            live.forEach(name ->
                    cluster.client().pods().withName(name).withGracePeriod(0).delete());
            cluster.await("all is given back", LIMIT, () -> judge.had().isEmpty());
            assertThat(watch).isNotNull();
        }
        assertThat(judge.wrong).isEmpty();
    }

    /** One pod, or a gang; how many more than one. */
    private static int come(RealCluster cluster, Random random, int number, List<String> live) {
        int size = random.nextInt(5) == 0 ? 2 + random.nextInt(2) : 1;
        String profile = PROFILES.get(random.nextInt(PROFILES.size()));
        for (int i = 0; i < size; i++) {
            String name = "p" + number + "-" + i;
            PodBuilder pod = byTemplate(
                    AllocatorObjects.pod(cluster.namespace(), name)
                            .editSpec()
                            .withNodeSelector(cluster.nodes().selector())
                            .endSpec(),
                    AllocatorObjects.templateName(profile, 1));
            cluster.client()
                    .resource((size == 1 ? pod : gang(pod, "gang-" + number, size)).build())
                    .create();
            live.add(name);
        }
        return size - 1;
    }

    /** Whether somebody waits who has room: a pod alone, or a gang of which all are there. */
    private static String stuck(RealCluster cluster, SliceAllocator empty, Judge judge) {
        SliceAllocator now = empty.whatIf();
        judge.had()
                .forEach((claim, devices) -> devices.forEach(device -> now.adopt(SliceClaim.builder()
                        .id(claim + " " + device)
                        .device(gpu(device))
                        .profile(profile(device))
                        .start(start(device))
                        .build())));
        Map<String, List<Pod>> waiting =
                cluster.client().pods().inNamespace(cluster.namespace()).list().getItems().stream()
                        .filter(pod -> AllocationMarks.node(pod).isEmpty()
                                && pod.getMetadata().getDeletionTimestamp() == null)
                        .collect(Collectors.groupingBy(AllocatorFaultsClusterTest::unit));
        return waiting.entrySet().stream()
                .filter(unit -> unit.getValue().size() == size(unit.getValue().get(0)))
                .filter(unit -> now.fits(requests(unit.getValue()), Spread.ANYWHERE))
                .map(Map.Entry::getKey)
                .collect(Collectors.joining(", "));
    }

    private static String unit(Pod pod) {
        return annotation(pod, AllocationMarks.GANG).orElse(pod.getMetadata().getName());
    }

    private static int size(Pod pod) {
        return annotation(pod, AllocationMarks.GANG_SIZE).map(Integer::parseInt).orElse(1);
    }

    private static Optional<String> annotation(Pod pod, String key) {
        return Optional.ofNullable(pod.getMetadata().getAnnotations()).map(all -> all.get(key));
    }

    private static List<SliceRequest> requests(List<Pod> pods) {
        return pods.stream()
                .map(pod -> SliceRequest.of(
                        pod.getMetadata().getName(),
                        PROFILES.stream()
                                .filter(profile -> AllocatorObjects.templateName(profile, 1)
                                        .equals(pod.getSpec()
                                                .getResourceClaims()
                                                .get(0)
                                                .getResourceClaimTemplateName()))
                                .findFirst()
                                .orElseThrow()))
                .toList();
    }

    /** Nodes with GPUs, and the same for the library. */
    private SliceAllocator fleet(RealCluster cluster, int nodes, int gpus) {
        SliceAllocator empty = SliceAllocator.create();
        List<String> names = cluster.nodes().create(nodes, NodeProfile.of(OsRelease.UBUNTU_22));
        AllocatorObjects.classes().forEach(each -> install(cluster, each));
        for (String profile : PROFILES) {
            cluster.client()
                    .resource(AllocatorObjects.template(cluster.namespace(), profile, 1))
                    .create();
        }
        for (String name : names) {
            for (ResourceSlice slice : AllocatorObjects.slices(name, gpus, AllocatorObjects.OPTIONS)) {
                cluster.client().resource(slice).create();
                after.add(() -> cluster.client().resource(slice).delete());
            }
            for (int i = 0; i < gpus; i++) {
                String gpu = name + "-" + DraOptions.DRIVER + "/gpu-0000-0" + i + "-00-0";
                empty.addDevice(SliceDevice.of(gpu, AllocatorObjects.A100, name));
            }
        }
        return empty;
    }

    private void install(RealCluster cluster) throws IOException {
        InstalledAllocator.namespace(cluster.client());
        for (HasMetadata each : InstalledAllocator.objects()) {
            install(cluster, each);
        }
    }

    private void install(RealCluster cluster, HasMetadata object) {
        cluster.client().resource(object).serverSideApply();
        after.add(() -> cluster.client().resource(object).delete());
    }

    /** Starts an allocator anew, as kubelet does, when it has lost its Lease. Not thread-safe. */
    private static final class Deployment {
        private final FaultyProxy proxy;
        private final AtomicBoolean lost = new AtomicBoolean();
        private @Nullable AllocatorRun run;

        Deployment(FaultyProxy proxy) {
            this.proxy = proxy;
        }

        /** A new one begins before the old one has ended. */
        void renew() {
            AllocatorRun old = run;
            run = start();
            if (old != null) {
                old.close();
            }
            lost.set(false);
        }

        void look() {
            if (lost.get()) {
                renew();
            }
        }

        void close() {
            if (run != null) {
                run.close();
            }
        }

        private AllocatorRun start() {
            try {
                return AllocatorRun.start(
                        new AllocatorRun.Settings(
                                new AllocatorOptions(DraOptions.DRIVER, false, MakeRoom.NEVER, Optional.empty(), false),
                                InstalledAllocator.NAMESPACE,
                                InstalledAllocator.NAME,
                                TIMES,
                                Optional.empty(),
                                Optional.empty()),
                        Clients.plain(proxy.config(InstalledAllocator.USER)),
                        Catalogue.builtin(),
                        () -> lost.set(true));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
