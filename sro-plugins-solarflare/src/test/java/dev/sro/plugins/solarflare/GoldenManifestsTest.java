package dev.sro.plugins.solarflare;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.testkit.contract.ManifestSchemas;
import dev.sro.testkit.contract.RenderedPlugin;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What the plugin writes, object by object, as files. {@code -Dsro.golden.update=true} writes them anew, to be read before they
 * are committed.
 */
class GoldenManifestsTest {

    private static final boolean UPDATE = Boolean.getBoolean("sro.golden.update");

    private static final Path FILES = Path.of("src/test/resources/dev/sro/plugins/solarflare/golden");

    static Stream<Arguments> profiles() {
        return Stream.of("kubernetes", "openshift")
                .flatMap(platform -> Onload.PROFILES.keySet().stream().map(profile -> Arguments.of(platform, profile)));
    }

    static List<GenericKubernetesResource> rendered(boolean openShift, String profile) {
        RenderedPlugin rendered = RenderedPlugin.of(
                new OnloadPlugin(),
                Objects.requireNonNull(Onload.PROFILES.get(profile)),
                Onload.cluster(openShift),
                List.of(Onload.NODE));
        assertThat(rendered.problems()).isEmpty();
        return rendered.objects();
    }

    @ParameterizedTest
    @MethodSource("profiles")
    void theManifestsAreThoseOfTheFile(String platform, String profile) throws IOException {
        String text = rendered(platform.equals("openshift"), profile).stream()
                .map(GoldenManifestsTest::yaml)
                .collect(Collectors.joining());

        Path file = FILES.resolve(platform + "-" + profile + ".yaml");
        if (UPDATE) {
            Files.createDirectories(FILES);
            Files.writeString(file, text, StandardCharsets.UTF_8);
        }
        assertThat(text).isEqualTo(Files.readString(file, StandardCharsets.UTF_8));
    }

    /** Without what SRO adds to every object. */
    private static String yaml(GenericKubernetesResource object) {
        object.getMetadata().setOwnerReferences(null);
        Map<String, String> labels = object.getMetadata().getLabels();
        labels.keySet().removeIf(key -> key.startsWith("sro.dev/") || key.startsWith("specialresource.openshift.io/"));
        if (labels.isEmpty()) {
            object.getMetadata().setLabels(null);
        }
        // The digest says nothing that the rest does not.
        object.getMetadata().getAnnotations().remove("sro.dev/applied");
        return Serialization.asYaml(object);
    }

    @Test
    @EnabledIfEnvironmentVariable(named = "SRO_CORPUS", matches = ".+", disabledReason = "no corpus here")
    void everyObjectHasASchemaAndKeepsToIt() {
        try (ManifestSchemas schemas = ManifestSchemas.of(Onload.crds().orElseThrow(), "nfd.k8s-sigs.io")) {
            assertThat(profiles()).allSatisfy(arguments -> {
                boolean openShift = "openshift".equals(arguments.get()[0]);
                List<GenericKubernetesResource> objects =
                        rendered(openShift, String.valueOf(arguments.get()[1]));
                assertThat(objects).isNotEmpty();
                assertThat(schemas.checkAll(objects)).isEmpty();
            });
        }
    }
}
