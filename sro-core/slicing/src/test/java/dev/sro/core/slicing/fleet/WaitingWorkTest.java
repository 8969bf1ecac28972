package dev.sro.core.slicing.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.core.slicing.fixture.Models;
import dev.sro.core.slicing.geometry.Geometry;
import dev.sro.core.slicing.policy.Policies;
import dev.sro.core.slicing.policy.PolicyTable;
import dev.sro.core.slicing.policy.Regime;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Work that waits for room is placed otherwise than work that is lost. */
class WaitingWorkTest {
    private static final int DEVICES = 4;

    private final Geometry geometry = Geometry.of(Models.a100());
    private final PolicyTable table = PolicyTable.of(geometry, Policies.standard());
    private final ModelFleet fleet = new ModelFleet(table, DEVICES);
    private final SplittableRandom random = new SplittableRandom(3);
    private final Queue<Long> held = new ArrayDeque<>();

    /** One request, and a release if it is refused; whether it was. */
    private boolean refused(int profile) {
        long slot = fleet.allocate(profile);
        if (slot == ModelFleet.NO_SLOT) {
            fleet.release(held.remove());
            return true;
        }
        held.add(slot);
        return false;
    }

    @Test
    void aFleetWhoseRefusedRequestsAreLostLearnsTheirMix() {
        for (int i = 0; i < 400; i++) {
            refused(random.nextInt(geometry.profiles()));
        }
        assertThat(fleet.policy()).isNotSameAs(table.in(Regime.SATURATED)).isNotSameAs(table.in(Regime.STEADY));
    }

    /** Nobody who was refused got a slice in the end: it does not matter how often he asked. */
    @Test
    void askingAgainAloneIsNotWaiting() {
        for (int i = 0; i < 400; i++) {
            if (refused(random.nextInt(geometry.profiles()))) {
                fleet.countRefusedAgain();
                fleet.countRefusedAgain();
            }
        }
        assertThat(fleet.policy()).isNotSameAs(table.in(Regime.SATURATED));
    }

    @Test
    void aFleetWhoseRefusedRequestsWaitIsSaturated() {
        for (int i = 0; i < 400; i++) {
            int profile = random.nextInt(geometry.profiles());
            if (refused(profile)) {
                while (fleet.decide(profile) == ModelFleet.NO_SLOT) {
                    fleet.countRefusedAgain();
                    fleet.release(held.remove());
                }
                held.add(fleet.allocate(profile));
                fleet.countWaited();
            }
        }
        assertThat(fleet.policy()).isSameAs(table.in(Regime.SATURATED));
    }
}
