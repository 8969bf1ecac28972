package dev.sro.runtime.operator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.api.resource.SpecialResource;
import dev.sro.runtime.Cli;
import dev.sro.runtime.ServiceAccountConfig;
import dev.sro.testkit.controlplane.RealCluster;
import dev.sro.testkit.node.KubeletCluster;
import dev.sro.testkit.node.KubeletNode;
import dev.sro.testkit.node.RealKubelet;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.DaemonSet;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
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
    private static final Duration SOON = Duration.ofMinutes(5);
    private static final String GPU = "nvidia-gpu";
    private static final String GPUS = "nvidia-gpu-operator";
    private static final String ONLOAD = "onload";
    private static final String NFD = "feature.node.kubernetes.io/";

    private static final String DRIVER = "nvidia-driver-daemonset";
    private static final String[] GPU_PODS = {
        DRIVER,
        "nvidia-container-toolkit-daemonset",
        "nvidia-operator-validator",
        "nvidia-device-plugin-daemonset",
        "gpu-feature-discovery",
        "nvidia-dcgm-exporter"
    };
    private static final Map<String, String> RUNNING =
            Arrays.stream(GPU_PODS).collect(Collectors.toMap(app -> app, app -> "Running"));
    private static final Map<String, String> WAITING = Arrays.stream(GPU_PODS)
            .collect(Collectors.toMap(app -> app, app -> app.equals(DRIVER) ? "Running" : "Pending"));
    private static final String[] GPU_ORDER = {
        DRIVER,
        "nvidia-container-toolkit-daemonset",
        "nvidia-operator-validator",
        "nvidia-device-plugin-daemonset",
        "nvidia-device-plugin-validator",
        "nvidia-dcgm-exporter"
    };

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
            applyGpus(nodes, cluster, "{enabled: false}");
            awaitReady(nodes, cluster, GPU);
        }
        assertThat(created(nodes, GPUS)).containsSubsequence(GPU_ORDER);
        assertGpus(nodes, node);

        comeAgainInOrder(nodes, node);
        assertGpus(nodes, node);

        try (OperatorRun operator = OperatorRun.start(settings, ClusterSettings.logs())) {
            assertThat(operator.port()).as("its probes").isPresent();
            awaitReady(nodes, cluster, GPU);
            remove(nodes, cluster, GPU, GPUS);
        }
        assertThat(node.run("grep /run/nvidia /proc/mounts").output()).isEmpty();
        before.add("/usr/local/nvidia/toolkit/nvidia-container-runtime");
        assertThat(files(node)).as("files, of which the toolkit leaves its own").isEqualTo(before);
        assertThat(labels(nodes, node)).isEqualTo(labels);
    }

    @Test
    void onloadComesUpAndLeavesNothing(KubeletCluster nodes) throws Exception {
        RealCluster cluster = nodes.namespace("onload");
        OperatorSettings settings = settings(cluster, "sro-plugins-solarflare", "solarflare-onload");
        KubeletNode node = nodes.add();
        StandIns.onload(nodes, node.run("uname -r").output().trim());
        nodes.label(node, Map.of(NFD + "pci-0200_1924.present", "true"));
        SortedSet<String> before = files(node);
        Map<String, String> labels = labels(nodes, node);

        try (OperatorRun operator = OperatorRun.start(settings, ClusterSettings.logs())) {
            assertThat(operator.port()).as("its probes").isPresent();
            applyOnload(nodes, cluster);
            awaitReady(nodes, cluster, ONLOAD);
        }
        assertOnload(nodes, node);

        try (OperatorRun operator = OperatorRun.start(settings, ClusterSettings.logs())) {
            assertThat(operator.port()).as("its probes").isPresent();
            awaitReady(nodes, cluster, ONLOAD);
            remove(nodes, cluster, ONLOAD, ONLOAD);
        }
        assertThat(files(node)).as("files").isEqualTo(before);
        assertThat(labels(nodes, node)).isEqualTo(labels);
    }

    @Test
    void aGpuDriverWithPeerMemoryWaitsForTheNetworkDriverOfTheNode(KubeletCluster nodes) throws Exception {
        RealCluster cluster = nodes.namespace("both");
        Cli.plugin(Files.createDirectories(folder.resolve("plugins")), "sro-plugins-nvidia", GPU);
        OperatorSettings settings = settings(cluster, "sro-plugins-solarflare", "solarflare-onload");
        KubeletNode node = nodes.add();
        StandIns.nvidia(nodes, system(nodes, node));
        nodes.label(node, Map.of(NFD + "pci-10de.present", "true", NFD + "pci-0200_1924.present", "true"));
        SortedSet<String> before = files(node);
        Map<String, String> labels = labels(nodes, node);

        try (OperatorRun operator = OperatorRun.start(settings, ClusterSettings.logs())) {
            assertThat(operator.port()).as("its probes").isPresent();
            // Its images are not there yet.
            applyOnload(nodes, cluster);
            applyGpus(nodes, cluster, "{enabled: true}");
            nodes.await("the GPUs wait for it", SOON, () -> status(cluster, GPU).contains("network-driver"));
            assertThat(pods(nodes, GPUS)).isEmpty();
            StandIns.onload(nodes, node.run("uname -r").output().trim());
            awaitReady(nodes, cluster, ONLOAD);
            awaitReady(nodes, cluster, GPU);
            assertThat(labels(nodes, node)).containsEntry("sro.dev/capability-network-driver", "ready");
            assertThat(allocatable(nodes, node, "nvidia.com/gpu")).isEqualTo("1");
            assertOnload(nodes, node);

            remove(nodes, cluster, GPU, GPUS);
            assertOnload(nodes, node);
            remove(nodes, cluster, ONLOAD, ONLOAD);
        }
        before.add("/usr/local/nvidia/toolkit/nvidia-container-runtime");
        assertThat(files(node)).isEqualTo(before);
        assertThat(labels(nodes, node)).isEqualTo(labels);
    }

    private static String status(RealCluster cluster, String name) {
        return String.valueOf(cluster.client()
                .resources(SpecialResource.class)
                .withName(name)
                .get()
                .getStatus());
    }

    private static void applyGpus(KubeletCluster nodes, RealCluster cluster, String rdma) {
        NodeScenario.apply(cluster, """
            apiVersion: sro.openshift.io/v1beta1
            kind: SpecialResource
            metadata: {name: nvidia-gpu, annotations: {sro.dev/image-mirrors: "nvcr.io=%s"}}
            spec:
              namespace: nvidia-gpu-operator
              plugin:
                name: nvidia-gpu
                config: {driver: {usePrecompiled: false, rdma: %s, startupProbe: {initialDelaySeconds: 1, periodSeconds: 1}}}
            """.formatted(nodes.registry(), rdma));
    }

    private static void applyOnload(KubeletCluster nodes, RealCluster cluster) {
        NodeScenario.apply(cluster, """
            apiVersion: sro.openshift.io/v1beta1
            kind: SpecialResource
            metadata: {name: onload, annotations: {sro.dev/image-mirrors: "registry.example=%s"}}
            spec:
              namespace: onload
              plugin:
                name: solarflare-onload
                config:
                  onload:
                    version: 9.0.1
                    userImage: registry.example/onload/user:9.0.1
                    kernelMappings:
                    - regexp: '^.*$'
                      kernelModuleImage: registry.example/onload/module:9.0.1-${KERNEL_FULL_VERSION}
                      sfc: {}
                  devicePlugin: {devicePluginImage: "registry.example/onload/device-plugin:3.0.0"}
                  nodeFeatureRule: false
            """.formatted(nodes.registry()));
    }

    private static void assertOnload(KubeletCluster nodes, KubeletNode node) {
        String modules = node.run("cat /run/sro/barriers/onload/modules").output();
        assertThat(modules).matches("[0-9a-f]{8}\\R");
        assertThat(node.run("cat /run/sro/barriers/onload/files").output()).isEqualTo(modules);
        assertThat(node.run("cat /opt/onload/usr/lib64/libonload.so").output()).isEqualTo("no library");
        assertThat(allocatable(nodes, node, "amd.com/onload")).isEqualTo("100");
    }

    /** With what each script and each stand-in leaves. */
    private static void assertGpus(KubeletCluster nodes, KubeletNode node) {
        assertThat(node.run("cat /run/nvidia/validations/driver-ready").output())
                .isEqualTo("""
                    IS_HOST_DRIVER=false
                    NVIDIA_DRIVER_ROOT=/run/nvidia/driver
                    DRIVER_ROOT_CTR_PATH=/driver-root
                    NVIDIA_DEV_ROOT=/run/nvidia/driver
                    DEV_ROOT_CTR_PATH=/driver-root
                    """);
        assertThat(node.run("cd /run/nvidia/validations && ls -A").output().lines())
                .containsExactlyInAnyOrder(".driver-ctr-ready", "cuda-ready", "driver-ready", "toolkit-ready");
        assertThat(node.run("ls /run/nvidia/driver/usr/bin/nvidia-smi").status())
                .as("the driver's root on the node")
                .isZero();
        assertThat(allocatable(nodes, node, "nvidia.com/gpu")).isEqualTo("1");
        // The pod that has proved the device plugin leaves.
        nodes.await("these run, and no others", SOON, () -> phases(nodes, GPUS).equals(RUNNING));
    }

    /** All pods come anew while there is no operator, and the driver takes its time. */
    private static void comeAgainInOrder(KubeletCluster nodes, KubeletNode node) {
        node.run("touch /run/nvidia/stand-in-hold");
        List<Pod> gone = pods(nodes, GPUS);
        gone.stream().filter(pod -> app(pod).equals(DRIVER)).forEach(pod -> delete(nodes, pod));
        nodes.await(
                "the driver's barrier is closed",
                SOON,
                () -> node.run("ls /run/nvidia/validations/driver-ready").status() != 0);
        gone.stream().filter(pod -> !app(pod).equals(DRIVER)).forEach(pod -> delete(nodes, pod));
        Set<String> uids = gone.stream().map(pod -> pod.getMetadata().getUid()).collect(Collectors.toSet());
        nodes.await("the toolkit waits for the driver", SOON, () -> {
            List<Pod> all = pods(nodes, GPUS);
            return all.size() == GPU_PODS.length
                    && all.stream()
                            .noneMatch(pod -> uids.contains(pod.getMetadata().getUid()))
                    && phases(nodes, GPUS).equals(WAITING)
                    && all.stream()
                            .filter(pod -> app(pod).equals("nvidia-container-toolkit-daemonset"))
                            .anyMatch(pod -> waits(nodes, pod));
        });
        assertThat(node.run("ls -A /run/nvidia/validations").output())
                .as("no barrier is open")
                .isEmpty();

        node.run("rm /run/nvidia/stand-in-hold");
        nodes.await(
                "all are back",
                SOON,
                () -> pods(nodes, GPUS).stream().allMatch(StandInPluginsNodeTest::isReady)
                        && "1".equals(allocatable(nodes, node, "nvidia.com/gpu")));
        NodeScenario.say("all pods are back without an operator");
    }

    private static void delete(KubeletCluster nodes, Pod pod) {
        nodes.client().pods().resource(pod).delete();
    }

    private static String app(Pod pod) {
        return pod.getMetadata().getLabels().getOrDefault("app", "").replaceFirst("-[0-9a-f]{16}$", "");
    }

    private static boolean waits(KubeletCluster nodes, Pod pod) {
        return nodes.client()
                .pods()
                .resource(pod)
                .inContainer("wait-for-driver")
                .getLog()
                .contains("waiting for driver-ready");
    }

    private static boolean isReady(Pod pod) {
        return pod.getStatus().getConditions().stream()
                .anyMatch(condition -> condition.getType().equals("Ready")
                        && condition.getStatus().equals("True"));
    }

    private static String allocatable(KubeletCluster nodes, KubeletNode node, String resource) {
        return String.valueOf(nodes.client()
                .nodes()
                .withName(node.name())
                .get()
                .getStatus()
                .getAllocatable()
                .get(resource));
    }

    /** DaemonSets, the first one first. */
    private static List<String> created(KubeletCluster nodes, String namespace) {
        return nodes.client().apps().daemonSets().inNamespace(namespace).list().getItems().stream()
                .sorted(Comparator.comparing(
                        (DaemonSet set) -> Instant.parse(set.getMetadata().getCreationTimestamp())))
                .map(set -> set.getMetadata().getName().replaceFirst("-[0-9a-f]{16}$", ""))
                .toList();
    }

    private static void remove(KubeletCluster nodes, RealCluster cluster, String name, String namespace) {
        NodeScenario.delete(cluster, name);
        NodeScenario.awaitGone(cluster, name);
        nodes.await(
                "its namespace is gone",
                SOON,
                () -> nodes.client().namespaces().withName(namespace).get() == null);
        NodeScenario.say(name + " is gone");
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
        nodes.await(name + " is ready", SOON, () -> NodeScenario.isReady(cluster, name));
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
                        StandInPluginsNodeTest::app, pod -> pod.getStatus().getPhase(), (one, other) -> one + other));
    }

    private static List<Pod> pods(KubeletCluster nodes, String namespace) {
        return nodes.client().pods().inNamespace(namespace).list().getItems();
    }

    /** What plugins could leave on the node; the checkpoint is kubelet's own. */
    private static SortedSet<String> files(KubeletNode node) {
        return new TreeSet<>(node.run("find /run/nvidia* /run/sro /run/cdi /etc /usr/local/nvidia /opt /var/lib/sro"
                        + " /var/lib/kubelet/device-plugins /dev -xdev ! -type d ! -name"
                        + " kubelet_internal_checkpoint 2> /dev/null")
                .output()
                .lines()
                .toList());
    }
}
