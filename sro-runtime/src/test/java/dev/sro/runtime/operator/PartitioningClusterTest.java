package dev.sro.runtime.operator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.testkit.controlplane.Feature;
import dev.sro.testkit.controlplane.RealCluster;
import dev.sro.testkit.controlplane.RealControlPlane;
import io.fabric8.kubernetes.api.model.Toleration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;

/**
 * Partitioning with the real scheduler and the real admission: the operator has the rights that {@code sro manifests} gives it, the API
 * server is 1.36 and so knows admission policies. It is the scenario of docs/admins/partitioning.md.
 */
@RealControlPlane(needs = {Feature.CONTROLLERS, Feature.SCHEDULER, Feature.NODES})
class PartitioningClusterTest extends PartitioningSuite {

    @Test
    void hardKeepsPodsOffUnlessTheyAskForTheDevice(RealCluster cluster) throws Exception {
        List<String> nodes = nodes(cluster);
        try (OperatorRun run = start(cluster)) {
            assertThat(run.webhookPort()).as("policies need no webhook").isEmpty();
            apply(cluster, "hard: {taints: [{key: %s, value: present}]}".formatted(resource));
            cluster.await(
                    "the nodes are tainted",
                    LIMIT,
                    () -> nodes.stream().allMatch(node -> taints(cluster, node).contains(resource)));
            awaitReady(cluster);
            awaitPolicy(cluster);

            create(cluster, "plain", "", "cpu: 1");
            create(cluster, "asking", "", "cpu: 1, " + resource + ": 1");
            cluster.await("the pod that asks runs", LIMIT, () -> isRunning(cluster, "asking"));

            assertThat(pod(cluster, "asking").getSpec().getTolerations())
                    .extracting(Toleration::getKey, Toleration::getOperator, Toleration::getEffect)
                    .contains(Assertions.tuple(resource, "Exists", "NoSchedule"));
            assertThat(pod(cluster, "plain").getSpec().getTolerations())
                    .extracting(Toleration::getKey)
                    .doesNotContain(resource);
            cluster.await(
                    "the scheduler says why the other waits",
                    LIMIT,
                    () -> pod(cluster, "plain").getStatus().getConditions().stream()
                            .anyMatch(c -> String.valueOf(c.getMessage()).contains("untolerated taint")));

            apply(cluster, "{}");
            cluster.await("the other pod runs without the taint", LIMIT, () -> isRunning(cluster, "plain"));
            assertThat(nodes).allSatisfy(node -> {
                assertThat(taints(cluster, node)).doesNotContain(resource);
                assertThat(node(cluster, node).getMetadata().getAnnotations())
                        .doesNotContainKey("sro.dev/taints-" + name);
            });
            cluster.await("the policy goes", LIMIT, () -> policies(cluster) == 0);
            remove(cluster);
        }
    }

    @Test
    void softPreemptsAPodOfLowPriorityForOneThatAsksForTheDevice(RealCluster cluster) throws Exception {
        nodes(cluster);
        String high = name + "-high";
        String low = name + "-low";
        String soft = """
            resources: [%s]
            soft:
              priorityClasses:
              - {name: %s, value: 1000000, description: for pods that ask for the device}
              - {name: %s, value: 100000}
              defaultClass: %s
            """.formatted(resource, high, low, high);
        try (OperatorRun run = start(cluster)) {
            assertThat(run.webhookPort()).as("policies need no webhook").isEmpty();
            apply(cluster, soft);
            awaitReady(cluster);
            awaitPolicy(cluster);
            cluster.await(
                    "the policy has the class", LIMIT, () -> policyText(cluster).contains(high));

            for (int i = 0; i < 2; i++) {
                create(cluster, "filler-" + i, low, "cpu: 20");
            }
            cluster.await(
                    "low priority fills the nodes",
                    LIMIT,
                    () -> isRunning(cluster, "filler-0") && isRunning(cluster, "filler-1"));
            create(cluster, "asking", "", "cpu: 20, " + resource + ": 1");
            assertThat(pod(cluster, "asking").getSpec())
                    .satisfies(spec -> assertThat(spec.getPriorityClassName()).isEqualTo(high))
                    .satisfies(spec -> assertThat(spec.getPriority()).isEqualTo(1_000_000))
                    .satisfies(spec -> assertThat(spec.getPreemptionPolicy()).isEqualTo("PreemptLowerPriority"));
            cluster.await("it preempts", LIMIT, () -> isRunning(cluster, "asking"));
            assertThat(List.of("filler-0", "filler-1"))
                    .as("one of them had to go")
                    .anyMatch(filler -> cluster.client()
                                    .pods()
                                    .inNamespace(users)
                                    .withName(filler)
                                    .get()
                            == null);

            apply(cluster, soft.replace("value: 1000000", "value: 2000000"));
            cluster.await("the class is made anew", LIMIT, () -> Objects.equals(2_000_000, priority(cluster, high)));
            remove(cluster);
            assertThat(priority(cluster, high)).isNull();
            assertThat(policies(cluster)).isZero();
        }
    }

    @Test
    void aClassOfSomebodyElseIsReportedAndLeftAlone(RealCluster cluster) throws Exception {
        nodes(cluster);
        String foreign = name + "-foreign";
        cluster.client().load(stream("""
            apiVersion: scheduling.k8s.io/v1
            kind: PriorityClass
            metadata: {name: %s}
            value: 7
            """.formatted(foreign))).create();
        try (OperatorRun run = start(cluster)) {
            assertThat(run.webhookPort()).as("policies need no webhook").isEmpty();
            apply(
                    cluster,
                    "{resources: [%s], soft: {priorityClasses: [{name: %s, value: 9}], defaultClass: %s}}"
                            .formatted(resource, foreign, foreign));
            cluster.await(
                    "it is reported",
                    LIMIT,
                    () -> Optional.ofNullable(found(cluster).getStatus()).stream()
                            .flatMap(status -> status.getConditions().stream())
                            .anyMatch(c -> c.getType().equals("Degraded")
                                    && c.getReason().equals("ObjectNotOwned")));
            create(cluster, "asking", "", resource + ": 1");
            assertThat(pod(cluster, "asking").getSpec().getPriorityClassName()).isNull();
            remove(cluster);
            assertThat(priority(cluster, foreign)).isEqualTo(7);
        } finally {
            cluster.client()
                    .scheduling()
                    .v1()
                    .priorityClasses()
                    .withName(foreign)
                    .delete();
        }
    }
}
