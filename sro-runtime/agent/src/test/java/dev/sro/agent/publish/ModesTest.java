package dev.sro.agent.publish;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sro.agent.device.DeviceException;
import dev.sro.agent.device.Gpu;
import dev.sro.agent.device.GpuMode;
import dev.sro.agent.emulated.EmulatedFailure;
import dev.sro.agent.emulated.EmulatedOperation;
import dev.sro.agent.slice.ClaimRef;
import dev.sro.agent.slice.ClaimSource;
import dev.sro.agent.slice.SliceException;
import dev.sro.agent.slice.WantedSlice;
import dev.sro.core.dra.NodeMarks;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Modes and whole GPUs, from the marks of the Node to hardware and what is published. */
class ModesTest extends ModesPublishingTest {

    ModesTest(@TempDir Path state) throws IOException {
        super(state);
    }

    @Test
    void migGoesOnAtOnceFromHopperOnAndByAnOrderedResetBefore() throws Exception {
        restart(devices(GpuMode.WHOLE), "boot");
        until(0);
        assertThat(api.slices()).as("nobody asked for slices").isEmpty();

        mode("slices");
        until(1);
        assertThat(mode(H100)).isEqualTo(GpuMode.SLICES);
        assertThat(listed(H100)).isNotEmpty();
        assertThat(mode(A100)).isEqualTo(GpuMode.WHOLE);
        assertThat(annotation(NodeMarks.RESET_NEEDED)).isEqualTo("0000:10:00.0,0000:12:00.0");

        until(600);
        assertThat(mode(A100)).as("never by itself").isEqualTo(GpuMode.WHOLE);

        node.annotate(Map.of(NodeMarks.RESET, "0000:10:00.0,0000:12:00.0"));
        until(601);
        assertThat(mode(A100)).isEqualTo(GpuMode.SLICES);
        assertThat(listed(A100)).isNotEmpty();
        assertThat(open(A100)).isTrue();
        assertThat(annotation(NodeMarks.RESET_NEEDED)).isEqualTo("0000:12:00.0");
        assertThat(annotation(NodeMarks.RESET_FAILED)).isEqualTo("0000:12:00.0");
        assertThat(log).anyMatch(line -> line.contains("0000:12:00.0: not MIG on: 0000:12:00.0: cannot be reset"));
        assertThat(mode(STUBBORN)).isEqualTo(GpuMode.PENDING);
        assertThat(listed(STUBBORN)).isEmpty();
    }

    /** The first GPU is reset only after so many tries that end so. */
    private void resetsFail(DeviceException.Kind kind, int times) throws IOException {
        EmulatedFailure failure =
                new EmulatedFailure(EmulatedOperation.RESET, Optional.of(A100), kind, 0, times, false);
        restart(devices(GpuMode.WHOLE, List.of(failure)), "boot");
        mode("slices");
        node.annotate(Map.of(NodeMarks.RESET, A100.toString()));
    }

    @Test
    void aGpuThatCannotBeResetIsTriedAgainOnlyIfThatIsOrderedAnew() throws Exception {
        resetsFail(DeviceException.Kind.NOT_SUPPORTED, 1);
        until(1);
        until(100);
        restart(devices, "boot");
        until(200);
        assertThat(mode(A100)).isEqualTo(GpuMode.PENDING);

        node.annotate(Map.of(NodeMarks.RESET, ""));
        until(201);
        assertThat(annotation(NodeMarks.RESET_FAILED))
                .as("whoever would order it sees that it is in vain")
                .isEqualTo(A100.toString());
        node.annotate(Map.of(NodeMarks.RESET, A100.toString()));
        until(202);
        assertThat(mode(A100)).isEqualTo(GpuMode.SLICES);
        assertThat(annotation(NodeMarks.RESET_FAILED)).isEmpty();
        assertThat(annotation(NodeMarks.RESET_NEEDED)).isEqualTo(STUBBORN.toString());
    }

