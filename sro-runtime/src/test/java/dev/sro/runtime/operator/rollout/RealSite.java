package dev.sro.runtime.operator.rollout;

import dev.sro.testkit.controlplane.Component;
import dev.sro.testkit.controlplane.ControlPlane;
import dev.sro.testkit.controlplane.RealCluster;
import dev.sro.testkit.controlplane.RealNodes;
import dev.sro.testkit.sim.NodeProfile;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.ServiceAccountBuilder;
import io.fabric8.kubernetes.api.model.authentication.TokenRequestBuilder;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBindingBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** On a control plane of its own, with an audit log of what the operator does, and a proxy between them. */
final class RealSite implements Site {
    private static final String USER = "system:serviceaccount:" + NAMESPACE + ":operator";

    /** What the operator did, with the bodies; nothing of anybody else. */
    private static final String POLICY = """
            apiVersion: audit.k8s.io/v1
            kind: Policy
            omitStages: [RequestReceived, ResponseStarted]
            omitManagedFields: true
            rules:
            - {level: RequestResponse, users: ["%1$s"], verbs: [create, update, patch, delete, deletecollection]}
            - {level: Metadata, users: ["%1$s"]}
            - {level: None}
            """.formatted(USER);

    private final ControlPlane controlPlane;
    private final RealCluster cluster;
    private final CuttableProxy proxy;
    private final Path kubeconfig;
    private final Path audit;
    private final List<String> nodes = new ArrayList<>();

    /**
     * Starts it.
     *
     * @param like a control plane of the same programs
     */
    RealSite(ControlPlane like, Path folder) throws IOException {
        Path policy = Files.writeString(folder.resolve("audit-policy.yaml"), POLICY);
        audit = folder.resolve("audit.log");
        controlPlane = ControlPlane.builder(like.binaries())
                .argument(Component.API_SERVER, "--audit-policy-file=" + policy)
                .argument(Component.API_SERVER, "--audit-log-path=" + audit)
                .argument(Component.API_SERVER, "--audit-log-mode=blocking-strict")
                .start();
        cluster = RealCluster.on(controlPlane, "rollout");
        cluster.installSpecialResources();
        URI server = URI.create(cluster.config().getMasterUrl());
        proxy = CuttableProxy.before(server.getPort());
        kubeconfig = Files.writeString(folder.resolve("kubeconfig"), """
                apiVersion: v1
                kind: Config
                current-context: test
                contexts: [{name: test, context: {cluster: test, user: test}}]
                clusters: [{name: test, cluster: {server: "https://127.0.0.1:%d", insecure-skip-tls-verify: true}}]
                users: [{name: test, user: {token: "%s"}}]
                """.formatted(proxy.port(), account()));
        nodes.addAll(cluster.nodes().create(NODES / 2, FIRST));
        nodes.addAll(cluster.nodes().create(NODES / 2, SECOND));
    }

    /** An account that may do everything: what it needs is another test's. Returns its token. */
    private String account() {
        client().resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName(NAMESPACE)
                        .endMetadata()
                        .build())
                .create();
        client().resource(new ServiceAccountBuilder()
                        .withNewMetadata()
                        .withNamespace(NAMESPACE)
                        .withName("operator")
                        .endMetadata()
                        .build())
                .create();
        client().resource(new ClusterRoleBindingBuilder()
                        .withNewMetadata()
                        .withName("operator")
                        .endMetadata()
                        .withNewRoleRef("rbac.authorization.k8s.io", "ClusterRole", "cluster-admin")
                        .addNewSubject("", "ServiceAccount", "operator", NAMESPACE)
                        .build())
                .create();
        return client().serviceAccounts()
                .inNamespace(NAMESPACE)
                .withName("operator")
                .tokenRequest(new TokenRequestBuilder()
                        .withNewSpec()
                        .withExpirationSeconds(3_600L)
                        .endSpec()
                        .build())
                .getStatus()
                .getToken();
    }

    @Override
    public KubernetesClient client() {
        return cluster.client();
    }

    @Override
    public Path kubeconfig() {
        return kubeconfig;
    }

    @Override
    public List<String> nodes() {
        return nodes;
    }

    @Override
    public String selector() {
        return RealNodes.OWNER + ": " + cluster.namespace();
    }

    @Override
    public void move(String node, NodeProfile profile) {
        cluster.nodes().reboot(node, profile);
    }

    void restartApiServer() {
        controlPlane.restartApiServer();
    }

    /** Ends all connections of the operators. Returns how many there were. */
    int cutConnections() {
        return proxy.cut();
    }

    /** What the operators did so far. */
    AuditLog audit() throws IOException {
        return AuditLog.read(audit);
    }

    @Override
    public void close() throws IOException {
        proxy.close();
        cluster.close();
        controlPlane.close();
    }
}
