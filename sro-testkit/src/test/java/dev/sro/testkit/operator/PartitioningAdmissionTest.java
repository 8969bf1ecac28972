package dev.sro.testkit.operator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.api.resource.SpecialResource;
import dev.sro.core.plugin.Plugins;
import dev.sro.testkit.EmbeddedCluster;
import dev.sro.testkit.sim.NodeProfile;
import dev.sro.testkit.sim.OsRelease;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.Toleration;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** How pods that ask for a device come to what partitioning has for them, and what is said where they do not. */
class PartitioningAdmissionTest {

    private static final String GROUP = "admissionregistration.k8s.io/v1";
    private static final Duration LONG = Duration.ofMinutes(20);
    private static final String PARTITIONING = """
          partitioning:
            hard: {taints: [{key: nvidia.com/gpu, value: present}]}
            soft:
              priorityClasses: [{name: gpu-high-priority, value: 1000000}]
              defaultClass: gpu-high-priority
        """;

    private static SroSandbox sandbox(EmbeddedCluster.Builder cluster) {
        SroSandbox sandbox = SroSandbox.create(cluster, Plugins.of(new KmodPlugin()));
        sandbox.nodes().create("one", NodeProfile.of(OsRelease.RHEL_9).withLabel("example.com/device", "true"));
        sandbox.run(Duration.ofMinutes(2));
        return sandbox;
    }

    private static void apply(SroSandbox sandbox, String more) {
        sandbox.apply(KmodPlugin.RESOURCE + more);
        assertThat(sandbox.runUntil(LONG, () -> sandbox.isReady("kmod")))
                .as(() -> sandbox.state("kmod"))
                .isTrue();
        sandbox.run(Duration.ofMinutes(1));
    }

    private static Pod create(SroSandbox sandbox, String name, String resource) {
        return sandbox.client()
                .resource(new PodBuilder()
                        .withNewMetadata()
                        .withName(name)
                        .withNamespace("default")
                        .endMetadata()
                        .withNewSpec()
                        .addNewContainer()
                        .withName("main")
                        .withImage("registry.example/main:1")
                        .withNewResources()
                        .addToLimits(resource, new Quantity("1"))
                        .endResources()
                        .endContainer()
                        .endSpec()
                        .build())
                .create();
    }

    @Test
    void theApiServerItselfGivesPodsThatAskForTheDeviceTolerationAndClass() {
        try (SroSandbox sandbox = sandbox(EmbeddedCluster.builder())) {
            apply(sandbox, PARTITIONING);

            assertThat(create(sandbox, "asking", "nvidia.com/gpu").getSpec()).satisfies(spec -> {
                assertThat(spec.getTolerations())
                        .extracting(Toleration::getKey, Toleration::getOperator, Toleration::getEffect)
                        .contains(org.assertj.core.api.Assertions.tuple("nvidia.com/gpu", "Exists", "NoSchedule"));
                assertThat(spec.getPriorityClassName()).isEqualTo("gpu-high-priority");
                assertThat(spec.getPriority()).isEqualTo(1_000_000);
            });
            assertThat(create(sandbox, "plain", "cpu").getSpec()).satisfies(spec -> {
                assertThat(spec.getTolerations()).extracting(Toleration::getKey).doesNotContain("nvidia.com/gpu");
                assertThat(spec.getPriorityClassName()).isNull();
            });

            sandbox.client().resources(SpecialResource.class).withName("kmod").delete();
            assertThat(sandbox.runUntil(LONG, () -> sandbox.get("kmod").isEmpty()))
                    .isTrue();
            assertThat(create(sandbox, "later", "nvidia.com/gpu").getSpec().getTolerations())
                    .extracting(Toleration::getKey)
                    .doesNotContain("nvidia.com/gpu");
        }
    }

    @Test
    void fromTaintsToPrioritiesAndTheOtherWayRound() {
        String hard = "  partitioning: {hard: {taints: [{key: nvidia.com/gpu, value: present}]}}\n";
        String soft = "  partitioning: {soft: {priorityClasses: [{name: gpu-high-priority, value: 1000000}],"
                + " defaultClass: gpu-high-priority}, resources: [nvidia.com/gpu]}\n";
        try (SroSandbox sandbox = sandbox(EmbeddedCluster.builder())) {
            apply(sandbox, hard);
            apply(sandbox, soft);
            Pod second = create(sandbox, "second", "nvidia.com/gpu");
            assertThat(second.getSpec().getPriorityClassName()).isEqualTo("gpu-high-priority");
            assertThat(second.getSpec().getTolerations())
                    .extracting(Toleration::getKey)
                    .doesNotContain("nvidia.com/gpu");
            apply(sandbox, hard);
            Pod third = create(sandbox, "third", "nvidia.com/gpu");
            assertThat(third.getSpec().getPriorityClassName()).isNull();
            assertThat(third.getSpec().getTolerations())
                    .extracting(Toleration::getKey)
                    .contains("nvidia.com/gpu");
        }
    }

    @Test
    void itSaysWhenNobodyGivesPodsTheToleration() {
        EmbeddedCluster.Builder older = EmbeddedCluster.builder()
                .without(GROUP, "MutatingAdmissionPolicy")
                .without(GROUP, "MutatingAdmissionPolicyBinding");
        try (SroSandbox sandbox = sandbox(older)) {
            apply(sandbox, PARTITIONING);
            assertThat(warning(sandbox)).contains("ExtendedResourceToleration");
            apply(sandbox, PARTITIONING.replace("hard:", "admission: None\n    hard:"));
            assertThat(sandbox.runUntil(LONG, () -> warning(sandbox).isEmpty())).isTrue();
        }
    }

    private static String warning(SroSandbox sandbox) {
        return sandbox.get("kmod").map(SpecialResource::getStatus).stream()
                .flatMap(status -> status.getConditions().stream())
                .filter(each -> each.getType().equals("Warning"))
                .map(each -> each.getReason() + " " + each.getMessage())
                .findFirst()
                .orElse("");
    }
}
