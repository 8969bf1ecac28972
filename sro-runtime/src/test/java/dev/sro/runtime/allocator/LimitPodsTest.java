package dev.sro.runtime.allocator;

import static dev.sro.runtime.allocator.AllocatorWorld.NAMESPACE;
import static dev.sro.runtime.allocator.LimitedPods.SMALL;
import static dev.sro.runtime.allocator.LimitedPods.allocator;
import static dev.sro.runtime.allocator.LimitedPods.pod;
import static dev.sro.runtime.allocator.LimitedPods.templates;
import static dev.sro.runtime.allocator.LimitedPods.told;
import static dev.sro.runtime.allocator.LimitedPods.webhook;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sro.core.allocation.Allocations;
import dev.sro.core.allocation.LimitClaim;
import dev.sro.core.placement.PodSlices;
import dev.sro.core.placement.SliceWebhook;
import dev.sro.runtime.webhook.Certificates;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceQuotaBuilder;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Pods that ask by limits for devices that only the allocator gives. */
class LimitPodsTest {
    @TempDir
    private static Path folder = Path.of("");

    @BeforeAll
    static void makeCertificate() throws Exception {
        Certificates.write(folder, "EC", true);
    }

    private static Deployment deployment(int replicas) {
        PodBuilder template =
                pod("app").editMetadata().addToLabels("app", "app").endMetadata();
        return new DeploymentBuilder()
                .withNewMetadata()
                .withNamespace(NAMESPACE)
                .withName("app")
                .endMetadata()
                .withNewSpec()
                .withReplicas(replicas)
                .withNewSelector()
                .addToMatchLabels("app", "app")
                .endSelector()
                .withNewTemplate()
                .withNewMetadata()
                .addToLabels("app", "app")
                .endMetadata()
                .withSpec(template.buildSpec())
                .endTemplate()
                .endSpec()
                .build();
    }

    private static List<Pod> pods(AllocatorWorld world) {
        return world.client
                .pods()
                .inNamespace(NAMESPACE)
                .withLabel("app", "app")
                .list()
                .getItems();
    }

    private static void assertUnchanged(Pod pod) {
        assertThat(pod.getSpec().getResourceClaims()).isEmpty();
        assertThat(pod.getSpec().getSchedulingGates()).isEmpty();
        assertThat(pod.getMetadata().getAnnotations()).doesNotContainKey(LimitClaim.ANNOTATION);
    }

    @Test
    void aDeploymentThatAsksByLimitsRunsOnTaintedDevices() throws IOException {
        try (AllocatorWorld world = new AllocatorWorld(2, 1);
                LimitWebhook webhook = webhook(world, folder)) {
            assertThat(webhook).isNotNull();
            Deployment asked = world.client.resource(deployment(9)).create();
            world.cluster.settle();
            world.rounds(3);

            assertThat(pods(world)).hasSize(9).allSatisfy(pod -> {
                assertThat(pod.getStatus().getPhase()).isEqualTo("Running");
                assertThat(pod.getStatus().getExtendedResourceClaimStatus()).isNull();
                Container main = pod.getSpec().getContainers().get(0);
                assertThat(main.getResources().getLimits()).doesNotContainKey(SMALL);
                assertThat(main.getResources().getRequests()).containsOnlyKeys("cpu");
                assertThat(main.getResources().getClaims()).singleElement().satisfies(use -> {
                    assertThat(use.getName()).isEqualTo("slices-limits");
                    assertThat(use.getRequest()).isEqualTo("container-0-request-0");
                });
            });
            assertThat(world.claims()).hasSize(9).allMatch(Allocations::allocated);
            assertThat(world.twice()).isEmpty();
            assertThat(world.refused).isEmpty();
            assertThat(templates(world.client)).as("all share one").hasSize(1);
            assertThat(world.client
                            .resource(asked)
                            .get()
                            .getSpec()
                            .getTemplate()
                            .getSpec()
                            .getContainers()
                            .get(0)
                            .getResources()
                            .getLimits())
                    .containsKey(SMALL);
        }
    }

    @Test
    void withoutTheWebhookTheyGetNothing() {
        try (AllocatorWorld world = new AllocatorWorld(1, 1)) {
            allocator(world, world.cluster.newClient("allocator"));
            world.create(pod("p"));
            world.rounds(3);

            assertThat(world.runs("p")).isFalse();
            assertThat(world.allocated()).isEmpty();
        }
    }

    @Test
    void namespacesAndPodsThatOptOutAreLeftAsTheyAre() throws IOException {
        try (AllocatorWorld world = new AllocatorWorld(1, 1);
                LimitWebhook webhook = webhook(world, folder)) {
            assertThat(webhook).isNotNull();
            world.client
                    .resource(new NamespaceBuilder()
                            .withNewMetadata()
                            .withName("free")
                            .addToLabels(SliceWebhook.LABEL, SliceWebhook.IGNORE)
                            .endMetadata()
                            .build())
                    .create();

            assertUnchanged(world.create(pod("free", "a", Map.of(SMALL, "1"))));
            assertUnchanged(world.create(pod("b").editMetadata()
                    .addToLabels(SliceWebhook.LABEL, SliceWebhook.IGNORE)
                    .endMetadata()));
            assertUnchanged(world.create(pod(NAMESPACE, "whole", Map.of("nvidia.com/gpu", "1"))));
            world.rounds(1);
            assertThat(templates(world.client)).isEmpty();
        }
    }

