package dev.sro.core.manifest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.api.ManifestTemplate;
import dev.sro.api.Problem;
import dev.sro.api.State;
import dev.sro.core.fixture.Nodes;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** What <code>${driverToolkitImage}</code> stands for in the manifests of a plugin. */
class DriverToolkitVariableTest {

    private static final ManifestTemplate MANIFEST = ManifestTemplate.text("build.yaml", """
        apiVersion: v1
        kind: ConfigMap
        metadata:
          name: build
          annotations: {specialresource.openshift.io/kernel-affine: "true"}
        data: {from: "FROM ${driverToolkitImage} AS builder"}
        """);

    private static Rendering rendering() {
        return Rendering.of(State.of("0000-build", MANIFEST)).on(Nodes.node("a", Nodes.K1), Nodes.node("b", Nodes.K2));
    }

    @Test
    void eachPoolGetsThatOfItsKernelAndTheNewestWhereNoneIsKnownToHaveIt() {
        Rendering rendering = rendering();
        rendering.toolkits(
                Map.of("latest", "registry.example/dtk:newest"), Map.of(Nodes.K1, "registry.example/dtk:k1"));

        assertThat(rendering.objects())
                .extracting(object -> object.map("data").get("from"))
                .containsExactlyInAnyOrder(
                        "FROM registry.example/dtk:k1 AS builder", "FROM registry.example/dtk:newest AS builder");
    }

    @Test
    void aVariableOfTheStateWins() {
        Rendering rendering = Rendering.of(State.builder()
                .from(State.of("0000-build", MANIFEST))
                .putVariables("driverToolkitImage", "registry.example/mine:1")
                .build());
        rendering.toolkits(Map.of("latest", "registry.example/dtk:newest"), Map.of());

        assertThat(rendering.object().map("data")).containsEntry("from", "FROM registry.example/mine:1 AS builder");
    }

    @Test
    void withoutAnyToolkitTheProblemSaysWhereTheyComeFrom() {
        Problem problem = Objects.requireNonNull(
                rendering().state().problems().values().iterator().next());

        assertThat(problem.code()).isEqualTo("UndefinedVariable");
        assertThat(problem.message())
                .isEqualTo(
                        "0000-build/build.yaml: there is no value for ${driverToolkitImage}; it is known per pool, and"
                                + " the cluster has no image stream openshift/driver-toolkit, or none that SRO may read."
                                + " On OpenShift, import the driver toolkit; elsewhere, leave these manifests out or name"
                                + " an image");
    }
}