    @Test
    void whoTakesTheMarkAwayHasAGpuTriedAgain() throws Exception {
        resetsFail(DeviceException.Kind.NOT_SUPPORTED, 1);
        until(1);
        until(2);
        assertThat(annotation(NodeMarks.RESET_FAILED)).isEqualTo(A100.toString());

        node.annotate(Map.of(NodeMarks.RESET_FAILED, ""));
        until(3);
        assertThat(mode(A100)).as("the order stands").isEqualTo(GpuMode.SLICES);
        assertThat(annotation(NodeMarks.RESET_FAILED)).isEmpty();
    }

    @Test
    void thatAGpuCannotBeResetIsForgottenWithWhatWasAskedOfIt() throws Exception {
        restart(devices(GpuMode.WHOLE), "boot");
        mode("slices");
        node.annotate(Map.of(NodeMarks.RESET, A100 + "," + STUBBORN));
        until(1);
        assertThat(annotation(NodeMarks.RESET_FAILED)).isEqualTo(STUBBORN.toString());

        node.annotate(Map.of(NodeMarks.RESET, ""));
        mode("dynamic");
        until(2);
        assertThat(annotation(NodeMarks.RESET_NEEDED)).isEmpty();
        assertThat(annotation(NodeMarks.RESET_FAILED)).isEmpty();
        mode("slices");
        until(3);
        assertThat(annotation(NodeMarks.RESET_NEEDED)).isEqualTo(STUBBORN.toString());
        assertThat(annotation(NodeMarks.RESET_FAILED)).isEmpty();
    }

    /** As a monitor that leaves with the drain and takes its time. */
    @Test
    void aResetThatSomebodyIsInTheWayOfIsTriedAgainUntilTheyAreGone() throws Exception {
        resetsFail(DeviceException.Kind.IN_USE, 2);
        assertThat(publisher.publish(START.plusSeconds(1), false)).isPresent();
        assertThat(publisher.publish(START.plusSeconds(2), false)).contains(START.plusSeconds(17));
        assertThat(annotation(NodeMarks.RESET_FAILED)).isEmpty();
        assertThat(annotation(NodeMarks.RESET_NEEDED)).contains(A100.toString());
        assertThat(log).anyMatch(line -> line.contains("0000:10:00.0: not MIG on"));

        until(17);
        assertThat(mode(A100)).isEqualTo(GpuMode.SLICES);
        assertThat(annotation(NodeMarks.RESET_NEEDED)).isEqualTo(STUBBORN.toString());
        assertThat(annotation(NodeMarks.RESET_FAILED)).isEmpty();
    }

    @Test
    void whatClaimsHaveKeepsAGpuAsItIsAndItIsClosedMeanwhile() throws Exception {
        until(0);
        keeper.prepare(CLAIM, List.of(new WantedSlice("gpu-0000-11-00-0-1g-10gb-0", H100, "1g.10gb", 0)));
        mode("whole");
        until(1);
        until(100);
        assertThat(mode(H100)).isEqualTo(GpuMode.SLICES);
        assertThat(listed(H100)).contains("gpu-0000-11-00-0-1g-10gb-0");

        keeper.unprepare("u");
        until(101);
        assertThat(mode(H100)).isEqualTo(GpuMode.WHOLE);
        assertThat(listed(H100)).containsExactly("gpu-0000-11-00-0");
        assertThat(open(H100)).isTrue();
    }

    @Test
    void aGpuIsClosedForAWhileBeforeItChanges() throws Exception {
        until(0);
        mode("whole");
        until(1);
        assertThat(open(H100)).isFalse();
        assertThat(mode(H100)).isEqualTo(GpuMode.SLICES);
        assertThat(publisher.publish(START.plusSeconds(2), false)).contains(START.plusSeconds(31));

        until(31);
        assertThat(mode(H100)).isEqualTo(GpuMode.WHOLE);
        assertThat(listed(H100)).containsExactly("gpu-0000-11-00-0");

        mode("slices");
        until(32);
        assertThat(mode(H100)).as("the same the other way").isEqualTo(GpuMode.WHOLE);
        until(62);
        assertThat(mode(H100)).isEqualTo(GpuMode.SLICES);
        assertThat(listed(H100)).hasSizeGreaterThan(1);
        assertThat(open(H100)).isTrue();
    }

