package dev.sro.runtime.slices;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.runtime.Cli;
import dev.sro.runtime.ClusterObjects;
import dev.sro.runtime.ClusterShell;
import dev.sro.testkit.controlplane.RealCluster;
import dev.sro.testkit.node.KubeletCluster;
import dev.sro.testkit.node.KubeletNode;
import dev.sro.testkit.node.RealKubelet;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.Pod;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

/**
 * Slices as a user has them, but for the hardware: the agent's image run by a kubelet on emulated GPUs, pods that ask by limits and by
 * claim, placed by kube-scheduler, given their slices by that kubelet and containerd.
 */
@RealKubelet
@EnabledIf(
        value = "canBeInstalled",
        disabledReason =
                "no image here: run sro-runtime/image/build.sh with --agent and without, .ci/kubectl/build.sh and .ci/helm/build.sh")
class AgentPodTest {
    private static final Duration SOON = Duration.ofMinutes(5);
    private static final Path IMAGE = Path.of("target", "image", "sro-agent.tar");
    private static final Path OPERATOR = Path.of("target", "image", "special-resource-operator.tar");
    private static final String HARMLESS =
            "MissingClusterDNS .*|CgroupV1 .*|InvalidDiskCapacity .*|Unhealthy Pod sro-agent-.*";
    private static final String NAME = "library/sro-agent:0.1.0-SNAPSHOT";
    private static final Pattern GIVEN = Pattern.compile("(?m)^env (?:SRO|NVIDIA)_[A-Z_0-9]+=.*$");

    @TempDir
    private Path home;

    static boolean canBeInstalled() {
        return Files.isRegularFile(IMAGE) && Files.isRegularFile(OPERATOR) && ClusterShell.isHere();
    }

    @Test
    void claimsGetTheirSlicesKeepThemAndNothingIsLeft(KubeletCluster nodes) {
        RealCluster cluster = nodes.namespace("claims");
        KubeletNode node = nodes.add();
        ClusterShell shell = new ClusterShell(nodes, home);
        SortedSet<String> before = ClusterObjects.of(cluster);
        SortedSet<String> files = files(node);
        nodes.images().add(IMAGE, NAME);

        shell.run("kubectl apply -k agent/install/emulated");
        nodes.await("slices are published", SOON, () -> count(nodes, "ResourceSlice") > 0);
        String classes = sro("slices", "publish", "--model", "A100-40GB", "--node", "any", "--only", "classes");
        shell.apply(classes);
        shell.apply(sro("slices", "claim", "--profile", "3g.20gb", "--name", "three"));
        shell.apply(pod("small", "resources: {limits: {nvidia.com/mig-1g.5gb: 1}}", ""));
        shell.apply(pod(
                "three",
                "resources: {claims: [{name: slice}]}",
                "resourceClaims: [{name: slice, resourceClaimTemplateName: three}]"));
        keepWhatTheyHave(nodes, node, List.of("small", "three"), true);

        shell.run("kubectl delete pod --all --wait && kubectl delete resourceclaimtemplate three");
        nodes.await(
                "all is given back",
                SOON,
                () -> count(nodes, "ResourceClaim") == 0
                        && node.run("ls /run/cdi").output().isBlank());
        assertThat(shell.warnings(HARMLESS)).isEmpty();
        shell.run("kubectl delete -k agent/install/emulated --wait; kubectl delete deviceclasses --all");
        // Kubelet waits for half a minute whether the driver comes back.
        nodes.await(
                "nothing is left",
                SOON,
                () -> ClusterObjects.of(cluster).stream().allMatch(before::contains));
        // An agent that comes back would need it, and cannot know that it will not.
        files.add("/var/lib/kubelet/plugins/slices.sro.dev/checkpoint");
        assertThat(files(node)).isEqualTo(files);
    }

