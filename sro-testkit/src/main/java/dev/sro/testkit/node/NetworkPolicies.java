package dev.sro.testkit.node;

import dev.sro.testkit.controlplane.ControlPlane;
import io.fabric8.kubernetes.api.model.ServiceAccount;
import io.fabric8.kubernetes.api.model.ServiceAccountBuilder;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBindingBuilder;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;

/** Enforces NetworkPolicies on nodes, by kube-router's firewall. Immutable. */
final class NetworkPolicies {
    static final String LOG = "network-policies.log";

    private static final String NAME = "network-policies";
    private static final String NAMESPACE = "kube-system";
    private static final Duration READY = Duration.ofSeconds(30);

    private final String kubeconfig;
    private final Path kubeRouter;

    private NetworkPolicies(String kubeconfig, Path kubeRouter) {
        this.kubeconfig = kubeconfig;
        this.kubeRouter = kubeRouter;
    }

    /** With an account of its own, which may read what policies are about. */
    static NetworkPolicies of(ControlPlane controlPlane, Path kubeRouter) {
        KubernetesClient client = controlPlane.client();
        ServiceAccount account = new ServiceAccountBuilder()
                .withNewMetadata()
                .withName(NAME)
                .withNamespace(NAMESPACE)
                .endMetadata()
                .build();
        client.resource(account).serverSideApply();
        client.resource(new ClusterRoleBuilder()
                        .withNewMetadata()
                        .withName(NAME)
                        .endMetadata()
                        .addNewRule()
                        .withApiGroups("", "networking.k8s.io", "discovery.k8s.io")
                        .withResources(
                                "namespaces",
                                "nodes",
                                "pods",
                                "services",
                                "endpoints",
                                "endpointslices",
                                "networkpolicies")
                        .withVerbs("get", "list", "watch")
                        .endRule()
                        .build())
                .serverSideApply();
        client.resource(new ClusterRoleBindingBuilder()
                        .withNewMetadata()
                        .withName(NAME)
                        .endMetadata()
                        .withNewRoleRef("rbac.authorization.k8s.io", "ClusterRole", NAME)
                        .addNewSubject("", "ServiceAccount", NAME, NAMESPACE)
                        .build())
                .serverSideApply();
        String token = client.serviceAccounts()
                .inNamespace(NAMESPACE)
                .withName(NAME)
                .tokenRequest()
                .getStatus()
                .getToken();
        String authority = Objects.requireNonNull(controlPlane.config().getCaCertFile());
        return new NetworkPolicies(NodeKubeconfig.of(authority, token), kubeRouter);
    }

    /** Starts it on a node, and waits until its rules are there. */
    void enforceOn(KubeletNode node) {
        Path config = node.folder().resolve("network-policies.kubeconfig");
        try {
            Files.writeString(config, kubeconfig);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write " + config, e);
        }
        Machine.Answer started = node.run("export PATH=/usr/sbin:/sbin:$PATH; command -v iptables ipset && test -x "
                + kubeRouter + " && { setsid " + kubeRouter
                + " --run-firewall=true --run-router=false --run-service-proxy=false --service-cluster-ip-range=10.96.0.0/16"
                + " --hostname-override=" + node.name() + " --kubeconfig=" + config + " > "
                + node.folder().resolve(LOG) + " 2>&1 < /dev/null & }");
        if (started.status() != 0) {
            throw new RealNodeException(
                    node.name() + ": NetworkPolicies cannot be enforced: it takes iptables, ipset and " + kubeRouter
                            + "; found were:\n" + started.output());
        }
        Pause.until(
                READY,
                () -> node.run("PATH=/usr/sbin:/sbin:$PATH iptables -w -S KUBE-ROUTER-FORWARD")
                                .status()
                        == 0,
                () -> node.name() + ": NetworkPolicies are not enforced after " + READY.toSeconds() + " s:"
                        + node.said());
    }
}
