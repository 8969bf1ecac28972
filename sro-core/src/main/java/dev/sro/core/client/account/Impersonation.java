package dev.sro.core.client.account;

import dev.sro.core.model.RecipeAccount;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.RequestConfig;
import io.fabric8.kubernetes.client.RequestConfigBuilder;
import java.util.Map;

/** Requests by the rights of an account. Stateless. */
public final class Impersonation {

    private Impersonation() {}

    /** The same client, on the same connections and within the same rate, as this account. */
    public static KubernetesClient as(RecipeAccount account, KubernetesClient client) {
        RequestConfig impersonating = new RequestConfigBuilder(
                        client.getConfiguration().getRequestConfig())
                .withImpersonateUsername(account.user())
                // The API server adds the groups of service accounts where none is named.
                .withImpersonateGroups()
                .withImpersonateExtras(Map.of())
                .build();
        return client.newClient(impersonating).adapt(KubernetesClient.class);
    }
}
