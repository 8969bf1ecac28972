package dev.sro.runtime.rights;

import dev.sro.runtime.Clients;
import dev.sro.runtime.UnusableInputException;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.util.List;
import java.util.Map;

/** Applies roles and bindings by the rights of whoever calls the command. Stateless. */
final class RecipeApply {

    private static final String MANAGER = "sro-rbac";

    private RecipeApply() {}

    /** @throws UnusableInputException if the API server refuses one */
    static void apply(Config config, List<Map<String, Object>> objects) {
        try (KubernetesClient client = Clients.plain(config)) {
            for (Map<String, Object> object : objects) {
                GenericKubernetesResource resource =
                        client.getKubernetesSerialization().convertValue(object, GenericKubernetesResource.class);
                client.resource(resource)
                        .patch(new PatchContext.Builder()
                                .withPatchType(PatchType.SERVER_SIDE_APPLY)
                                .withFieldManager(MANAGER)
                                .withForce(true)
                                .build());
            }
        } catch (KubernetesClientException e) {
            throw new UnusableInputException("--apply", Clients.message(e));
        }
    }
}
