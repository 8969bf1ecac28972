package dev.sro.core.probe;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.api.Outcome;
import dev.sro.core.facts.ObservedNode;
import dev.sro.core.fixture.Nodes;
import dev.sro.core.model.KubeObject;
import dev.sro.core.model.MetadataKeys;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NodeReadinessTest {

    private static final ObservedNode NODE = Nodes.node("n", Nodes.K1);

    private static KubeObject daemonSet(int observed, Map<String, String> selector) {
        return KubeObject.of(Map.of(
                "apiVersion", "apps/v1",
                "kind", "DaemonSet",
                "metadata",
                        Map.of(
                                "name",
                                "d",
                                "generation",
                                2,
                                "annotations",
                                Map.of("deprecated.daemonset.template.generation", "2")),
                "spec", Map.of("template", Map.of("spec", Map.of("nodeSelector", selector))),
                "status", Map.of("observedGeneration", observed)));
    }

    private static PodFacts pod(String name, String generation, boolean ready, boolean terminating, String waiting) {
        return new PodFacts("ns", name, "u", "n", "Running", ready, terminating, generation, waiting, "detail");
    }

    private static String verdict(ObservedNode node, KubeObject daemonSet, PodFacts... pods) {
        Outcome outcome = NodeReadiness.judge(daemonSet, List.of(pods), List.of(node), Nodes.K1, Instant.EPOCH)
                .get("n");
        if (outcome instanceof Outcome.Failed failed) {
            return "failed " + failed.problem().code();
        }
        return outcome instanceof Outcome.Waiting waiting ? waiting.reason() : String.valueOf(outcome);
    }

    @ParameterizedTest(name = "{4}")
    @CsvSource({
        "2,true,false,'',Ready[]",
        "2,false,false,'',PodStarting",
        "2,true,true,'',PodTerminating",
        "1,true,false,'',PodOutdated",
        "2,false,false,ImagePullBackOff,failed ImagePullFailed",
        "2,false,false,ErrImagePull,failed ImagePullFailed",
        "2,false,false,CrashLoopBackOff,failed ContainerFailed",
        "2,false,false,ContainerCreating,PodStarting",
        "'',true,false,'',Ready[]",
    })
    void judgesThePodOfTheNode(String generation, boolean ready, boolean terminating, String waiting, String verdict) {
        assertThat(verdict(NODE, daemonSet(2, Map.of()), pod("p", generation, ready, terminating, waiting)))
                .isEqualTo(verdict);
    }

    @Test
    void aPodIsJudgedByItsTemplateEvenIfTheControllerHasNotSeenTheNewestChange() {
        assertThat(verdict(NODE, daemonSet(1, Map.of()), pod("p", "2", true, false, "")))
                .as("the change was one of another field")
                .isEqualTo("Ready[]");
        assertThat(verdict(NODE, daemonSet(1, Map.of()), pod("p", "1", true, false, "")))
                .isEqualTo("PodOutdated");
        assertThat(verdict(NODE, daemonSet(1, Map.of()), pod("p", "", true, false, "")))
                .as("nobody can tell")
                .isEqualTo("PodOutdated");
    }

    @Test
    void ofTwoPodsTheOneThatStaysCountsWhateverTheirOrder() {
        PodFacts old = pod("old", "1", true, false, "");
        PodFacts fresh = pod("fresh", "2", true, false, "");
        PodFacts going = pod("going", "2", true, true, "");
        assertThat(verdict(NODE, daemonSet(2, Map.of()), old, fresh)).isEqualTo("Ready[]");
        assertThat(verdict(NODE, daemonSet(2, Map.of()), fresh, old)).isEqualTo("Ready[]");
        assertThat(verdict(NODE, daemonSet(2, Map.of()), going, fresh)).isEqualTo("Ready[]");
        assertThat(verdict(NODE, daemonSet(2, Map.of()), fresh, going)).isEqualTo("Ready[]");
    }

    @Test
    void aMissingPodSaysWhatItWaitsFor() {
        assertThat(verdict(NODE, daemonSet(2, Map.of()))).isEqualTo("PodMissing");
        assertThat(verdict(NODE, daemonSet(2, Map.of("x", "Ready")))).isEqualTo("NodeNotSelected");
        assertThat(verdict(Nodes.kernel(Nodes.node("n", Nodes.K2), Nodes.K1), daemonSet(2, Map.of())))
                .isEqualTo("KernelLabelOutdated");
    }

    @Test
    void aDaemonSetThatAsksForAKernelByItselfSaysNothingOfNodesWithAnother() {
        KubeObject own = daemonSet(2, Map.of(MetadataKeys.KERNEL_LABEL, Nodes.K1));
        assertThat(unaffine(Nodes.node("n", Nodes.K2), own)).isEqualTo(Outcome.ready());
        assertThat(unaffine(Nodes.bare("n", Nodes.K1, Nodes.RHCOS_84, "amd64"), own))
                .as("its node, without the label")
                .isInstanceOfSatisfying(
                        Outcome.Waiting.class,
                        waiting -> assertThat(waiting.reason()).isEqualTo("NodeNotSelected"));
        assertThat(unaffine(Nodes.node("n", Nodes.K1), own))
                .isInstanceOfSatisfying(
                        Outcome.Waiting.class,
                        waiting -> assertThat(waiting.reason()).isEqualTo("PodMissing"));
    }

    private static Outcome unaffine(ObservedNode node, KubeObject daemonSet) {
        return Objects.requireNonNull(NodeReadiness.judge(daemonSet, List.of(), List.of(node), "", Instant.EPOCH)
                .get("n"));
    }

    @Test
    void aNodeThatIsNotReadySaysSoUnlessThePodIsReady() {
        ObservedNode down = Nodes.ready(NODE, false);
        assertThat(verdict(down, daemonSet(2, Map.of()))).isEqualTo("NodeNotReady");
        assertThat(verdict(down, daemonSet(2, Map.of()), pod("p", "2", false, false, "CrashLoopBackOff")))
                .isEqualTo("NodeNotReady");
        assertThat(verdict(down, daemonSet(2, Map.of()), pod("p", "2", true, false, "")))
                .isEqualTo("Ready[]");
    }

    @Test
    void podsThatAreNotBoundBelongToNoNode() {
        PodFacts unbound = new PodFacts("ns", "p", "u", "", "Pending", false, false, "2", "", "");
        assertThat(verdict(NODE, daemonSet(2, Map.of()), unbound)).isEqualTo("PodMissing");
    }
}