    @Test
    void devicePluginsGiveSlicesTooAndKeepThem(KubeletCluster nodes) {
        KubeletNode node = nodes.add();
        ClusterShell shell = new ClusterShell(nodes, home);
        nodes.images().add(IMAGE, NAME);
        shell.run("cp -r agent/install " + home + " && mkdir " + home
                + "/install/both && cp agent/install/device-plugin/{rbac,admission}.yaml "
                + home
                + "/install/both && sed 's,\\.\\./nvidia,../emulated,' agent/install/device-plugin/kustomization.yaml > "
                + home
                + "/install/both/kustomization.yaml && kubectl apply -k " + home + "/install/both");
        String resource = "nvidia.com/mig-1g.5gb";
        nodes.await(
                "kubelet has the resource",
                SOON,
                () -> nodes.client()
                        .nodes()
                        .withName(node.name())
                        .get()
                        .getStatus()
                        .getAllocatable()
                        .containsKey(resource));
        shell.apply(pod("small", "resources: {limits: {" + resource + ": 1}}", ""));
        keepWhatTheyHave(nodes, node, List.of("small"), false);
        shell.run("kubectl delete pod small --wait");
        assertThat(shell.warnings(HARMLESS)).isEmpty();
    }

    /**
     * Pods run with slices that nobody else has, and have the same ones after agent, kubelet and containers were killed.
     *
     * @param atOnce whether containers are killed with the kubelet: one that starts admits no pod anew whose device plugin is not back yet
     */
    private static void keepWhatTheyHave(KubeletCluster nodes, KubeletNode node, List<String> pods, boolean atOnce) {
        pods.forEach(name -> awaitReady(nodes, name));
        List<List<String>> given = pods.stream().map(name -> given(nodes, name)).toList();
        assertThat(given).allSatisfy(slices -> assertThat(slices).hasSize(1)).doesNotHaveDuplicates();
        System.out.println("the agent has "
                + node.run(
                                "awk '/^VmRSS:/ { print int($2 / 1024) }' /proc/$(pgrep -f '^java .*sro.agent.AgentMain')/status")
                        .output()
                        .trim()
                + " MiB resident");

        node.run("pkill -9 -x java");
        node.killKubelet();
        if (!atOnce) {
            nodes.await(
                    "the agent is back",
                    SOON,
                    () -> agent(nodes)
                            .filter(status -> status.getReady() && status.getRestartCount() == 1)
                            .isPresent());
        }
        node.run("pkill -9 -f '^/probe hold'");
        nodes.await(
                "containers are started again", SOON, () -> pods.stream().allMatch(name -> restarts(nodes, name) == 1));
        pods.forEach(name -> awaitReady(nodes, name));
        assertThat(pods.stream().map(name -> given(nodes, name)).toList()).isEqualTo(given);
    }

    private static int count(KubeletCluster nodes, String kind) {
        return nodes.client()
                .genericKubernetesResources("resource.k8s.io/v1", kind)
                .inAnyNamespace()
                .list()
                .getItems()
                .size();
    }

    /** What an agent could have left on the node. */
    private static SortedSet<String> files(KubeletNode node) {
        return new TreeSet<>(node.run(
                        "find /run/cdi /etc/cdi /var/lib/kubelet/plugins /var/lib/kubelet/plugins_registry /var/lib/kubelet/device-plugins -type f -o -type s 2> /dev/null")
                .output()
                .lines()
                .toList());
    }

