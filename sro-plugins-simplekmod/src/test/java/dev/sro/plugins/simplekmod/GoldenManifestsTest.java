package dev.sro.plugins.simplekmod;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.testkit.contract.ManifestSchemas;
import dev.sro.testkit.contract.RenderedPlugin;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What the plugin writes, object by object, as files. {@code -Dsro.golden.update=true} writes them anew, to be read before they
 * are committed.
 */
class GoldenManifestsTest {

    private static final Path FILES = Path.of("src/test/resources/dev/sro/plugins/simplekmod/golden");

    private static RenderedPlugin rendered(String platform) {
        return switch (platform) {
            case "openshift" -> Kmod.onOpenShift();
            case "everything" -> Kmod.withEverything();
            default -> Kmod.onKubernetes(Map.of(), Kmod.USUAL_SET);
        };
    }

    @ParameterizedTest
    @ValueSource(strings = {"kubernetes", "openshift", "everything"})
    void theManifestsAreThoseOfTheFile(String platform) throws IOException {
        RenderedPlugin rendered = rendered(platform);
        assertThat(rendered.problems()).isEmpty();
        String text = rendered.objects().stream().map(GoldenManifestsTest::yaml).collect(Collectors.joining());

        Path file = FILES.resolve(platform + ".yaml");
        if (Boolean.getBoolean("sro.golden.update")) {
            Files.createDirectories(FILES);
            Files.writeString(file, text, StandardCharsets.UTF_8);
        }
        assertThat(text).isEqualTo(Files.readString(file, StandardCharsets.UTF_8));
    }

    @ParameterizedTest
    @ValueSource(strings = {"kubernetes", "openshift"})
    void everyObjectKeepsToItsSchema(String platform) {
        // OpenShift's API server has these kinds to itself; it publishes no definition of them.
        try (ManifestSchemas schemas = ManifestSchemas.ofBuiltinKinds()
                .passingOver("build.openshift.io/v1/BuildConfig", "image.openshift.io/v1/ImageStream")) {
            assertThat(rendered(platform).objects()).isNotEmpty();
            assertThat(schemas.checkAll(rendered(platform).objects())).isEmpty();
        }
    }

    /** Without what SRO adds to every object. */
    private static String yaml(GenericKubernetesResource object) {
        object.getMetadata().setOwnerReferences(null);
        Map<String, String> labels = object.getMetadata().getLabels();
        labels.keySet().removeIf(key -> key.startsWith("sro.dev/") || key.startsWith("specialresource.openshift.io/"));
        if (labels.isEmpty()) {
            object.getMetadata().setLabels(null);
        }
        object.getMetadata().getAnnotations().remove("sro.dev/applied");
        return Serialization.asYaml(object);
    }
}
