package dev.sro.runtime.waiting;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sro.core.dra.DraClasses;
import dev.sro.core.dra.DraGpu;
import dev.sro.core.dra.DraNode;
import dev.sro.core.dra.DraOptions;
import dev.sro.core.dra.DraPublisher;
import dev.sro.core.dra.DraServer;
import dev.sro.core.slicing.catalogue.Catalogue;
import dev.sro.core.slicing.catalogue.DeviceModel;
import dev.sro.testkit.EmbeddedCluster;
import dev.sro.testkit.server.Recording;
import dev.sro.testkit.sim.DraDriver;
import dev.sro.testkit.sim.NodeProfile;
import dev.sro.testkit.sim.OsRelease;
import dev.sro.testkit.sim.SimTimings;
import dev.sro.testkit.sim.Simulation;
import dev.sro.testkit.sim.SimulationFactory;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.events.v1.Event;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceRequest;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceRequestBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaimBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaimTemplateBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.BooleanSupplier;

/**
 * A simulated cluster with nodes of A100-40GB whose devices kube-scheduler gives away, as played by the test kit; beside it explainers. Not thread-safe.
 */
final class WaitingWorld implements AutoCloseable {
    static final String NAMESPACE = "default";

    static final DraOptions OPTIONS =
            DraOptions.builder().server(new DraServer(36, 3)).build();

    static final DeviceModel A100 = Catalogue.builtin().model("A100-40GB");

    static final SliceExplainer.Settings SETTINGS =
            new SliceExplainer.Settings(DraOptions.DRIVER, Duration.ofSeconds(30), Duration.ofMinutes(5), 80_000, 60);

    private static final KubernetesSerialization SERIALIZATION = new KubernetesSerialization();

    private final SimulationFactory simulated = new SimulationFactory()
            .timings(SimTimings.DEFAULTS.withNfdLag(Duration.ZERO).withPodStart(Duration.ofSeconds(1)));
    final EmbeddedCluster cluster;
    final KubernetesClient client;
    private final List<SliceExplainer> running = new ArrayList<>();

    /** With so many nodes of so many GPUs. */
    WaitingWorld(int nodes, int gpus) {
        cluster = EmbeddedCluster.builder()
                .serialization(SERIALIZATION)
                .controller(simulated)
                .build();
        client = cluster.client();
        DraClasses.create(List.of(A100), OPTIONS, false)
                .forEach(each -> client.resource(each).create());
        for (String profile : List.of("1g.5gb", "3g.20gb", "4g.20gb", "7g.40gb")) {
            client.resource(new ResourceClaimTemplateBuilder()
                            .withNewMetadata()
                            .withNamespace(NAMESPACE)
                            .withName(templateName(profile))
                            .endMetadata()
                            .withNewSpec()
                            .withNewSpec()
                            .withNewDevices()
                            .withRequests(request(profile, 1))
                            .endDevices()
                            .endSpec()
                            .endSpec()
                            .build())
                    .create();
        }
        for (int i = 0; i < nodes; i++) {
            node("n" + i, gpus);
        }
        cluster.advance(Duration.ofSeconds(10));
    }

    static String templateName(String profile) {
        return "t-" + profile.replace('.', '-');
    }

    static DeviceRequest request(String profile, int count) {
        return new DeviceRequestBuilder()
                .withName("slice")
                .withNewExactly()
                .withDeviceClassName(DraClasses.name(profile, OPTIONS))
                .withAllocationMode("ExactCount")
                .withCount((long) count)
                .endExactly()
                .build();
    }

    /** A node, published. */
    void node(String name, int gpus) {
        simulation().nodes().create(name, NodeProfile.of(OsRelease.UBUNTU_22));
        slices(name, gpus).forEach(slice -> client.resource(slice).create());
        simulation().dra().register(name, DraOptions.DRIVER, new Driver());
    }

    static List<ResourceSlice> slices(String node, int gpus) {
        DraNode.Builder described = DraNode.builder().name(node);
        for (int i = 0; i < gpus; i++) {
            described.addGpus(DraGpu.builder()
                    .pciAddress("0000:0" + i + ":00.0")
                    .uuid("GPU-" + node + "-" + i)
                    .model(A100)
                    .build());
        }
        return DraPublisher.of(OPTIONS)
                .publish(described.build(), Set.of(), List.of())
                .slices();
    }

    /** Makes everything at once. */
    private static final class Driver implements DraDriver {
        @Override
        public String prepare(String node, ObjectNode claim) {
            return DONE;
        }

        @Override
        public String unprepare(String node, String namespace, String name, String uid) {
            return DONE;
        }
    }

    Simulation simulation() {
        return simulated.simulation();
    }

