package dev.sro.core.facts;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.core.model.MetadataKeys;
import io.fabric8.kubernetes.api.model.FieldsV1;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class NodeProjectorTest {

    private static NodeBuilder node() {
        return new NodeBuilder()
                .withNewMetadata()
                .withName("n1")
                .withUid("u1")
                .addToLabels("kubernetes.io/arch", "arm64")
                .endMetadata()
                .withNewStatus()
                .withNewNodeInfo()
                .withKernelVersion("6.1.0+")
                .withOsImage("Ubuntu 22.04.3 LTS")
                .withArchitecture("amd64")
                .withBootID("boot-1")
                .endNodeInfo()
                .addNewCondition()
                .withType("Ready")
                .withStatus("True")
                .endCondition()
                .endStatus();
    }

    private static ObservedNode project(Node node) {
        return NodeProjector.project(node).orElseThrow();
    }

    @Test
    void keepsTheRawKernelAndPrefersTheLabelForTheArchitecture() {
        ObservedNode node = project(node().build());
        assertThat(node.facts().kernel().raw()).isEqualTo("6.1.0+");
        assertThat(node.facts().architecture()).isEqualTo("arm64");
        assertThat(node.facts().os()).hasToString("ubuntu22.04");
        assertThat(node.facts().ready()).isTrue();
        assertThat(node.facts().bootId()).isEqualTo("boot-1");
        assertThat(node.uid()).isEqualTo("u1");
    }

    @Test
    void knowsWhichOfOurLabelsSomebodyElseHoldsToo() {
        Map<String, Object> ours = Map.of("f:metadata", Map.of("f:labels", Map.of("f:a", Map.of(), "f:b", Map.of())));
        Map<String, Object> theirs = Map.of("f:metadata", Map.of("f:labels", Map.of("f:b", Map.of(), "f:c", Map.of())));
        ObservedNode node = project(node().editMetadata()
                .addNewManagedField()
                .withManager("sro.kmod")
                .withOperation("Apply")
                .withNewFieldsV1()
                .withAdditionalProperties(ours)
                .endFieldsV1()
                .endManagedField()
                .addNewManagedField()
                .withManager("kubectl-label")
                .withOperation("Update")
                .withNewFieldsV1()
                .withAdditionalProperties(theirs)
                .endFieldsV1()
                .endManagedField()
                .endMetadata()
                .build());
        assertThat(node.coOwnedLabels()).containsExactly("b");
        assertThat(node.appliedLabels()).containsEntry("sro.kmod", Set.of("a", "b"));
    }

    @Test
    void leavesOutANodeWhoseKubeletHasNotReported() {
        assertThat(NodeProjector.project(new NodeBuilder()
                        .withNewMetadata()
                        .withName("new")
                        .endMetadata()
                        .build()))
                .isEmpty();
        assertThat(NodeProjector.project(node().editStatus()
                        .editNodeInfo()
                        .withKernelVersion(" ")
                        .endNodeInfo()
                        .endStatus()
                        .build()))
                .isEmpty();
    }

    @Test
    void isNotReadyWithoutAReadyCondition() {
        assertThat(project(node().editStatus().withConditions().endStatus().build())
                        .facts()
                        .ready())
                .isFalse();
    }

    @Test
    void writesTaintsAsText() {
        ObservedNode node = project(node().withNewSpec()
                .withUnschedulable(true)
                .addNewTaint("NoSchedule", "b", null, null)
                .addNewTaint("NoExecute", "a", null, "v")
                .endSpec()
                .build());
        assertThat(node.facts().taints()).containsExactly("a=v:NoExecute", "b:NoSchedule");
        assertThat(node.facts().unschedulable()).isTrue();
    }

    @Test
    void knowsWhichLabelsItsOwnManagersHoldAndNoOthers() {
        ObservedNode node = project(node().editMetadata()
                .addNewManagedField()
                .withManager(MetadataKeys.nodeManager("a"))
                .withOperation("Apply")
                .withFieldsV1(labels("f:x", "f:y", "."))
                .endManagedField()
                .addNewManagedField()
                .withManager(MetadataKeys.nodeManager("b"))
                .withOperation("Update")
                .withFieldsV1(labels("f:z"))
                .endManagedField()
                .addNewManagedField()
                .withManager("nfd-master")
                .withOperation("Apply")
                .withFieldsV1(labels("f:q"))
                .endManagedField()
                .endMetadata()
                .build());
        assertThat(node.appliedLabels()).isEqualTo(Map.of(MetadataKeys.nodeManager("a"), Set.of("x", "y")));
    }

    @Test
    void isEqualWhenNothingThatIsReadChanged() {
        Node heartbeat =
                node().editMetadata().withResourceVersion("7").endMetadata().build();
        assertThat(project(heartbeat)).isEqualTo(project(node().build()));
    }

    private static FieldsV1 labels(String... keys) {
        FieldsV1 fields = new FieldsV1();
        Map<String, Object> labels = new java.util.HashMap<>();
        for (String key : keys) {
            labels.put(key, Map.of());
        }
        fields.setAdditionalProperty("f:metadata", Map.of("f:labels", labels));
        return fields;
    }
}
