package dev.sro.core.allocation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.core.placement.SlicePodRules;
import dev.sro.core.placement.SlicePodRules.Verdict;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceClass;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceClassBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LimitPodRulesTest {
    private static final String DRIVER = "slices.sro.dev";
    private static final String SMALL = "1g-5gb.slices.sro.dev";
    private static final String LARGE = "3g-20gb.slices.sro.dev";

    private static final LimitPodRules RULES = rules(
            deviceClass(SMALL, "nvidia.com/mig-1g.5gb", "true", ""),
            deviceClass(LARGE, "nvidia.com/mig-3g.20gb", "true", ""),
            deviceClass("mine", "example.com/part", "device.driver == 'slices.sro.dev'", ""),
            deviceClass("gpu.nvidia.com", "nvidia.com/gpu", "device.driver == 'gpu.nvidia.com'", ""));

    private static LimitPodRules rules(DeviceClass... classes) {
        return new LimitPodRules(new LimitClasses(DRIVER, List.of(classes)));
    }

    private static DeviceClass deviceClass(String name, String resource, String selector, String created) {
        DeviceClass made = new DeviceClassBuilder()
                .withNewMetadata()
                .withName(name)
                .withCreationTimestamp(created)
                .endMetadata()
                .withNewSpec()
                .addNewSelector()
                .withNewCel()
                .withExpression(selector)
                .endCel()
                .endSelector()
                .endSpec()
                .build();
        made.getSpec().setExtendedResourceName(resource);
        return made;
    }

    /** {@code main nvidia.com/mig-1g.5gb=2 cpu=1}; a name that begins with {@code side-} is that of a sidecar. */
    private static Container container(String text) {
        String[] words = text.trim().split(" ");
        ContainerBuilder container = new ContainerBuilder().withName(words[0]);
        if (words[0].startsWith("side-")) {
            container.withRestartPolicy("Always");
        }
        for (int i = 1; i < words.length; i++) {
            String[] pair = words[i].split("=");
            container = container
                    .editOrNewResources()
                    .addToLimits(pair[0], new Quantity(pair[1]))
                    .addToRequests(pair[0], new Quantity(pair[1]))
                    .endResources();
        }
        return container.build();
    }

    private static PodBuilder pod(String... containers) {
        return new PodBuilder()
                .withNewMetadata()
                .withNamespace("ml")
                .withName("train")
                .endMetadata()
                .withNewSpec()
                .withContainers(
                        Stream.of(containers).map(LimitPodRulesTest::container).toList())
                .endSpec();
    }

    private static List<Container> containers(@Nullable String text) {
        return text == null
                ? List.of()
                : Stream.of(text.split(";")).map(LimitPodRulesTest::container).toList();
    }

    private static String claim(Pod pod) {
        return new LimitRequests(pod, RULES.classes()::of)
                .claim()
                .map(LimitClaim::text)
                .orElse("");
    }

    private static List<String> uses(Pod pod) {
        List<String> uses = new ArrayList<>();
        new LimitRequests(pod, RULES.classes()::of).uses().forEach((i, names) -> uses.add(i + ": " + names));
        return uses;
    }

    private static Map<String, Object> remove(String path) {
        return Map.of("op", "remove", "path", path);
    }

    private static Map<String, Object> add(String path, Object value) {
        return Map.of("op", "add", "path", path, "value", value);
    }

    @Test
    void limitsBecomeAClaimOfATemplateAndTheGate() {
        Verdict verdict = RULES.judge(
                pod("main nvidia.com/mig-1g.5gb=2 cpu=1", "plain cpu=1").build());

        String text = "container-0-request-0=" + SMALL + ":2";
        String template = LimitClaim.of(text).map(LimitClaim::templateName).orElseThrow();
        assertThat(template).matches("sro-limits-[0-9a-f]{16}");
        assertThat(verdict.refusal()).isEmpty();
        assertThat(verdict.patch())
                .containsExactly(
                        remove("/spec/containers/0/resources/limits/nvidia.com~1mig-1g.5gb"),
                        remove("/spec/containers/0/resources/requests/nvidia.com~1mig-1g.5gb"),
                        add(
                                "/spec/containers/0/resources/claims",
                                List.of(Map.of("name", "slices-limits", "request", "container-0-request-0"))),
                        add(
                                "/spec/resourceClaims",
                                List.of(Map.of("name", "slices-limits", "resourceClaimTemplateName", template))),
                        add("/metadata/annotations", Map.of(LimitClaim.ANNOTATION, text)),
                        add("/spec/schedulingGates", List.of(Map.of("name", SlicePodRules.GATE))));
    }

    @Test
    void whatThePodHasAlreadyStays() {
        Pod pod = pod("main nvidia.com/mig-1g.5gb=1")
                .editMetadata()
                .addToAnnotations("a", "b")
                .endMetadata()
                .editSpec()
                .withSchedulerName("mine")
                .addNewSchedulingGate("other")
                .addNewResourceClaim()
                .withName("slices-limits")
                .withResourceClaimName("own")
                .endResourceClaim()
                .endSpec()
                .build();
        pod.getSpec()
                .getContainers()
                .get(0)
                .getResources()
                .getClaims()
                .add(new io.fabric8.kubernetes.api.model.ResourceClaim("slices-limits", null));

        List<Map<String, Object>> patch = RULES.judge(pod).patch();

        assertThat(patch)
                .extracting(operation -> operation.get("path"))
                .containsExactly(
                        "/spec/containers/0/resources/limits/nvidia.com~1mig-1g.5gb",
                        "/spec/containers/0/resources/requests/nvidia.com~1mig-1g.5gb",
                        "/spec/containers/0/resources/claims/-",
                        "/spec/resourceClaims/-",
                        "/metadata/annotations/slices.sro.dev~1limits",
                        "/spec/schedulingGates/-");
        assertThat(patch.get(3).get("value"))
                .asInstanceOf(InstanceOfAssertFactories.MAP)
                .containsEntry("name", "slices-limits-2");
    }

    @Test
    void aPodAtTheGateIsNotGivenTheGateTwice() {
        Pod pod = pod("main nvidia.com/mig-1g.5gb=1")
                .editSpec()
                .addNewSchedulingGate(SlicePodRules.GATE)
                .endSpec()
                .build();

        assertThat(RULES.judge(pod).patch())
                .extracting(operation -> operation.get("path"))
                .contains("/spec/resourceClaims")
                .noneMatch(path -> String.valueOf(path).startsWith("/spec/schedulingGates"));
    }

    /** Containers with a semicolon between them; the scheduler's own counting is the model. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "| main nvidia.com/mig-1g.5gb=2 | container-0-request-0=S:2 | 0: [container-0-request-0]",
                "| main nvidia.com/mig-1g.5gb=1 nvidia.com/mig-3g.20gb=1 | container-0-request-0=S:1,container-0-request-1=L:1 | 0: [container-0-request-0, container-0-request-1]",
                "| a nvidia.com/mig-1g.5gb=1; b nvidia.com/mig-1g.5gb=1 | container-0-request-0=S:1,container-1-request-0=S:1 | 0: [container-0-request-0] 1: [container-1-request-0]",
                "side-a nvidia.com/mig-1g.5gb=1 | main nvidia.com/mig-1g.5gb=1 | container-0-request-0=S:1,container-1-request-0=S:1 | 0: [container-0-request-0] 1: [container-1-request-0]",
                "init nvidia.com/mig-1g.5gb=1 | main nvidia.com/mig-1g.5gb=2 | container-1-request-0=S:2 | 0: [container-1-request-0] 1: [container-1-request-0]",
                "init nvidia.com/mig-1g.5gb=3 | main nvidia.com/mig-1g.5gb=1 | init-request-0=S:2,container-1-request-0=S:1 | 0: [container-1-request-0, init-request-0] 1: [container-1-request-0]",
                "i nvidia.com/mig-1g.5gb=2; j nvidia.com/mig-1g.5gb=3 | main cpu=1 | init-request-0=S:3 | 0: [init-request-0] 1: [init-request-0]",
                "side-a nvidia.com/mig-1g.5gb=1; init nvidia.com/mig-1g.5gb=1 | main cpu=1 | init-request-0=S:1,container-0-request-0=S:1 | 0: [container-0-request-0] 1: [init-request-0]",
                "init nvidia.com/mig-1g.5gb=1; side-a nvidia.com/mig-1g.5gb=1 | main cpu=1 | container-1-request-0=S:1 | 0: [container-1-request-0] 1: [container-1-request-0]",
                "| main deviceclass.resource.kubernetes.io/1g-5gb.slices.sro.dev=1 nvidia.com/mig-1g.5gb=1 | container-0-request-0=S:2 | 0: [container-0-request-0]",
                "| main example.com/part=1 | container-0-request-0=mine:1 | 0: [container-0-request-0]"
            })
    void containersAreCountedAsTheSchedulerCountsThem(@Nullable String inits, String mains, String claim, String uses) {
        Pod pod = pod().editSpec()
                .withInitContainers(containers(inits))
                .withContainers(containers(mains))
                .endSpec()
                .build();

        assertThat(claim(pod)).isEqualTo(claim.replace("=S:", "=" + SMALL + ":").replace("=L:", "=" + LARGE + ":"));
        assertThat(String.join(" ", uses(pod))).isEqualTo(uses);
    }

    @Test
    void whoHasAllOfSeveralRequestsNamesTheClaimAlone() {
        assertThat(RULES.judge(pod("main nvidia.com/mig-1g.5gb=1 nvidia.com/mig-3g.20gb=1")
                                .build())
                        .patch())
                .contains(add("/spec/containers/0/resources/claims", List.of(Map.of("name", "slices-limits"))));
    }

    /** P4 of DAS: pods that asked for whole GPUs were taken for its own. */
    @ParameterizedTest
    @CsvSource({
        "nvidia.com/gpu=1",
        "deviceclass.resource.kubernetes.io/gpu.nvidia.com=1",
        "nvidia.com/mig-7g.40gb=1",
        "cpu=2",
        "nvidia.com/mig-1g.5gb=0"
    })
    void podsThatAskForNoneOfOurDevicesAreLeftAsTheyAre(String limits) {
        Pod pod = pod("main " + limits)
                .editMetadata()
                .addToAnnotations("slices.sro.dev/spread", "nonsense of somebody else")
                .endMetadata()
                .build();

        assertThat(RULES.judge(pod)).isEqualTo(new Verdict(List.of(), List.of(), ""));
    }

    @Test
    void theNewestClassOfAResourceCounts() {
        DeviceClass ours = deviceClass(SMALL, "nvidia.com/mig-1g.5gb", "true", "2026-01-01T00:00:00Z");
        DeviceClass theirs = deviceClass("mig.nvidia.com", "nvidia.com/mig-1g.5gb", "true", "2026-02-01T00:00:00Z");
        Pod pod = pod("main nvidia.com/mig-1g.5gb=1").build();

        assertThat(rules(ours, theirs).judge(pod).patch()).isEmpty();
        assertThat(rules(theirs, ours).judge(pod).patch()).isEmpty();
        ours.getMetadata().setCreationTimestamp("2026-03-01T00:00:00Z");
        assertThat(rules(ours, theirs).judge(pod).patch()).isNotEmpty();
    }

    @Test
    void whatNobodyCanGiveIsRefusedWithTheFix() {
        assertThat(RULES.judge(pod("main nvidia.com/mig-1g.5gb=1500m").build()).refusal())
                .isEqualTo(
                        "pod ml/train: containers[main].resources.limits[nvidia.com/mig-1g.5gb]: 1500m is no number of"
                                + " devices: write a whole number");
        assertThat(RULES.judge(pod("main nvidia.com/mig-1g.5gb=33").build()).refusal())
                .contains("at most 32");
        assertThat(RULES.judge(pod("a nvidia.com/mig-1g.5gb=20", "b nvidia.com/mig-1g.5gb=20")
                                .build())
                        .refusal())
                .contains("asks for 40 devices");
        Pod differs = pod("main nvidia.com/mig-1g.5gb=1").build();
        differs.getSpec()
                .getContainers()
                .get(0)
                .getResources()
                .setRequests(Map.of("nvidia.com/mig-1g.5gb", new Quantity("2")));
        assertThat(RULES.judge(differs).refusal()).contains("requests differ from limits");
        assertThat(RULES.judge(pod("main nvidia.com/mig-1g.5gb=1")
                                .editMetadata()
                                .addToAnnotations("slices.sro.dev/spread", "far")
                                .endMetadata()
                                .build())
                        .refusal())
                .contains("metadata.annotations[slices.sro.dev/spread]");
    }

    @Test
    void aPodThatIsBoundByHandIsLeftAndItsMakerWarned() {
        Verdict verdict = RULES.judge(pod("main nvidia.com/mig-1g.5gb=1")
                .editSpec()
                .withNodeName("n1")
                .endSpec()
                .build());

        assertThat(verdict.patch()).isEmpty();
        assertThat(verdict.warnings()).singleElement().asString().contains("spec.nodeName");
    }

    /** As when another webhook adds a container, and the API server asks once more. */
    @Test
    void whatIsAddedLaterIsAClaimOfItsOwn() {
        LimitClaim first =
                LimitClaim.of("container-0-request-0=" + LARGE + ":1").orElseThrow();
        Pod pod = pod("main cpu=1", "injected nvidia.com/mig-1g.5gb=1")
                .editMetadata()
                .addToAnnotations(LimitClaim.ANNOTATION, first.text())
                .endMetadata()
                .editSpec()
                .addNewSchedulingGate(SlicePodRules.GATE)
                .addNewResourceClaim()
                .withName(LimitPodRules.ENTRY)
                .withResourceClaimTemplateName(first.templateName())
                .endResourceClaim()
                .endSpec()
                .build();

        assertThat(RULES.judge(pod).patch())
                .contains(add(
                        "/metadata/annotations/slices.sro.dev~1limits",
                        "container-0-request-0=" + LARGE + ":1;container-1-request-0=" + SMALL + ":1"));
    }

    @Test
    void aTemplateIsReadBackFromThePodThatNamesIt() {
        LimitClaim claim =
                LimitClaim.of("container-0-request-0=" + SMALL + ":2").orElseThrow();
        Pod pod = pod("main cpu=1")
                .editMetadata()
                .addToAnnotations(LimitClaim.ANNOTATION, claim.text())
                .endMetadata()
                .editSpec()
                .addNewResourceClaim()
                .withName("x")
                .withResourceClaimTemplateName(claim.templateName())
                .endResourceClaim()
                .addNewResourceClaim()
                .withName("y")
                .withResourceClaimTemplateName("sro-limits-0000000000000000")
                .endResourceClaim()
                .endSpec()
                .build();

        assertThat(LimitClaim.of(pod).values()).containsExactly(claim);
        assertThat(claim.matches(claim.template("ml").getSpec().getSpec().getDevices()))
                .isTrue();
        LimitClaim more = LimitClaim.of("container-0-request-0=" + SMALL + ":3").orElseThrow();
        assertThat(claim.matches(more.template("ml").getSpec().getSpec().getDevices()))
                .isFalse();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {"''", "a", "a=b", "a=b:0", "a=b:x", "A=b:1", "a=b:33", "a=b:20,b=b:20", "a=b:1,"})
    void anAnnotationThatNobodyHereWroteIsNone(String text) {
        assertThat(LimitClaim.of(text)).isEmpty();
    }
}
