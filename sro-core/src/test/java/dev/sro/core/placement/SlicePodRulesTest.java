package dev.sro.core.placement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sro.core.placement.SlicePodRules.Names;
import dev.sro.core.placement.SlicePodRules.Verdict;
import dev.sro.core.placement.SlicePodRules.Way;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SlicePodRulesTest {
    private static final SlicePodRules GATES = new SlicePodRules(Way.GATES, Names.NVIDIA, "");
    private static final SlicePodRules SCHEDULER = new SlicePodRules(Way.SCHEDULER, Names.NVIDIA, "sro-slices");

    private static Container container(String name, String resource, String count) {
        return new ContainerBuilder()
                .withName(name)
                .withNewResources()
                .addToLimits(resource, new Quantity(count))
                .addToRequests(resource, new Quantity(count))
                .endResources()
                .build();
    }

    private static PodBuilder pod(Container... containers) {
        return new PodBuilder()
                .withNewMetadata()
                .withName("a")
                .withNamespace("ns")
                .endMetadata()
                .withNewSpec()
                .withSchedulerName("default-scheduler")
                .withContainers(containers)
                .endSpec();
    }

    private static Map<String, Object> operation(String op, String path, Object value) {
        return Map.of("op", op, "path", path, "value", value);
    }

    @ParameterizedTest
    @CsvSource({
        "nvidia.com/mig-1g.5gb, nvidia.com/mig-1g.5gb, mig.das.com/1g.5gb",
        "mig.das.com/1g.5gb, nvidia.com/mig-1g.5gb, mig.das.com/1g.5gb",
        "mig.das.com/mig-1g.5gb, nvidia.com/mig-1g.5gb, mig.das.com/1g.5gb",
        "nvidia.com/mig-1g.5gb.me, nvidia.com/mig-1g.5gb.me, mig.das.com/1g.5gb-plus-me",
        "nvidia.com/mig-1g.5gb+me, nvidia.com/mig-1g.5gb.me, mig.das.com/1g.5gb-plus-me",
        "mig.das.com/1g.5gb-plus-me, nvidia.com/mig-1g.5gb.me, mig.das.com/1g.5gb-plus-me",
        "mig.das.com/1g.5gb.me, nvidia.com/mig-1g.5gb.me, mig.das.com/1g.5gb-plus-me",
        "nvidia.com/mig-1g.24gb+gfx, nvidia.com/mig-1g.24gb.gfx, mig.das.com/1g.24gb-plus-gfx",
        "nvidia.com/mig-1g.24gb-me, nvidia.com/mig-1g.24gb-me, mig.das.com/1g.24gb-me",
        "nvidia.com/mig-1g.24gb+me.all, nvidia.com/mig-1g.24gb.me.all, mig.das.com/1g.24gb-plus-me.all"
    })
    void everySpellingOfAProfileIsTheResourceOfTheAgents(String asked, String nvidia, String das) {
        Pod pod = pod(container("main", asked, "2")).build();
        for (Names names : Names.values()) {
            String wanted = names == Names.DAS ? das : nvidia;
            List<Map<String, Object>> patch =
                    new SlicePodRules(Way.COUNTS, names, "").judge(pod).patch();
            if (wanted.equals(asked)) {
                assertThat(patch).isEmpty();
            } else {
                String limits = "/spec/containers/0/resources/limits/";
                String requests = "/spec/containers/0/resources/requests/";
                assertThat(patch)
                        .containsExactly(
                                Map.of("op", "remove", "path", limits + asked.replace("/", "~1")),
                                operation("add", limits + wanted.replace("/", "~1"), "2"),
                                Map.of("op", "remove", "path", requests + asked.replace("/", "~1")),
                                operation("add", requests + wanted.replace("/", "~1"), "2"));
            }
        }
    }

    @Test
    void twoSpellingsOfOneProfileAreOneAmount() {
        Container both = new ContainerBuilder()
                .withName("main")
                .withNewResources()
                .addToLimits("nvidia.com/mig-1g.5gb", new Quantity("1"))
                .addToLimits("mig.das.com/1g.5gb", new Quantity("2"))
                .endResources()
                .build();

        assertThat(new SlicePodRules(Way.COUNTS, Names.NVIDIA, "")
                        .judge(pod(both).build())
                        .patch())
                .containsExactly(
                        Map.of("op", "remove", "path", "/spec/containers/0/resources/limits/mig.das.com~11g.5gb"),
                        operation("add", "/spec/containers/0/resources/limits/nvidia.com~1mig-1g.5gb", "3"));
    }

    /** P4 of DAS: pods that asked for whole GPUs were rewritten, and never ran. */
    @ParameterizedTest
    @ValueSource(strings = {"nvidia.com/gpu", "nvidia.com/gpu.shared", "mig.das.com/gpu", "cpu", "amd.com/gpu"})
    void whoAsksForNoSlicesIsLeftAlone(String resource) {
        for (SlicePodRules rules : List.of(GATES, SCHEDULER)) {
            assertThat(rules.judge(pod(container("main", resource, "1")).build()))
                    .isEqualTo(new Verdict(List.of(), List.of(), ""));
        }
    }

    @Test
    void aWholeGpuBesideASliceStaysAsItIs() {
        List<Map<String, Object>> patch = GATES.judge(
                        pod(container("main", "nvidia.com/gpu", "1"), container("side", "mig.das.com/1g.5gb", "1"))
                                .build())
                .patch();

        assertThat(patch)
                .extracting(operation -> operation.get("path"))
                .noneMatch(path -> String.valueOf(path).startsWith("/spec/containers/0"))
                .contains("/spec/schedulingGates");
    }

    @Test
    void initContainersAreReadToo() {
        Pod pod = pod(container("main", "cpu", "1"))
                .editSpec()
                .addToInitContainers(container("first", "mig.das.com/1g.5gb", "1"))
                .endSpec()
                .build();

        assertThat(GATES.judge(pod).patch())
                .extracting(operation -> operation.get("path"))
                .contains("/spec/initContainers/0/resources/limits/nvidia.com~1mig-1g.5gb", "/spec/schedulingGates");
    }

    @Test
    void aGateIsAddedToThoseOfThePodOnceAndSchedulerAndRuntimeClassAreKept() {
        Pod pod = pod(container("main", "nvidia.com/mig-1g.5gb", "1"))
                .editMetadata()
                .addToAnnotations(SlicePodRules.NODE, "of the pod it was copied from")
                .endMetadata()
                .editSpec()
                .withSchedulerName("my-scheduler")
                .withRuntimeClassName("my-runtime")
                .addNewSchedulingGate("example.com/quota")
                .endSpec()
                .build();

        assertThat(GATES.judge(pod).patch())
                .containsExactly(
                        Map.of("op", "remove", "path", "/metadata/annotations/slices.sro.dev~1node"),
                        operation(
                                "add",
                                "/spec/schedulingGates",
                                List.of(Map.of("name", "example.com/quota"), Map.of("name", SlicePodRules.GATE))));

        pod.getSpec().getSchedulingGates().get(0).setName(SlicePodRules.GATE);
        assertThat(GATES.judge(pod)).isEqualTo(new Verdict(List.of(), List.of(), ""));
    }

    @Test
    void aPodThatIsOnANodeHasNoGate() {
        Pod pod = pod(container("main", "nvidia.com/mig-1g.5gb", "1"))
                .editSpec()
                .withNodeName("n1")
                .endSpec()
                .build();

        Verdict verdict = GATES.judge(pod);

        assertThat(verdict.patch()).isEmpty();
        assertThat(verdict.warnings()).singleElement().asString().contains("ns/a", "spec.nodeName", "n1");
    }

    @Test
    void aSchedulerThatKnowsNoSlicesIsRefusedWithTheWayOut() {
        Pod pod = pod(container("main", "nvidia.com/mig-1g.5gb", "1")).build();
        assertThat(SCHEDULER.judge(pod).patch()).containsExactly(operation("add", "/spec/schedulerName", "sro-slices"));
        pod.getSpec().setSchedulerName("sro-slices");
        assertThat(SCHEDULER.judge(pod).patch()).isEmpty();
        pod.getSpec().setSchedulerName("my-scheduler");

        Verdict verdict = SCHEDULER.judge(pod);

        assertThat(verdict.patch()).isEmpty();
        assertThat(verdict.refusal())
                .contains(
                        "pod ns/a",
                        "spec.schedulerName",
                        "my-scheduler",
                        "sro-slices",
                        "slices.sro.dev/webhook=ignore");
    }

    @ParameterizedTest
    @CsvSource({"GATES, '', default-scheduler", "COUNTS, '', default-scheduler", "SCHEDULER, sro-slices, sro-slices"})
    void theSchedulerOfDasIsReplacedAndThatIsSaid(Way way, String scheduler, String now) {
        Pod pod = pod(container("main", "nvidia.com/mig-1g.5gb", "1"))
                .editSpec()
                .withSchedulerName("das-scheduler")
                .endSpec()
                .build();

        Verdict verdict = new SlicePodRules(way, Names.NVIDIA, scheduler).judge(pod);

        assertThat(verdict.patch()).contains(operation("add", "/spec/schedulerName", now));
        assertThat(verdict.warnings()).singleElement().asString().contains("das-scheduler", now);
    }

    @Test
    void whatNobodyCanGiveIsRefusedNamingPodAndField() {
        assertThat(GATES.judge(pod(container("main", "nvidia.com/mig-1g.5gb", "1500m"))
                                .build())
                        .refusal())
                .contains("ns/a", "resources.limits[nvidia.com/mig-1g.5gb]", "main", "whole number");
        Pod pod = pod(container("main", "nvidia.com/mig-1g.5gb", "1"))
                .editMetadata()
                .addToAnnotations(PodSlices.SPREAD, "far")
                .endMetadata()
                .build();
        assertThat(GATES.judge(pod).refusal()).contains("metadata.annotations[slices.sro.dev/spread]", "same-gpu");
    }

    @Test
    void aPathIsItsRules() {
        for (String path : List.of("/slices/gates/nvidia", "/slices/counts/das", "/slices/scheduler/das/sro-slices")) {
            assertThat(SlicePodRules.at(path).path()).isEqualTo(path);
        }
        for (String path : List.of(
                "/slices/",
                "/slices/gates",
                "/slices/gates/amd",
                "/slices/gates/nvidia/x",
                "/slices/scheduler/nvidia",
                "/slices/scheduler/nvidia/A",
                "/partitioning/x")) {
            assertThatThrownBy(() -> SlicePodRules.at(path)).as(path).isInstanceOf(IllegalArgumentException.class);
        }
    }
}