    @Test
    void aDryRunSaysWhatBecomesOfThePodAndLeavesNothing() throws IOException {
        try (AllocatorWorld world = new AllocatorWorld(1, 1);
                LimitWebhook webhook = webhook(world, folder)) {
            assertThat(webhook).isNotNull();
            world.cluster.recording().start();

            Pod shown = world.client.resource(pod("p").build()).dryRun().create();
            world.rounds(2);

            assertThat(shown.getSpec().getResourceClaims()).hasSize(1);
            assertThat(templates(world.client)).isEmpty();
            assertThat(world.cluster
                            .recording()
                            .entries(entry -> entry.userAgent().contains("allocator") && entry.isWrite()))
                    .isEmpty();
        }
    }

    @Test
    void slicesByLimitsMayBeAskedForOnOneGpu() throws IOException {
        try (AllocatorWorld world = new AllocatorWorld(1, 3);
                LimitWebhook webhook = webhook(world, folder)) {
            assertThat(webhook).isNotNull();
            world.create(pod(NAMESPACE, "same", Map.of(SMALL, "2", "nvidia.com/mig-3g.20gb", "1"))
                    .editMetadata()
                    .addToAnnotations(PodSlices.SPREAD, PodSlices.SAME_GPU)
                    .endMetadata());
            world.create(pod(NAMESPACE, "different", Map.of(SMALL, "3"))
                    .editMetadata()
                    .addToAnnotations(PodSlices.SPREAD, PodSlices.DIFFERENT_GPUS)
                    .endMetadata());
            world.rounds(2);

            assertThat(world.gpus("same"))
                    .hasSize(3)
                    .containsOnly(world.gpus("same").get(0));
            assertThat(world.gpus("different")).hasSize(3).doesNotHaveDuplicates();
        }
    }

    /** P16 of DAS: while its webhook was away no pod of the cluster could be created. */
    @Test
    void whileTheWebhookIsAwayNobodyWaitsButPodsWithSlices() throws IOException {
        try (AllocatorWorld world = new AllocatorWorld(1, 1)) {
            webhook(world, folder).close();

            assertUnchanged(world.create(pod(NAMESPACE, "whole", Map.of("nvidia.com/gpu", "1"))));
            assertUnchanged(world.create(pod(NAMESPACE, "plain", Map.of("memory", "1Mi"))));
            assertUnchanged(world.create(
                    pod(NAMESPACE, "nic", Map.of("deviceclass.resource.kubernetes.io/nic.example.com", "1"))));
            for (String resource :
                    List.of(SMALL, "mig.das.com/1g.5gb", "deviceclass.resource.kubernetes.io/1g-5gb.slices.sro.dev")) {
                assertThatThrownBy(() -> world.create(pod(NAMESPACE, "p", Map.of(resource, "1"))))
                        .isInstanceOf(KubernetesClientException.class)
                        .hasMessageContaining("limits.slices.sro.dev");
            }
        }
    }

    @Test
    void whileClassesAreNotKnownAPodIsRefusedRatherThanStoredToWaitForEver() throws IOException {
        try (AllocatorWorld world = new AllocatorWorld(1, 1);
                LimitWebhook webhook = new LimitWebhook(world.client, folder, Optional::empty)) {
            assertThat(webhook).isNotNull();
            assertThatThrownBy(() -> world.create(pod("p")))
                    .isInstanceOf(KubernetesClientException.class)
                    .hasMessageContaining("limits.slices.sro.dev");
        }
    }

    /** A quota on the resource, or on the class, holds; but it is the claim that it keeps back. */
    @ParameterizedTest
    @ValueSource(strings = {"requests." + SMALL, "1g-5gb.slices.sro.dev.deviceclass.resource.k8s.io/devices"})
    void aQuotaCountsTheClaimInPlaceOfThePod(String counted) throws IOException {
        try (AllocatorWorld world = new AllocatorWorld(1, 1);
                LimitWebhook webhook = webhook(world, folder)) {
            assertThat(webhook).isNotNull();
            world.client
                    .resource(new ResourceQuotaBuilder()
                            .withNewMetadata()
                            .withNamespace(NAMESPACE)
                            .withName("quota")
                            .endMetadata()
                            .withNewSpec()
                            .addToHard(counted, new Quantity("1"))
                            .endSpec()
                            .build())
                    .create();
            world.cluster.settle();
            world.create(pod("a"));
            world.rounds(2);
            world.create(pod("b"));
            world.rounds(4);

            assertThat(world.runs("a")).isTrue();
            assertThat(world.runs("b")).as("it is stored, and waits").isFalse();
            assertThat(world.claims()).hasSize(1);
            assertThat(told(world, "SlicesWait"))
                    .singleElement()
                    .asString()
                    .contains("spec.resourceClaims[slices-limits]: its claim is not made yet");
        }
    }
}