    /** Starts an explainer that leads. */
    SliceExplainer explainer() {
        return explainer("explainer", SETTINGS, () -> true);
    }

    SliceExplainer explainer(String name, SliceExplainer.Settings settings, BooleanSupplier leads) {
        return explainer(cluster.newClient(name), settings, leads);
    }

    SliceExplainer explainer(KubernetesClient account, SliceExplainer.Settings settings, BooleanSupplier leads) {
        SliceExplainer explainer =
                new SliceExplainer(account, settings, Catalogue.builtin(), leads, cluster.clock(), Runnable::run);
        running.add(explainer);
        explainer.start();
        cluster.settle();
        return explainer;
    }

    /** Ends one without any ado, as a process that is killed. */
    void kill(SliceExplainer explainer) {
        explainer.close();
        running.remove(explainer);
    }

    /** Lets time go by in steps of five seconds, with all that is done every few seconds. */
    void pass(Duration time) {
        for (long i = 0; i < time.toSeconds() / 5; i++) {
            cluster.advance(Duration.ofSeconds(5));
            running.forEach(SliceExplainer::tick);
            cluster.settle();
        }
    }

    /** A pod that asks by a template for a slice of a profile. */
    Pod create(String name, String profile) {
        return create(pod(name)
                .editSpec()
                .addNewResourceClaim()
                .withName("c")
                .withResourceClaimTemplateName(templateName(profile))
                .endResourceClaim()
                .endSpec());
    }

    /** A pod that asks for a claim, which is there or not. */
    Pod createByClaim(String name, String claim) {
        return create(pod(name)
                .editSpec()
                .addNewResourceClaim()
                .withName("c")
                .withResourceClaimName(claim)
                .endResourceClaim()
                .endSpec());
    }

    Pod create(PodBuilder pod) {
        Pod made = client.resource(pod.build()).create();
        cluster.settle();
        return made;
    }

    static PodBuilder pod(String name) {
        return new PodBuilder()
                .withNewMetadata()
                .withNamespace(NAMESPACE)
                .withName(name)
                .endMetadata()
                .withNewSpec()
                .withTerminationGracePeriodSeconds(1L)
                .addNewContainer()
                .withName("main")
                .withImage("registry.example.com/train:1")
                .withNewResources()
                .addToRequests("cpu", new Quantity("100m"))
                .endResources()
                .endContainer()
                .endSpec();
    }

    /** A claim of its own. */
    ResourceClaim claim(String name, DeviceRequest... requests) {
        return client.resource(new ResourceClaimBuilder()
                        .withNewMetadata()
                        .withNamespace(NAMESPACE)
                        .withName(name)
                        .endMetadata()
                        .withNewSpec()
                        .withNewDevices()
                        .withRequests(requests)
                        .endDevices()
                        .endSpec()
                        .build())
                .create();
    }

    Pod pod(Pod like) {
        return Objects.requireNonNull(client.resource(like).get());
    }

    boolean runs(Pod pod) {
        return "Running".equals(pod(pod).getStatus().getPhase());
    }

    void delete(Pod pod) {
        client.resource(pod).delete();
        cluster.advance(Duration.ofSeconds(5));
    }

    /** The claim that was made for a pod. */
    ResourceClaim claimOf(Pod pod) {
        return client.resources(ResourceClaim.class).inNamespace(NAMESPACE).list().getItems().stream()
                .filter(claim -> claim.getMetadata().getOwnerReferences().stream()
                        .anyMatch(
                                owner -> owner.getUid().equals(pod.getMetadata().getUid())))
                .findFirst()
                .orElseThrow();
    }

    ResourceClaim claimNamed(String name) {
        return Objects.requireNonNull(client.resources(ResourceClaim.class)
                .inNamespace(NAMESPACE)
                .withName(name)
                .get());
    }

    /** Events that explainers wrote about an object, as {@code reason: note}, in the order of their time. */
    List<String> events(String uid) {
        return client.resources(Event.class).inAnyNamespace().list().getItems().stream()
                .filter(event -> WaitingEvents.CONTROLLER.equals(event.getReportingController())
                        && uid.equals(event.getRegarding().getUid()))
                .sorted(Comparator.comparing(
                        (Event event) -> event.getEventTime().getTime()))
                .map(event -> event.getReason() + ": " + event.getNote())
                .toList();
    }

    List<String> events(Pod pod) {
        return events(pod.getMetadata().getUid());
    }

    List<String> events(ResourceClaim claim) {
        return events(claim.getMetadata().getUid());
    }

    /** What explainers wrote since the recording began. */
    List<Recording.Entry> writes() {
        return cluster.recording().entries(entry -> entry.userAgent().contains("explainer") && entry.isWrite());
    }

    @Override
    public void close() {
        running.forEach(SliceExplainer::close);
        cluster.close();
    }
}
