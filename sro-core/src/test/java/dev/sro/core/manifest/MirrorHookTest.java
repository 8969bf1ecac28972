package dev.sro.core.manifest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.core.fixture.Resources;
import dev.sro.core.model.ImageMirrors;
import dev.sro.core.model.KubeObject;
import dev.sro.core.model.MetadataKeys;
import dev.sro.core.model.ValueTrees;
import dev.sro.core.recipe.PluginHooks;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Images are pulled from mirrors wherever an object names them. */
class MirrorHookTest {

    private static final String PODS = "{initContainers: [{name: i, image: \"quay.io/a/init:1\"}], containers: [{name:"
            + " c, image: \"quay.io/a/main@sha256:0\"}, {name: d, image: \"other.example.com/x:1\"}], volumes: [{name: v,"
            + " image: {reference: \"quay.io/a/files:1\"}}]}";

    private static KubeObject mirrored(String yaml) {
        Rendering rendering = Rendering.of(yaml);
        rendering
                .resource
                .getMetadata()
                .setAnnotations(Map.of(MetadataKeys.IMAGE_MIRRORS, "quay.io=m.example.com/quay"));
        return rendering.object();
    }

    /** All strings under keys that hold images, in the order of the tree. */
    private static List<String> images(Object value, String key) {
        List<String> found = new ArrayList<>();
        if (value instanceof Map<?, ?> map) {
            map.forEach((name, item) -> found.addAll(images(item, String.valueOf(name))));
        } else if (value instanceof List<?> list) {
            list.forEach(item -> found.addAll(images(item, key)));
        } else if (List.of("image", "reference").contains(key)) {
            found.add(String.valueOf(value));
        }
        return found;
    }

    @Test
    void ofTheDockerfilesOfBuilds() {
        String dockerfile = "|\n    FROM quay.io/a/base:$VERSION AS builder\n    FROM builder\n";
        KubeObject map = mirrored("apiVersion: v1\n"
                + "kind: ConfigMap\n"
                + "metadata: {name: w}\n"
                + "data:\n"
                + "  other: FROM quay.io/a/base\n"
                + "  Dockerfile: "
                + dockerfile);
        KubeObject build = mirrored("apiVersion: build.openshift.io/v1\n"
                + "kind: BuildConfig\n"
                + "metadata: {name: w}\n"
                + "spec:\n"
                + "  source:\n"
                + "    dockerfile: "
                + dockerfile.replace("\n    ", "\n      "));

        assertThat(map.map("data"))
                .containsEntry("Dockerfile", "FROM m.example.com/quay/a/base:$VERSION AS builder\nFROM builder\n")
                .containsEntry("other", "FROM quay.io/a/base");
        assertThat(ValueTrees.text(build.tree(), "spec", "source", "dockerfile"))
                .isEqualTo("FROM m.example.com/quay/a/base:$VERSION AS builder\nFROM builder\n");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "Pod|v1|spec: %s",
                "DaemonSet|apps/v1|spec: {template: {spec: %s}}",
                "Deployment|apps/v1|spec: {template: {spec: %s}}",
                "StatefulSet|apps/v1|spec: {template: {spec: %s}}",
                "ReplicaSet|apps/v1|spec: {template: {spec: %s}}",
                "Job|batch/v1|spec: {template: {spec: %s}}",
                "CronJob|batch/v1|spec: {jobTemplate: {spec: {template: {spec: %s}}}}"
            })
    void ofEveryContainerOfEveryWorkload(String kind, String apiVersion, String spec) {
        KubeObject object = mirrored("apiVersion: " + apiVersion + "\nkind: " + kind + "\nmetadata: {name: w}\n"
                + spec.formatted(PODS) + "\n");

        assertThat(images(object.map("spec"), "spec"))
                .containsExactlyInAnyOrder(
                        "m.example.com/quay/a/init:1",
                        "m.example.com/quay/a/main@sha256:0",
                        "other.example.com/x:1",
                        "m.example.com/quay/a/files:1");
    }

    @Test
    void ofWhatABuildTakesInAndNotOfWhatItPushes() {
        KubeObject object = mirrored("""
            apiVersion: build.openshift.io/v1
            kind: BuildConfig
            metadata: {name: b}
            spec:
              strategy: {dockerStrategy: {from: {kind: DockerImage, name: "quay.io/a/base:1"}}}
              source:
                images:
                - {from: {kind: DockerImage, name: "quay.io/a/files:1"}}
                - {from: {kind: ImageStreamTag, name: "quay.io:1"}}
              output: {to: {kind: DockerImage, name: "quay.io/a/driver:1"}}
            """);

        assertThat(object.map("spec", "strategy", "dockerStrategy", "from"))
                .containsEntry("name", "m.example.com/quay/a/base:1");
        assertThat(object.maps("spec", "source", "images"))
                .extracting(image -> ValueTrees.text(image, "from", "name"))
                .containsExactly("m.example.com/quay/a/files:1", "quay.io:1");
        assertThat(object.map("spec", "output", "to")).containsEntry("name", "quay.io/a/driver:1");
    }

    @Test
    void ofImageStreamsAndOfBuildersOfShipwright() {
        KubeObject stream = mirrored("""
            apiVersion: image.openshift.io/v1
            kind: ImageStream
            metadata: {name: s}
            spec: {dockerImageRepository: quay.io/a/b, tags: [{name: one, from: {kind: DockerImage, name: "quay.io/a/b:1"}}]}
            """);
        assertThat(stream.map("spec")).containsEntry("dockerImageRepository", "m.example.com/quay/a/b");
        assertThat(stream.maps("spec", "tags"))
                .extracting(tag -> ValueTrees.text(tag, "from", "name"))
                .containsExactly("m.example.com/quay/a/b:1");
        KubeObject build = mirrored("""
            apiVersion: shipwright.io/v1alpha1
            kind: Build
            metadata: {name: b}
            spec: {builder: {image: "quay.io/a/buildah:1"}, output: {image: "quay.io/a/driver:1"}}
            """);
        assertThat(images(build.map("spec"), "spec"))
                .containsExactly("m.example.com/quay/a/buildah:1", "quay.io/a/driver:1");
    }

    @Test
    void theSpecialResourceGoesBeforeTheOperator() {
        Rendering rendering = Rendering.of("apiVersion: v1\nkind: Pod\nmetadata: {name: w}\nspec: " + PODS + "\n");
        rendering.resource.getMetadata().setAnnotations(Map.of(MetadataKeys.IMAGE_MIRRORS, "quay.io=mine.example.com"));
        KubeObject object = new Renderer(
                        Resources.CODEC,
                        ImageMirrors.parse("quay.io=theirs.example.com,other.example.com=theirs.example.com/other"),
                        () -> PluginHooks.NONE)
                .render(Resources.recipe(rendering.resource, rendering.plugin), "acme", rendering.pools())
                .get(0)
                .shared()
                .get(0)
                .object();

        assertThat(images(object.map("spec"), "spec"))
                .contains("mine.example.com/a/init:1", "theirs.example.com/other/x:1");
    }
}
