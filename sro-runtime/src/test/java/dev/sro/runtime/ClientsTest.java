package dev.sro.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.sro.api.resource.SpecialResource;
import dev.sro.testkit.EmbeddedCluster;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClientsTest {

    private static final ResourceDefinitionContext WIDGETS = new ResourceDefinitionContext.Builder()
            .withGroup("example.com")
            .withVersion("v1")
            .withKind("Widget")
            .withPlural("widgets")
            .build();

    @TempDir
    private Path folder;

    private static String message(KubernetesClient client, Consumer<KubernetesClient> request) {
        KubernetesClientException failed =
                catchThrowableOfType(KubernetesClientException.class, () -> request.accept(client));
        return Clients.message(failed);
    }

    @Test
    void nothingIsAskedWhereNobodySaysWhichClusterIsMeant() {
        Map<String, String> nowhere = Map.of(
                Config.KUBERNETES_KUBECONFIG_FILE,
                folder.resolve("none").toString(),
                Config.KUBERNETES_AUTH_TRYSERVICEACCOUNT_SYSTEM_PROPERTY,
                "false");
        nowhere.forEach(System::setProperty);
        try {
            assertThatThrownBy(() -> Clients.config(Optional.empty(), Optional.empty()))
                    .isInstanceOf(UnusableInputException.class)
                    .hasMessageContaining("no cluster is known")
                    .hasMessageContaining("--kubeconfig FILE");
        } finally {
            nowhere.keySet().forEach(System::clearProperty);
        }
    }

    @Test
    void whatWasNotFoundIsNamed() throws IOException {
        try (EmbeddedCluster cluster = EmbeddedCluster.create()) {
            Path kubeconfig = Files.writeString(
                    folder.resolve("kubeconfig"), cluster.serveHttp(0).kubeconfig());
            Config config = Clients.config(Optional.of(kubeconfig), Optional.empty());
            try (KubernetesClient client = Clients.plain(config)) {
                assertThat(message(
                                client,
                                one -> one.resources(SpecialResource.class).list()))
                        .isEqualTo("special resources are not known here; is SRO installed?");
                assertThat(message(
                                client,
                                one -> one.genericKubernetesResources("example.com/v1", "Widget")
                                        .list()))
                        .isEqualTo("the API server serves no such kind; its definition has to be there first");
                assertThat(message(
                                client,
                                one -> one.genericKubernetesResources(WIDGETS).list()))
                        .isEqualTo("the API server serves no widgets.example.com in version v1");
                assertThat(message(
                                client,
                                one -> one.resource(new ConfigMapBuilder()
                                                .withNewMetadata()
                                                .withName("a")
                                                .withNamespace("nowhere")
                                                .endMetadata()
                                                .build())
                                        .create()))
                        .contains("namespaces \"nowhere\" not found");
            }
        }
    }
}
