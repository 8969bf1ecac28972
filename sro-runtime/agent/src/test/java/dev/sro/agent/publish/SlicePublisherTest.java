package dev.sro.agent.publish;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpServer;
import dev.sro.agent.cdi.ClaimSpecs;
import dev.sro.agent.cdi.EmulatedEdits;
import dev.sro.agent.claims.ApiServer;
import dev.sro.agent.device.DeviceException;
import dev.sro.agent.device.DriverProfile;
import dev.sro.agent.device.DriverVersion;
import dev.sro.agent.device.GpuMode;
import dev.sro.agent.device.PciAddress;
import dev.sro.agent.emulated.EmulatedDevices;
import dev.sro.agent.emulated.EmulatedFailure;
import dev.sro.agent.emulated.EmulatedGpus;
import dev.sro.agent.emulated.EmulatedNode;
import dev.sro.agent.emulated.EmulatedOperation;
import dev.sro.agent.file.LocalDisk;
import dev.sro.agent.node.ApiNode;
import dev.sro.agent.slice.Checkpoint;
import dev.sro.agent.slice.ClaimRef;
import dev.sro.agent.slice.ClaimSource;
import dev.sro.agent.slice.SliceKeeper;
import dev.sro.agent.slice.WantedSlice;
import dev.sro.core.dra.NodeMarks;
import dev.sro.core.dra.PublishRule;
import dev.sro.core.slicing.catalogue.Catalogue;
import dev.sro.testkit.EmbeddedCluster;
import dev.sro.testkit.server.Gvr;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is published follows hardware, checkpoint and claims, whatever the API server does meanwhile. */
class SlicePublisherTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String DRIVER = "slices.sro.dev";
    private static final PciAddress FIRST = PciAddress.of("0000:10:00.0");
    private static final String DEVICE = "gpu-0000-10-00-0-3g-20gb-4";
    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    private final EmbeddedCluster cluster = EmbeddedCluster.create();
    private final ApiSlices api;
    private final ApiNode node;
    private final List<String> log = new ArrayList<>();
    private GpuCare care = GpuCare.NONE;
    private final Path state;
    private EmulatedDevices devices;
    private SliceKeeper keeper;
    private SlicePublisher publisher;

    SlicePublisherTest(@TempDir Path state) throws IOException {
        this.state = state;
        ApiServer server = ApiServer.at(cluster.serveHttp(0).uri(), Optional.empty(), Optional.empty());
        api = new ApiSlices(server, "n1", DRIVER);
        node = new ApiNode(server, "n1");
        create(Gvr.NODES, "{'apiVersion':'v1','kind':'Node','metadata':{'name':'n1'}}");
        create(Gvr.NAMESPACES, "{'apiVersion':'v1','kind':'Namespace','metadata':{'name':'ns'}}");
        devices = devices(GpuMode.SLICES, List.of());
        keeper = keeper();
        publisher = publisher();
    }

    @AfterEach
    void close() {
        cluster.close();
    }

    private static EmulatedDevices devices(GpuMode first, List<EmulatedFailure> failures) {
        return new EmulatedDevices(
                "n1",
                new EmulatedNode(
                        new DriverVersion("580.65.06", "13.0"),
                        Duration.ZERO,
                        Duration.ZERO,
                        List.of(
                                new EmulatedGpus(Catalogue.builtin().model("A100-40GB"), 1, first),
                                new EmulatedGpus(Catalogue.builtin().model("A30-24GB"), 1, GpuMode.SLICES)),
                        failures),
                pause -> {});
    }

    private SliceKeeper keeper() throws IOException {
        SliceKeeper made = new SliceKeeper(
                devices,
                Checkpoint.open(new LocalDisk(), state.resolve("checkpoint"), "boot"),
                new ClaimSpecs(new LocalDisk(), state.resolve("cdi"), new EmulatedEdits()));
        made.reconcile(claim -> ClaimSource.Standing.ALLOCATED);
        return made;
    }

    private SlicePublisher publisher() {
        return new SlicePublisher(
                DRIVER,
                api,
                new NodeReader("n1", devices, keeper, Catalogue.builtin()),
                node::read,
                care,
                PublishRule.standard(),
                log::add);
    }

    /** As after a restart of the agent on this hardware. */
    private void restart(EmulatedDevices hardware) throws IOException {
        devices = hardware;
        keeper = keeper();
        publisher = publisher();
    }

    private void create(Gvr type, String text) throws IOException {
        cluster.api().create(type, (ObjectNode) JSON.readTree(text.replace('\'', '"')));
    }

    /** As the scheduler does it; nobody has prepared it yet. */
    private void allocate(String claim, String device) throws IOException {
        create(
                Gvr.RESOURCECLAIMS,
                "{'apiVersion':'resource.k8s.io/v1','kind':'ResourceClaim','metadata':{'name':'" + claim
                        + "','namespace':'ns'},'spec':{'devices':{'requests':[{'name':'r','exactly':{'deviceClassName':"
                        + "'c'}}]}}}");
        JsonNode status = JSON.readTree(("{'allocation':{'devices':{'results':[{'request':'r','driver':'" + DRIVER
                        + "','pool':'n1-" + DRIVER + "','device':'" + device + "'}]}}}")
                .replace('\'', '"'));
        cluster.api().update(Gvr.RESOURCECLAIMS, "ns", claim, "status", old -> old.set("status", status));
    }

    /** Memory units of the first GPU that can be had, by the counters. */
    private List<String> units() throws IOException {
        List<String> units = new ArrayList<>();
        for (ResourceSlice slice : api.slices()) {
            slice.getSpec().getSharedCounters().stream()
                    .filter(set -> set.getName().equals("gpu-0000-10-00-0"))
                    .forEach(set -> set.getCounters().forEach((name, counter) -> {
                        if (name.startsWith("memory-slice-")
                                && counter.getValue().getAmount().equals("1")) {
                            units.add(name.substring("memory-slice-".length()));
                        }
                    }));
        }
        return units.stream().sorted().toList();
    }

    private Map<String, String> devicesAsPublished() throws IOException {
        Map<String, String> published = new LinkedHashMap<>();
        for (ResourceSlice slice : api.slices()) {
            slice.getSpec().getDevices().forEach(device -> published.put(device.getName(), device.toString()));
        }
        return published;
    }

    private String device(String name) throws IOException {
        return String.valueOf(devicesAsPublished().get(name));
    }

    private List<String> versions() throws IOException {
        return api.slices().stream()
                .map(slice -> slice.getMetadata().getName() + " "
                        + slice.getMetadata().getResourceVersion())
                .toList();
    }

    private void foreign(String profile, int start) throws DeviceException {
        DriverProfile found = devices.gpus().get(0).profile(profile).orElseThrow();
        devices.createGpuInstance(FIRST, found, start);
    }

    @Test
    void whatIsTrueAlreadyIsNotWrittenAgain() throws Exception {
        publisher.publish(START, false);
        List<String> before = versions();
        assertThat(before).hasSize(3);
        assertThat(api.slices())
                .allSatisfy(slice ->
                        assertThat(slice.getMetadata().getOwnerReferences()).hasSize(1));

        publisher.publish(START.plusSeconds(10), true);
        restart(devices);
        publisher.publish(START.plusSeconds(20), false);

        assertThat(versions()).isEqualTo(before);
    }

    @Test
    void aForeignSliceTakesItsPlaceUntilItGoes() throws Exception {
        publisher.publish(START, false);
        assertThat(units()).hasSize(8);

        foreign("3g.20gb", 0);
        publisher.publish(START.plusSeconds(1), true);
        assertThat(units()).containsExactly("4", "5", "6", "7");

        devices.reset();
        publisher.publish(START.plusSeconds(2), true);
        assertThat(units()).hasSize(8);
    }

    /** The scheduler takes what claims have from the counters itself. */
    @Test
    void anInstanceOfAClaimIsNoForeignSlice() throws Exception {
        publisher.publish(START, false);
        List<String> before = counters();
        keeper.prepare(new ClaimRef("u", "ns", "one"), List.of(new WantedSlice(DEVICE, FIRST, "3g.20gb", 4)));
        publisher.publish(START.plusSeconds(1), false);
        assertThat(counters()).isEqualTo(before);
    }

    private List<String> counters() throws IOException {
        return api.slices().stream()
                .flatMap(slice -> slice.getSpec().getSharedCounters().stream())
                .map(set -> set.getName() + new TreeMap<>(set.getCounters()))
                .toList();
    }

    /** Given back, but somebody holds it open: it takes its place until it can be destroyed. */
    @Test
    void whatCannotBeDestroyedTakesItsPlace() throws Exception {
        restart(devices(
                GpuMode.SLICES,
                List.of(new EmulatedFailure(
                        EmulatedOperation.DESTROY_COMPUTE_INSTANCE,
                        Optional.of(FIRST),
                        DeviceException.Kind.IN_USE,
                        0,
                        1,
                        false))));
        publisher.publish(START, false);
        List<String> before = counters();
        keeper.prepare(new ClaimRef("u", "ns", "one"), List.of(new WantedSlice(DEVICE, FIRST, "3g.20gb", 4)));
        keeper.unprepare("u");
        assertThat(keeper.quarantined()).hasSize(1);
        publisher.publish(START.plusSeconds(1), false);
        assertThat(units()).containsExactly("0", "1", "2", "3");

        keeper.reconcile(claim -> ClaimSource.Standing.GONE);
        publisher.publish(START.plusSeconds(2), false);
        assertThat(counters()).isEqualTo(before);
    }

    /** Scheduled, and nothing prepared yet: only the claim says that it is had. */
    @Test
    void anAllocatedDeviceStaysAsItIsWhateverBecomesOfItsGpu() throws Exception {
        publisher.publish(START, false);
        allocate("one", DEVICE);
        String before = device(DEVICE);
        assertThat(before).isNotEqualTo("null");

        foreign("4g.20gb", 0);
        publisher.publish(START.plusSeconds(1), true);
        assertThat(device(DEVICE)).isEqualTo(before);

        restart(devices(GpuMode.WHOLE, List.of()));
        publisher.publish(START.plusSeconds(2), false);
        assertThat(device(DEVICE)).isEqualTo(before);
        assertThat(units()).as("just what the claim has").containsExactly("4", "5", "6", "7");

        restart(devices(GpuMode.UNABLE, List.of()));
        publisher.publish(START.plusSeconds(3), false);
        assertThat(device(DEVICE)).isEqualTo(before);
    }

    @Test
    void aGpuWhoseModeChangesIsClosedAndItsDevicesStayListed() throws Exception {
        publisher.publish(START, false);
        int listed = devicesAsPublished().size();

        restart(devices(GpuMode.PENDING, List.of()));
        publisher.publish(START.plusSeconds(1), false);
        assertThat(units()).isEmpty();
        assertThat(devicesAsPublished()).hasSize(listed);

        restart(devices(GpuMode.SLICES, List.of()));
        publisher.publish(START.plusSeconds(2), false);
        assertThat(units()).hasSize(8);
    }

    @Test
    void aGpuThatCannotBeCutIsNotPublished() throws Exception {
        restart(devices(GpuMode.WHOLE, List.of()));
        publisher.publish(START, false);
        assertThat(devicesAsPublished().keySet())
                .isNotEmpty()
                .allMatch(device -> device.startsWith("gpu-0000-11-00-0-"));
    }

    /** 1.36.2 is the server here, where a taint would keep other claims from their counters. */
    @Test
    void aGpuThatDoesNotAnswerTakesNothingNew() throws Exception {
        publisher.publish(START, false);
        restart(devices(
                GpuMode.SLICES,
                List.of(new EmulatedFailure(
                        EmulatedOperation.LIST, Optional.of(FIRST), DeviceException.Kind.GPU_IS_LOST, 0, 1, false))));
        publisher.publish(START.plusSeconds(1), false);
        assertThat(units()).isEmpty();

        publisher.publish(START.plusSeconds(2), false);
        assertThat(units()).hasSize(8);
    }

    @Test
    void aCordonedGpuTakesNothingNewAndWhatClaimsHaveStays() throws Exception {
        publisher.publish(START, false);
        allocate("one", DEVICE);
        String before = device(DEVICE);
        node.annotate(Map.of(NodeMarks.cordon("0000:10:00.0"), "a fan is loud"));
        publisher.publish(START.plusSeconds(1), false);
        assertThat(units()).as("just what the claim has").containsExactly("4", "5", "6", "7");
        assertThat(device(DEVICE)).isEqualTo(before);

        restart(devices(GpuMode.SLICES, List.of()));
        publisher.publish(START.plusSeconds(2), false);
        assertThat(units()).as("a reboot does not end it").hasSize(4);

        node.annotate(Map.of(NodeMarks.cordon("0000:10:00.0"), "", NodeMarks.cordon(uuid()), "by its other name"));
        publisher.publish(START.plusSeconds(3), false);
        assertThat(units()).hasSize(4);

        node.annotate(Map.of(NodeMarks.cordon(uuid()), ""));
        publisher.publish(START.plusSeconds(4), false);
        assertThat(units()).hasSize(8);
    }

    private String uuid() {
        return devices.gpus().get(0).uuid();
    }

    /** Of an A100: four of seven units in one slice leave three of the other half, and the widest that fits takes four. */
    @Test
    void whatIsFreeIsCountedAsASchedulerReckons() throws Exception {
        publisher.publish(START, false);
        List<ResourceSlice> a100 = api.slices().stream()
                .peek(slice -> slice.getSpec()
                        .getDevices()
                        .removeIf(device -> !device.getName().startsWith("gpu-0000-10-")))
                .peek(slice -> slice.getSpec()
                        .getSharedCounters()
                        .removeIf(set -> !set.getName().startsWith("gpu-0000-10-")))
                .toList();
        FreePlaces empty = FreePlaces.of(a100, Set.of());
        assertThat(empty.places())
                .containsEntry("1g.5gb", 7)
                .containsEntry("7g.40gb", 1)
                .containsEntry("3g.20gb", 2);
        assertThat(empty.units()).isEqualTo(8);
        assertThat(empty.fragmentation()).isZero();

        FreePlaces used = FreePlaces.of(a100, Set.of("gpu-0000-10-00-0-1g-5gb-2", "gpu-0000-10-00-0-1g-5gb-4"));
        assertThat(used.places())
                .containsEntry("1g.5gb", 5)
                .containsEntry("7g.40gb", 0)
                .containsEntry("3g.20gb", 0)
                .containsEntry("2g.10gb", 1);
        assertThat(used.units()).isEqualTo(6);
        assertThat(used.fragmentation()).as("two of six can be had at once").isEqualTo(4.0 / 6);
    }

    @Test
    void whatADriverDoesNotTellForNowChangesNothing() throws Exception {
        publisher.publish(START, false);
        List<String> before = versions();
        restart(devices(
                GpuMode.SLICES,
                List.of(new EmulatedFailure(
                        EmulatedOperation.LIST, Optional.of(FIRST), DeviceException.Kind.TIMEOUT, 0, 1, false))));
        assertThatThrownBy(() -> publisher.publish(START.plusSeconds(1), false)).isInstanceOf(DeviceException.class);
        assertThat(versions()).isEqualTo(before);
    }

    @Test
    void aConflictIsDecidedAnew() throws Exception {
        publisher.publish(START, false);
        foreign("3g.20gb", 0);
        cluster.faults()
                .rule()
                .verbs("update")
                .resources("resourceslices.resource.k8s.io")
                .times(2)
                .conflict();

        publisher.publish(START.plusSeconds(1), false);

        assertThat(units()).hasSize(4);
    }

    @Test
    void whatFailedHalfwayIsCompletedByTheNext() throws Exception {
        cluster.faults()
                .rule()
                .verbs("create")
                .resources("resourceslices.resource.k8s.io")
                .after(1)
                .times(1)
                .internalError();
        assertThatThrownBy(() -> publisher.publish(START, false))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("the API server says 500");
        assertThat(versions()).hasSize(1);

        publisher.publish(START.plusSeconds(1), false);
        assertThat(api.slices()).hasSize(3).allSatisfy(slice -> {
            assertThat(slice.getSpec().getPool().getResourceSliceCount()).isEqualTo(3);
            assertThat(slice.getSpec().getPool().getGeneration())
                    .isEqualTo(api.slices().get(0).getSpec().getPool().getGeneration());
        });
        assertThat(publisher.publish(START.plusSeconds(2), false)).isEmpty();
    }

    /** A claim that cannot be read may have any device. */
    @Test
    void withoutClaimsNothingIsWritten() throws Exception {
        publisher.publish(START, false);
        List<String> before = versions();
        foreign("3g.20gb", 0);
        cluster.faults()
                .rule()
                .verbs("list")
                .resources("resourceclaims.resource.k8s.io")
                .times(1)
                .unavailable();
        assertThatThrownBy(() -> publisher.publish(START.plusSeconds(1), false)).isInstanceOf(IOException.class);
        assertThat(versions()).isEqualTo(before);
    }

    /** Every write wakes all pods that wait. */
    @Test
    void ordersAreWrittenOnceASecondAndContentAtOnce() throws Exception {
        publisher.publish(START, false);
        keeper.prepare(
                new ClaimRef("u1", "ns", "a"),
                List.of(new WantedSlice("gpu-0000-10-00-0-1g-5gb-6", FIRST, "1g.5gb", 6)));
        publisher.publish(START.plusSeconds(1), false);
        List<String> before = versions();
        keeper.prepare(
                new ClaimRef("u2", "ns", "b"),
                List.of(new WantedSlice("gpu-0000-10-00-0-3g-20gb-0", FIRST, "3g.20gb", 0)));
        Optional<Instant> again = publisher.publish(START.plusMillis(1500), false);

        assertThat(log.stream().filter(line -> line.startsWith("published an order")))
                .hasSize(1);
        assertThat(versions()).isEqualTo(before);
        assertThat(again).contains(START.plusSeconds(2));
        publisher.publish(START.plusSeconds(2), false);
        assertThat(log.stream().filter(line -> line.startsWith("published an order")))
                .hasSize(2);
    }

    @Test
    void lossClassesAreKeptTrueWhileAClaimAsksByThem() throws Exception {
        publisher.publish(START, false);
        allocate("plain", "gpu-0000-10-00-0-2g-10gb-4");
        publisher.publish(START.plusSeconds(1), false);
        assertThat(lossClass("gpu-0000-10-00-0-1g-5gb-0"))
                .as("nobody asks, and first-fit goes on to take the right places")
                .isEqualTo(2);

        create(
                Gvr.RESOURCECLAIMS,
                "{'apiVersion':'resource.k8s.io/v1','kind':'ResourceClaim','metadata':{'name':'asks','namespace':'ns'},"
                        + "'spec':{'devices':{'requests':[{'name':'r','firstAvailable':[{'name':'loss-0',"
                        + "'deviceClassName':'c','selectors':[{'cel':{'expression':"
                        + "'device.attributes[\\\"slices.sro.dev\\\"].lossClass <= 0'}}]},"
                        + "{'name':'any','deviceClassName':'c'}]}]}}}");
        publisher.publish(START.plusSeconds(2), false);
        assertThat(lossClass("gpu-0000-10-00-0-1g-5gb-0")).isEqualTo(1);
        assertThat(log).last().asString().startsWith("published an order: 0 ResourceSlices new, 1 changed");
    }

    private long lossClass(String name) throws IOException {
        return api.slices().stream()
                .flatMap(slice -> slice.getSpec().getDevices().stream())
                .filter(device -> device.getName().equals(name))
                .map(device -> device.getAttributes().get("lossClass").getInt())
                .findFirst()
                .orElseThrow();
    }

    @Test
    void aClaimThatIsNotPreparedYetIsLookedForAgainLessAndLessOften() throws Exception {
        publisher.publish(START, false);
        allocate("one", DEVICE);
        Instant now = START.plusSeconds(10);
        List<Long> waits = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            Instant next = publisher.publish(now, false).orElseThrow();
            waits.add(Duration.between(now, next).toSeconds());
            now = next;
        }
        assertThat(waits).containsExactly(1L, 2L, 4L, 8L, 16L, 32L, 60L, 60L);
    }

    /** As a server does it that has partitionable devices switched off. */
    @Test
    void whereTheServerThrowsCountersAwayNothingIsPublished() throws Exception {
        publisher.publish(START, false);
        for (ResourceSlice slice : api.slices()) {
            slice.getSpec().getDevices().forEach(device -> device.setConsumesCounters(List.of()));
            api.update(slice);
        }
        cluster.faults()
                .rule()
                .verbs("delete")
                .resources("resourceslices.resource.k8s.io")
                .after(1)
                .times(1)
                .internalError();
        assertThatThrownBy(() -> publisher.publish(START.plusMillis(500), false))
                .isInstanceOf(IOException.class);
        publisher.publish(START.plusSeconds(1), false);
        assertThat(api.slices()).isEmpty();
        assertThat(log).anyMatch(line -> line.startsWith("the API server throws counters away"));

        publisher.publish(START.plusSeconds(2), true);
        assertThat(api.slices()).isEmpty();
    }

    @Test
    void theOrderOfGpusIsChangedWhenItIsQuietAlone() throws Exception {
        publisher.publish(START, false);
        keeper.prepare(
                new ClaimRef("u", "ns", "a"),
                List.of(new WantedSlice("gpu-0000-11-00-0-1g-6gb-0", PciAddress.of("0000:11:00.0"), "1g.6gb", 0)));
        publisher.publish(START.plusSeconds(1), true);
        assertThat(log).noneMatch(line -> line.endsWith("generation 2"));
        publisher.publish(START.plusSeconds(32), false);
        assertThat(log).noneMatch(line -> line.endsWith("generation 2"));
        publisher.publish(START.plusSeconds(33), true);
        assertThat(log).anyMatch(line -> line.endsWith("generation 2"));
    }

    @Test
    void aServerWithoutTheApiIsToldOfOnceAndAskedNoMore() throws Exception {
        List<String> asked = Collections.synchronizedList(new ArrayList<>());
        HttpServer old = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        old.createContext("/", exchange -> {
            asked.add(exchange.getRequestURI().getPath());
            byte[] body = "{\"gitVersion\":\"v1.33.4\",\"items\":[]}".getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        old.start();
        try {
            ApiServer server = ApiServer.at(
                    URI.create("http://127.0.0.1:" + old.getAddress().getPort()), Optional.empty(), Optional.empty());
            SlicePublisher other = new SlicePublisher(
                    DRIVER,
                    new ApiSlices(server, "n1", DRIVER),
                    new NodeReader("n1", devices, keeper, Catalogue.builtin()),
                    node::read,
                    GpuCare.NONE,
                    PublishRule.standard(),
                    log::add);
            assertThat(other.publish(START, true)).isEmpty();
            assertThat(other.publish(START.plusSeconds(1), true)).isEmpty();
        } finally {
            old.stop(0);
        }
        assertThat(asked).containsExactly("/api/v1/nodes", "/version");
        assertThat(log).hasSize(1).first().asString().startsWith("nothing is published: Kubernetes 1.33");
    }
}
