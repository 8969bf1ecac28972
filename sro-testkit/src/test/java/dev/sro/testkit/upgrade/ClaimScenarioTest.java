package dev.sro.testkit.upgrade;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.testkit.server.Recording;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Pods that got their devices by Dynamic Resource Allocation, while the driver is upgraded. */
class ClaimScenarioTest {

    private final UpgradeWorld world = new UpgradeWorld();

    @AfterEach
    void close() {
        world.close();
    }

    private void claim(String name, String driver) {
        GenericKubernetesResource claim = world.sandbox
                .client()
                .getKubernetesSerialization()
                .unmarshal("""
                    apiVersion: resource.k8s.io/v1
                    kind: ResourceClaim
                    metadata: {name: %s, namespace: default}
                    spec: {devices: {requests: [{name: r, exactly: {deviceClassName: c}}]}}
                    """.formatted(name), GenericKubernetesResource.class);
        var claims = world.sandbox
                .client()
                .genericKubernetesResources(new ResourceDefinitionContext.Builder()
                        .withGroup("resource.k8s.io")
                        .withVersion("v1")
                        .withKind("ResourceClaim")
                        .withPlural("resourceclaims")
                        .withNamespaced(true)
                        .build())
                .inNamespace("default");
        claims.resource(claim).create();
        if (driver.isEmpty()) {
            return;
        }
        claims.withName(name).editStatus(live -> {
            live.setAdditionalProperty(
                    "status",
                    Map.of(
                            "allocation",
                            Map.of(
                                    "devices",
                                    Map.of(
                                            "results",
                                            List.of(Map.of(
                                                    "request", "r", "driver", driver, "pool", "p", "device", "d"))))));
            return live;
        });
    }

    /** A pod with a claim of its own, by name or by what the status says was made for it. */
    private void pod(String name, String driver, boolean made) {
        claim(name + "-claim", driver);
        Pod pod = world.sandbox
                .client()
                .getKubernetesSerialization()
                .unmarshal(
                        """
                        apiVersion: v1
                        kind: Pod
                        metadata:
                          name: %1$s
                          namespace: default
                          ownerReferences:
                          - {apiVersion: v1, kind: ConfigMap, name: owner, uid: %2$s, controller: true}
                        spec:
                          nodeName: node-0
                          resourceClaims: [{name: d, %3$s}]
                          containers:
                          - {name: main, image: "registry.example/app:1", resources: {claims: [{name: d}]}}
                        """.formatted(
                                name,
                                world.owner(),
                                made ? "resourceClaimTemplateName: t" : "resourceClaimName: " + name + "-claim"),
                        Pod.class);
        var created = world.sandbox.client().resource(pod).create();
        if (made) {
            world.sandbox
                    .client()
                    .resource(created)
                    .editStatus(live -> live.edit()
                            .editOrNewStatus()
                            .addNewResourceClaimStatus("d", name + "-claim")
                            .endStatus()
                            .build());
        }
        world.sandbox.run(Duration.ofSeconds(3));
    }

    private long claimLists() {
        return world.sandbox
                .cluster()
                .recording()
                .entries(entry -> entry.userAgent().equals("sro")
                        && entry.resource().equals("resourceclaims.resource.k8s.io")
                        && entry.verb().equals("list"))
                .size();
    }

    @Test
    void onlyPodsWhoseClaimTheDevicesDriverAllocatedAreEvicted() {
        String policy = "{autoUpgrade: true}";
        world.ready(policy, 1);
        pod("named", "gpu.example.com", false);
        pod("made", "gpu.example.com", true);
        pod("other", "nic.example.com", false);
        pod("unallocated", "", false);
        assertThat(claimLists())
                .as("nobody asks before a node is in transition")
                .isZero();

        world.resource("gpu", "2", policy);
        world.until("gpu", "2");

        assertThat(world.there("named")).isFalse();
        assertThat(world.there("made")).isFalse();
        assertThat(world.there("other")).isTrue();
        assertThat(world.there("unallocated")).isTrue();
        assertThat(claimLists()).as("one list for the whole of it").isEqualTo(1);
    }

    @Test
    void aRecipeWithoutPluginNamesTheDriverInThePolicy() {
        String policy = "{autoUpgrade: true, evict: {draDrivers: [nic.example.com]}}";
        world.ready(policy, 1);
        pod("other", "nic.example.com", false);
        pod("third", "disk.example.com", false);

        world.resource("gpu", "2", policy);
        world.until("gpu", "2");

        assertThat(world.there("other")).isFalse();
        assertThat(world.there("third")).isTrue();
    }

    @Test
    void withoutClaimsOnTheNodeNobodyWatchesThem() {
        String policy = "{autoUpgrade: true}";
        world.ready(policy, 1);
        world.pod("trainer", "node-0", true, Map.of());

        world.resource("gpu", "2", policy);
        world.until("gpu", "2");

        assertThat(world.sandbox
                        .cluster()
                        .recording()
                        .entries((Recording.Entry entry) -> entry.resource().equals("resourceclaims.resource.k8s.io")))
                .isEmpty();
    }
}
