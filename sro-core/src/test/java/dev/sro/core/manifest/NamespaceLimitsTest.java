package dev.sro.core.manifest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.api.ManifestTemplate;
import dev.sro.api.State;
import dev.sro.core.fixture.Resources;
import dev.sro.core.fixture.TestPlugin;
import dev.sro.core.model.KubeObject;
import dev.sro.core.recipe.Recipe;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a recipe may say of the namespace of its operands. */
class NamespaceLimitsTest {
    private final Recipe recipe = Resources.recipe(
            Resources.resource("simple-kmod", "kmod", Map.of()),
            new TestPlugin("kmod", State.of("1000-x", ManifestTemplate.text("x.yaml", ""))),
            Resources.CLUSTER);

    private static Desired namespace(String apiVersion, String name, String key) {
        return new Desired(
                AppliedDigest.stamp(KubeObject.of(Map.of(
                        "apiVersion",
                        apiVersion,
                        "kind",
                        "Namespace",
                        "metadata",
                        Map.of(
                                "name",
                                name,
                                "finalizers",
                                List.of("example.com/for-ever"),
                                "labels",
                                Map.of(key, "x"),
                                "annotations",
                                Map.of(key, "y"))))),
                "1000-x",
                null);
    }

    private KubeObject within(Desired object) {
        DesiredState state = new DesiredState(
                State.builder().id("1000-x").scope(State.Scope.CLUSTER).build(),
                Set.of(),
                List.of(object),
                Map.of(),
                Map.of());
        return NamespaceLimits.within(List.of(state), recipe, "operands")
                .get(0)
                .shared()
                .get(0)
                .object();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "pod-security.kubernetes.io/enforce",
                "resource.kubernetes.io/admin-access",
                "scheduler.alpha.kubernetes.io/node-selector",
                "kubernetes.io/anything",
                "networking.k8s.io/x",
                "openshift.io/run-level",
                "openshift.io/sa.scc.uid-range",
                "security.openshift.io/scc.podSecurityLabelSync",
                "admission.gatekeeper.sh/ignore",
                "policies.kyverno.io/x",
                "istio.io/rev",
                "istio-injection"
            })
    void ordersAreLeftOutAndTold(String key) {
        KubeObject left = within(namespace("v1", "operands", key));

        assertThat(left.map("metadata", "labels")).doesNotContainKey(key);
        assertThat(left.map("metadata", "annotations")).doesNotContainKey(key);
        assertThat(left.map("metadata")).doesNotContainKey("finalizers");
        assertThat(recipe.warnings())
                .anyMatch(warning -> warning.contains("kubectl label namespace operands " + key + "=x"))
                .anyMatch(warning -> warning.contains("kubectl annotate namespace operands " + key + "=y"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "mine",
                "example.com/mine",
                "app.kubernetes.io/name",
                "specialresource.openshift.io/wait",
                "openshift.io/cluster-monitoring",
                "notkubernetes.io/x"
            })
    void whatDescribesStays(String key) {
        KubeObject left = within(namespace("v1", "operands", key));

        assertThat(left.map("metadata", "labels")).containsEntry(key, "x");
        assertThat(left.map("metadata", "annotations")).containsEntry(key, "y");
        assertThat(recipe.warnings()).isEmpty();
    }

    @Test
    void otherNamespacesAreForTheAccountToWrite() {
        String key = "pod-security.kubernetes.io/enforce";
        assertThat(within(namespace("v1", "elsewhere", key)).map("metadata", "labels"))
                .containsKey(key);
        assertThat(within(namespace("example.com/v1", "operands", key)).map("metadata", "labels"))
                .containsKey(key);
    }
}