    @Test
    void limitsBecomeClaimsThatTheAllocatorAnswersAndKubeletGives(KubeletCluster nodes) {
        KubeletNode node = nodes.add();
        ClusterShell shell = new ClusterShell(nodes, home);
        nodes.images().add(IMAGE, NAME);
        nodes.images().add(OPERATOR, "library/special-resource-operator:0.1.0-SNAPSHOT");
        shell.run("""
                kubectl create namespace special-resource-operator
                for name in sro-slices-allocator:sro-slices-allocator-webhook sro-slices:sro-slices-webhook; do
                  openssl req -x509 -newkey rsa:2048 -nodes -days 2 -keyout %1$s/key -out %1$s/certificate -subj /CN=test \
                    -addext subjectAltName=DNS:${name%%%%:*}.special-resource-operator.svc
                  kubectl create secret tls ${name##*:} -n special-resource-operator --key %1$s/key --cert %1$s/certificate
                  base64 -w 0 %1$s/certificate > %1$s/${name%%%%:*}.bundle
                done
                helm install sro install/helm/special-resource-operator -n special-resource-operator --set slices.explainer.enabled=true \
                  --set slices.allocator.enabled=true --set slices.allocator.webhook.enabled=true --set slices.enabled=true \
                  --set slices.allocator.webhook.caBundle=$(cat %1$s/sro-slices-allocator.bundle) --wait --timeout 3m
                cp -r agent/install %1$s
                mkdir %1$s/install/ours
                cat > %1$s/install/ours/kustomization.yaml << 'YAML'
                resources: [../emulated]
                patches:
                - target: {kind: DaemonSet, name: sro-agent}
                  patch: |
                    - {op: add, path: /spec/template/spec/containers/0/args/-, value: --allocator}
                    - {op: add, path: /spec/template/spec/containers/0/args/-, value: sro}
                YAML
                kubectl apply -k %1$s/install/ours
                """.formatted(home));
        nodes.await("slices are published", SOON, () -> count(nodes, "ResourceSlice") > 0);
        shell.apply(sro("slices", "publish", "--model", "A100-40GB", "--node", "any", "--only", "classes"));
        shell.apply(pod("small", "resources: {limits: {nvidia.com/mig-1g.5gb: 1}}", ""));
        shell.apply(pod("large", "resources: {limits: {nvidia.com/mig-4g.20gb: 1}}", ""));
        keepWhatTheyHave(nodes, node, List.of("small", "large"), true);
        assertThat(nodes.client().pods().inNamespace("default").list().getItems())
                .allSatisfy(pod -> assertThat(pod.getSpec().getResourceClaims()).hasSize(1));
        shell.run("kubectl delete pod --all --wait");
        nodes.await("all is given back", SOON, () -> count(nodes, "ResourceClaim") == 0);
        assertThat(shell.warnings(
                        HARMLESS + "|ClusterIPNotAllocated .*|Unhealthy Pod (sro-slices|special-resource-operator).*"
                                // The controller of claims sees a pod before the allocator has made its template.
                                + "|FailedResourceClaimCreation Pod .*"))
                .isEmpty();
    }

    private static String sro(String... line) {
        Cli run = Cli.run(line);
        assertThat(run.code()).as(run.err()).isZero();
        return run.out();
    }

    private static String pod(String name, String container, String pod) {
        return """
                apiVersion: v1
                kind: Pod
                metadata: {name: %s, namespace: default}
                spec:
                  terminationGracePeriodSeconds: 5
                  containers:
                  - name: probe
                    image: registry.example.com/test/probe:1
                    args: [hold]
                    %s
                  %s
                """.formatted(name, container, pod);
    }

    private static void awaitReady(KubeletCluster nodes, String name) {
        nodes.await(name + " runs", SOON, () -> nodes.log("default", name).endsWith("ready\n"));
    }

    private static List<String> given(KubeletCluster nodes, String name) {
        return GIVEN.matcher(nodes.log("default", name))
                .results()
                .map(MatchResult::group)
                .toList();
    }

    private static Optional<ContainerStatus> agent(KubeletCluster nodes) {
        return nodes.client().pods().inNamespace("sro-agent").list().getItems().stream()
                .flatMap(pod -> pod.getStatus().getContainerStatuses().stream())
                .findFirst();
    }

    private static int restarts(KubeletCluster nodes, String name) {
        Pod pod = nodes.client().pods().inNamespace("default").withName(name).get();
        return pod.getStatus().getContainerStatuses().get(0).getRestartCount();
    }
}
