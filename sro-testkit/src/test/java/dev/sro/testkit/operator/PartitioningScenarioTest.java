package dev.sro.testkit.operator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.api.resource.SpecialResource;
import dev.sro.testkit.server.Gvr;
import dev.sro.testkit.server.Recording;
import dev.sro.testkit.sim.NodeProfile;
import dev.sro.testkit.sim.OsRelease;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Partitioning beside the readiness taint, while nodes come and go and others have taints of their own. */
class PartitioningScenarioTest {

    private static final String GPU = "nvidia.com/gpu=present:NoSchedule";
    private static final NodeProfile NODE = NodeProfile.of(OsRelease.RHEL_9).withLabel("example.com/device", "true");
    private static final Duration LONG = Duration.ofMinutes(20);
    private static final String HARD = "  partitioning: {hard: {taints: [{key: nvidia.com/gpu, value: present}]}}\n";

    private final SroSandbox sandbox = SroSandbox.create(new KmodPlugin());

    @BeforeEach
    void ready() {
        sandbox.nodes().create("one", NODE);
        sandbox.nodes().create("none", NodeProfile.of(OsRelease.RHEL_9));
        sandbox.run(Duration.ofMinutes(2));
    }

    @AfterEach
    void close() {
        sandbox.close();
    }

    private void apply(String more) {
        sandbox.apply(KmodPlugin.RESOURCE + more);
        assertThat(sandbox.runUntil(LONG, () -> sandbox.isReady("kmod")))
                .as(() -> sandbox.state("kmod"))
                .isTrue();
        sandbox.run(Duration.ofMinutes(1));
    }

    private List<String> taints(String node) {
        List<String> texts = new ArrayList<>();
        sandbox.nodes()
                .get(node)
                .at("/spec/taints")
                .forEach(taint -> texts.add(
                        taint.at("/key").asText() + "=" + taint.at("/value").asText() + ":"
                                + taint.at("/effect").asText()));
        return texts;
    }

    private String record(String node) {
        return sandbox.nodes()
                .get(node)
                .at("/metadata/annotations/sro.dev~1taints-kmod")
                .asText();
    }

    private String condition(String type) {
        return sandbox.get("kmod").map(SpecialResource::getStatus).stream()
                .flatMap(status -> status.getConditions().stream())
                .filter(each -> each.getType().equals(type))
                .map(each -> each.getReason() + " " + each.getMessage())
                .findFirst()
                .orElse("");
    }

    @Test
    void theNodesOfTheDeviceAreTaintedAndItsOperandsTolerateIt() {
        apply(HARD + "  readinessTaint: {key: acme.com/not-ready}\n");

        assertThat(taints("one")).containsExactly(GPU);
        assertThat(taints("none")).isEmpty();
        assertThat(record("one")).isEqualTo(GPU);
        sandbox.cluster()
                .api()
                .list(Gvr.DAEMONSETS)
                .forEach(set -> assertThat(
                                set.at("/spec/template/spec/tolerations").toString())
                        .contains("nvidia.com/gpu"));

        sandbox.nodes().create("two", NODE.withKernel("5.14.0-1.el9.x86_64"));
        assertThat(sandbox.runUntil(LONG, () -> taints("two").size() == 2)).isTrue();
        assertThat(sandbox.runUntil(LONG, () -> taints("two").equals(List.of(GPU))))
                .as("the readiness taint goes, this one stays")
                .isTrue();
    }

    @Test
    void whatAnAdminPutThereStaysAndIsReported() {
        sandbox.nodes().taint("one", "nvidia.com/gpu", "admins", "NoSchedule");
        sandbox.nodes().taint("one", "example.com/batch", "only", "PreferNoSchedule");
        sandbox.apply(KmodPlugin.RESOURCE + HARD);
        assertThat(sandbox.runUntil(LONG, () -> condition("Degraded").startsWith("NodeTaintConflict")))
                .as(() -> sandbox.state("kmod"))
                .isTrue();
        assertThat(condition("Degraded")).contains("node one: taint nvidia.com/gpu=admins:NoSchedule");

        sandbox.client().resources(SpecialResource.class).withName("kmod").delete();
        assertThat(sandbox.runUntil(LONG, () -> sandbox.get("kmod").isEmpty())).isTrue();
        assertThat(taints("one"))
                .containsExactlyInAnyOrder(
                        "nvidia.com/gpu=admins:NoSchedule", "example.com/batch=only:PreferNoSchedule");
    }

    @Test
    void anAdminsTaintOfTheSameKeyAndAnotherEffectIsNeverTouched() {
        String admins = "nvidia.com/gpu=present:PreferNoSchedule";
        sandbox.nodes().taint("one", "nvidia.com/gpu", "present", "PreferNoSchedule");
        sandbox.nodes().taint("none", "nvidia.com/gpu", "present", "PreferNoSchedule");
        apply(HARD);
        assertThat(taints("one")).containsExactlyInAnyOrder(admins, GPU);
        assertThat(record("one")).isEqualTo(GPU);
        assertThat(condition("Degraded")).doesNotContain("NodeTaintConflict");

        apply(HARD.replace("present}", "other}"));
        assertThat(sandbox.runUntil(LONG, () -> taints("one").contains("nvidia.com/gpu=other:NoSchedule")))
                .isTrue();
        assertThat(taints("one")).containsExactlyInAnyOrder(admins, "nvidia.com/gpu=other:NoSchedule");

        apply("  debug: false\n");
        assertThat(sandbox.runUntil(LONG, () -> record("one").isEmpty())).isTrue();
        assertThat(taints("one")).containsExactly(admins);

        apply(HARD);
        assertThat(sandbox.runUntil(LONG, () -> taints("one").contains(GPU))).isTrue();
        sandbox.client().resources(SpecialResource.class).withName("kmod").delete();
        assertThat(sandbox.runUntil(LONG, () -> sandbox.get("kmod").isEmpty())).isTrue();
        assertThat(taints("one")).containsExactly(admins);
        assertThat(taints("none")).containsExactly(admins);
    }

