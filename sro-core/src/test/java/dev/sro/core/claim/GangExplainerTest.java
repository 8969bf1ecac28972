package dev.sro.core.claim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.core.claim.PodExplanation.State;
import org.junit.jupiter.api.Test;

/** What is said of a pod that has room by itself, and none with its gang. */
class GangExplainerTest {
    private final ClusterText cluster = new ClusterText();

    private static void member(ClusterText cluster, String name, String gang, int size) {
        cluster.claim("{metadata: {name: " + name + ", namespace: ml}, spec: {devices: {requests: [{name: r, exactly:"
                + " {deviceClassName: 7g-40gb.slices.sro.dev}}]}}}");
        cluster.pod("{metadata: {name: " + name + ", namespace: ml, annotations: {slices.sro.dev/gang: " + gang
                + ", slices.sro.dev/gang-size: '" + size + "'}}, spec: {containers: [{name: c, image: i}],"
                + " resourceClaims: [{name: s, resourceClaimName: " + name + "}]}, status: {phase: Pending}}");
    }

    @Test
    void theMovesThatMakeRoomForAllAreSaid() {
        cluster.allocatorNode("n1").allocatorNode("n2").allocatorNode("n3");
        cluster.runs("a", "n1", 1, "1g-5gb-0").runs("b", "n2", 1, "1g-5gb-0");
        member(cluster, "x", "train", 2);
        member(cluster, "y", "train", 2);

        PodExplanation explanation = cluster.explain("x");

        assertThat(explanation.state()).isEqualTo(State.FRAGMENTED);
        assertThat(explanation.summary())
                .isEqualTo("there is no room for all 2 pods of gang ml/train at a time; moving 1 slice makes some");
        assertThat(explanation.moves().orElseThrow().rooms()).hasSize(2);
        assertThat(explanation.details().get(0)).startsWith("by itself: there is room for 7g.40gb on node n3");
    }

    @Test
    void whereNoMovesDoThatIsSaid() {
        cluster.allocatorNode("n1").allocatorNode("n2");
        cluster.runs("a", "n1", 1, "7g-40gb-0");
        member(cluster, "x", "train", 2);
        member(cluster, "y", "train", 2);

        PodExplanation explanation = cluster.explain("x");

        assertThat(explanation.state()).isEqualTo(State.NO_ROOM);
        assertThat(explanation.summary())
                .isEqualTo("there is no room for all 2 pods of gang ml/train at a time, and no few moves that make some"
                        + " were found");
    }

    @Test
    void whereAllHaveRoomThatIsSaidToo() {
        cluster.allocatorNode("n1").allocatorNode("n2");
        member(cluster, "x", "train", 2);
        member(cluster, "y", "train", 2);

        PodExplanation explanation = cluster.explain("x");

        assertThat(explanation.state()).isEqualTo(State.HAS_ROOM);
        assertThat(explanation.details().get(0)).isEqualTo("there is room for all 2 pods of gang ml/train together");
    }

    @Test
    void aPodIsByItselfWhereItsGangIsNotAllThereOrTheSchedulerGivesDevices() {
        cluster.allocatorNode("n1");
        member(cluster, "x", "train", 2);
        assertThat(cluster.explain("x").state()).isEqualTo(State.HAS_ROOM);

        ClusterText others = new ClusterText().node("n1", 1);
        member(others, "x", "train", 2);
        member(others, "y", "train", 2);
        assertThat(others.explain("x").state()).isEqualTo(State.HAS_ROOM);
        assertThat(others.explain("x").details()).noneMatch(text -> text.contains("gang"));
    }
}
