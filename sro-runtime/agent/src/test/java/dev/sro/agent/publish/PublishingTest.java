package dev.sro.agent.publish;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sro.agent.cdi.ClaimSpecs;
import dev.sro.agent.cdi.EmulatedEdits;
import dev.sro.agent.claims.ApiServer;
import dev.sro.agent.device.DriverVersion;
import dev.sro.agent.device.PciAddress;
import dev.sro.agent.emulated.EmulatedDevices;
import dev.sro.agent.emulated.EmulatedFailure;
import dev.sro.agent.emulated.EmulatedGpus;
import dev.sro.agent.emulated.EmulatedNode;
import dev.sro.agent.file.LocalDisk;
import dev.sro.agent.node.ApiNode;
import dev.sro.agent.node.PcieRoots;
import dev.sro.agent.slice.Checkpoint;
import dev.sro.agent.slice.ClaimSource;
import dev.sro.agent.slice.SliceKeeper;
import dev.sro.core.dra.PublishRule;
import dev.sro.core.slicing.catalogue.Catalogue;
import dev.sro.testkit.EmbeddedCluster;
import dev.sro.testkit.server.Gvr;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;

/** The node {@code n1} with emulated GPUs, from hardware to what an agent publishes of it on an embedded API server, over HTTP. */
abstract class PublishingTest {
    static final String DRIVER = "slices.sro.dev";
    static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    private static final ObjectMapper JSON = new ObjectMapper();

    final EmbeddedCluster cluster = EmbeddedCluster.create();
    final ApiSlices api;
    final ApiNode node;
    final Path state;
    final List<String> log = new ArrayList<>();
    EmulatedDevices devices;
    SliceKeeper keeper;
    SlicePublisher publisher;

    PublishingTest(Path state, EmulatedDevices hardware) throws IOException {
        this.state = state;
        ApiServer server = ApiServer.at(cluster.serveHttp(0).uri(), Optional.empty(), Optional.empty());
        api = new ApiSlices(server, "n1", DRIVER);
        node = new ApiNode(server, "n1");
        create(Gvr.NODES, "{'apiVersion':'v1','kind':'Node','metadata':{'name':'n1'}}");
        create(Gvr.NAMESPACES, "{'apiVersion':'v1','kind':'Namespace','metadata':{'name':'ns'}}");
        devices = hardware;
        keeper = keeper(hardware, "boot");
        publisher = publisher(hardware, keeper, GpuCare.NONE);
    }

    @AfterEach
    final void close() {
        cluster.close();
    }

    static EmulatedDevices devices(List<EmulatedGpus> gpus, List<EmulatedFailure> failures) {
        return new EmulatedDevices(
                "n1",
                new EmulatedNode(new DriverVersion("580.65.06", "13.0"), Duration.ZERO, Duration.ZERO, gpus, failures),
                pause -> {});
    }

    private SliceKeeper keeper(EmulatedDevices hardware, String boot) throws IOException {
        SliceKeeper made = new SliceKeeper(
                hardware,
                Checkpoint.open(new LocalDisk(), state.resolve("checkpoint"), boot),
                new ClaimSpecs(new LocalDisk(), state.resolve("cdi"), new EmulatedEdits()));
        made.reconcile(claim -> ClaimSource.Standing.ALLOCATED);
        return made;
    }

    final SlicePublisher publisher(EmulatedDevices hardware, SliceKeeper slices, GpuCare care) {
        return new SlicePublisher(
                DRIVER,
                api,
                new NodeReader("n1", hardware, slices, Catalogue.builtin(), PcieRoots.none()),
                node::read,
                care,
                PublishRule.standard(),
                log::add);
    }

    /** As after a restart of the agent on this hardware. */
    void restart(EmulatedDevices hardware, String boot) throws IOException {
        devices = hardware;
        keeper = keeper(hardware, boot);
        publisher = publisher(hardware, keeper, GpuCare.NONE);
    }

    final void create(Gvr type, String text) throws IOException {
        cluster.api().create(type, (ObjectNode) JSON.readTree(text.replace('\'', '"')));
    }

    /** As the scheduler does it; nobody has prepared it yet. */
    final void allocate(String claim, String device) throws IOException {
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

    /** Whether anything of it can be had, by the counters. */
    final boolean open(PciAddress gpu) throws IOException {
        String name = "gpu-" + gpu.toString().replace(':', '-').replace('.', '-');
        return api.slices().stream()
                .flatMap(slice -> slice.getSpec().getSharedCounters().stream())
                .filter(set -> set.getName().equals(name))
                .anyMatch(set -> set.getCounters().values().stream()
                        .anyMatch(counter -> !counter.getValue().getAmount().equals("0")));
    }

    final List<String> versions() throws IOException {
        return api.slices().stream()
                .map(slice -> slice.getMetadata().getName() + " "
                        + slice.getMetadata().getResourceVersion())
                .toList();
    }
}
