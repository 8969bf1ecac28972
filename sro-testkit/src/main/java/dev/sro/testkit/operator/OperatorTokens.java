package dev.sro.testkit.operator;

import io.fabric8.kubernetes.api.model.authentication.TokenRequestBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;

/** Tokens of service accounts, as pods have them. Stateless. */
final class OperatorTokens {

    /** Longer than any scenario. */
    private static final long YEAR_SECONDS = 365L * 24 * 60 * 60;

    private OperatorTokens() {}

    /**
     * A token of an account.
     *
     * @throws io.fabric8.kubernetes.client.KubernetesClientException if there is no such account
     */
    static String of(KubernetesClient admin, String namespace, String name) {
        return admin.serviceAccounts()
                .inNamespace(namespace)
                .withName(name)
                .tokenRequest(new TokenRequestBuilder()
                        .withNewSpec()
                        .withExpirationSeconds(YEAR_SECONDS)
                        .endSpec()
                        .build())
                .getStatus()
                .getToken();
    }
}
