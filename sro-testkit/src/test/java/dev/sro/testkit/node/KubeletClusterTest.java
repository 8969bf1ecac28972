package dev.sro.testkit.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.testkit.controlplane.RealCluster;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The kubelet of this machine does what tests of images and agents lean on. */
@RealKubelet
class KubeletClusterTest {
    private static final Duration SOON = Duration.ofMinutes(1);

    @Test
    void podsRunAreHeardAndCutOffAndOutliveTheirKubelet(KubeletCluster nodes) {
        KubeletNode node = nodes.add();
        RealCluster cluster = nodes.namespace("pods");
        cluster.client().resource(pod("first")).create();
        nodes.await("the pod runs", SOON, () -> isReady(cluster));
        assertThat(nodes.log(cluster.namespace(), "first"))
                .contains("env KUBERNETES_SERVICE_HOST=10.96.0.1")
                .contains("env SAID=by the pod")
                .contains("dev /dev/null");
        Pod running = cluster.client().pods().withName("first").get();
        assertThat(running.getSpec().getNodeName()).isEqualTo(node.name());

        String process = node.run("pgrep -f '^/probe hold'").output();
        assertThat(process).isNotBlank();
        node.killKubelet();
        nodes.await(
                "the kubelet is back", SOON, () -> node.run("pgrep -x kubelet").status() == 0);
        assertThat(node.run("pgrep -f '^/probe hold'").output()).isEqualTo(process);

        String address = running.getStatus().getPodIP();
        String call = "timeout 5 bash -c '< /dev/tcp/" + address + "/8080'";
        assertThat(node.run(call).status()).isZero();
        node.connect(address, false);
        assertThat(node.run(call).status()).isNotZero();
        node.connect(address, true);
        assertThat(node.run(call).status()).isZero();

        cluster.client().pods().withName("first").delete();
        nodes.await(
                "it is gone",
                SOON,
                () -> cluster.client().pods().withName("first").get() == null);
        assertThat(node.run("pgrep -f '^/probe hold'").status()).isNotZero();
    }

    private static boolean isReady(RealCluster cluster) {
        Pod pod = cluster.client().pods().withName("first").get();
        return pod.getStatus().getContainerStatuses().stream().anyMatch(status -> status.getReady());
    }

    private static Pod pod(String name) {
        return new PodBuilder()
                .withNewMetadata()
                .withName(name)
                .endMetadata()
                .withNewSpec()
                .addNewContainer()
                .withName("probe")
                .withImage("registry.example.com/test/probe:1")
                .withArgs("hold")
                .addNewEnv()
                .withName("SAID")
                .withValue("by the pod")
                .endEnv()
                .withNewResources()
                .addToLimits("memory", new Quantity("32Mi"))
                .endResources()
                .withNewSecurityContext()
                .withAllowPrivilegeEscalation(false)
                .withReadOnlyRootFilesystem(true)
                .withRunAsNonRoot(true)
                .withRunAsUser(65532L)
                .withNewSeccompProfile()
                .withType("RuntimeDefault")
                .endSeccompProfile()
                .endSecurityContext()
                .endContainer()
                .endSpec()
                .build();
    }
}
