package dev.sro.runtime.allocator;

import static dev.sro.runtime.allocator.AllocatorWorld.NAMESPACE;
import static dev.sro.runtime.allocator.LimitedPods.allocator;
import static dev.sro.runtime.allocator.LimitedPods.pod;
import static dev.sro.runtime.allocator.LimitedPods.templates;
import static dev.sro.runtime.allocator.LimitedPods.told;
import static dev.sro.runtime.allocator.LimitedPods.webhook;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.core.allocation.LimitClaim;
import dev.sro.runtime.webhook.Certificates;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.authentication.TokenRequestBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceClassBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaimTemplate;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Templates of pods that ask by limits: who makes them, how long they stay, and what they may be. */
class LimitTemplatesTest {
    @TempDir
    private static Path folder = Path.of("");

    @BeforeAll
    static void makeCertificate() throws Exception {
        Certificates.write(folder, "EC", true);
    }

    @Test
    void aTemplateStaysForTenMinutesAfterTheLastPodThatNamesIt() throws IOException {
        try (AllocatorWorld world = new AllocatorWorld(1, 1);
                LimitWebhook webhook = webhook(world, folder)) {
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
    void aTemplateOfSomebodyElseUnderTheNameIsSaidAndGivesNobodyAnything() throws IOException {
        try (AllocatorWorld world = new AllocatorWorld(1, 1);
                LimitWebhook webhook = webhook(world, folder)) {
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

    @Test
    void aTemplateThatCannotBeMadeIsSaidAndTriedAgain() throws IOException {
        try (AllocatorWorld world = new AllocatorWorld(1, 1);
                LimitWebhook webhook = webhook(world, folder)) {
            assertThat(webhook).isNotNull();
            world.cluster
                    .faults()
                    .rule()
                    .verbs("create")
                    .resources("resourceclaimtemplates.resource.k8s.io")
                    .times(1)
                    .internalError();
            world.create(pod("refused"));
            assertThat(world.runs("refused")).isFalse();
            world.rounds(3);
            assertThat(world.runs("refused")).isTrue();
            assertThat(told(world, "SlicesTemplate"))
                    .singleElement()
                    .asString()
                    .contains("ResourceClaimTemplate default/sro-limits-", "cannot be created");
        }
    }

    @Test
    void aTemplateThatWasMadeThoughTheAnswerWasLostIsTaken() throws IOException {
        try (AllocatorWorld world = new AllocatorWorld(1, 1);
                LimitWebhook webhook = webhook(world, folder)) {
            assertThat(webhook).isNotNull();
            world.cluster
                    .faults()
                    .rule()
                    .verbs("create")
                    .resources("resourceclaimtemplates.resource.k8s.io")
                    .times(1)
                    .loseAnswer();
            world.create(pod("p"));
            world.rounds(3);

            assertThat(world.runs("p")).isTrue();
            assertThat(templates(world.client)).hasSize(1);
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
                LimitWebhook webhook = webhook(world, folder)) {
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
            try (LimitWebhook webhook = webhook(world, folder, allocator)) {
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
                assertThat(world.cluster
                                .recording()
                                .entries(entry -> entry.userAgent().contains("allocator") && entry.isWrite()))
                        .isNotEmpty()
                        .allMatch(entry -> entry.status() < 300);
            }
        }
    }

    @Test
    void aClaimOfTheTemplateIsThePodsOwn() throws IOException {
        try (AllocatorWorld world = new AllocatorWorld(1, 1);
                LimitWebhook webhook = webhook(world, folder)) {
            assertThat(webhook).isNotNull();
            world.create(pod("p"));
            world.rounds(2);
            assertThat(world.claims("p")).singleElement().satisfies(LimitTemplatesTest::asksForOneSmallSlice);
            world.delete("p");
            world.rounds(2);
            assertThat(world.claims()).as("it goes with the pod").isEmpty();
        }
    }

    private static void asksForOneSmallSlice(ResourceClaim claim) {
        assertThat(claim.getSpec().getDevices().getRequests()).singleElement().satisfies(request -> {
            assertThat(request.getExactly().getDeviceClassName()).isEqualTo(AllocatorObjects.className("1g.5gb"));
            assertThat(request.getExactly().getCount()).isEqualTo(1);
        });
    }
}
