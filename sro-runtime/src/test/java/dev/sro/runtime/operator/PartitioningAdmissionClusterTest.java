package dev.sro.runtime.operator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.runtime.webhook.Certificates;
import dev.sro.testkit.controlplane.Feature;
import dev.sro.testkit.controlplane.RealCluster;
import dev.sro.testkit.controlplane.RealControlPlane;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Toleration;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** How a real API server gives pods that ask for the device what partitioning has for them: by claims, and by the operator's webhook. */
@RealControlPlane(needs = {Feature.CONTROLLERS, Feature.SCHEDULER, Feature.NODES})
class PartitioningAdmissionClusterTest extends PartitioningSuite {

    @Test
    void podsThatAskByAClaimGetTheTolerationToo(RealCluster cluster) throws Exception {
        nodes(cluster);
        String deviceClass = name + ".example.com";
        try (OperatorRun run = start(cluster)) {
            assertThat(run.webhookPort()).as("policies need no webhook").isEmpty();
            apply(cluster, "{deviceClasses: [%s], hard: {taints: [{key: %s}]}}".formatted(deviceClass, resource));
            awaitReady(cluster);
            awaitPolicy(cluster);
            claims(cluster, deviceClass);
            for (String pod : List.of("by-claim", "by-template")) {
                assertThat(pod(cluster, pod).getSpec().getTolerations())
                        .as(pod)
                        .extracting(Toleration::getKey)
                        .contains(resource);
            }
            assertThat(pod(cluster, "by-other").getSpec().getTolerations())
                    .extracting(Toleration::getKey)
                    .doesNotContain(resource);
            remove(cluster);
        }
    }

    /** A claim, a template, a template of another class, and a pod for each. */
    private void claims(RealCluster cluster, String deviceClass) {
        String devices = "devices: {requests: [{name: one, exactly: {deviceClassName: %s}}]}";
        String text = """
            apiVersion: resource.k8s.io/v1
            kind: ResourceClaim
            metadata: {name: by-claim, namespace: %1$s}
            spec: {%2$s}
            ---
            apiVersion: resource.k8s.io/v1
            kind: ResourceClaimTemplate
            metadata: {name: by-template, namespace: %1$s}
            spec: {spec: {devices: {requests: [{name: one, firstAvailable: [{name: a, deviceClassName: other.example.com},
              {name: b, deviceClassName: %3$s}]}]}}}
            ---
            apiVersion: resource.k8s.io/v1
            kind: ResourceClaimTemplate
            metadata: {name: by-other, namespace: %1$s}
            spec: {spec: {%4$s}}
            """.formatted(
                        users, devices.formatted(deviceClass), deviceClass, devices.formatted("other.example.com"));
        cluster.client().load(stream(text)).create();
        // Parameters of policies are watched by the API server: they come to it a moment later.
        for (String pod : List.of("by-claim", "by-template", "by-other")) {
            String field = pod.equals("by-claim") ? "resourceClaimName" : "resourceClaimTemplateName";
            String yaml = """
                apiVersion: v1
                kind: Pod
                metadata: {name: %1$s, namespace: %2$s}
                spec:
                  resourceClaims: [{name: device, %3$s: %1$s}]
                  containers: [{name: main, image: "example.com/main:1", resources: {claims: [{name: device}]}}]
                """.formatted(pod, users, field);
            cluster.await("the pod " + pod + " is changed or is not to be", LIMIT, () -> {
                cluster.client()
                        .pods()
                        .inNamespace(users)
                        .withName(pod)
                        .withGracePeriod(0)
                        .delete();
                cluster.client().load(stream(yaml)).create();
                return pod.equals("by-other")
                        || pod(cluster, pod).getSpec().getTolerations().size() > 2;
            });
        }
    }

    @Test
    void theApiServerAsksTheWebhookOfAnOperatorOutsideAndGoesOnWithoutIt(RealCluster cluster) throws Exception {
        nodes(cluster);
        String high = name + "-high";
        Path secret = Files.createDirectories(folder.resolve("secret"));
        Certificates.write(secret, "EC", true);
        Files.copy(secret.resolve("tls.crt"), secret.resolve("ca.crt"));
        int port = freePort();
        Optional<WebhookSettings> webhook = Optional.of(new WebhookSettings(
                "127.0.0.1", port, secret, "none", 443, Map.of(), WebhookSettings.url("https://127.0.0.1:" + port)));
        try (OperatorRun run = start(cluster, webhook)) {
            assertThat(run.webhookPort()).hasValue(port);
            apply(
                    cluster,
                    "{admission: Webhook, hard: {taints: [{key: %1$s}]}, soft: {priorityClasses: [{name: %2$s, value: 1000}], defaultClass: %2$s}}"
                            .formatted(resource, high));
            awaitReady(cluster);
            cluster.await(
                    "the webhook has the class", LIMIT, () -> rules(cluster).contains(high));
            assertThat(policies(cluster)).isZero();
            cluster.await("the webhook is asked", LIMIT, () -> tolerates(anew(cluster, "asking", resource)));
            assertThat(pod(cluster, "asking").getSpec().getPriorityClassName()).isEqualTo(high);
            assertThat(pod(cluster, "asking").getSpec().getPriority()).isEqualTo(1000);
            cluster.await("the pod that asks runs", LIMIT, () -> isRunning(cluster, "asking"));
            assertThat(tolerates(anew(cluster, "plain", "cpu"))).isFalse();
        }

        assertThat(rules(cluster)).as("the configuration outlives the operator").contains(high);
        Pod later = anew(cluster, "later", resource);
        assertThat(tolerates(later)).as("nobody answers, and the pod is there").isFalse();
        assertThat(later.getSpec().getPriorityClassName()).isNull();

        try (OperatorRun again = start(cluster, webhook)) {
            assertThat(again.webhookPort()).hasValue(port);
            cluster.await("the webhook is asked again", LIMIT, () -> tolerates(anew(cluster, "asking", resource)));
            remove(cluster);
            assertThat(rules(cluster)).isEmpty();
        }
    }

    private Pod anew(RealCluster cluster, String pod, String asked) {
        cluster.client()
                .pods()
                .inNamespace(users)
                .withName(pod)
                .withGracePeriod(0)
                .delete();
        cluster.await("the pod " + pod + " is gone", LIMIT, () -> pod(cluster, pod) == null);
        create(cluster, pod, "", asked + ": 1");
        return pod(cluster, pod);
    }

    private boolean tolerates(Pod pod) {
        return pod.getSpec().getTolerations().stream().anyMatch(each -> resource.equals(each.getKey()));
    }

    /** What the webhook's configuration says; empty if there is none. */
    private String rules(RealCluster cluster) {
        var found = cluster.client()
                .admissionRegistration()
                .v1()
                .mutatingWebhookConfigurations()
                .withName("sro-partitioning-" + name)
                .get();
        return found == null ? "" : found.getMetadata().getAnnotations().getOrDefault("sro.dev/pod-rules", "");
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }
}
