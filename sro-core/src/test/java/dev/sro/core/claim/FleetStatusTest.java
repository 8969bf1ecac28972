package dev.sro.core.claim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.core.dra.DraObstacle;
import dev.sro.core.slicing.catalogue.Catalogue;
import org.junit.jupiter.api.Test;

class FleetStatusTest {
    private final ClusterText cluster = new ClusterText();

    private FleetStatus status() {
        return FleetStatus.of(cluster.objects(), Catalogue.builtin(), 10);
    }

    private FleetStatus.ProfileStatus profile(String name) {
        return status().profiles().stream()
                .filter(profile -> profile.profile().equals(name))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void countsWhatIsHadFreeAndOutOfReach() {
        cluster.node("n1", 2).runs("a", "n1", 1, "1g-5gb-1").runs("b", "n1", 2, "1g-5gb-1");
        assertThat(profile("4g.20gb")).isEqualTo(new FleetStatus.ProfileStatus("A100-40GB", "4g.20gb", 0, 0, 2));
        assertThat(profile("4g.20gb").fragmentation()).isEqualTo(1);
        assertThat(profile("1g.5gb")).isEqualTo(new FleetStatus.ProfileStatus("A100-40GB", "1g.5gb", 2, 12, 12));
        assertThat(profile("1g.5gb").fragmentation()).isZero();
        assertThat(profile("7g.40gb")).isEqualTo(new FleetStatus.ProfileStatus("A100-40GB", "7g.40gb", 0, 0, 1));
    }

    @Test
    void whatSomebodyElseHasIsClosed() {
        cluster.node("n1", 1, DraObstacle.slice("3g.20gb", 4)).runs("a", "n1", 1, "1g-5gb-0");
        FleetStatus.GpuStatus gpu = status().gpus().get(0);
        assertThat(gpu.gpu().closedUnits()).isEqualTo(4);
        assertThat(gpu.gpu().usedUnits()).isEqualTo(1);
        assertThat(gpu.gpu().address()).isEqualTo("0000:01:00.0");
        assertThat(gpu.fits()).containsEntry("1g.5gb", 3).doesNotContainKey("3g.20gb");
    }

    @Test
    void aGpuThatPeopleTookOutOfServiceIsNamedWithTheirReason() {
        cluster.node("n1", 2)
                .node(
                        "{apiVersion: v1, kind: Node, metadata: {name: n1, annotations: {cordon.slices.sro.dev/0000-02-00.0: fan"
                                + " broken}}, spec: {}}");
        assertThat(status().gpus().get(0).cordon()).isEmpty();
        assertThat(status().gpus().get(1).cordon()).contains("fan broken");
    }

    @Test
    void podsThatWaitAreExplained() {
        cluster.node("n1", 1)
                .runs("a", "n1", 1, "7g-40gb-0")
                .asks("p", "nvidia.com/mig-1g.5gb", 1)
                .asks("q", "cpu", 1);
        assertThat(status().waiting()).singleElement().satisfies(pod -> {
            assertThat(pod.pod()).isEqualTo("ml/p");
            assertThat(pod.state()).isEqualTo(PodExplanation.State.NO_ROOM);
        });
    }
}
