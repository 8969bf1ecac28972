package dev.sro.runtime.operator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.runtime.Cli;
import dev.sro.runtime.ServiceAccountConfig;
import dev.sro.testkit.controlplane.RealCluster;
import dev.sro.testkit.node.KubeletCluster;
import dev.sro.testkit.node.KubeletNode;
import dev.sro.testkit.node.RealKubelet;
import io.fabric8.kubernetes.api.model.Pod;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The plugins of NVIDIA and Onload as they are, on nodes of a real kubelet, with images that stand in for those of the vendors: scripts,
 * mounts, barriers, runtime classes and resources are real, and the hardware is not. The operator runs here.
 */
@RealKubelet
class StandInPluginsNodeTest {
    private static final Duration SOON = Duration.ofSeconds(100);
    private static final String GPU = "nvidia-gpu";
    private static final String GPUS = "nvidia-gpu-operator";
    private static final String NFD = "feature.node.kubernetes.io/";

    @TempDir
    private Path folder;

    @AfterEach
    void giveLogBack() {
        HttpCluster.giveLogBack();
    }

    @Test
    void gpusComeUpInOrderWithAndWithoutTheOperatorAndLeaveNothing(KubeletCluster nodes) throws Exception {
        RealCluster cluster = nodes.namespace("gpus");
        OperatorSettings settings = settings(cluster, "sro-plugins-nvidia", GPU);
        KubeletNode node = nodes.add();
        StandIns.nvidia(nodes, system(nodes, node));
        nodes.label(node, Map.of(NFD + "pci-10de.present", "true"));
        SortedSet<String> before = files(node);
        Map<String, String> labels = labels(nodes, node);

        try (OperatorRun operator = OperatorRun.start(settings, ClusterSettings.logs())) {
            assertThat(operator.port()).as("its probes").isPresent();
            NodeScenario.apply(cluster, """
                    apiVersion: sro.openshift.io/v1beta1
                    kind: SpecialResource
                    metadata: {name: nvidia-gpu, annotations: {sro.dev/image-mirrors: "nvcr.io=%s"}}
                    spec:
                      namespace: nvidia-gpu-operator
                      plugin:
                        name: nvidia-gpu
                        config: {driver: {usePrecompiled: false, startupProbe: {initialDelaySeconds: 1, periodSeconds: 1}}}
                    """.formatted(nodes.registry()));
            awaitReady(nodes, cluster, GPU);
        }
    }

    private OperatorSettings settings(RealCluster cluster, String module, String plugin) throws IOException {
        Path plugins = Cli.plugin(Files.createDirectories(folder.resolve("plugins")), module, plugin);
        ClusterSettings.install(cluster, plugins);
        return ClusterSettings.of(
                ServiceAccountConfig.write(cluster, cluster.namespace(), folder.resolve("kubeconfig")),
                plugins,
                Optional.empty(),
                Optional.empty());
    }

    private static void awaitReady(KubeletCluster nodes, RealCluster cluster, String name) {
        try {
            nodes.await(name + " is ready", SOON, () -> NodeScenario.isReady(cluster, name));
        } catch (RuntimeException e) {
            nodes.client().pods().inAnyNamespace().list().getItems().forEach(pod -> System.out.println(
                    pod.getMetadata().getName() + " " + pod.getStatus().getPhase() + " " + pod.getStatus().getInitContainerStatuses() + pod.getStatus().getContainerStatuses()));
            System.out.println(nodes.client().resources(dev.sro.api.resource.SpecialResource.class).withName(name).get().getStatus());
            throw e;
        }
        NodeScenario.say(name + " is ready");
    }

    private static String system(KubeletCluster nodes, KubeletNode node) {
        Map<String, String> labels = labels(nodes, node);
        return labels.get(NFD + "system-os_release.ID") + labels.get(NFD + "system-os_release.VERSION_ID");
    }

    private static Map<String, String> labels(KubeletCluster nodes, KubeletNode node) {
        return nodes.client().nodes().withName(node.name()).get().getMetadata().getLabels();
    }

    private static Map<String, String> phases(KubeletCluster nodes, String namespace) {
        return nodes.client().pods().inNamespace(namespace).list().getItems().stream()
                .collect(Collectors.toMap(
                        pod -> pod.getMetadata().getLabels().getOrDefault("app", ""),
                        pod -> pod.getStatus().getPhase(),
                        (one, other) -> one + other));
    }

    private static List<Pod> pods(KubeletCluster nodes, String namespace) {
        return nodes.client().pods().inNamespace(namespace).list().getItems();
    }

    /** What plugins could leave on the node. */
    private static SortedSet<String> files(KubeletNode node) {
        return new TreeSet<>(node.run(
                        "find /run/nvidia* /run/sro /run/cdi /etc /usr/local/nvidia /opt /var/lib/sro /var/lib/kubelet/device-plugins /dev"
                                + " -xdev ! -type d 2> /dev/null")
                .output()
                .lines()
                .toList());
    }
}
