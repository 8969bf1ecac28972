package dev.sro.core.claim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.core.claim.PodExplanation.State;
import dev.sro.core.dra.InfeasibilityCertificate;
import dev.sro.core.dra.PublishedFleet;
import dev.sro.core.slicing.SliceAllocator;
import dev.sro.core.slicing.catalogue.Catalogue;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What is said to be proved has a certificate, for several slices as for one. */
class PodProofTest {
    private final ClusterText cluster = new ClusterText();

    private ClusterText claim(String requests, String constraints) {
        return cluster.claim("{metadata: {name: p, namespace: ml}, spec: {devices: {requests: [" + requests
                        + "], constraints: [" + constraints + "]}}}")
                .pod("{metadata: {name: p, namespace: ml}, spec: {containers: [{name: c, image: i}],"
                        + " resourceClaims: [{name: s, resourceClaimName: p}]}, status: {phase: Pending}}");
    }

    private static String request(String name, String profile, int count) {
        return "{name: " + name + ", exactly: {deviceClassName: " + profile + ".slices.sro.dev, count: " + count + "}}";
    }

    private static void proved(PodExplanation explanation, Map<String, Long> wanted) {
        assertThat(explanation.state()).isEqualTo(State.NO_ROOM);
        assertThat(explanation.summary()).contains("(proved)");
        assertThat(explanation.certificates())
                .extracting(InfeasibilityCertificate::wanted)
                .containsExactly(wanted);
        assertThat(explanation.details()).anyMatch(line -> line.startsWith("A100-40GB: "));
    }

    @Test
    void ofSeveralSlicesTheFewestThatDoNotFitAreProved() {
        cluster.node("n1", 2).runs("a", "n1", 1, "7g-40gb-0").runs("b", "n1", 2, "3g-20gb-0");
        claim(request("r", "3g-20gb", 2), "");
        PodExplanation explanation = cluster.explain("p");
        proved(explanation, Map.of("3g.20gb", 2L));
        assertThat(explanation.details().get(0))
                .startsWith("A100-40GB: with 2 x 3g.20gb more, what runs there needs 3 GPUs however it is arranged, and"
                        + " there are 2");
    }

    @Test
    void slicesOfSeveralProfilesAreProvedTogether() {
        cluster.node("n1", 1).runs("a", "n1", 1, "1g-5gb-6");
        claim(request("r", "4g-20gb", 1) + ", " + request("q", "3g-20gb", 1), "");
        proved(cluster.explain("p"), Map.of("4g.20gb", 1L, "3g.20gb", 1L));
    }

    @Test
    void whatNoGpuCarriesIsNotSaidToBeInPieces() {
        cluster.node("n1", 2);
        claim(request("r", "4g-20gb", 2), "{matchAttribute: slices.sro.dev/parent}");
        PodExplanation explanation = cluster.explain("p");
        proved(explanation, Map.of("4g.20gb", 2L));
        assertThat(explanation.summary())
                .isEqualTo("no GPU has room for 2 x 4g.20gb together, even if nothing else runs there (proved)");
    }

    @Test
    void whatNoNodeCarriesIsNotSaidToBeInPieces() {
        cluster.node("n1", 2).node("n2", 2);
        claim(request("r", "7g-40gb", 3), "");
        PodExplanation explanation = cluster.explain("p");
        proved(explanation, Map.of("7g.40gb", 3L));
        assertThat(explanation.summary())
                .isEqualTo("no node has room for 3 x 7g.40gb together, even if nothing else runs there (proved)");
    }

    @Test
    void whereMovesBetweenNodesMayHelpNothingIsSaidToBeProved() {
        cluster.node("n1", 1).runs("a", "n1", 1, "3g-20gb-0").node("n2", 1).runs("b", "n2", 1, "3g-20gb-0");
        claim(request("r", "3g-20gb", 2), "");
        PodExplanation explanation = cluster.explain("p");
        assertThat(explanation.certificates()).isEmpty();
        assertThat(explanation.summary()).doesNotContain("proved");
    }

    @Test
    void nodesThatAreAlikeAreProvedOnce() {
        for (int i = 0; i < 6; i++) {
            cluster.node("n" + i, 2);
        }
        ClaimObjects objects = cluster.objects();
        SliceAllocator fleet = PublishedFleet.of(objects.slices(), objects.holders(), Catalogue.builtin())
                .allocator();
        InfeasibilityProofs proofs = new InfeasibilityProofs(fleet, Map.of("7g.40gb", 3L));

        assertThat(proofs.onOneNode()).hasSize(1);
        assertThat(proofs.attempts())
                .as("one, two and three slices on two GPUs")
                .isEqualTo(3);
    }
}
