package dev.sro.testkit.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.testkit.controlplane.Feature;
import dev.sro.testkit.controlplane.RealCluster;
import dev.sro.testkit.controlplane.RealControlPlane;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinitionBuilder;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.Watch;
import io.fabric8.kubernetes.client.Watcher;
import io.fabric8.kubernetes.client.WatcherException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** A real API server ends the watches of a kind whose definition goes, as the embedded one does. */
@RealControlPlane(needs = Feature.CONTROLLERS)
class RealDefinitionWatchTest {

    private static final Duration LIMIT = Duration.ofMinutes(2);

    private static CustomResourceDefinition definition() {
        return new CustomResourceDefinitionBuilder()
                .withNewMetadata()
                .withName("gadgets.watch.example.com")
                .endMetadata()
                .withNewSpec()
                .withGroup("watch.example.com")
                .withScope("Cluster")
                .withNewNames()
                .withKind("Gadget")
                .withPlural("gadgets")
                .withSingular("gadget")
                .withListKind("GadgetList")
                .endNames()
                .addNewVersion()
                .withName("v1")
                .withServed(true)
                .withStorage(true)
                .withNewSchema()
                .withNewOpenAPIV3Schema()
                .withType("object")
                .endOpenAPIV3Schema()
                .endSchema()
                .endVersion()
                .endSpec()
                .build();
    }

    @Test
    void watchesEndWithTheDefinitionOfTheirKind(RealCluster cluster) throws InterruptedException {
        CountDownLatch ended = new CountDownLatch(1);
        try (KubernetesClient client = new KubernetesClientBuilder()
                .withConfig(new ConfigBuilder(cluster.config())
                        .withWatchReconnectLimit(0)
                        .build())
                .build()) {
            client.resource(definition()).create();
            cluster.await("the kind is served", LIMIT, () -> {
                var found = client.getApiResources("watch.example.com/v1");
                return found != null && !found.getResources().isEmpty();
            });
            var gadgets = client.genericKubernetesResources("watch.example.com/v1", "Gadget");
            Watch watch = gadgets.watch(new Watcher<GenericKubernetesResource>() {
                @Override
                public void eventReceived(Action action, GenericKubernetesResource resource) {}

                @Override
                public void onClose(WatcherException cause) {
                    ended.countDown();
                }

                @Override
                public void onClose() {
                    ended.countDown();
                }
            });
            client.resource(definition()).delete();
            assertThat(ended.await(LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
            watch.close();
        }
    }
}
