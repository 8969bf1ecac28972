package dev.sro.runtime.dev;

import dev.sro.testkit.operator.SroSandbox;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.api.model.ServiceAccount;
import io.fabric8.kubernetes.api.model.ServiceAccountBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** What OpenShift puts into each namespace, and recipes that push images look for. Confined to one thread. */
final class DevOpenShift {

    /** Ends in any five characters in a cluster. */
    private static final String PUSH_SECRET = "builder-dockercfg-00000";

    private final Set<String> complete = new HashSet<>();

    /** Gives namespaces the account of builds, and the Secret with which it pushes. What somebody deletes does not come back. */
    void completeNamespaces(SroSandbox sandbox) {
        KubernetesClient client = sandbox.client();
        client.namespaces().list().getItems().stream()
                .filter(namespace -> namespace.getMetadata().getDeletionTimestamp() == null)
                .map(HasMetadata::getMetadata)
                .filter(metadata -> complete.add(metadata.getUid()))
                .map(ObjectMeta::getName)
                .forEach(name -> {
                    client.resource(secret(name)).serverSideApply();
                    client.resource(account(name)).serverSideApply();
                });
    }

    private static Secret secret(String namespace) {
        return new SecretBuilder()
                .withNewMetadata()
                .withNamespace(namespace)
                .withName(PUSH_SECRET)
                .endMetadata()
                .withType("kubernetes.io/dockercfg")
                .withData(Map.of(".dockercfg", "e30="))
                .build();
    }

    private static ServiceAccount account(String namespace) {
        return new ServiceAccountBuilder()
                .withNewMetadata()
                .withNamespace(namespace)
                .withName("builder")
                .endMetadata()
                .addNewImagePullSecret(PUSH_SECRET)
                .build();
    }
}
