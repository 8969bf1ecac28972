package dev.sro.testkit.sim;

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

/**
 * What OpenShift puts into each namespace, and recipes that push images look for: the account of builds, and the Secret with which it
 * pushes. A simulated cluster has neither unless somebody asks for them here. Confined to one thread.
 */
public final class OpenShiftNamespaces {

    /** Ends in any five characters in a cluster. */
    private static final String PUSH_SECRET = "builder-dockercfg-00000";

    private final Set<String> complete = new HashSet<>();

    /** Of a cluster whose namespaces have none of it yet. */
    public OpenShiftNamespaces() {}

    /**
     * Gives it to the namespaces that are new since the last call; to be called before each step of the cluster. What somebody deletes
     * does not come back.
     *
     * @param client of an administrator of the cluster
     * @throws io.fabric8.kubernetes.client.KubernetesClientException if the cluster refuses it
     */
    public void complete(KubernetesClient client) {
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
