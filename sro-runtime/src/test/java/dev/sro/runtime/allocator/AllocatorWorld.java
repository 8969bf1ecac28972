package dev.sro.runtime.allocator;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sro.core.allocation.Allocations;
import dev.sro.core.dra.DraOptions;
import dev.sro.core.slicing.catalogue.Catalogue;
import dev.sro.testkit.EmbeddedCluster;
import dev.sro.testkit.sim.DraDriver;
import dev.sro.testkit.sim.NodeProfile;
import dev.sro.testkit.sim.OsRelease;
import dev.sro.testkit.sim.SimTimings;
import dev.sro.testkit.sim.Simulation;
import dev.sro.testkit.sim.SimulationFactory;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseBuilder;
import io.fabric8.kubernetes.api.model.events.v1.Event;
import io.fabric8.kubernetes.api.model.resource.v1.Device;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceAttribute;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceRequestAllocationResult;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * A simulated cluster with nodes of A100-40GB: scheduler, controllers and kubelets are those of the test kit, and the driver of each node refuses what
 * overlaps with what it has, as the agent does. Not thread-safe.
 */
final class AllocatorWorld implements AutoCloseable {
    static final String NAMESPACE = "default";
    /** The Lease in which moves are written down. */
    static final String LEASE = "allocator";

    private static final KubernetesSerialization SERIALIZATION = new KubernetesSerialization();

    private final SimulationFactory simulated = new SimulationFactory()
            .timings(SimTimings.DEFAULTS.withNfdLag(Duration.ZERO).withPodStart(Duration.ofSeconds(1)));
    final EmbeddedCluster cluster;
    final KubernetesClient client;
    private final List<ClaimAllocator> running = new ArrayList<>();
    private final Map<String, Place> places = new HashMap<>();
    private final Map<String, List<Place>> prepared = new HashMap<>();
    /** What drivers refused: two claims for one place. */
    final List<String> refused = new ArrayList<>();

    /** Units of a GPU. */
    private record Place(String gpu, int window) {
        boolean overlaps(Place other) {
            return gpu.equals(other.gpu) && (window & other.window) != 0;
        }
    }

    AllocatorWorld(int nodes, int gpus) {
        this(nodes, gpus, builder -> {});
    }

    AllocatorWorld(int nodes, int gpus, Consumer<EmbeddedCluster.Builder> options) {
        EmbeddedCluster.Builder builder =
                EmbeddedCluster.builder().serialization(SERIALIZATION).controller(simulated);
        options.accept(builder);
        cluster = builder.build();
        client = cluster.client();
        for (String profile : List.of("1g.5gb", "2g.10gb", "3g.20gb", "4g.20gb", "7g.40gb")) {
            for (int count = 1; count <= 3; count++) {
                client.resource(AllocatorObjects.template(NAMESPACE, profile, count))
                        .create();
            }
        }
        client.resource(new LeaseBuilder()
                        .withNewMetadata()
                        .withNamespace(NAMESPACE)
                        .withName(LEASE)
                        .endMetadata()
                        .build())
                .create();
        AllocatorObjects.classes().forEach(each -> client.resource(each).create());
        for (String node : AllocatorObjects.names("n", nodes)) {
            node(node, gpus, AllocatorObjects.OPTIONS);
        }
        cluster.advance(Duration.ofSeconds(10));
    }

    /** A node, published. */
    void node(String name, int gpus, DraOptions options) {
        simulation().nodes().create(name, NodeProfile.of(OsRelease.UBUNTU_22));
        for (ResourceSlice slice : AllocatorObjects.slices(name, gpus, options)) {
            client.resource(slice).create();
            for (Device device : slice.getSpec().getDevices()) {
                String placement = attribute(device, "placement", "0:8");
                int colon = placement.indexOf(':');
                int size = Integer.parseInt(placement.substring(colon + 1));
                places.put(
                        slice.getSpec().getPool().getName() + "/" + device.getName(),
                        new Place(
                                name + "/" + attribute(device, "parent", ""),
                                ((1 << size) - 1) << Integer.parseInt(placement.substring(0, colon))));
            }
        }
        simulation().dra().register(name, DraOptions.DRIVER, new Driver());
    }

    private static String attribute(Device device, String name, String otherwise) {
        DeviceAttribute found = device.getAttributes().get(name);
        return found == null || found.getString() == null ? otherwise : found.getString();
    }

    /** Refuses what overlaps. */
    private final class Driver implements DraDriver {
        @Override
        public String prepare(String node, ObjectNode claim) {
            String uid = claim.path("metadata").path("uid").asText();
            List<Place> wanted = new ArrayList<>();
            for (JsonNode result :
                    claim.path("status").path("allocation").path("devices").path("results")) {
                wanted.add(place(
                        result.path("pool").asText(), result.path("device").asText()));
            }
            for (Map.Entry<String, List<Place>> other : prepared.entrySet()) {
                if (!other.getKey().equals(uid)
                        && other.getValue().stream()
                                .anyMatch(had -> wanted.stream().anyMatch(had::overlaps))) {
                    String text =
                            claim.path("metadata").path("name").asText() + " wants what " + other.getKey() + " has";
                    refused.add(text);
                    return text;
                }
            }
            prepared.put(uid, wanted);
            return DONE;
        }

        @Override
        public String unprepare(String node, String namespace, String name, String uid) {
            prepared.remove(uid);
            return DONE;
        }
    }

    private Place place(String pool, String device) {
        Place place = places.get(pool + "/" + device);
        assertThat(place).as("device %s of pool %s is published", device, pool).isNotNull();
        return place == null ? new Place("", 0) : place;
    }

    Simulation simulation() {
        return simulated.simulation();
    }

