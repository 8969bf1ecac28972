package dev.sro.core.manifest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.api.ManifestTemplate;
import dev.sro.api.Reach;
import dev.sro.api.State;
import dev.sro.core.model.KubeObject;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** For which nodes the DaemonSets of a state are. */
class StateNodesTest {

    private static final String LABEL = "specialresource.openshift.io/state-simple-kmod-1000";

    private static KubeObject rendered(boolean leaves, String template) {
        return Rendering.of(State.builder()
                        .id("1000-operand")
                        .reach(leaves ? Reach.nodeByNode().leavingWhenReady() : Reach.nodeByNode())
                        .putNodes("vendor.example/deploy", "true")
                        .addManifests(ManifestTemplate.text("x.yaml", """
                            apiVersion: apps/v1
                            kind: DaemonSet
                            metadata: {name: operand}
                            spec: {template: {spec: %s}}
                            """.formatted(template)))
                        .build())
                .objects()
                .get(0);
    }

    private static List<Object> terms(KubeObject object) {
        Map<String, Object> required = object.map(
                "spec",
                "template",
                "spec",
                "affinity",
                "nodeAffinity",
                "requiredDuringSchedulingIgnoredDuringExecution");
        return List.copyOf((List<?>) required.getOrDefault("nodeSelectorTerms", List.of()));
    }

    @Test
    void theirPodsGoToTheNodesThatTheStateIsFor() {
        KubeObject object = rendered(false, "{nodeSelector: {own: x}}");

        assertThat(object.map("spec", "template", "spec", "nodeSelector"))
                .containsEntry("vendor.example/deploy", "true")
                .containsEntry("own", "x");
        assertThat(object.map("spec", "template", "spec", "affinity")).isEmpty();
    }

    @Test
    void whatLeavesANodeIsKeptOffItByTheLabelOfItsOwnState() {
        assertThat(terms(rendered(true, "{}")))
                .isEqualTo(
                        List.of(Map.of("matchExpressions", List.of(Map.of("key", LABEL, "operator", "DoesNotExist")))));
    }

    private static KubeObject waiting(String annotations) {
        return Rendering.of(State.builder()
                        .id("1000-operand")
                        .reach(Reach.ownBarrier().leavingWithDriver())
                        .addManifests(ManifestTemplate.text("x.yaml", """
                            apiVersion: apps/v1
                            kind: DaemonSet
                            metadata: {name: operand, annotations: %s}
                            spec: {template: {spec: {}}}
                            """.formatted(annotations)))
                        .build())
                .objects()
                .get(0);
    }

    @Test
    void whatWaitsByItselfGoesToServedNodesOnlyAndLeavesWithTheDriver() {
        assertThat(terms(waiting("{}")))
                .isEqualTo(List.of(Map.of(
                        "matchExpressions",
                        List.of(
                                Map.of("key", LABEL, "operator", "NotIn", "values", List.of("Leaving")),
                                Map.of("key", "sro.dev/pool-simple-kmod", "operator", "Exists")))));
    }

    @Test
    void kernelAffinePodsAreKeptToTheirPoolAnyway() {
        KubeObject object = waiting("{specialresource.openshift.io/kernel-affine: \"true\"}");

        assertThat(object.map("spec", "template", "spec", "nodeSelector")).containsKey("sro.dev/pool-simple-kmod");
        assertThat(terms(object).toString()).contains(LABEL).doesNotContain("Exists");
    }

    @Test
    void everyTermOfTheManifestGetsTheConditionBesideItsOwn() {
        String own = "{affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: ["
                + "{matchExpressions: [{key: a, operator: Exists}]},"
                + " {matchFields: [{key: metadata.name, operator: In, values: [b]}]}]}}}}";

        assertThat(terms(rendered(true, own)))
                .hasSize(2)
                .allSatisfy(term -> assertThat(term.toString()).contains(LABEL, "DoesNotExist"))
                .anySatisfy(term -> assertThat(term.toString()).contains("key=a"))
                .anySatisfy(term -> assertThat(term.toString()).contains("metadata.name"));
    }
}
