package dev.sro.runtime.operator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.runtime.ClusterShell;
import dev.sro.runtime.GoTool;
import dev.sro.testkit.controlplane.RealCluster;
import dev.sro.testkit.node.KubeletCluster;
import dev.sro.testkit.node.KubeletNode;
import dev.sro.testkit.node.RealKubelet;
import io.fabric8.kubernetes.api.model.Pod;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

/**
 * The operator with its NetworkPolicies in force, by kube-router's firewall: it works, its metrics are reached, and neither its probes nor
 * what it need not reach; without the policies they are.
 */
@RealKubelet
@EnabledIf(
        value = "canBeEnforced",
        disabledReason = "no firewall or image here: run .ci/kube-router/build.sh, sro-runtime/image/build.sh,"
                + " .ci/kubectl/build.sh and .ci/helm/build.sh")
class NetworkPolicyPodTest {
    private static final int PROBES = 8080;
    private static final int METRICS = 8443;

    @TempDir
    private Path home;

    static boolean canBeEnforced() {
        return InstalledOperator.canBeInstalled() && GoTool.find("kube-router").isPresent();
    }

    @Test
    void whatItNeedsPassesAndNothingElse(KubeletCluster nodes) {
        RealCluster cluster = nodes.namespace("policies");
        KubeletNode node = nodes.add();
        nodes.enforceNetworkPolicies(GoTool.find("kube-router").orElseThrow());
        InstalledOperator operator = new InstalledOperator(nodes);
        ClusterShell shell = new ClusterShell(nodes, home);
        shell.run("kubectl apply -k install/kustomize");
        operator.awaitReplicas(InstalledOperator.FIRST);
        InstalledOperator.applyDriver(shell);
        operator.awaitDriver(cluster, "first");

        // The driver's pod is a stranger to the operator: it listens at the port that the operator's probes have, too.
        Pod driver = nodes.client()
                .pods()
                .inNamespace(InstalledOperator.DRIVER)
                .list()
                .getItems()
                .get(0);
        Pod leader = operator.leader();
        String to = leader.getStatus().getPodIP();
        String stranger = node.run("pgrep -f '^/probe hold'").output().trim();
        assertThat(stranger).as("process of the driver").matches("[0-9]+");
        String java = InstalledOperator.process(node, leader);
        nodes.await(
                "the stranger does not reach the probes",
                InstalledOperator.SOON,
                () -> !reaches(node, stranger, to, PROBES));
        assertThat(reaches(node, stranger, to, METRICS)).as("metrics").isTrue();
        assertThat(reaches(node, java, driver.getStatus().getPodIP(), PROBES))
                .as("the operator reaches the stranger")
                .isFalse();
        assertThat(reaches(node, java, "10.96.0.1", 443)).as("the API server").isTrue();

        shell.run("kubectl delete networkpolicies --all -n " + InstalledOperator.NAMESPACE);
        nodes.await(
                "both are open without policies",
                InstalledOperator.SOON,
                () -> reaches(node, stranger, to, PROBES)
                        && reaches(node, java, driver.getStatus().getPodIP(), PROBES));
        NodeScenario.say("the operator worked with its NetworkPolicies in force");
    }

    /** Whether a process of a pod can connect. */
    private static boolean reaches(KubeletNode node, String process, String address, int port) {
        return node.run("nsenter --net --target " + process + " timeout 3 bash -c '< /dev/tcp/" + address + "/" + port
                                + "'")
                        .status()
                == 0;
    }
}
