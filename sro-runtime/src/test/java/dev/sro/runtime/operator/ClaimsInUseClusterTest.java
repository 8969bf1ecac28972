package dev.sro.runtime.operator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.api.resource.SpecialResource;
import dev.sro.api.resource.StateStatus;
import dev.sro.testkit.controlplane.Feature;
import dev.sro.testkit.controlplane.RealCluster;
import dev.sro.testkit.controlplane.RealControlPlane;
import dev.sro.testkit.sim.NodeProfile;
import dev.sro.testkit.sim.OsRelease;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/**
 * A driver for Dynamic Resource Allocation goes when the last pod with a claim has ended, with the real controllers of claims and the
 * rights that {@code sro manifests} gives the operator.
 */
@RealControlPlane(needs = {Feature.CONTROLLERS, Feature.SCHEDULER, Feature.NODES})
class ClaimsInUseClusterTest extends PartitioningSuite {

    private static final String CLAIM = "resource.k8s.io/v1";

    private String driver() {
        return name + ".example.com";
    }

    private void applyRecipe(RealCluster cluster) throws Exception {
        Path recipe = Files.createDirectories(folder.resolve("recipe"));
        Files.writeString(recipe.resolve("1000-dra.yaml"), """
            apiVersion: apps/v1
            kind: DaemonSet
            metadata:
              name: dra-plugin
              namespace: "%1$s-operands"
              annotations: {sro.dev/dra-driver: "%1$s.example.com"}
            spec:
              selector: {matchLabels: {app: dra-plugin}}
              template:
                metadata: {labels: {app: dra-plugin}}
                spec:
                  nodeSelector: {testkit.sro.dev/test: "%2$s"}
                  containers: [{name: main, image: "example.com/dra:1"}]
            """.formatted(name, cluster.namespace()));
        cluster.client()
                .resource(cluster.client()
                        .getKubernetesSerialization()
                        .unmarshal("""
                            apiVersion: sro.openshift.io/v1beta1
                            kind: SpecialResource
                            metadata: {name: "%1$s"}
                            spec:
                              namespace: "%1$s-operands"
                              recipe: {directory: "%3$s"}
                              nodeSelector: {testkit.sro.dev/test: "%2$s"}
                            """.formatted(name, cluster.namespace(), recipe.toUri()), SpecialResource.class))
                .serverSideApply();
    }

    /** As the scheduler allocates it, where a driver publishes devices. */
    private void claim(RealCluster cluster) {
        cluster.client().load(stream("""
            apiVersion: resource.k8s.io/v1
            kind: ResourceClaim
            metadata: {name: train, namespace: "%s", finalizers: [resource.kubernetes.io/delete-protection]}
            spec: {devices: {requests: [{name: r, exactly: {deviceClassName: %s}}]}}
            """.formatted(users, driver()))).create();
        Map<String, Object> result = Map.of("request", "r", "driver", driver(), "pool", "p", "device", "d");
        cluster.client()
                .genericKubernetesResources(CLAIM, "ResourceClaim")
                .inNamespace(users)
                .withName("train")
                .editStatus(live -> {
                    live.setAdditionalProperty(
                            "status", Map.of("allocation", Map.of("devices", Map.of("results", List.of(result)))));
                    return live;
                });
    }

    /** Bound by the test, as the scheduler knows no such device; the controller of claims reserves the claim for it. */
    private void user(RealCluster cluster, String node) {
        String text = """
            apiVersion: v1
            kind: Pod
            metadata: {name: train-0, namespace: "%s"}
            spec:
              nodeName: "%s"
              terminationGracePeriodSeconds: 0
              resourceClaims: [{name: d, resourceClaimName: train}]
              containers: [{name: main, image: "example.com/main:1", resources: {claims: [{name: d}]}}]
            """.formatted(users, node);
        cluster.await("the pod is accepted", LIMIT, () -> {
            try {
                cluster.client().load(stream(text)).create();
                return true;
            } catch (io.fabric8.kubernetes.client.KubernetesClientException e) {
                if (String.valueOf(e.getMessage()).contains("serviceaccount")) {
                    return false;
                }
                throw e;
            }
        });
    }

    private boolean isDriverThere(RealCluster cluster) {
        return cluster.client()
                        .apps()
                        .daemonSets()
                        .inNamespace(name + "-operands")
                        .withName("dra-plugin")
                        .get()
                != null;
    }

    private List<StateStatus> states(RealCluster cluster) {
        SpecialResource found = found(cluster);
        return found == null
                ? List.of()
                : Objects.requireNonNull(found.getStatus()).getStates();
    }

    @Test
    void itGoesWhenTheLastPodWithAClaimHasEnded(RealCluster cluster) throws Exception {
        String node =
                cluster.nodes().create(1, NodeProfile.of(OsRelease.UBUNTU_22)).get(0);
        try (OperatorRun run = start(cluster)) {
            applyRecipe(cluster);
            awaitReady(cluster);
            claim(cluster);
            user(cluster, node);
            cluster.await("the pod with the claim runs", LIMIT, () -> isRunning(cluster, "train-0"));

            cluster.client().resources(SpecialResource.class).withName(name).delete();
            cluster.await(
                    "the status says who has devices",
                    LIMIT,
                    () -> states(cluster).stream()
                            .anyMatch(state -> "DeviceClaimsInUse".equals(state.getReason())
                                    && String.valueOf(state.getMessage()).contains("1 claim has devices of " + driver())
                                    && String.valueOf(state.getMessage()).contains("(pod train-0)")));
            Thread.sleep(3000);
            assertThat(isDriverThere(cluster)).isTrue();
            assertThat(run.port()).as("it runs").isNotNull();

            cluster.client().pods().inNamespace(users).withName("train-0").delete();
            cluster.await("it is gone", LIMIT, () -> found(cluster) == null);
            assertThat(isDriverThere(cluster)).isFalse();
            GenericKubernetesResource claim = cluster.client()
                    .genericKubernetesResources(CLAIM, "ResourceClaim")
                    .inNamespace(users)
                    .withName("train")
                    .get();
            assertThat(String.valueOf(claim.getAdditionalProperties().get("status")))
                    .as("the controller of claims has given the devices back")
                    .doesNotContain("allocation");
        }
    }
}
