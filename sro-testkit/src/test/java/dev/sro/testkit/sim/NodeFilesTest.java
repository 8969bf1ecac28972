package dev.sro.testkit.sim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.testkit.server.Gvr;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Barriers on simulated machines: one pod leaves a file, another waits for it. */
class NodeFilesTest {
    private static final String FILE = "/run/acme/ready";

    private final SimWorld world = new SimWorld();

    @BeforeEach
    void oneNode() {
        world.node("n1").advance("PT3S");
        world.sim
                .behaviors()
                .add(Behavior.leavesFile(FILE).workload("driver"))
                .add(Behavior.waitsForFiles(FILE).container("wait"));
        world.pod("user", "{'initContainers':[{'name':'wait','image':'i'}],'containers':[{'name':'c','image':'i'}]}");
    }

    @AfterEach
    void close() {
        world.close();
    }

    private String phase(String pod) {
        return Pods.phase(world.get(Gvr.PODS, pod));
    }

    @Test
    void aPodWaitsUntilTheFileIsOnItsNode() {
        world.advance("PT10M");
        assertThat(phase("user")).isEqualTo("Pending");

        world.pod("driver", SimWorld.podSpec("i", ""));
        world.advance("PT20S");

        assertThat(world.sim.files().on("n1")).containsExactly(FILE);
        assertThat(world.sim.files().exists("n2", FILE)).isFalse();
        assertThat(phase("user")).isEqualTo("Running");
    }

    @Test
    void theFileGoesWithWhoLeftItAndWhoGotPastItRunsOn() {
        world.pod("driver", SimWorld.podSpec("i", ""));
        world.advance("PT20S");

        Pods.delete(world.api, world.get(Gvr.PODS, "driver"));
        world.advance("PT60S");

        assertThat(world.sim.files().on("n1")).isEmpty();
        assertThat(phase("user")).isEqualTo("Running");
    }

    @Test
    void itIsThereOnlyWhileWhoLeftItIsReady() {
        world.sim.behaviors().add(Behavior.readyAfter(Duration.ofMinutes(5)).workload("slow"));
        world.pod("driver", SimWorld.podSpec("i", ""));
        world.pod("slow", SimWorld.podSpec("i", ""));
        world.advance("PT20S");
        assertThat(world.sim.files().on("n1")).containsExactly(FILE);

        world.sim.behaviors().add(Behavior.neverReady().workload("driver"));
        world.sim.restartContainers("ns", "driver", "");
        world.advance("PT20S");

        assertThat(world.sim.files().on("n1")).isEmpty();
    }
}
