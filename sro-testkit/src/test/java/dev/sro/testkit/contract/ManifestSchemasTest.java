package dev.sro.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ManifestSchemasTest {

    private static final String WIDGETS = """
        apiVersion: apiextensions.k8s.io/v1
        kind: CustomResourceDefinition
        metadata: {name: widgets.acme.example}
        spec:
          group: acme.example
          scope: Cluster
          names: {kind: Widget, plural: widgets, singular: widget, listKind: WidgetList}
          conversion:
            strategy: Webhook
            webhook:
              conversionReviewVersions: [v1]
              clientConfig: {service: {name: nobody, namespace: nowhere}}
          versions:
          - name: v1
            served: true
            storage: true
            schema:
              openAPIV3Schema:
                type: object
                properties:
                  spec:
                    type: object
                    required: [size]
                    properties: {size: {type: integer, minimum: 1}}
        """;

    @TempDir
    private static Path directory;

    private static ManifestSchemas schemas;

    @BeforeAll
    static void start() throws IOException {
        Files.writeString(directory.resolve("widgets.yaml"), WIDGETS);
        Files.writeString(directory.resolve("README.md"), "not a CRD");
        schemas = ManifestSchemas.of(directory);
    }

    @AfterAll
    static void stop() {
        schemas.close();
    }

    @Test
    void aGoodObjectHasNoErrors() {
        assertThat(check("{apiVersion: v1, kind: ConfigMap, metadata: {name: a, namespace: n}, data: {k: v}}"))
                .isEmpty();
        assertThat(check("{apiVersion: acme.example/v1, kind: Widget, metadata: {name: a}, spec: {size: 1}}"))
                .isEmpty();
        assertThat(check("""
            apiVersion: resource.k8s.io/v1
            kind: DeviceClass
            metadata: {name: gpu.acme.example}
            spec: {selectors: [{cel: {expression: "device.driver == 'acme'"}}]}
            """)).isEmpty();
    }

    @Test
    void aFieldThatTheSchemaDoesNotHaveIsAnError() {
        assertThat(check("""
            apiVersion: apps/v1
            kind: DaemonSet
            metadata: {name: a, namespace: n}
            spec:
              selector: {matchLabels: {app: a}}
              template:
                metadata: {labels: {app: a}}
                spec: {containers: [{name: a, image: "a:1", imagePulPolicy: Always}]}
            """)).singleElement().asString().contains("spec.template.spec.containers[0].imagePulPolicy");
        assertThat(check("{apiVersion: acme.example/v1, kind: Widget, metadata: {name: a}, spec: {size: 1,"
                        + " colour: red}}"))
                .singleElement()
                .asString()
                .contains("spec.colour");
    }

    @Test
    void anUnknownFieldDoesNotHideAWrongValue() {
        assertThat(check("{apiVersion: acme.example/v1, kind: Widget, metadata: {name: a}, spec: {size: 0,"
                        + " colour: red}}"))
                .hasSize(2)
                .first()
                .asString()
                .contains("spec.colour");
        assertThat(check("{apiVersion: acme.example/v1, kind: Widget, metadata: {name: a}, spec: {}}"))
                .singleElement()
                .asString()
                .contains("spec.size");
    }

    @Test
    void aKindWithoutASchemaIsAnErrorUnlessItIsPassedOver() {
        String build = "{apiVersion: build.openshift.io/v1, kind: BuildConfig, metadata: {name: a, namespace: n}}";
        assertThat(check(build)).singleElement().asString().contains("build.openshift.io/v1/BuildConfig has no schema");

        try (ManifestSchemas builtin =
                ManifestSchemas.ofBuiltinKinds().passingOver("build.openshift.io/v1/BuildConfig")) {
            assertThat(builtin.check(object(build))).isEmpty();
            assertThat(builtin.check(object("{apiVersion: acme.example/v1, kind: Widget, metadata: {name: a}}")))
                    .hasSize(1);
        }
    }

    @Test
    void allErrorsNameTheirObject() {
        assertThat(schemas.checkAll(List.of(
                        object("{apiVersion: v1, kind: ConfigMap, metadata: {name: good, namespace: n}}"),
                        object("{apiVersion: v1, kind: ConfigMap, metadata: {name: bad, namespace: n}, dat: {}}"))))
                .singleElement()
                .asString()
                .startsWith("ConfigMap bad: ")
                .contains("dat");
    }

    private static List<String> check(String yaml) {
        return schemas.check(object(yaml));
    }

    private static GenericKubernetesResource object(String yaml) {
        return new KubernetesSerialization().unmarshal("---\n" + yaml, GenericKubernetesResource.class);
    }
}
