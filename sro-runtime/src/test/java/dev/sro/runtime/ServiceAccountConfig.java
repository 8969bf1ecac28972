package dev.sro.runtime;

import dev.sro.testkit.controlplane.RealCluster;
import io.fabric8.kubernetes.api.model.authentication.TokenRequestBuilder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** What a pod of the operator has: its service account, and nothing else. Stateless. */
public final class ServiceAccountConfig {

    private static final String NAME = "special-resource-operator";

    private ServiceAccountConfig() {}

    /** Writes a kubeconfig with a token of the operator's service account, which is there already. */
    public static Path write(RealCluster cluster, String namespace, Path file) throws IOException {
        return Files.writeString(
                file, """
                apiVersion: v1
                kind: Config
                current-context: test
                contexts: [{name: test, context: {cluster: test, user: test, namespace: "%s"}}]
                clusters: [{name: test, cluster: {server: "%s", insecure-skip-tls-verify: true}}]
                users: [{name: test, user: {token: "%s"}}]
                """.formatted(namespace, cluster.config().getMasterUrl(), token(cluster, namespace)));
    }

    /** A token of the operator's service account, which is there already. */
    public static String token(RealCluster cluster, String namespace) {
        return cluster.client()
                .serviceAccounts()
                .inNamespace(namespace)
                .withName(NAME)
                .tokenRequest(new TokenRequestBuilder()
                        .withNewSpec()
                        .withExpirationSeconds(3_600L)
                        .endSpec()
                        .build())
                .getStatus()
                .getToken();
    }
}