    @Test
    void itGoesWithTheDeviceAndWithTheField() {
        apply(HARD);
        sandbox.nodes().create("two", NODE);
        assertThat(sandbox.runUntil(LONG, () -> taints("two").contains(GPU))).isTrue();

        sandbox.client().nodes().withName("two").edit(node -> {
            node.getMetadata().getLabels().remove("example.com/device");
            return node;
        });
        assertThat(sandbox.runUntil(LONG, () -> taints("two").isEmpty())).isTrue();
        assertThat(record("two")).isEmpty();

        apply("  debug: false\n");
        assertThat(sandbox.runUntil(LONG, () -> taints("one").isEmpty())).isTrue();
        assertThat(record("one")).isEmpty();
    }

    @Test
    void aRestartOnAPartitionedClusterWritesNothing() {
        apply(HARD);
        sandbox.cluster().recording().start();
        sandbox.run(Duration.ofHours(1));
        assertThat(sandbox.cluster()
                        .recording()
                        .entries(entry -> entry.userAgent().equals("sro")))
                .allMatch(entry -> entry.verb().equals("watch"));
        sandbox.kill();
        sandbox.start();
        sandbox.run(Duration.ofMinutes(5));
        assertThat(sandbox.cluster()
                        .recording()
                        .entries(entry -> entry.userAgent().equals("sro")))
                .noneMatch(Recording.Entry::isWrite);
    }

    @Test
    void priorityClassesOfVersion1AreMadeAlsoWithoutNodesAndMadeAnewWhenTheirValueChanges() {
        sandbox.nodes().delete("one");
        String text = """
              schedulingType: PriorityPreemption
              priorityClasses:
              - {metadata: {name: gpu-high-priority}, value: 1000000}
              - {metadata: {name: gpu-low-priority}, value: 100000}
            """;
        sandbox.apply(KmodPlugin.RESOURCE + text.indent(2).replace("    ", "  "));
        assertThat(sandbox.runUntil(LONG, () -> value("gpu-high-priority") == 1_000_000))
                .as(() -> sandbox.state("kmod"))
                .isTrue();
        sandbox.apply(KmodPlugin.RESOURCE + text.indent(2).replace("    ", "  ").replace("1000000}", "2000000}"));
        assertThat(sandbox.runUntil(LONG, () -> value("gpu-high-priority") == 2_000_000))
                .as(() -> sandbox.state("kmod"))
                .isTrue();
        assertThat(value("gpu-low-priority")).isEqualTo(100_000);

        sandbox.client().resources(SpecialResource.class).withName("kmod").delete();
        assertThat(sandbox.runUntil(LONG, () -> sandbox.get("kmod").isEmpty())).isTrue();
        assertThat(value("gpu-high-priority")).isZero();
    }

    @Test
    void aClassWithAnotherPolicyIsMadeAnewAndItsPodsStay() {
        String soft = """
              partitioning:
                soft: {priorityClasses: [{name: gpu-low, value: 1000, preemptionPolicy: PreemptLowerPriority}]}
            """.indent(2).replace("    ", "  ");
        sandbox.apply(KmodPlugin.RESOURCE + soft);
        assertThat(sandbox.runUntil(LONG, () -> value("gpu-low") == 1000)).isTrue();
        sandbox.client().resource("""
            apiVersion: v1
            kind: Pod
            metadata: {name: user, namespace: default}
            spec:
              priorityClassName: gpu-low
              containers: [{name: a, image: registry.example/a:1}]
            """).create();
        String pod = podText();
        assertThat(pod).contains("1000 PreemptLowerPriority");

        sandbox.apply(KmodPlugin.RESOURCE + soft.replace("PreemptLowerPriority", "Never"));
        assertThat(sandbox.runUntil(LONG, () -> policy("gpu-low").equals("Never")))
                .as(() -> sandbox.state("kmod"))
                .isTrue();
        assertThat(value("gpu-low")).isEqualTo(1000);
        assertThat(podText()).isEqualTo(pod);

        sandbox.apply(KmodPlugin.RESOURCE + "  debug: false\n");
        assertThat(sandbox.runUntil(LONG, () -> value("gpu-low") == 0))
                .as("goes with the field")
                .isTrue();
        assertThat(podText()).isEqualTo(pod);
    }

    private String podText() {
        var pod =
                sandbox.client().pods().inNamespace("default").withName("user").get();
        return pod.getMetadata().getUid() + " " + pod.getSpec().getPriority() + " "
                + pod.getSpec().getPreemptionPolicy();
    }

    private String policy(String name) {
        var found = sandbox.client()
                .scheduling()
                .v1()
                .priorityClasses()
                .withName(name)
                .get();
        return found == null ? "" : found.getPreemptionPolicy();
    }

    private int value(String name) {
        var found = sandbox.client()
                .scheduling()
                .v1()
                .priorityClasses()
                .withName(name)
                .get();
        return found == null ? 0 : found.getValue();
    }
}
