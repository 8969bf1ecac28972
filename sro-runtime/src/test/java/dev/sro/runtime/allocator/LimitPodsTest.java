package dev.sro.runtime.allocator;

import static dev.sro.runtime.allocator.AllocatorWorld.NAMESPACE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sro.core.allocation.Allocations;
import dev.sro.core.allocation.LimitClaim;
import dev.sro.core.dra.DraOptions;
import dev.sro.core.placement.PodSlices;
import dev.sro.core.placement.SliceWebhook;
import dev.sro.runtime.webhook.Certificates;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceQuotaBuilder;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import io.fabric8.kubernetes.api.model.authentication.TokenRequestBuilder;
import io.fabric8.kubernetes.api.model.events.v1.Event;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceClassBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaimTemplate;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
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
    private static final String SMALL = "nvidia.com/mig-1g.5gb";

    @TempDir
    private static Path folder = Path.of("");

    @BeforeAll
    static void makeCertificate() throws Exception {
        Certificates.write(folder, "EC", true);
    }

    private static ClaimAllocator allocator(AllocatorWorld world, KubernetesClient account) {
        return world.allocator(
                account,
                new AllocatorOptions(DraOptions.DRIVER, false, MakeRoom.NEVER, Optional.empty(), true),
                () -> true);
    }

    private static LimitWebhook webhook(AllocatorWorld world, ClaimAllocator allocator) throws IOException {
        return new LimitWebhook(
                world.client,
                folder,
                () -> Optional.of(allocator)
                        .filter(ClaimAllocator::isFilled)
                        .map(ClaimAllocator::limitClasses));
    }

    private static LimitWebhook webhook(AllocatorWorld world) throws IOException {
        return webhook(world, allocator(world, world.cluster.newClient("allocator")));
    }

    /** A pod without gate and claims, as for a device plugin. */
    private static PodBuilder pod(String namespace, String name, Map<String, String> limits) {
        PodBuilder pod = AllocatorObjects.pod(namespace, name)
                .editSpec()
                .withSchedulingGates()
                .endSpec();
        limits.forEach((resource, count) -> pod.editSpec()
                .editContainer(0)
                .editResources()
                .addToLimits(resource, new Quantity(count))
                .endResources()
                .endContainer()
                .endSpec());
        return pod;
    }

    private static PodBuilder pod(String name) {
        return pod(NAMESPACE, name, Map.of(SMALL, "1"));
    }

    private static Deployment deployment(int replicas) {
        PodBuilder template = pod("app").editMetadata().addToLabels("app", "app").endMetadata();
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
        return world.client.pods().inNamespace(NAMESPACE).withLabel("app", "app").list().getItems();
    }

    private static List<ResourceClaimTemplate> templates(KubernetesClient client) {
        return client.resources(ResourceClaimTemplate.class)
                .inAnyNamespace()
                .withLabel(LimitClaim.LABEL, "true")
                .list()
                .getItems();
    }

    private static List<String> told(AllocatorWorld world, String reason) {
        return ControlledPods.told(world, reason).stream().map(Event::getNote).toList();
    }

    private static void assertUnchanged(Pod pod) {
        assertThat(pod.getSpec().getResourceClaims()).isEmpty();
        assertThat(pod.getSpec().getSchedulingGates()).isEmpty();
        assertThat(pod.getMetadata().getAnnotations()).doesNotContainKey(LimitClaim.ANNOTATION);
    }

    @Test
    void aDeploymentThatAsksByLimitsRunsOnTaintedDevices() throws IOException {
        try (AllocatorWorld world = new AllocatorWorld(2, 1);
                LimitWebhook webhook = webhook(world)) {
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
    void aTemplateStaysForTenMinutesAfterTheLastPodThatNamesIt() throws IOException {
        try (AllocatorWorld world = new AllocatorWorld(1, 1);
                LimitWebhook webhook = webhook(world)) {
            assertThat(webhook).isNotNull();
            world.create(pod("first"));
            world.rounds(2);
            world.delete("first");
            world.rounds(60);
            world.create(pod("second"));
            world.rounds(70);
            assertThat(world.runs("second")).isTrue();
            world.delete("second");
            world.rounds(115);
            assertThat(templates(world.client)).hasSize(1);

            world.rounds(10);

            assertThat(templates(world.client)).isEmpty();
            assertThat(world.client
                            .resources(ResourceClaimTemplate.class)
                            .inNamespace(NAMESPACE)
                            .list()
                            .getItems())
                    .as("those of others stay")
                    .isNotEmpty();
            world.create(pod("third"));
            world.rounds(2);
            assertThat(world.runs("third")).isTrue();
        }
    }

    @Test
    void namespacesAndPodsThatOptOutAreLeftAsTheyAre() throws IOException {
        try (AllocatorWorld world = new AllocatorWorld(1, 1);
                LimitWebhook webhook = webhook(world)) {
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
            assertUnchanged(world.create(
                    pod("b").editMetadata().addToLabels(SliceWebhook.LABEL, SliceWebhook.IGNORE).endMetadata()));
            assertUnchanged(world.create(pod(NAMESPACE, "whole", Map.of("nvidia.com/gpu", "1"))));
            world.rounds(1);
            assertThat(templates(world.client)).isEmpty();
        }
    }

    @Test
    void aDryRunSaysWhatBecomesOfThePodAndLeavesNothing() throws IOException {
        try (AllocatorWorld world = new AllocatorWorld(1, 1);
                LimitWebhook webhook = webhook(world)) {
            assertThat(webhook).isNotNull();
            world.cluster.recording().start();

            Pod shown = world.client.resource(pod("p").build()).dryRun().create();
            world.rounds(2);

            assertThat(shown.getSpec().getResourceClaims()).hasSize(1);
            assertThat(templates(world.client)).isEmpty();
            assertThat(world.cluster.recording().entries(entry -> entry.userAgent().contains("allocator")
                            && entry.isWrite()))
                    .isEmpty();
        }
    }

    @Test
    void slicesByLimitsMayBeAskedForOnOneGpu() throws IOException {
        try (AllocatorWorld world = new AllocatorWorld(1, 3);
                LimitWebhook webhook = webhook(world)) {
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

            assertThat(world.gpus("same")).hasSize(3).containsOnly(world.gpus("same").get(0));
            assertThat(world.gpus("different")).hasSize(3).doesNotHaveDuplicates();
        }
    }

    /** P16 of DAS: while its webhook was away no pod of the cluster could be created. */
    @Test
    void whileTheWebhookIsAwayNobodyWaitsButPodsWithSlices() throws IOException {
        try (AllocatorWorld world = new AllocatorWorld(1, 1)) {
            webhook(world).close();

            assertUnchanged(world.create(pod(NAMESPACE, "whole", Map.of("nvidia.com/gpu", "1"))));
            assertUnchanged(world.create(pod(NAMESPACE, "plain", Map.of("memory", "1Mi"))));
            assertUnchanged(world.create(
                    pod(NAMESPACE, "nic", Map.of("deviceclass.resource.kubernetes.io/nic.example.com", "1"))));
            for (String resource : List.of(
                    SMALL, "mig.das.com/1g.5gb", "deviceclass.resource.kubernetes.io/1g-5gb.slices.sro.dev")) {
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

    @Test
    void aTemplateOfSomebodyElseUnderTheNameIsSaidAndGivesNobodyAnything() throws IOException {
        try (AllocatorWorld world = new AllocatorWorld(1, 1);
                LimitWebhook webhook = webhook(world)) {
            assertThat(webhook).isNotNull();
            String name = world.client
                    .resource(pod("probe").build())
                    .dryRun()
                    .create()
                    .getSpec()
                    .getResourceClaims()
                    .get(0)
                    .getResourceClaimTemplateName();
            ResourceClaimTemplate foreign = AllocatorObjects.template(NAMESPACE, "7g.40gb", 1);
            foreign.getMetadata().setName(name);
            world.client.resource(foreign).create();
            world.create(pod("p"));
            world.rounds(4);

            assertThat(world.runs("p")).isFalse();
            assertThat(world.allocated()).isEmpty();
            assertThat(told(world, "SlicesWait"))
                    .singleElement()
                    .asString()
                    .contains("ResourceClaimTemplate default/" + name + " is somebody else's", "delete it");

            world.client.resource(foreign).delete();
            world.delete("p");
            world.create(pod("p"));
            world.rounds(2);
            assertThat(world.runs("p")).isTrue();
        }
    }

    /** Who may make pods may have no more by the annotation than by limits. */
    @Test
    void noTemplateIsMadeForClassesOfOthersWhateverTheAnnotationSays() {
        try (AllocatorWorld world = new AllocatorWorld(1, 1)) {
            allocator(world, world.cluster.newClient("allocator"));
            world.client
                    .resource(new DeviceClassBuilder()
                            .withNewMetadata()
                            .withName("secret.example.com")
                            .endMetadata()
                            .withNewSpec()
                            .endSpec()
                            .build())
                    .create();
            LimitClaim claim = new LimitClaim(List.of(new LimitClaim.Request("r", "secret.example.com", 1)));
            world.create(AllocatorObjects.byTemplate(AllocatorObjects.pod(NAMESPACE, "p"), claim.templateName())
                    .editMetadata()
                    .addToAnnotations(LimitClaim.ANNOTATION, claim.text())
                    .endMetadata());
            world.rounds(2);

            assertThat(templates(world.client)).isEmpty();
            assertThat(told(world, "SlicesTemplate"))
                    .singleElement()
                    .asString()
                    .contains("DeviceClass secret.example.com is none of this allocator's");
        }
    }

    @Test
    void aTemplateThatIsDeletedWhileAPodNeedsItIsMadeAnew() throws IOException {
        try (AllocatorWorld world = new AllocatorWorld(1, 1);
                LimitWebhook webhook = webhook(world)) {
            assertThat(webhook).isNotNull();
            world.create(pod("a"));
            world.rounds(1);
            world.client.resource(templates(world.client).get(0)).delete();
            world.create(pod("b"));
            world.rounds(3);

            assertThat(world.runs("b")).isTrue();
            assertThat(templates(world.client)).hasSize(1);
        }
    }

    @Test
    void theRightsThatAreInstalledAreEnough() throws IOException {
        try (AllocatorWorld world = new AllocatorWorld(1, 1)) {
            InstalledAllocator.namespace(world.client);
            for (HasMetadata object : InstalledAllocator.objects()) {
                world.client.resource(object).create();
            }
            for (HasMetadata object : InstalledAllocator.limits()) {
                world.client.resource(object).create();
            }
            String token = world.client
                    .serviceAccounts()
                    .inNamespace(InstalledAllocator.NAMESPACE)
                    .withName(InstalledAllocator.NAME)
                    .tokenRequest(
                            new TokenRequestBuilder().withNewSpec().endSpec().build())
                    .getStatus()
                    .getToken();
            ClaimAllocator allocator = allocator(world, world.cluster.newClient("allocator", token));
            try (LimitWebhook webhook = webhook(world, allocator)) {
                assertThat(webhook).isNotNull();
                world.cluster.recording().start();
                world.create(pod("p"));
                world.rounds(2);
                assertThat(world.runs("p")).isTrue();
                world.delete("p");
                world.cluster.advance(Duration.ofMinutes(10));
                world.rounds(1);
                world.cluster.advance(Duration.ofMinutes(10));
                world.rounds(1);

                assertThat(templates(world.client)).isEmpty();
                assertThat(world.cluster.recording().entries(entry -> entry.userAgent().contains("allocator")
                                && entry.isWrite()))
                        .isNotEmpty()
                        .allMatch(entry -> entry.status() < 300);
            }
        }
    }

    @Test
    void aClaimOfTheTemplateIsThePodsOwn() throws IOException {
        try (AllocatorWorld world = new AllocatorWorld(1, 1);
                LimitWebhook webhook = webhook(world)) {
            assertThat(webhook).isNotNull();
            world.create(pod("p"));
            world.rounds(2);
            assertThat(world.claims("p")).singleElement().satisfies(LimitPodsTest::asksForOneSmallSlice);
            world.delete("p");
            world.rounds(2);
            assertThat(world.claims()).as("it goes with the pod").isEmpty();
        }
    }

    /** A quota on the resource, or on the class, holds; but it is the claim that it keeps back. */
    @ParameterizedTest
    @ValueSource(strings = {"requests." + SMALL, "1g-5gb.slices.sro.dev.deviceclass.resource.k8s.io/devices"})
    void aQuotaCountsTheClaimInPlaceOfThePod(String counted) throws IOException {
        try (AllocatorWorld world = new AllocatorWorld(1, 1);
                LimitWebhook webhook = webhook(world)) {
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

    private static void asksForOneSmallSlice(ResourceClaim claim) {
        assertThat(claim.getSpec().getDevices().getRequests()).singleElement().satisfies(request -> {
            assertThat(request.getExactly().getDeviceClassName()).isEqualTo(AllocatorObjects.className("1g.5gb"));
            assertThat(request.getExactly().getCount()).isEqualTo(1);
        });
    }
}
