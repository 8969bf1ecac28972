package dev.sro.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sro.testkit.controlplane.RealCluster;
import dev.sro.testkit.controlplane.RealControlPlane;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.FieldValidateable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The queues of docs/slicing/first-hour.md are what Kueue's own definitions allow, each field of them. */
@RealControlPlane
class KueueExampleTest {
    private static final Path PAGE = Path.of("../../docs/slicing/first-hour.md");
    private static final Pattern BLOCK =
            Pattern.compile("```yaml\n(apiVersion: kueue\\.x-k8s\\.io/.*?)```", Pattern.DOTALL);

    @Test
    void theQueuesOfTheDocumentationAreTaken(RealCluster cluster) throws IOException {
        String definitions = System.getenv().getOrDefault("SRO_KUEUE_CRDS", "");
        assumeTrue(!definitions.isEmpty(), "no definitions of Kueue here: .ci/kueue/build.sh fetches them");
        KubernetesClient client = cluster.client();
        List<CustomResourceDefinition> made = new ArrayList<>();
        Namespace team = new NamespaceBuilder()
                .withNewMetadata()
                .withName("team-a")
                .endMetadata()
                .build();
        try {
            for (String kind : List.of("resourceflavors", "clusterqueues", "localqueues")) {
                made.add(define(client, Path.of(definitions, "kueue.x-k8s.io_" + kind + ".yaml")));
            }
            client.resource(team).create();
            List<String> kinds = new ArrayList<>();
            for (String text : queues().split("(?m)^---\n", -1)) {
                GenericKubernetesResource object =
                        client.getKubernetesSerialization().unmarshal(text, GenericKubernetesResource.class);
                // A field that is not known would be dropped in silence otherwise.
                GenericKubernetesResource stored = client.resource(object)
                        .fieldValidation(FieldValidateable.Validation.STRICT)
                        .create();
                kinds.add(stored.getKind());
            }
            assertThat(kinds).containsExactly("ResourceFlavor", "ClusterQueue", "LocalQueue");
        } finally {
            made.forEach(definition -> client.resource(definition).delete());
            client.resource(team).delete();
        }
    }

    private static CustomResourceDefinition define(KubernetesClient client, Path file) throws IOException {
        CustomResourceDefinition definition =
                client.getKubernetesSerialization().unmarshal(Files.readString(file), CustomResourceDefinition.class);
        client.resource(definition).create();
        client.resource(definition)
                .waitUntilCondition(
                        seen -> seen != null
                                && seen.getStatus() != null
                                && seen.getStatus().getConditions() != null
                                && seen.getStatus().getConditions().stream()
                                        .anyMatch(
                                                condition -> condition.getType().equals("Established")
                                                        && condition.getStatus().equals("True")),
                        60,
                        TimeUnit.SECONDS);
        return definition;
    }

    private static String queues() throws IOException {
        Matcher matcher = BLOCK.matcher(Files.readString(PAGE));
        assertThat(matcher.find()).as("%s has queues", PAGE).isTrue();
        return matcher.group(1);
    }
}
