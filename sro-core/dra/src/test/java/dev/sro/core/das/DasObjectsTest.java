package dev.sro.core.das;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sro.core.das.NodeAccelerator.AcceleratorGpu;
import dev.sro.core.das.NodeAccelerator.AcceleratorProfile;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DasObjectsTest {
    private static final ClaimPod POD = new ClaimPod("ml", "train", "11111111-2222-3333-4444-555555555555");

    private static AllocationClaim promise() {
        return AllocationClaim.promise(POD, "main", 1, "n1", "GPU-1", "3g.20gb", 4, 4);
    }

    /** As DAS writes them: all in its own namespace, without owner, label and container. */
    private static GenericKubernetesResource ofDas() {
        GenericKubernetesResource object = new GenericKubernetesResource();
        object.setApiVersion("inference.redhat.com/v1alpha1");
        object.setKind("AllocationClaim");
        object.setMetadata(new ObjectMetaBuilder()
                .withNamespace("das-operator")
                .withName(POD.uid() + "-n1-main-0")
                .build());
        Map<String, Object> spec = new LinkedHashMap<>();
        spec.put("profile", "1g.5gb");
        spec.put("podRef", Map.of("kind", "Pod", "namespace", "ml", "name", "train", "uid", POD.uid()));
        spec.put("migPlacement", Map.of("size", 1, "start", 3));
        spec.put("gpuUUID", "GPU-1");
        spec.put("nodename", "n1");
        object.setAdditionalProperty("spec", spec);
        object.setAdditionalProperty("status", Map.of("state", "inUse"));
        return object;
    }

    @Test
    void aPromiseIsOwnedByItsPodAndReadAsItWasWritten() {
        GenericKubernetesResource object = promise().object();
        assertThat(object.getMetadata().getNamespace()).isEqualTo("ml");
        assertThat(object.getMetadata().getName()).isEqualTo(POD.uid() + "-n1-main-1");
        assertThat(object.getMetadata().getLabels()).containsEntry("slices.sro.dev/node", "n1");
        assertThat(object.getMetadata().getOwnerReferences()).singleElement().satisfies(owner -> {
            assertThat(owner.getKind()).isEqualTo("Pod");
            assertThat(owner.getUid()).isEqualTo(POD.uid());
        });
        assertThat(AllocationClaim.of(object)).isEqualTo(promise());
    }

    @Test
    void aClaimOfDasIsRead() {
        AllocationClaim claim = AllocationClaim.of(ofDas());
        assertThat(claim)
                .isEqualTo(new AllocationClaim(
                        "das-operator",
                        POD.uid() + "-n1-main-0",
                        POD,
                        "",
                        "n1",
                        "GPU-1",
                        "1g.5gb",
                        3,
                        1,
                        ClaimState.IN_USE,
                        false,
                        List.of()));
        assertThat(claim.object().getMetadata().getOwnerReferences())
                .as("a pod cannot own what is in another namespace: the garbage collector would take it away")
                .isEmpty();
    }

    @Test
    void aFieldThatIsMissingOrWrongIsNamedWithItsObject() {
        GenericKubernetesResource object = ofDas();
        object.setAdditionalProperty("status", Map.of("state", "done"));
        assertThatThrownBy(() -> AllocationClaim.of(object))
                .hasMessage("AllocationClaim das-operator/" + POD.uid()
                        + "-n1-main-0: status.state is \"done\", which is no state");
        object.setAdditionalProperty("status", Map.of());
        object.setAdditionalProperty(
                "spec",
                Map.of(
                        "profile",
                        "1g.5gb",
                        "podRef",
                        Map.of("namespace", "ml", "name", "train", "uid", "u"),
                        "gpuUUID",
                        "GPU-1",
                        "nodename",
                        "n1",
                        "migPlacement",
                        Map.of("size", 0.5, "start", 3)));
        assertThatThrownBy(() -> AllocationClaim.of(object))
                .hasMessageEndingWith("spec.migPlacement.size is 0.5; a number from 1 to 64 is expected");
        object.setAdditionalProperty("spec", Map.of());
        assertThatThrownBy(() -> AllocationClaim.of(object))
                .hasMessageEndingWith("spec.podRef.namespace is missing; a text is expected");
    }

    @Test
    void claimsOverlapOnOneGpuAlone() {
        AllocationClaim wide = promise();
        AllocationClaim inside = AllocationClaim.promise(POD, "main", 0, "n1", "GPU-1", "1g.5gb", 5, 1);
        assertThat(wide.overlaps(inside)).isTrue();
        assertThat(wide.overlaps(AllocationClaim.promise(POD, "main", 0, "n1", "GPU-1", "1g.5gb", 3, 1)))
                .isFalse();
        assertThat(wide.overlaps(AllocationClaim.promise(POD, "main", 0, "n1", "GPU-2", "1g.5gb", 5, 1)))
                .isFalse();
    }

    @ParameterizedTest
    @CsvSource({
        "mig.das.com/1g.5gb, 1g.5gb",
        "mig.das.com/mig-1g.5gb, 1g.5gb",
        "mig.das.com/1g.5gb-plus-me, 1g.5gb+me",
        "nvidia.com/mig-1g.5gb.me, 1g.5gb+me",
        "mig.das.com/1g.5gb.me, 1g.5gb+me",
        "mig.das.com/1g.24gb-plus-me.all, 1g.24gb+me.all",
        "nvidia.com/mig-1g.24gb-me, 1g.24gb-me",
        "nvidia.com/mig-1g.24gb.gfx, 1g.24gb+gfx",
        "nvidia.com/gpu, ",
        "mig.das.com/gpu, ",
    })
    void resourcesMeanProfilesInBothSpellings(String resource, String profile) {
        assertThat(DasNames.profile(resource).orElse(null)).isEqualTo(profile);
    }

    @Test
    void namesAreNeverLongerThanKubernetesHasThem() {
        String node = "n".repeat(240);
        assertThat(DasNames.claim(POD.uid(), node, "c".repeat(63), 12)).hasSizeLessThanOrEqualTo(253);
        assertThat(DasNames.claim(POD.uid(), node, "c", 0)).isNotEqualTo(DasNames.claim(POD.uid(), node + "m", "c", 0));
        assertThat(DasNames.nodeLabel(node)).hasSizeLessThanOrEqualTo(63);
        assertThat(DasNames.nodeLabel("worker-1.example.com")).isEqualTo("worker-1.example.com");
    }

    @Test
    void theGpusOfANodeAreReadAsTheyWereWritten() {
        AcceleratorGpu a100 = new AcceleratorGpu(
                "GPU-1",
                "NVIDIA A100-PCIE-40GB",
                "40Gi",
                "A100-40GB",
                "0000:3b:00.0",
                "",
                Map.of("1g.5gb", new AcceleratorProfile(1, List.of(6, 0, 3), 19)));
        AcceleratorGpu a30 = new AcceleratorGpu(
                "GPU-2", "A30", "24Gi", "", "", "ill", Map.of("1g.6gb", new AcceleratorProfile(1, List.of(0, 1), -1)));
        NodeAccelerator node = new NodeAccelerator("das-operator", "n1", List.of(a100, a30));
        GenericKubernetesResource object = node.object();
        object.setAdditionalProperty("status", Map.of("nodeResources", node.resources()));
        assertThat(NodeAccelerator.of(object)).isEqualTo(node);
    }

    @Test
    void whatIsNotNvidiasIsRefused() {
        GenericKubernetesResource object = new NodeAccelerator("das-operator", "n1", List.of()).object();
        object.setAdditionalProperty("spec", Map.of("acceleratorType", "amd-mi300"));
        assertThatThrownBy(() -> NodeAccelerator.of(object))
                .hasMessage("NodeAccelerator das-operator/n1: spec.acceleratorType is \"amd-mi300\"; only nvidia-mig is"
                        + " known");
    }
}
