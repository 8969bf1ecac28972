package dev.sro.core.plan.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.core.load.WorkerDecision;
import dev.sro.core.load.WorkerDecision.Input;
import dev.sro.core.load.WorkerDecision.Pod;
import dev.sro.core.load.WorkerDecision.Recorded;
import dev.sro.core.upgrade.machine.DriverPod.State;
import org.junit.jupiter.api.Test;

/** How an upgrade sees what worker pods load. */
final class WorkerDriversTest {

    private static State state(Recorded recorded, Pod pod, boolean crashed) {
        return WorkerDrivers.state(new Input(true, recorded, pod, true, false, false), crashed);
    }

    private static State state(Recorded recorded, Pod pod) {
        return state(recorded, pod, false);
    }

    @Test
    void anotherConfigurationIsOutdatedAndNothingElseIs() {
        for (Recorded recorded : Recorded.values()) {
            assertThat(state(recorded, Pod.NONE) == State.OUTDATED)
                    .as(recorded.name())
                    .isEqualTo(recorded == Recorded.OTHER);
        }
        assertThat(state(Recorded.WANTED, Pod.NONE)).isEqualTo(State.CURRENT_READY);
        assertThat(state(Recorded.OTHER_BOOT, Pod.NONE)).isEqualTo(State.ABSENT);
    }

    /** Otherwise the node would wait for an upgrade that never comes to it, or be upgraded for nothing. */
    @Test
    void aNodeIsOutdatedExactlyWhereItWaitsForItsPermission() {
        for (Recorded recorded : Recorded.values()) {
            for (Pod pod : Pod.values()) {
                Input held = new Input(true, recorded, pod, true, false, false);
                if (WorkerDecision.of(held) == WorkerDecision.HELD) {
                    assertThat(state(recorded, pod)).as(held.toString()).isEqualTo(State.OUTDATED);
                }
                if (WorkerDecision.of(held) == WorkerDecision.READY) {
                    assertThat(state(recorded, pod)).as(held.toString()).isEqualTo(State.CURRENT_READY);
                }
            }
        }
    }

    @Test
    void whatIsNotLoadedYetIsNeverReady() {
        for (Recorded recorded : Recorded.values()) {
            for (Pod pod : Pod.values()) {
                if (recorded != Recorded.WANTED) {
                    assertThat(state(recorded, pod)).as(recorded + " " + pod).isNotEqualTo(State.CURRENT_READY);
                }
            }
        }
    }

    @Test
    void aPodThatUnloadsCountsAsCrashingOnceItHadToStartAgain() {
        assertThat(state(Recorded.OTHER, Pod.UNLOADS_RECORDED)).isEqualTo(State.TERMINATING);
        assertThat(state(Recorded.OTHER, Pod.UNLOADS_RECORDED, true)).isEqualTo(State.CURRENT_NOT_READY);
        assertThat(state(Recorded.OTHER, Pod.FAILED_RECORDED)).isEqualTo(State.CURRENT_NOT_READY);
    }
}
