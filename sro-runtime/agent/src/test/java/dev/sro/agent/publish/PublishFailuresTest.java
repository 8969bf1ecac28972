package dev.sro.agent.publish;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import dev.sro.agent.claims.ApiServer;
import dev.sro.agent.device.DeviceException;
import dev.sro.agent.device.GpuMode;
import dev.sro.agent.device.PciAddress;
import dev.sro.agent.emulated.EmulatedFailure;
import dev.sro.agent.emulated.EmulatedOperation;
import dev.sro.agent.node.PcieRoots;
import dev.sro.core.dra.PublishRule;
import dev.sro.core.slicing.catalogue.Catalogue;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Nothing half published stays, whatever the API server and the driver do. */
class PublishFailuresTest extends A100PublishingTest {

    PublishFailuresTest(@TempDir Path state) throws IOException {
        super(state);
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
    void aGpuOfWhichTheDriverTellsNothingKeepsNobodyFromTheOthers() throws Exception {
        publisher.publish(START, false);
        restart(devices(
                GpuMode.SLICES,
                List.of(new EmulatedFailure(
                        EmulatedOperation.LIST,
                        Optional.of(FIRST),
                        DeviceException.Kind.OTHER,
                        0,
                        Integer.MAX_VALUE,
                        false))));
        for (int second = 1; second <= 2; second++) {
            Instant at = START.plusSeconds(second);
            assertThatThrownBy(() -> publisher.publish(at, false)).isInstanceOf(DeviceException.class);
        }
        publisher.publish(START.plusSeconds(3), false);
        assertThat(open(FIRST)).as("the taint is not safe on this server").isFalse();
        assertThat(open(PciAddress.of("0000:11:00.0"))).isTrue();
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

    /** As a server does it that has taints of devices switched off, when SRO's allocator gives devices. */
    @Test
    void whereTheServerThrowsTaintsAwayNothingIsKeptForTheAllocator() throws Exception {
        SlicePublisher authoritative = new SlicePublisher(
                DRIVER,
                true,
                api,
                new NodeReader("n1", devices, keeper, Catalogue.builtin(), PcieRoots.none()),
                node::read,
                GpuCare.NONE,
                PublishRule.standard(),
                log::add);
        authoritative.publish(START, false);
        assertThat(api.slices())
                .flatExtracting(slice -> slice.getSpec().getDevices())
                .isNotEmpty()
                .allMatch(device -> device.getTaints().get(0).getKey().equals(DRIVER + "/allocator"));
        for (ResourceSlice slice : api.slices()) {
            slice.getSpec().getDevices().forEach(device -> device.setTaints(List.of()));
            api.update(slice);
        }

        authoritative.publish(START.plusSeconds(1), false);

        assertThat(api.slices()).isEmpty();
        assertThat(log).anyMatch(line -> line.startsWith("the API server throws taints of devices away"));
    }

    @Test
    void whatIsToBeKnownOfTheVersionIsToldOnceToWhomItIsSaid() throws Exception {
        List<String> told = new ArrayList<>();
        publisher(devices, keeper, GpuCare.NONE).warning(told::add).publish(START, true);
        assertThat(told)
                .isNotEmpty()
                .allMatch(text -> text.startsWith("Kubernetes 1."))
                .doesNotHaveDuplicates();
        assertThat(log).doesNotContainAnyElementsOf(told);
        List<String> once = List.copyOf(told);
        publisher.publish(START.plusSeconds(1), true);
        assertThat(told).isEqualTo(once);
        assertThat(log).as("nobody else is told").containsAll(once);
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
                    new NodeReader("n1", devices, keeper, Catalogue.builtin(), PcieRoots.none()),
                    node::read,
                    GpuCare.NONE,
                    PublishRule.standard(),
                    log::add);
            assertThat(other.publish(START, true)).isEmpty();
            assertThat(other.publish(START.plusSeconds(1), true)).isEmpty();
        } finally {
            old.stop(0);
        }
        assertThat(asked).containsExactly("/apis/resource.k8s.io/v1/resourceslices", "/version");
        assertThat(log).hasSize(1).first().asString().startsWith("nothing is published: Kubernetes 1.33");
    }
}
