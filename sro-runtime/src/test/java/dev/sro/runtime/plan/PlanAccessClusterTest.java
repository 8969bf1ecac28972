package dev.sro.runtime.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.core.client.rights.ClientRules;
import dev.sro.core.manifest.AccountManifests;
import dev.sro.runtime.Cli;
import dev.sro.testkit.controlplane.Feature;
import dev.sro.testkit.controlplane.RealCluster;
import dev.sro.testkit.controlplane.RealControlPlane;
import dev.sro.testkit.sim.NodeProfile;
import dev.sro.testkit.sim.OsRelease;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a kube-apiserver answers about the account of a recipe. */
@RealControlPlane(needs = {Feature.CONTROLLERS, Feature.NODES})
class PlanAccessClusterTest {
    private static final Duration LIMIT = Duration.ofMinutes(2);

    @TempDir
    private Path folder = Path.of("");

    @Test
    void refusalsAreNamedAndGoWithWhatIsGranted(RealCluster cluster) throws IOException {
        KubernetesClient client = cluster.client();
        cluster.installSpecialResources();
        cluster.nodes().create(1, NodeProfile.of(OsRelease.RHEL_9));
        Path file = recipe(cluster);

        Cli refused = run(cluster, "plan", "-f", file.toString());

        assertThat(refused.err()).isEmpty();
        assertThat(refused.code()).isEqualTo(1);
        assertThat(refused.out())
                .contains("ServiceAccount kmod-operands/sro-recipe may not get, create, patch"
                        + " priorityclasses.scheduling.k8s.io at the cluster scope")
                .contains("may not grant what it has not itself: get nodes at the cluster scope")
                .contains("Refused: 3 objects")
                .doesNotContain("configmaps in namespace kmod-operands");

        apply(client, "{apiVersion: v1, kind: Namespace, metadata: {name: kmod-operands}}");
        Cli grants = run(cluster, "rbac", "--for", file.toString(), "--apply");
        assertThat(grants.err()).isEmpty();
        assertThat(grants.code()).isZero();

        // The authorizer hears of bindings a moment after they are made.
        cluster.await(
                "nothing is refused",
                LIMIT,
                () -> run(cluster, "plan", "-f", file.toString()).code() == 0);
        assertThat(run(cluster, "plan", "-f", file.toString()).out())
                .contains("+ PriorityClass kmod")
                .doesNotContain("Refused", "Not checked");
    }

    private Path recipe(RealCluster cluster) throws IOException {
        KubernetesClient client = cluster.client();
        apply(client, "{apiVersion: v1, kind: Namespace, metadata: {name: recipes}}\n---\n" + PlanAccessTest.RECIPE);
        client.resource(new ClusterRoleBuilder()
                        .withNewMetadata()
                        .withName(AccountManifests.ROLE)
                        .endMetadata()
                        .withRules(ClientRules.recipes())
                        .build())
                .forceConflicts()
                .serverSideApply();
        Map.Entry<String, String> label =
                cluster.nodes().selector().entrySet().iterator().next();
        return Files.writeString(
                folder.resolve("kmod.yaml"),
                PlanAccessTest.RESOURCE.replace(
                        "{example.com/device: \"one\"}", "{\"" + label.getKey() + "\": \"" + label.getValue() + "\"}"));
    }

    private Cli run(RealCluster cluster, String command, String option, String... more) {
        String[] words = new String[more.length + 6];
        words[0] = command;
        words[1] = "--kubeconfig";
        words[2] = cluster.controlPlane().kubeconfig().toString();
        words[3] = "--plugins";
        words[4] = folder.toString();
        words[5] = option;
        System.arraycopy(more, 0, words, 6, more.length);
        return Cli.run(words);
    }

    private static void apply(KubernetesClient client, String documents) {
        client.load(new ByteArrayInputStream(("---\n" + documents).getBytes(StandardCharsets.UTF_8)))
                .items()
                .forEach(object -> client.resource(object).serverSideApply());
    }
}
