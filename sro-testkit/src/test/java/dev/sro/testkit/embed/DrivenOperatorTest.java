package dev.sro.testkit.embed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sro.core.embed.NextReconcile;
import dev.sro.core.embed.OperatorPart;
import dev.sro.core.embed.ReconcileReport;
import dev.sro.core.embed.SpecialResourceOperator;
import dev.sro.testkit.sim.NodeProfile;
import dev.sro.testkit.sim.OsRelease;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Inside of another operator, which has the queue: it is told whose reconcile is due, and makes it. */
class DrivenOperatorTest {

    private final SteppedDoors doors = new SteppedDoors();
    private final Set<String> due = new LinkedHashSet<>();
    private final List<ReconcileReport> reports = new ArrayList<>();

    @AfterEach
    void close() {
        doors.close();
    }

    @Test
    void anotherQueueBringsASpecialResourceToReady() {
        SpecialResourceOperator operator =
                doors.start("driven", options -> options.driven(due::add).listener(reports::add));
        doors.sandbox()
                .nodes()
                .create("node", NodeProfile.of(OsRelease.UBUNTU_22).withLabel("example.com/left", "true"));
        doors.apply("left", "");
        int rounds = 0;
        while (!doors.sandbox().isReady("left") && rounds++ < 1_000) {
            doors.runUntil(Duration.ofMinutes(1), () -> !due.isEmpty());
            for (String name : List.copyOf(due)) {
                due.remove(name);
                NextReconcile next = operator.reconcile(name);
                assertThat(next.refused()).isZero();
            }
        }

        assertThat(doors.sandbox().isReady("left")).isTrue();
        assertThat(reports).last().satisfies(report -> {
            assertThat(report.specialResource()).isEqualTo("left");
            assertThat(report.isReady()).isTrue();
            assertThat(report.states()).containsOnlyKeys("0000-build", "1000-driver", "2000-validation");
        });
        assertThat(operator.reconcile("left").writes()).isZero();
    }

    @Test
    void nobodyElseMayReconcileWhatItsOwnWorkersDo() {
        SpecialResourceOperator operator = doors.start("own", options -> options);

        assertThatThrownBy(() -> operator.reconcile("left"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("driven");
    }

    @Test
    void saysWhatWasLeftOut() {
        SpecialResourceOperator operator = doors.start("own", options -> options);

        assertThat(operator.switchedOff())
                .containsExactly(
                        OperatorPart.CHARTS,
                        OperatorPart.DRIVER_IMAGES,
                        OperatorPart.EVENTS,
                        OperatorPart.PLUGIN_DEADLINES);
        assertThat(operator.notReady()).isEqualTo("");
    }
}