    /** Starts an allocator that leads. */
    ClaimAllocator allocator() {
        return allocator("allocator", () -> true);
    }

    ClaimAllocator allocator(String name, BooleanSupplier leads) {
        return allocator(cluster.newClient(name), false, leads);
    }

    ClaimAllocator allocator(KubernetesClient account, boolean preempts, BooleanSupplier leads) {
        return allocator(
                account, new AllocatorOptions(DraOptions.DRIVER, preempts, MakeRoom.NEVER, Optional.empty()), leads);
    }

    ClaimAllocator allocator(KubernetesClient account, AllocatorOptions options, BooleanSupplier leads) {
        return allocator(account, options, leads, cluster.clock());
    }

    /** One whose clock is its own. */
    ClaimAllocator allocator(KubernetesClient account, AllocatorOptions options, BooleanSupplier leads, Clock clock) {
        ClaimAllocator allocator = new ClaimAllocator(
                account,
                options,
                Catalogue.builtin(),
                leads,
                new MoveLedger(account, leads, NAMESPACE, LEASE),
                clock,
                Runnable::run);
        running.add(allocator);
        allocator.start();
        cluster.settle();
        return allocator;
    }

    /** Ends one without any ado, as a process that is killed. */
    void kill(ClaimAllocator allocator) {
        allocator.close();
        running.remove(allocator);
    }

    /** Lets time go by in steps, with all that is done every few seconds. */
    void rounds(int count) {
        for (int i = 0; i < count; i++) {
            cluster.advance(Duration.ofSeconds(5));
            running.forEach(ClaimAllocator::tick);
            cluster.settle();
        }
    }

    Pod create(PodBuilder pod) {
        Pod made = client.resource(pod.build()).create();
        cluster.settle();
        return made;
    }

    Pod create(String name, String... templates) {
        return create(AllocatorObjects.byTemplate(AllocatorObjects.pod(NAMESPACE, name), templates));
    }

    Pod pod(String name) {
        return client.pods().inNamespace(NAMESPACE).withName(name).get();
    }

    boolean runs(String name) {
        Pod pod = pod(name);
        return pod != null && runs(pod);
    }

    static boolean runs(Pod pod) {
        return pod.getStatus() != null && "Running".equals(pod.getStatus().getPhase());
    }

    String nodeOf(String name) {
        return AllocationMarks.node(pod(name));
    }

    List<ResourceClaim> claims() {
        return client.resources(ResourceClaim.class).inAnyNamespace().list().getItems();
    }

    /** Claims of a pod, of templates or by name. */
    List<ResourceClaim> claims(String pod) {
        String uid = pod(pod).getMetadata().getUid();
        return claims().stream()
                .filter(claim -> claim.getMetadata().getOwnerReferences().stream()
                                .anyMatch(owner -> owner.getUid().equals(uid))
                        || AllocationMarks.reserved(claim, pod(pod)))
                .toList();
    }

    /** The GPUs on which a pod has its slices, one for each. */
    List<String> gpus(String pod) {
        List<String> gpus = new ArrayList<>();
        for (ResourceClaim claim : claims(pod)) {
            for (DeviceRequestAllocationResult result : Allocations.results(claim)) {
                gpus.add(place(result.getPool(), result.getDevice()).gpu());
            }
        }
        return gpus;
    }

    /** Claims that have the same place, as the API server has them. */
    List<String> twice() {
        return twice(claims());
    }

    /** The same of claims of pods that run. */
    List<String> twiceRunning() {
        Set<String> running = new TreeSet<>();
        client.pods().inAnyNamespace().list().getItems().stream()
                .filter(AllocatorWorld::runs)
                .forEach(pod -> running.add(pod.getMetadata().getUid()));
        return twice(claims().stream()
                .filter(claim -> AllocationMarks.consumers(claim).stream()
                        .anyMatch(consumer -> running.contains(consumer.getUid())))
                .toList());
    }

    private List<String> twice(List<ResourceClaim> claims) {
        Map<String, List<Place>> had = new HashMap<>();
        List<String> twice = new ArrayList<>();
        for (ResourceClaim claim : claims) {
            List<Place> own = new ArrayList<>();
            for (DeviceRequestAllocationResult result : Allocations.results(claim)) {
                Place place = place(result.getPool(), result.getDevice());
                had.forEach((other, others) -> {
                    if (others.stream().anyMatch(place::overlaps)) {
                        twice.add(claim.getMetadata().getName() + " and " + other);
                    }
                });
                if (own.stream().anyMatch(place::overlaps)) {
                    twice.add(claim.getMetadata().getName() + " and itself");
                }
                own.add(place);
            }
            had.put(claim.getMetadata().getName(), own);
        }
        return twice;
    }

    /** UIDs of claims that have devices; and of those that drivers have prepared. */
    Set<String> allocated() {
        Set<String> uids = new TreeSet<>();
        claims().stream()
                .filter(Allocations::allocated)
                .forEach(claim -> uids.add(claim.getMetadata().getUid()));
        return uids;
    }

    Set<String> prepared() {
        return new TreeSet<>(prepared.keySet());
    }

    void delete(String pod) {
        client.pods().inNamespace(NAMESPACE).withName(pod).delete();
        cluster.settle();
    }

    @Override
    public void close() {
        running.forEach(ClaimAllocator::close);
        cluster.close();
    }

    /** What events of a pod say of its slices. */
    List<String> events(String pod) {
        return client.resources(Event.class).inNamespace(NAMESPACE).list().getItems().stream()
                .filter(event -> event.getRegarding().getName().equals(pod)
                        && event.getReason().startsWith("Slices"))
                .map(Event::getNote)
                .toList();
    }
}
