package dev.sro.plugins.nvidia;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.api.ClusterFacts;
import dev.sro.api.NodeFacts;
import dev.sro.testkit.contract.ManifestSchemas;
import dev.sro.testkit.contract.RenderedPlugin;
import dev.sro.testkit.controlplane.RealCluster;
import dev.sro.testkit.controlplane.RealControlPlane;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;

/** Everything that the plugin writes is taken by a real API server, which knows every field of it. */
@RealControlPlane
@EnabledIfEnvironmentVariable(named = "SRO_CORPUS", matches = ".+", disabledReason = "no corpus here")
class NvidiaApiServerTest {

    @Test
    void everyObjectOfEveryProfileIsTaken(RealCluster cluster) {
        // What monitors GPUs beside those who use them is for such namespaces only.
        cluster.client().namespaces().withName(cluster.namespace()).edit(namespace -> {
            namespace.getMetadata().getLabels().put("resource.kubernetes.io/admin-access", "true");
            return namespace;
        });
        Path crds = Path.of(Objects.requireNonNull(System.getenv("SRO_CORPUS")), "crds");
        ManifestSchemas schemas =
                ManifestSchemas.on(cluster.client(), crds, "monitoring.coreos.com", "grafana.integreatly.org");
        List<String> refused = new ArrayList<>();
        List<String> taken = new ArrayList<>();
        for (boolean openShift : List.of(false, true)) {
            ClusterFacts facts = openShift ? Gpus.openShift() : Gpus.kubernetes();
            NodeFacts node = openShift ? Gpus.rhcos() : Gpus.ubuntu(Map.of());
            GoldenManifestsTest.PROFILES.forEach((profile, config) -> {
                RenderedPlugin rendered =
                        RenderedPlugin.of(new NvidiaPlugin(), Gpus.parsed(config), facts, List.of(node));
                for (GenericKubernetesResource object : rendered.objects()) {
                    String name = profile + ": " + object.getKind() + " "
                            + object.getMetadata().getName();
                    object.getMetadata().setOwnerReferences(null);
                    if (object.getMetadata().getNamespace() != null) {
                        object.getMetadata().setNamespace(cluster.namespace());
                    }
                    List<String> errors = schemas.check(object);
                    (errors.isEmpty() ? taken : refused).add(name + ": " + errors);
                }
            });
        }
        assertThat(refused).isEmpty();
        assertThat(taken).hasSizeGreaterThan(200);
    }
}
