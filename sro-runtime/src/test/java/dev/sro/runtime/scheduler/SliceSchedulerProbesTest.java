package dev.sro.runtime.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.core.slicing.catalogue.Catalogue;
import dev.sro.runtime.Scrape;
import dev.sro.testkit.EmbeddedCluster;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What kubelet gets of a process of the scheduler. */
class SliceSchedulerProbesTest {
    @Test
    void kubeletIsAnsweredAndThereAreNoMetrics() throws Exception {
        try (EmbeddedCluster cluster = EmbeddedCluster.builder().realTime().build();
                SliceSchedulerRun run = SliceSchedulerRun.start(
                        new SliceSchedulerRun.Settings(
                                Optional.empty(),
                                Optional.empty(),
                                Optional.empty(),
                                false,
                                Optional.empty(),
                                Optional.empty(),
                                Optional.of(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))),
                        cluster.newClient("scheduler"),
                        Catalogue.builtin(),
                        () -> {})) {
            int port = run.probesPort().orElseThrow();

            assertThat(Scrape.get(port, "/healthz").body()).isEqualTo("ok\n");
            assertThat(Scrape.get(port, "/readyz").statusCode())
                    .as("it places nothing, so it waits for nothing")
                    .isEqualTo(200);
            assertThat(Scrape.get(port, "/metrics").statusCode()).isEqualTo(404);
        }
    }
}
