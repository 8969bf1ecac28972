package dev.sro.runtime.install;

import dev.sro.api.resource.SpecialResource;
import dev.sro.testkit.controlplane.RealCluster;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.FieldValidateable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** The base of the repository on a real cluster, applied and deleted as {@code kubectl apply -k} and {@code delete -k} do. */
final class KustomizeBase {

    /** Where the base puts the operator. */
    static final String NAMESPACE = "special-resource-operator";

    private static final Path FOLDER = Path.of("install", "kustomize");
    private static final Duration LIMIT = Duration.ofMinutes(3);

    private final RealCluster cluster;
    private final List<GenericKubernetesResource> objects = new ArrayList<>();

    KustomizeBase(RealCluster cluster) {
        this.cluster = cluster;
    }

    /** Applies it; no field may be unknown to the server. */
    void apply() throws IOException {
        KubernetesClient client = cluster.client();
        Map<?, ?> list = client.getKubernetesSerialization()
                .unmarshal(Files.readString(FOLDER.resolve("kustomization.yaml")), Map.class);
        for (Object file : (List<?>) Objects.requireNonNull(list.get("resources"))) {
            for (String text : Files.readString(FOLDER.resolve((String) file)).split("(?m)^---\n")) {
                if (!text.isBlank()) {
                    objects.add(client.getKubernetesSerialization().unmarshal(text, GenericKubernetesResource.class));
                }
            }
        }
        objects.forEach(object -> client.resource(object)
                .fieldValidation(FieldValidateable.Validation.STRICT)
                .fieldManager("kubectl")
                .serverSideApply());
        cluster.await(
                "special resources are served",
                LIMIT,
                () -> client.resources(SpecialResource.class).list().getItems() != null);
    }

    /** Deletes what was applied, the last first, and waits until it is gone. */
    void delete() {
        List<GenericKubernetesResource> reverse = new ArrayList<>(objects);
        Collections.reverse(reverse);
        reverse.forEach(object -> cluster.client().resource(object).delete());
        cluster.await(
                "the base is gone",
                LIMIT,
                () -> objects.stream()
                        .allMatch(object -> cluster.client().resource(object).get() == null));
    }

    /** Makes a special resource for the nodes of the test. */
    void applySpecialResource(String name) {
        cluster.client()
                .resource(cluster.client()
                        .getKubernetesSerialization()
                        .unmarshal("""
                                apiVersion: sro.openshift.io/v1beta1
                                kind: SpecialResource
                                metadata: {name: "%1$s"}
                                spec:
                                  namespace: "%1$s"
                                  plugin: {name: simple-kmod}
                                  nodeSelector: {testkit.sro.dev/test: "%2$s"}
                                  driverContainer: {source: {git: {ref: main, uri: "https://git.example.com/kmod.git"}}}
                                """.formatted(name, cluster.namespace()), SpecialResource.class))
                .serverSideApply();
    }

    /** Waits until it is ready. */
    void awaitReady(String name, OperatorProcess operator) {
        try {
            cluster.await("the special resource is ready", LIMIT, () -> {
                operator.requireAlive();
                SpecialResource found = cluster.client()
                        .resources(SpecialResource.class)
                        .withName(name)
                        .get();
                return found.getStatus() != null
                        && found.getStatus().getConditions().stream()
                                .anyMatch(c -> c.getType().equals("Ready")
                                        && c.getStatus().equals("True"));
            });
        } catch (AssertionError e) {
            throw new AssertionError(e.getMessage() + "\n" + operator.log(), e);
        }
    }

    /** {@code kubectl delete specialresources --all}, which waits. */
    void deleteSpecialResources() {
        cluster.client().resources(SpecialResource.class).delete();
        cluster.await(
                "special resources are gone",
                LIMIT,
                () -> cluster.client()
                        .resources(SpecialResource.class)
                        .list()
                        .getItems()
                        .isEmpty());
    }
}
