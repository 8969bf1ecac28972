package dev.sro.core.slicing.defrag;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.core.slicing.fixture.ListFleet;
import dev.sro.core.slicing.fixture.Models;
import dev.sro.core.slicing.geometry.Geometry;
import dev.sro.core.slicing.pack.Feasibility;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class DefragmenterTest {
    private static final Geometry A100 = Geometry.of(Models.a100());
    private static final Defragmenter DEFRAGMENTER = Defragmenter.of(Feasibility.of(A100));

    static List<Vector> vectors() {
        return Vector.all(A100);
    }

    @ParameterizedTest
    @MethodSource("vectors")
    void admitsWithTheFewestMoves(Vector vector) {
        for (int profile = 0; profile < A100.profiles(); profile++) {
            AdmissionPlan plan = DEFRAGMENTER.admit(vector.fleet(), Disruption.equal(), profile, 4);
            if (vector.admit().get(profile) == Vector.INFEASIBLE) {
                assertThat(plan.verdict()).isEqualTo(AdmissionPlan.Verdict.INFEASIBLE);
                assertThat(plan.reason()).contains("needs");
                continue;
            }
            assertThat(plan.moves())
                    .as("%s", A100.profile(profile).name())
                    .hasSize(vector.admit().get(profile));
            assertThat(plan.cost()).isEqualTo(vector.admit().get(profile).longValue());
            assertThat(plan.minimal()).isTrue();
            ListFleet after = Replay.of(
                    vector.fleet(),
                    plan.moves(),
                    plan.sequential() ? 0 : plan.moves().size());
            assertThat(A100.profileOf(plan.placement())).isEqualTo(profile);
            after.toggle(plan.device(), plan.placement());
            assertThat(A100.holds(after.layoutOf(plan.device()), plan.placement()))
                    .isTrue();
        }
    }

    @ParameterizedTest
    @MethodSource("vectors")
    void freesAsManyDevicesAsCanBeWithTheFewestMoves(Vector vector) {
        Compaction plan = DEFRAGMENTER.compact(vector.fleet(), Disruption.equal(), 100);
        assertThat(plan.devicesAfter()).isEqualTo(vector.fewestDevices());
        assertThat(plan.fewest()).isEqualTo(vector.fewestDevices());
        assertThat(plan.cost()).isEqualTo(vector.fewestMoves());
        assertThat(plan.moves()).hasSize(vector.fewestMoves());
        assertThat(plan.gap()).isZero();
        ListFleet after = Replay.of(vector.fleet(), plan.moves(), plan.stopFirst());
        assertThat(after.devices() - after.count(0)).isEqualTo(vector.fewestDevices());
    }
}
