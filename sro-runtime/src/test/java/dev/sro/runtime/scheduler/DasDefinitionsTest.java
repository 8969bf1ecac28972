package dev.sro.runtime.scheduler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sro.core.das.AllocationClaim;
import dev.sro.core.das.ClaimState;
import dev.sro.core.das.DasNames;
import dev.sro.core.das.NodeAccelerator;
import dev.sro.core.yaml.Yaml;
import dev.sro.runtime.Cli;
import dev.sro.testkit.EmbeddedCluster;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Objects as DAS writes them, on a server with the definitions that are printed. */
class DasDefinitionsTest {
    private static final String CLAIM = """
        apiVersion: inference.redhat.com/v1alpha1
        kind: AllocationClaim
        metadata: {name: 4f8f-gpu-node-main-0, namespace: das-operator}
        spec:
          profile: 1g.5gb
          podRef: {kind: Pod, namespace: default, name: vectoradd, uid: 4f8f}
          migPlacement: {size: 1, start: 3}
          gpuUUID: GPU-8d04
          nodename: gpu-node
        """;

    private static final String NODE = """
        apiVersion: inference.redhat.com/v1alpha1
        kind: NodeAccelerator
        metadata: {name: gpu-node, namespace: das-operator}
        spec: {acceleratorType: nvidia-mig}
        """;

    private static final String RESOURCES = """
        {"nodeGpus":[{"gpuUuid":"GPU-8d04","gpuName":"NVIDIA A100-PCIE-40GB","gpuMemory":"40Gi"}],
         "migPlacement":{"1g.5gb":{"placements":[{"size":1,"start":0},{"size":1,"start":3}],"giProfileId":0,"ciProfileId":0,"ciEngProfileId":0}},
         "nodeResources":{}}
        """;

    private static final String OPERATOR = """
        apiVersion: inference.redhat.com/v1alpha1
        kind: DASOperator
        metadata: {name: cluster, namespace: das-operator}
        spec:
          managementState: Managed
          logLevel: Debug
          operatorLogLevel: Normal
          nodeSelector: {nvidia.com/gpu.present: "true"}
        """;

    @Test
    void areTakenKeptAndRead() {
        try (EmbeddedCluster cluster = EmbeddedCluster.create()) {
            KubernetesClient client = cluster.client();
            Yaml.documents("out", Cli.run("crd", "--das").out())
                    .forEach(definition -> client.resource(client.getKubernetesSerialization()
                                    .convertValue(definition, GenericKubernetesResource.class))
                            .create());
            cluster.settle();
            client.resource(new NamespaceBuilder()
                            .withNewMetadata()
                            .withName(DasNames.NAMESPACE)
                            .endMetadata()
                            .build())
                    .create();

            GenericKubernetesResource claim = create(client, CLAIM);
            claim.setAdditionalProperty("status", AllocationClaim.status(ClaimState.IN_USE, "2026-11-26T10:00:00Z"));
            claim = client.resource(claim).updateStatus();
            assertThat(AllocationClaim.of(claim).state()).isEqualTo(ClaimState.IN_USE);
            assertThat(AllocationClaim.of(claim).place()).isEqualTo("1g.5gb at 3 of GPU-8d04");

            GenericKubernetesResource node = create(client, NODE);
            node.setAdditionalProperty(
                    "status",
                    Map.of("nodeResources", client.getKubernetesSerialization().unmarshal(RESOURCES, Map.class)));
            node = client.resource(node).updateStatus();
            assertThat(NodeAccelerator.of(node).gpus().get(0).profiles().get("1g.5gb"))
                    .satisfies(profile -> assertThat(profile.starts()).containsExactly(0, 3));
            assertThat(node.getAdditionalProperties().get("status"))
                    .as("what is not read is kept")
                    .asString()
                    .contains("ciEngProfileId");

            create(client, OPERATOR);
            assertThatThrownBy(() ->
                            create(client, OPERATOR.replace("cluster", "b").replace("Managed", "Perhaps")))
                    .isInstanceOf(KubernetesClientException.class)
                    .hasMessageContaining("spec.managementState");
            GenericKubernetesResource wrong = create(client, CLAIM.replace("main-0", "main-1"));
            wrong.setAdditionalProperty("status", Map.of("state", "lost"));
            assertThatThrownBy(() -> client.resource(wrong).updateStatus())
                    .isInstanceOf(KubernetesClientException.class)
                    .hasMessageContaining("status.state");
        }
    }

    private static GenericKubernetesResource create(KubernetesClient client, String yaml) {
        GenericKubernetesResource object =
                client.getKubernetesSerialization().unmarshal(yaml, GenericKubernetesResource.class);
        ObjectMeta metadata = object.getMetadata();
        return client.resource(object).inNamespace(metadata.getNamespace()).create();
    }
}
