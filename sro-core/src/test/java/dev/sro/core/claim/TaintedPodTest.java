package dev.sro.core.claim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.core.claim.PodExplanation.NodeVerdict;
import dev.sro.core.claim.PodExplanation.State;
import dev.sro.core.claim.PodExplanation.Verdict;
import dev.sro.core.slicing.catalogue.Catalogue;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Pods that wait for devices which are tainted. */
class TaintedPodTest {
    private static final String CLASS = "3g-20gb.slices.sro.dev";

    private final ClusterText cluster = new ClusterText();

    @Test
    void anIllGpuIsNoRoomAndItsTaintIsNamedWithWhatMendsIt() {
        PodExplanation explanation =
                cluster.illNode("n1", 1, Set.of()).claims("p", CLASS, "").explain("p");
        assertThat(explanation.state()).isEqualTo(State.TAINTED);
        assertThat(explanation.waits()).isTrue();
        assertThat(explanation.summary())
                .isEqualTo("devices that would do for 3g.20gb are tainted, and it does not tolerate that: device"
                        + " gpu-0000-01-00-0-3g-20gb-0 of GPU n1/0000:01:00.0 has the taint"
                        + " slices.sro.dev/xid-79:NoSchedule");
        assertThat(explanation.details())
                .containsExactly("device gpu-0000-01-00-0-3g-20gb-0 and 1 other of GPU n1/0000:01:00.0 have the taint"
                        + " slices.sro.dev/xid-79:NoSchedule, which request r of claim ml/p does not"
                        + " tolerate: the driver says that the GPU is ill: reset it or restart its node,"
                        + " and the taint goes; or let the request tolerate it, where the pod can do with"
                        + " such a device");
        assertThat(explanation.nodes()).extracting(NodeVerdict::verdict).containsExactly(Verdict.TAINTED);
        assertThat(explanation.nearest()).isEqualTo("n1");
    }

    @Test
    void podsThatAskByLimitsTolerateNothing() {
        assertThat(cluster.illNode("n1", 1, Set.of())
                        .asks("p", "nvidia.com/mig-3g.20gb", 1)
                        .explain("p")
                        .state())
                .isEqualTo(State.TAINTED);
    }

    @Test
    void aGpuThatIsWellBesideAnIllOneHasTheRoom() {
        PodExplanation explanation =
                cluster.illNode("n1", 2, Set.of()).claims("p", CLASS, "").explain("p");
        assertThat(explanation.state()).isEqualTo(State.HAS_ROOM);
        assertThat(explanation.nodes().get(0).text()).contains("0000:02:00.0");
    }

    @Test
    void whatAClaimHasOfAnIllGpuIsNoRoomForAnother() {
        String held = "gpu-0000-01-00-0-1g-5gb-0";
        PodExplanation explanation = cluster.illNode("n1", 1, Set.of(held))
                .runs("a", "n1", 1, "1g-5gb-0")
                .claims("p", "1g-5gb.slices.sro.dev", "")
                .explain("p");
        assertThat(explanation.state()).isEqualTo(State.TAINTED);
        assertThat(explanation.moves()).isEmpty();
    }

    @Test
    void noMoveGoesToAnIllGpu() {
        PodExplanation explanation = cluster.illNode("n1", 2, Set.of())
                .runs("a", "n1", 2, "1g-5gb-1")
                .runs("b", "n1", 2, "3g-20gb-4")
                .claims("p", "4g-20gb.slices.sro.dev", "")
                .explain("p");
        assertThat(explanation.moves()).isEmpty();
        assertThat(explanation.state()).isEqualTo(State.TAINTED);
    }

    @Test
    void ofAGpuOfWhichSomeDevicesAreTaintedTheOthersCount() {
        cluster.node("n1", 1).taint("3g-20gb-0", "example.com/kept", "ours", "NoSchedule");
        cluster.claims("p", CLASS, "").claims("two", CLASS, ", count: 2");
        assertThat(cluster.explain("p").state()).isEqualTo(State.HAS_ROOM);
        PodExplanation two = cluster.explain("two");
        assertThat(two.state()).isEqualTo(State.TAINTED);
        assertThat(two.details().get(0))
                .contains(
                        "device gpu-0000-01-00-0-3g-20gb-0 of GPU n1/0000:01:00.0 has the taint"
                                + " example.com/kept=ours:NoSchedule",
                        "find out who set it and why");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            nullValues = "-",
            value = {
                "NoSchedule | {operator: Exists} | HAS_ROOM",
                "NoSchedule | {key: example.com/t, operator: Exists} | HAS_ROOM",
                "NoSchedule | {key: example.com/t, operator: Equal, value: v} | HAS_ROOM",
                "NoSchedule | {key: example.com/t, value: v} | HAS_ROOM",
                "NoSchedule | {key: example.com/t, operator: Equal, value: v, effect: NoSchedule} | HAS_ROOM",
                "NoExecute | {key: example.com/t, operator: Exists, tolerationSeconds: 30} | HAS_ROOM",
                "NoExecute | {key: example.com/t, operator: Exists, effect: NoExecute, tolerationSeconds: 0} |"
                        + " HAS_ROOM",
                "NoExecute | {key: example.com/t, operator: Exists, effect: NoSchedule} | TAINTED",
                "NoSchedule | {key: example.com/t, operator: Equal, value: w} | TAINTED",
                "NoSchedule | {key: example.com/t, operator: Equal} | TAINTED",
                "NoSchedule | {key: example.com/u, operator: Exists} | TAINTED",
                "NoSchedule | {key: example.com/t, operator: Sometimes, value: v} | TAINTED",
                "NoExecute | - | TAINTED",
                "None | - | HAS_ROOM",
                "PreferSomething | - | HAS_ROOM"
            })
    void tolerationsAreReadAsTheApiHasThem(String effect, String toleration, State state) {
        cluster.node("n1", 1).taint("", "example.com/t", "v", effect);
        cluster.claims("p", CLASS, toleration == null ? "" : ", tolerations: [" + toleration + "]");
        assertThat(cluster.explain("p").state()).isEqualTo(state);
    }

    @Test
    void theTaintOfTheAllocatorKeepsClaimsFromNothingAndLimitsFromAll() {
        cluster.allocatorNode("n1").claims("p", CLASS, "").asks("q", "nvidia.com/mig-3g.20gb", 1);
        assertThat(cluster.explain("p").state()).isEqualTo(State.HAS_ROOM);
        assertThat(cluster.explain("q").state()).isEqualTo(State.TAINTED);
        assertThat(cluster.explain("q").details().get(0))
                .contains("slices.sro.dev/allocator:NoSchedule", "ask by a ResourceClaim");
    }

    @Test
    void whatIsFreeOfAnIllGpuIsNotCountedAsFree() {
        FleetStatus status = FleetStatus.of(cluster.illNode("n1", 2, Set.of()).objects(), Catalogue.builtin(), 10);
        assertThat(status.profiles().stream()
                        .filter(profile -> profile.profile().equals("7g.40gb"))
                        .map(FleetStatus.ProfileStatus::free))
                .containsExactly(1L);
    }
}