    @Test
    void aCordonedGpuKeepsItsMode() throws Exception {
        restart(devices(GpuMode.WHOLE), "boot");
        node.annotate(Map.of(NodeMarks.cordon(H100.toString()), "mine"));
        mode("slices");
        until(1);
        until(100);
        assertThat(mode(H100)).isEqualTo(GpuMode.WHOLE);
    }

    @Test
    void slicesAndWholeGpusTakeTurnsWhereTheModeIsDynamic() throws Exception {
        mode("dynamic");
        until(0);
        assertThat(listed(H100)).contains("gpu-0000-11-00-0", "gpu-0000-11-00-0-1g-10gb-0");
        assertThat(listed(A100)).as("only a reset would switch it").doesNotContain("gpu-0000-10-00-0");

        keeper.prepare(CLAIM, List.of(whole(H100)));
        assertThat(mode(H100)).isEqualTo(GpuMode.WHOLE);
        assertThatThrownBy(() -> keeper.prepare(
                        new ClaimRef("v", "ns", "two"),
                        List.of(new WantedSlice("gpu-0000-11-00-0-1g-10gb-0", H100, "1g.10gb", 0))))
                .isInstanceOf(SliceException.class)
                .hasMessageContaining("all of 0000:11:00.0 is held by claim ns/one");
        until(1);
        assertThat(listed(H100)).contains("gpu-0000-11-00-0", "gpu-0000-11-00-0-1g-10gb-0");

        keeper.unprepare("u");
        keeper.prepare(CLAIM, List.of(new WantedSlice("gpu-0000-11-00-0-1g-10gb-0", H100, "1g.10gb", 0)));
        assertThat(mode(H100)).isEqualTo(GpuMode.SLICES);
        assertThatThrownBy(() -> keeper.prepare(new ClaimRef("v", "ns", "two"), List.of(whole(H100))))
                .isInstanceOf(SliceException.class)
                .hasMessageContaining("1g.10gb at 0 of 0000:11:00.0 is held by claim ns/one");
        assertThatThrownBy(() -> keeper.prepare(new ClaimRef("v", "ns", "two"), List.of(whole(A100))))
                .isInstanceOf(SliceException.class)
                .hasMessageContaining("MIG is on");
    }

    @Test
    void aWholeGpuSurvivesTheAgentAndGoesWithItsClaim() throws Exception {
        restart(devices(GpuMode.WHOLE), "boot");
        mode("whole");
        until(0);
        assertThat(listed(A100)).containsExactly("gpu-0000-10-00-0");
        String uuid = keeper.prepare(CLAIM, List.of(whole(A100))).get(0).uuid();
        assertThat(uuid).startsWith("GPU-");
        assertThat(state.resolve("cdi/sro.dev-slice_u.json")).content().contains(uuid);

        restart(devices, "boot");
        assertThat(keeper.prepare(CLAIM, List.of(whole(A100))).get(0).uuid()).isEqualTo(uuid);
        assertThatThrownBy(() -> keeper.prepare(new ClaimRef("v", "ns", "two"), List.of(whole(A100))))
                .hasMessageContaining("is held by claim ns/one");
        keeper.reconcile(claim -> ClaimSource.Standing.GONE);
        assertThat(keeper.holdings()).isEmpty();
        assertThat(state.resolve("cdi/sro.dev-slice_u.json")).doesNotExist();
    }

    @Test
    void aForeignSliceKeepsAGpuFromBeingHadWholeAndFromChanging() throws Exception {
        mode("dynamic");
        until(0);
        Gpu gpu = devices.gpus().get(1);
        devices.createGpuInstance(H100, gpu.profile("1g.10gb").orElseThrow(), 0);
        assertThatThrownBy(() -> keeper.prepare(CLAIM, List.of(whole(H100))))
                .hasMessageContaining("which the agent did not make");
        mode("whole");
        until(1);
        until(100);
        assertThat(mode(H100)).isEqualTo(GpuMode.SLICES);
        assertThat(log).anyMatch(line -> line.contains("not MIG off"));
    }
}
