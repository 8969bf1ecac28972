package dev.sro.runtime.operator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.api.resource.SpecialResource;
import dev.sro.runtime.Cli;
import dev.sro.runtime.ServiceAccountConfig;
import dev.sro.testkit.controlplane.Feature;
import dev.sro.testkit.controlplane.RealCluster;
import dev.sro.testkit.controlplane.RealControlPlane;
import dev.sro.testkit.sim.NodeProfile;
import dev.sro.testkit.sim.OsRelease;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The same on a real API server, with an operator that has nothing but the rights that are shipped. */
@RealControlPlane(needs = {Feature.CONTROLLERS, Feature.SCHEDULER, Feature.NODES})
class RecipeRightsClusterTest {
    private static final Duration LIMIT = Duration.ofMinutes(3);

    @TempDir
    private Path folder;

    private final List<HasMetadata> access = new ArrayList<>();

    @AfterEach
    void cleanUp(RealCluster cluster) {
        HttpCluster.giveLogBack();
        access.forEach(object -> cluster.client().resource(object).delete());
    }

    @Test
    void aRecipeIsForbiddenThenGrantedThenReadyThenGone(RealCluster cluster) throws Exception {
        KubernetesClient client = cluster.client();
        String namespace = cluster.namespace();
        String name = "recipe-" + namespace.substring(namespace.length() - 8);
        Path plugins = Cli.plugins(Files.createDirectories(folder.resolve("plugins")));
        access.addAll(ClusterSettings.install(cluster, plugins));
        cluster.nodes().create(1, NodeProfile.of(OsRelease.UBUNTU_22));
        Path kubeconfig = ServiceAccountConfig.write(cluster, namespace, folder.resolve("kubeconfig"));
        String recipe = RecipeRightsTest.RECIPE.formatted(name, namespace);
        String resource =
                RecipeRightsTest.RESOURCE.formatted(name, namespace, "testkit.sro.dev/test: \"" + namespace + "\"");
        client.resource(client.getKubernetesSerialization().unmarshal(recipe, ConfigMap.class))
                .create();
        try (OperatorRun run = OperatorRun.start(
                ClusterSettings.of(kubeconfig, plugins, Optional.empty(), Optional.empty()), ClusterSettings.logs())) {
            assertThat(run.port()).isPresent();
            client.resource(client.getKubernetesSerialization().unmarshal(resource, SpecialResource.class))
                    .serverSideApply();
            cluster.await("it is forbidden", LIMIT, () -> RecipeRightsTest.isForbidden(client, name));
            assertThat(client.scheduling().v1().priorityClasses().withName(name).get())
                    .isNull();

            grant(client, namespace, resource + "---\n" + recipe);
            cluster.await("it is ready", LIMIT, () -> RecipeRightsTest.isReady(client, name));
            assertThat(client.scheduling().v1().priorityClasses().withName(name).get())
                    .isNotNull();

            client.resources(SpecialResource.class).withName(name).delete();
            cluster.await(
                    "it is gone",
                    LIMIT,
                    () -> client.resources(SpecialResource.class).withName(name).get() == null);
            assertThat(client.scheduling().v1().priorityClasses().withName(name).get())
                    .isNull();
        }
    }

    private void grant(KubernetesClient client, String namespace, String documents) throws Exception {
        Path file = Files.writeString(folder.resolve("special-resource.yaml"), documents);
        Cli cli = Cli.run(
                "rbac",
                "--for",
                file.toString(),
                "--kernel",
                "5.15.0-91-generic",
                "--os-image",
                "Ubuntu 22.04.3 LTS",
                "--namespace",
                namespace);
        assertThat(cli.err()).isEmpty();
        assertThat(cli.code()).isZero();
        List<HasMetadata> objects = client.load(
                        new ByteArrayInputStream(cli.out().getBytes(StandardCharsets.UTF_8)))
                .items();
        objects.forEach(object -> client.resource(object).serverSideApply());
        access.addAll(objects);
    }
}
