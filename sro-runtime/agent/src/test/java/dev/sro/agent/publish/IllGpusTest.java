package dev.sro.agent.publish;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sro.agent.device.DeviceException;
import dev.sro.agent.device.GpuMode;
import dev.sro.agent.emulated.EmulatedFailure;
import dev.sro.agent.emulated.EmulatedOperation;
import dev.sro.agent.slice.WantedSlice;
import dev.sro.core.dra.NodeMarks;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** GPUs that are ill, from what the driver says to what is published. */
class IllGpusTest extends ModesPublishingTest {

    IllGpusTest(@TempDir Path state) throws IOException {
        super(state);
    }

    @Test
    void aGpuThatIsIllTakesNothingNewUntilItIsWell() throws Exception {
        until(0);
        devices.raise(H100, 31);
        assertThat(health.await(Duration.ZERO)).as("a program's fault").isFalse();
        devices.heal(H100);
        devices.raise(H100, 95);
        assertThat(health.await(Duration.ZERO)).isTrue();
        until(1);
        assertThat(open(H100)).isFalse();
        assertThat(open(A100)).isTrue();

        restart(devices, "boot");
        assertThat(health.faults(H100)).as("after a restart of the agent").containsOnlyKeys("xid-95");
        until(2);
        assertThat(open(H100)).isFalse();

        devices.heal(H100);
        assertThat(health.recheck()).containsExactly(H100);
        until(3);
        assertThat(open(H100)).isTrue();
        restart(devices, "boot");
        assertThat(health.all()).isEmpty();
    }

    @Test
    void aGpuThatIsIllIsResetWhenThatIsOrderedAndNobodyHasAnythingOfIt() throws Exception {
        until(0);
        keeper.prepare(CLAIM, List.of(new WantedSlice("gpu-0000-11-00-0-1g-10gb-0", H100, "1g.10gb", 0)));
        devices.raise(H100, 95);
        health.await(Duration.ZERO);
        until(1);
        assertThat(annotation(NodeMarks.RESET_NEEDED)).isEqualTo(H100.toString());
        until(100);
        assertThat(health.all()).as("never by itself").containsOnlyKeys(H100);

        node.annotate(Map.of(NodeMarks.RESET, H100.toString()));
        until(101);
        assertThat(annotation(NodeMarks.RESET_NEEDED))
                .as("still to be done, as a claim has a slice")
                .isEqualTo(H100.toString());
        assertThat(devices.instances(H100)).hasSize(1);

        keeper.unprepare("u");
        until(102);
        assertThat(health.all()).isEmpty();
        assertThat(annotation(NodeMarks.RESET_NEEDED)).isEmpty();
        assertThat(open(H100)).isTrue();
    }

    /** Of the driver's reports none is told twice: while the agent was away nobody heard it. */
    @Test
    void whatHappenedWhileNobodyListenedIsAskedFor() throws Exception {
        devices.raise(H100, 95);
        devices.raise(A100, 31);
        restart(devices, "boot");
        assertThat(health.askAll()).isTrue();
        assertThat(health.all()).containsOnlyKeys(H100);
        assertThat(health.needReset()).containsExactly(H100);
        assertThat(health.askAll()).as("from now on somebody listens").isFalse();
        until(0);
        assertThat(open(H100)).isFalse();

        devices.heal(H100);
        assertThat(health.recheck()).containsExactly(H100);
        until(1);
        assertThat(open(H100)).isTrue();
    }

    /** A GPU that is ill lets go of nothing; the reset that would cure it must not wait for that. */
    @Test
    void whatCannotBeDestroyedDoesNotKeepAGpuFromItsReset() throws Exception {
        restart(
                devices(
                        GpuMode.SLICES,
                        List.of(new EmulatedFailure(
                                EmulatedOperation.DESTROY_COMPUTE_INSTANCE,
                                Optional.of(H100),
                                DeviceException.Kind.IN_USE,
                                0,
                                Integer.MAX_VALUE,
                                false))),
                "boot");
        until(0);
        keeper.prepare(CLAIM, List.of(new WantedSlice("gpu-0000-11-00-0-1g-10gb-0", H100, "1g.10gb", 0)));
        devices.raise(H100, 95);
        health.await(Duration.ZERO);
        keeper.unprepare("u");
        assertThat(keeper.quarantined()).hasSize(1);

        node.annotate(Map.of(NodeMarks.RESET, H100.toString()));
        until(1);
        until(100);
        assertThat(annotation(NodeMarks.RESET_FAILED)).isEmpty();
        assertThat(annotation(NodeMarks.RESET_NEEDED)).isEmpty();
        assertThat(health.all()).isEmpty();
        assertThat(keeper.holdings()).isEmpty();
        assertThat(devices.instances(H100)).isEmpty();
        assertThat(open(H100)).isTrue();
    }

    /** Not tried is not failed: it is done when the other's slice is gone. */
    @Test
    void aResetThatWaitsForSomebodyElsesSliceHasNotFailed() throws Exception {
        until(0);
        devices.raise(H100, 95);
        health.await(Duration.ZERO);
        int foreign = devices.createGpuInstance(
                H100, devices.gpus().get(1).profile("1g.10gb").orElseThrow(), 0);
        node.annotate(Map.of(NodeMarks.RESET, H100.toString()));
        until(1);
        until(100);
        assertThat(annotation(NodeMarks.RESET_NEEDED)).isEqualTo(H100.toString());
        assertThat(annotation(NodeMarks.RESET_FAILED)).isEmpty();

        devices.destroyGpuInstance(H100, foreign);
        until(101);
        assertThat(annotation(NodeMarks.RESET_NEEDED)).isEmpty();
        assertThat(open(H100)).isTrue();
    }

    @Test
    void aBootForgetsWhatAilsGpus() throws Exception {
        devices.raise(H100, 95);
        health.await(Duration.ZERO);
        restart(devices(GpuMode.SLICES), "other boot");
        assertThat(health.all()).isEmpty();
    }

    @Test
    void aGpuThatFellOffTheBusIsClosedAndComesBack() throws Exception {
        until(0);
        devices.raise(H100, 79);
        health.await(Duration.ZERO);
        until(1);
        assertThat(open(H100)).isFalse();
        assertThat(open(A100)).as("the others go on").isTrue();
        assertThatThrownBy(() -> devices.instances(H100)).isInstanceOf(DeviceException.class);
        devices.reset();
        health.recheck();
        until(2);
        assertThat(open(H100)).isTrue();
    }
}
