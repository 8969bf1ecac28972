package dev.sro.agent.publish;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.agent.device.PciAddress;
import dev.sro.agent.slice.ClaimRef;
import dev.sro.agent.slice.WantedSlice;
import dev.sro.testkit.server.Gvr;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How often an order is written, and how often claims are looked for. */
class PublishOrderTest extends A100PublishingTest {

    PublishOrderTest(@TempDir Path state) throws IOException {
        super(state);
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
                .map(device -> Objects.requireNonNull(device.getAttributes().get("lossClass"))
                        .getInt())
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
}
