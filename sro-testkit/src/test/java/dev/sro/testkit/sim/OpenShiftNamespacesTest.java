package dev.sro.testkit.sim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.testkit.EmbeddedCluster;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What builds and recipes of OpenShift find in a namespace. */
class OpenShiftNamespacesTest {
    private static final String SECRET = "builder-dockercfg-00000";

    private final EmbeddedCluster cluster = EmbeddedCluster.create();
    private final KubernetesClient client = cluster.client();
    private final OpenShiftNamespaces namespaces = new OpenShiftNamespaces();

    @AfterEach
    void close() {
        cluster.close();
    }

    private void namespace(String name) {
        client.resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName(name)
                        .endMetadata()
                        .build())
                .create();
    }

    @Test
    void eachGetsTheAccountOfBuildsWithItsSecret() {
        namespace("acme");
        namespaces.complete(client);

        assertThat(client.serviceAccounts()
                        .inNamespace("acme")
                        .withName("builder")
                        .get()
                        .getImagePullSecrets())
                .singleElement()
                .satisfies(reference -> assertThat(reference.getName()).isEqualTo(SECRET));
        assertThat(client.secrets().inNamespace("acme").withName(SECRET).get().getType())
                .isEqualTo("kubernetes.io/dockercfg");
    }

    @Test
    void whatIsDeletedDoesNotComeBackButInANewNamespace() {
        namespace("acme");
        namespaces.complete(client);
        client.secrets().inNamespace("acme").withName(SECRET).delete();
        namespace("later");
        namespaces.complete(client);

        assertThat(client.secrets().inNamespace("acme").withName(SECRET).get()).isNull();
        assertThat(client.secrets().inNamespace("later").withName(SECRET).get()).isNotNull();
    }
}
