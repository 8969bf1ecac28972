package dev.sro.runtime.operator;

import dev.sro.api.resource.SpecialResource;
import dev.sro.runtime.Cli;
import dev.sro.runtime.ServiceAccountConfig;
import dev.sro.testkit.controlplane.RealCluster;
import dev.sro.testkit.sim.NodeProfile;
import dev.sro.testkit.sim.OsRelease;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.Taint;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.ByteArrayInputStream;
import java.net.HttpURLConnection;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** What tests of partitioning on a real cluster have in common: an operator with the rights of {@code sro rbac}, nodes and pods. */
abstract class PartitioningSuite {
    static final Duration LIMIT = Duration.ofMinutes(2);

    @TempDir
    Path folder;

    private List<HasMetadata> access = List.of();
    String name = "";
    String resource = "";
    String users = "";

    @BeforeEach
    void names(RealCluster cluster) {
        String namespace = cluster.namespace();
        name = "gpu-" + namespace.substring(namespace.length() - 8);
        resource = name + ".example.com/gpu";
        // Not the operator's own, whose pods admission leaves alone.
        users = name + "-users";
        cluster.client()
                .resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName(users)
                        .endMetadata()
                        .build())
                .create();
    }

    @AfterEach
    void cleanUp(RealCluster cluster) {
        HttpCluster.giveLogBack();
        access.forEach(object -> cluster.client().resource(object).delete());
        cluster.client().pods().inNamespace(users).withGracePeriod(0).delete();
        cluster.client().namespaces().withName(users).delete();
    }

    OperatorRun start(RealCluster cluster) throws Exception {
        return start(cluster, Optional.empty());
    }

    OperatorRun start(RealCluster cluster, Optional<WebhookSettings> webhook) throws Exception {
        Path plugins = Cli.plugins(Files.createDirectories(folder.resolve("plugins")));
        access = ClusterSettings.install(cluster, plugins);
        Path kubeconfig = ServiceAccountConfig.write(cluster, cluster.namespace(), folder.resolve("kubeconfig"));
        return OperatorRun.start(
                ClusterSettings.of(kubeconfig, plugins, Optional.empty(), webhook), ClusterSettings.logs());
    }

    void offerDevices(RealCluster cluster, String node) {
        for (int attempt = 1; ; attempt++) {
            try {
                cluster.client().nodes().withName(node).editStatus(live -> {
                    for (var amounts : List.of(
                            live.getStatus().getCapacity(), live.getStatus().getAllocatable())) {
                        amounts.put(resource, new Quantity("2"));
                        amounts.put("cpu", new Quantity("32"));
                    }
                    return live;
                });
                return;
            } catch (KubernetesClientException e) {
                // KWOK writes the status of its nodes, too.
                if (e.getCode() != HttpURLConnection.HTTP_CONFLICT || attempt == 20) {
                    throw e;
                }
            }
        }
    }

    /** Two nodes of 32 CPUs with two devices each, which a device plugin would have reported. */
    List<String> nodes(RealCluster cluster) {
        List<String> nodes = cluster.nodes().create(2, NodeProfile.of(OsRelease.UBUNTU_22));
        for (String node : nodes) {
            offerDevices(cluster, node);
        }
        return nodes;
    }

    void apply(RealCluster cluster, String partitioning) {
        cluster.client()
                .resource(cluster.client()
                        .getKubernetesSerialization()
                        .unmarshal(
                                """
                                apiVersion: sro.openshift.io/v1beta1
                                kind: SpecialResource
                                metadata: {name: "%1$s"}
                                spec:
                                  namespace: "%1$s-operands"
                                  plugin: {name: simple-kmod}
                                  nodeSelector: {testkit.sro.dev/test: "%2$s"}
                                  driverContainer: {source: {git: {ref: main, uri: "https://git.example.com/kmod.git"}}}
                                  partitioning:
                                """.formatted(name, cluster.namespace()) + partitioning.indent(4),
                                SpecialResource.class))
                .serverSideApply();
    }

    SpecialResource found(RealCluster cluster) {
        return cluster.client().resources(SpecialResource.class).withName(name).get();
    }

    void awaitReady(RealCluster cluster) {
        cluster.await("the special resource is ready", LIMIT, () -> {
            SpecialResource found = found(cluster);
            return found.getStatus() != null
                    && found.getStatus().getConditions().stream()
                            .anyMatch(c ->
                                    c.getType().equals("Ready") && c.getStatus().equals("True"));
        });
    }

    /** The API server takes a moment to act on a policy that is stored. */
    void awaitPolicy(RealCluster cluster) throws InterruptedException {
        cluster.await("the policy is there", LIMIT, () -> policies(cluster) == 1);
        Thread.sleep(3000);
    }

    long policies(RealCluster cluster) {
        return cluster
                .client()
                .genericKubernetesResources("admissionregistration.k8s.io/v1", "MutatingAdmissionPolicy")
                .list()
                .getItems()
                .stream()
                .filter(policy -> policy.getMetadata().getName().equals("sro-partitioning-" + name))
                .count();
    }

    String policyText(RealCluster cluster) {
        return String.valueOf((Object) cluster.client()
                .genericKubernetesResources("admissionregistration.k8s.io/v1", "MutatingAdmissionPolicy")
                .withName("sro-partitioning-" + name)
                .get());
    }

    static @Nullable Integer priority(RealCluster cluster, String className) {
        var found = cluster.client()
                .scheduling()
                .v1()
                .priorityClasses()
                .withName(className)
                .get();
        return found == null ? null : found.getValue();
    }

    void remove(RealCluster cluster) {
        cluster.client().resources(SpecialResource.class).withName(name).delete();
        cluster.await("it is gone", LIMIT, () -> found(cluster) == null);
    }

    void create(RealCluster cluster, String pod, String priorityClass, String requests) {
        String text = """
            apiVersion: v1
            kind: Pod
            metadata: {name: %s, namespace: %s}
            spec:
              nodeSelector: {testkit.sro.dev/test: "%s"}
              terminationGracePeriodSeconds: 0
              %s
              containers:
              - name: main
                image: example.com/main:1
                resources: {requests: {%s}, limits: {%s}}
            """.formatted(
                        pod,
                        users,
                        cluster.namespace(),
                        priorityClass.isEmpty() ? "" : "priorityClassName: " + priorityClass,
                        requests,
                        requests);
        // Until the token controller has made the namespace's service account, pods are refused.
        cluster.await("the pod " + pod + " is accepted", LIMIT, () -> {
            try {
                cluster.client().load(stream(text)).create();
                return true;
            } catch (KubernetesClientException e) {
                if (String.valueOf(e.getMessage()).contains("serviceaccount")) {
                    return false;
                }
                throw e;
            }
        });
    }

    Pod pod(RealCluster cluster, String pod) {
        return cluster.client().pods().inNamespace(users).withName(pod).get();
    }

    boolean isRunning(RealCluster cluster, String pod) {
        Pod found = pod(cluster, pod);
        return found != null && "Running".equals(found.getStatus().getPhase());
    }

    static Node node(RealCluster cluster, String node) {
        return cluster.client().nodes().withName(node).get();
    }

    static List<String> taints(RealCluster cluster, String node) {
        return node(cluster, node).getSpec().getTaints().stream()
                .map(Taint::getKey)
                .toList();
    }

    static ByteArrayInputStream stream(String yaml) {
        return new ByteArrayInputStream(yaml.getBytes(StandardCharsets.UTF_8));
    }
}
