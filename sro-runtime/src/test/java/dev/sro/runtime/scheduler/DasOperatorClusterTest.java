package dev.sro.runtime.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.core.das.DasNames;
import dev.sro.core.slicing.catalogue.Catalogue;
import dev.sro.runtime.Clients;
import dev.sro.testkit.controlplane.Feature;
import dev.sro.testkit.controlplane.RealCluster;
import dev.sro.testkit.controlplane.RealControlPlane;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.authentication.TokenRequestBuilder;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A DASOperator on a kube-apiserver, by the rights that are installed and no others. */
@RealControlPlane(needs = {Feature.CONTROLLERS, Feature.NODES})
class DasOperatorClusterTest {
    private static final Duration LIMIT = Duration.ofMinutes(2);
    private static final String OWN = "special-resource-operator";

    @Test
    void itsSelectorIsThatOfTheAgentsAndItsStatusSaysHowFarTheyAre(RealCluster cluster) throws IOException {
        KubernetesClient client = cluster.client();
        install(cluster);
        try (SliceSchedulerRun run = start(cluster)) {
            cluster.await(
                    "the selector is applied",
                    LIMIT,
                    () -> Map.of("gpu", "a100").equals(selector(client)));
            // No node has the label, so there is none to be ready.
            cluster.await("the status says so", LIMIT, () -> status(client).contains("ComponentsNotAvailable"));

            apply(client, DasOperatorActorTest.OPERATOR.formatted("cluster", "managementState: Removed"));
            cluster.await(
                    "agents are taken away",
                    LIMIT,
                    () -> Map.of(DasOperatorActor.REMOVED, "true").equals(selector(client)));

            apply(
                    client,
                    DasOperatorActorTest.OPERATOR.formatted("cluster", "managementState: Managed, logLevel: Debug"));
            cluster.await("they may come back", LIMIT, () -> selector(client).isEmpty());
            cluster.await(
                    "what is not served is named", LIMIT, () -> status(client).contains("spec.logLevel Debug"));
            assertThat(run.isReady()).isTrue();
        }
    }

    private static void install(RealCluster cluster) throws IOException {
        KubernetesClient client = cluster.client();
        new SliceWorld(client).definitions();
        for (String namespace : List.of(DasNames.NAMESPACE, DasOperatorActorTest.AGENT, OWN)) {
            client.resource(new NamespaceBuilder()
                            .withNewMetadata()
                            .withName(namespace)
                            .endMetadata()
                            .build())
                    .serverSideApply();
        }
        for (String file : List.of("slices/serviceaccount.yaml", "slices/rbac.yaml", "slices-das-operator/rbac.yaml")) {
            try (InputStream yaml =
                    Files.newInputStream(Path.of("install", "kustomize").resolve(file))) {
                client.load(yaml)
                        .items()
                        .forEach(object -> client.resource(object).serverSideApply());
            }
        }
        apply(client, DasOperatorActorTest.SET);
        cluster.await("DASOperators are served", LIMIT, () -> {
            try {
                apply(client, DasOperatorActorTest.OPERATOR.formatted("cluster", "nodeSelector: {gpu: a100}"));
                return true;
            } catch (KubernetesClientException e) {
                return false;
            }
        });
    }

    private static SliceSchedulerRun start(RealCluster cluster) throws IOException {
        String token = cluster.client()
                .serviceAccounts()
                .inNamespace(OWN)
                .withName("sro-slices")
                .tokenRequest(new TokenRequestBuilder()
                        .withNewSpec()
                        .withExpirationSeconds(3_600L)
                        .endSpec()
                        .build())
                .getStatus()
                .getToken();
        return SliceSchedulerRun.start(
                new SliceSchedulerRun.Settings(
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        false,
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.of(
                                new DasOperatorActor.Agents(DasOperatorActorTest.AGENT, DasOperatorActorTest.AGENT))),
                Clients.plain(new ConfigBuilder(cluster.config())
                        .withOauthToken(token)
                        .build()),
                Catalogue.builtin(),
                () -> {});
    }

    private static Map<String, String> selector(KubernetesClient client) {
        return Objects.requireNonNullElse(
                client.apps()
                        .daemonSets()
                        .inNamespace(DasOperatorActorTest.AGENT)
                        .withName(DasOperatorActorTest.AGENT)
                        .get()
                        .getSpec()
                        .getTemplate()
                        .getSpec()
                        .getNodeSelector(),
                Map.of());
    }

    private static String status(KubernetesClient client) {
        return String.valueOf(client.genericKubernetesResources(DasOperatorActorTest.OPERATORS)
                .inNamespace(DasNames.NAMESPACE)
                .withName("cluster")
                .get()
                .getAdditionalProperties()
                .get("status"));
    }

    private static void apply(KubernetesClient client, String yaml) {
        client.resource(client.getKubernetesSerialization().unmarshal(yaml, GenericKubernetesResource.class))
                .serverSideApply();
    }
}
