package dev.sro.core.claim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.core.claim.PodExplanation.State;
import dev.sro.core.claim.PodExplanation.Verdict;
import dev.sro.core.dra.DraObstacle;
import dev.sro.core.slicing.catalogue.Catalogue;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceClass;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceClassBuilder;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class PodExplainerTest {
    private final ClusterText cluster = new ClusterText();

    private static List<String> answers(PodExplanation explanation) {
        return explanation.nodes().stream()
                .map(node -> node.node() + " " + node.verdict())
                .toList();
    }

    @Test
    void aPodThatAsksForNothingWaitsForNothing() {
        cluster.node("n1", 1).asks("p", "cpu", 1);
        assertThat(cluster.explain("p").state()).isEqualTo(State.ASKS_FOR_NONE);
        assertThat(cluster.explain("p").waits()).isFalse();
    }

    @Test
    void aPodThatRunsHasItsDevice() {
        cluster.node("n1", 1).runs("p", "n1", 1, "3g-20gb-4");
        PodExplanation explanation = cluster.explain("p");
        assertThat(explanation.state()).isEqualTo(State.HAS_ALL);
        assertThat(explanation.has())
                .containsExactly("gpu-0000-01-00-0-3g-20gb-4 of pool n1-slices.sro.dev (claim ml/p)");
    }

    @Test
    void wherePodsFitDevicesAreNotBlamedAndTheSchedulerIsQuoted() {
        cluster.node("n1", 1)
                .pod(
                        "{metadata: {name: p, namespace: ml}, spec: {schedulingGates: [{name: quota}], containers: [{name: c,"
                                + " image: i, resources: {limits: {nvidia.com/mig-3g.20gb: 1}}}]}, status: {phase: Pending, conditions: [{type:"
                                + " PodScheduled, status: 'False', message: 0/1 nodes are available}]}}");
        PodExplanation explanation = cluster.explain("p");
        assertThat(explanation.state()).isEqualTo(State.HAS_ROOM);
        assertThat(explanation.summary()).contains("there is room for 3g.20gb on node n1");
        assertThat(explanation.details())
                .containsExactly("its scheduling gate quota is on", "the scheduler says: 0/1 nodes are available");
    }

    @Test
    void whatIsFragmentedHasMovesAndTheNearestNode() {
        cluster.node("n1", 1)
                .runs("a", "n1", 1, "1g-5gb-1")
                .node("n2", 1)
                .runs("b", "n2", 1, "7g-40gb-0")
                .asks("p", "nvidia.com/mig-4g.20gb", 1);
        PodExplanation explanation = cluster.explain("p");
        assertThat(explanation.state()).isEqualTo(State.FRAGMENTED);
        assertThat(explanation.summary())
                .isEqualTo("there is no place for 4g.20gb in one piece; moving 1 slice makes room on node n1");
        assertThat(explanation.nearest()).isEqualTo("n1");
        assertThat(explanation.moves().orElseThrow().moves().get(0).claim()).isEqualTo("ml/a");
        assertThat(answers(explanation)).containsExactly("n1 FRAGMENTED", "n2 NO_ROOM");
    }

    @Test
    void whatFitsOnNoArrangementHasAVerifiedCertificateAndWhoseEndWouldHelp() {
        cluster.node("n1", 1)
                .runs("a", "n1", 1, "3g-20gb-0")
                .runs("b", "n1", 1, "3g-20gb-4")
                .node("n2", 1)
                .runs("c", "n2", 1, "7g-40gb-0")
                .asks("p", "mig.das.com/3g.20gb", 1);
        PodExplanation explanation = cluster.explain("p");
        assertThat(explanation.state()).isEqualTo(State.NO_ROOM);
        assertThat(explanation.certificates()).hasSize(1);
        assertThat(explanation.details().get(0))
                .startsWith(
                        "A100-40GB: with one more 3g.20gb, what runs there needs 3 GPUs however it is arranged, and there are 2");
        assertThat(explanation.details())
                .contains("if ml/a ends, there is room on node n1", "if ml/c ends, there is room on node n2");
        assertThat(explanation.nearest()).isEqualTo("n1");
    }

    @Test
    void foreignSlicesAreNoRoomAndNoMove() {
        cluster.node("n1", 1, DraObstacle.slice("3g.20gb", 0))
                .runs("a", "n1", 1, "1g-5gb-6")
                .asks("p", "nvidia.com/mig-3g.20gb", 1);
        assertThat(cluster.explain("p").state()).isEqualTo(State.NO_ROOM);
    }

    /** What is left are 1g.5gb, 1g.5gb+me and 1g.10gb at 6, no two of which go together. */
    @Test
    void aGpuThatHasRoomForOneSliceAloneIsUnderstood() {
        cluster.node("n1", 1, DraObstacle.slice("4g.20gb", 0), DraObstacle.slice("1g.10gb", 4))
                .asks("p", "nvidia.com/mig-1g.10gb", 1)
                .asks("q", "nvidia.com/mig-3g.20gb", 1);
        assertThat(cluster.explain("p").state()).isEqualTo(State.HAS_ROOM);
        assertThat(cluster.explain("q").waits()).isTrue();
    }

    @Test
    void aTemplateWithAlternativesIsServedByAnyOfThem() {
        cluster.node("n1", 1)
                .runs("a", "n1", 1, "4g-20gb-0")
                .template(
                        "{metadata: {name: t, namespace: ml}, spec: {spec: {devices: {requests: [{name: r, firstAvailable: ["
                                + "{name: x, deviceClassName: 4g-20gb.slices.sro.dev, count: 1}, {name: y, deviceClassName:"
                                + " 3g-20gb.slices.sro.dev, count: 1, selectors: [{cel: {expression:"
                                + " 'device.attributes[\"slices.sro.dev\"].lossClass <= 3'}}]}]}]}}}}")
                .pod(
                        "{metadata: {name: p, namespace: ml}, spec: {containers: [{name: c, image: i}], resourceClaims: [{name: s,"
                                + " resourceClaimTemplateName: t}]}, status: {phase: Pending}}");
        PodExplanation explanation = cluster.explain("p");
        assertThat(explanation.state()).isEqualTo(State.HAS_ROOM);
        assertThat(explanation.summary()).contains("3g.20gb on node n1");
    }

    @Test
    void severalSlicesOfOneGpuAreLookedAtTogether() {
        cluster.node("n1", 2)
                .runs("a", "n1", 1, "1g-5gb-0")
                .runs("b", "n1", 2, "1g-5gb-0")
                .claim(
                        "{metadata: {name: two, namespace: ml}, spec: {devices: {requests: [{name: r, exactly: {deviceClassName:"
                                + " 3g-20gb.slices.sro.dev, count: 2}}], constraints: [{matchAttribute: slices.sro.dev/parent}]}}}")
                .pod(
                        "{metadata: {name: p, namespace: ml}, spec: {containers: [{name: c, image: i}], resourceClaims: [{name: s,"
                                + " resourceClaimName: two}]}, status: {phase: Pending}}");
        PodExplanation explanation = cluster.explain("p");
        assertThat(explanation.state()).isEqualTo(State.FRAGMENTED);
        assertThat(explanation.moves().orElseThrow().moves()).hasSize(1);
    }

    @Test
    void whatIsMissingIsNamed() {
        cluster.node("n1", 1)
                .pod(
                        "{metadata: {name: p, namespace: ml}, spec: {containers: [{name: c, image: i}], resourceClaims: [{name: s,"
                                + " resourceClaimTemplateName: t}]}, status: {phase: Pending}}")
                .asks("q", "nvidia.com/mig-3g.20gb", 1);
        assertThat(cluster.explain("p").summary()).isEqualTo("ResourceClaimTemplate ml/t does not exist: create it");
        ClusterText empty = new ClusterText().asks("q", "nvidia.com/mig-3g.20gb", 1);
        assertThat(empty.explain("q").state()).isEqualTo(State.NOT_PUBLISHED);
        assertThat(empty.explain("q").summary()).contains("no node publishes GPUs at all: does the agent run?");
    }

    @Test
    void whatPeopleSetOfNodesIsTold() {
        cluster.node("n1", 1)
                .node("n2", 1)
                .node("n3", 1)
                .node("{apiVersion: v1, kind: Node, metadata: {name: n1}, spec: {unschedulable: true}}")
                .node(
                        "{apiVersion: v1, kind: Node, metadata: {name: n2}, spec: {taints: [{key: x, value: z1, effect: NoSchedule}]}}")
                .node(
                        "{apiVersion: v1, kind: Node, metadata: {name: n3}, spec: {}, status: {allocatable: {nvidia.com/mig-3g.20gb: '2'}}}")
                .asks("p", "nvidia.com/mig-3g.20gb", 1);
        PodExplanation explanation = cluster.explain("p");
        assertThat(explanation.state()).isEqualTo(State.NO_NODE);
        assertThat(explanation.nodes()).allMatch(node -> node.verdict() == Verdict.RULED_OUT);
        assertThat(explanation.summary())
                .contains(
                        "n1: the node is cordoned",
                        "n2: the pod does not tolerate its taint x=z1:NoSchedule",
                        "n3: a device plugin offers nvidia.com/mig-3g.20gb there");
    }

    @Test
    void aDeviceOfAnotherKindBesideASliceIsNotTakenForAGpu() {
        cluster.node("n1", 1).runs("a", "n1", 1, "7g-40gb-0");
        cluster.claim("{metadata: {name: p, namespace: ml}, spec: {devices: {requests: [{name: r, exactly:"
                        + " {deviceClassName: 3g-20gb.slices.sro.dev}}, {name: card, exactly: {deviceClassName:"
                        + " rdma.example.com}}]}}}")
                .pod("{metadata: {name: p, namespace: ml}, spec: {containers: [{name: c, image: i}],"
                        + " resourceClaims: [{name: s, resourceClaimName: p}]}, status: {phase: Pending}}");
        List<DeviceClass> classes = new ArrayList<>(cluster.objects().classes());
        classes.add(new DeviceClassBuilder()
                .withNewMetadata()
                .withName("rdma.example.com")
                .endMetadata()
                .withNewSpec()
                .addNewSelector()
                .withNewCel("device.driver == 'rdma.example.com'")
                .endSelector()
                .endSpec()
                .build());
        ClaimObjects objects = new ClaimObjects(
                cluster.objects().slices(),
                cluster.objects().claims(),
                List.of(),
                classes,
                cluster.objects().pods(),
                cluster.objects().nodes());
        Pod pod = ClaimObjects.find(objects.pods(), "ml", "p").orElseThrow();
        PodExplainer explainer = PodExplainer.of(objects, Catalogue.builtin());

        PodExplanation explanation = explainer.explain(pod);

        assertThat(explainer.asksFor(pod, "slices.sro.dev")).isTrue();
        assertThat(explainer.asksFor(pod, "gpu.example.com")).isFalse();
        assertThat(explanation.state()).isEqualTo(State.NO_ROOM);
        assertThat(explanation.details())
                .contains("not looked at, as no GPU is of its class: request card of claim ml/p: rdma.example.com");
    }

    @Test
    void selectorsAreTriedOnAPlaceOnceForAllPods() {
        cluster.node("n1", 2).node("n2", 2);
        for (int i = 0; i < 5; i++) {
            cluster.claims("p" + i, "3g-20gb.slices.sro.dev", "");
        }
        ClaimObjects objects = cluster.objects();
        PodExplainer explainer = PodExplainer.of(objects, Catalogue.builtin());
        explainer.explain(ClaimObjects.find(objects.pods(), "ml", "p0").orElseThrow());
        long first = explainer.selectorsTried();
        assertThat(first).isPositive();

        PodExplainer others = explainer.among(objects);
        for (int i = 1; i < 5; i++) {
            others.explain(ClaimObjects.find(objects.pods(), "ml", "p" + i).orElseThrow());
        }
        assertThat(others.selectorsTried()).isEqualTo(first);
    }
}
