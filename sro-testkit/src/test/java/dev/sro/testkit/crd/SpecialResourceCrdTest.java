package dev.sro.testkit.crd;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sro.testkit.EmbeddedCluster;
import dev.sro.testkit.schema.CustomSchema;
import dev.sro.testkit.schema.FieldError;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The fixtures of sro-api say what a real API server answers, word for word. */
class SpecialResourceCrdTest {
    private static final Path FIXTURES = Path.of("../sro-api/src/test/resources/dev/sro/api/resource/fixtures");
    private static final String REFUSED = "# refused: ";
    private static final KubernetesSerialization SERIALIZATION = new KubernetesSerialization();

    static List<Path> fixtures() throws IOException {
        try (Stream<Path> files = Files.list(FIXTURES)) {
            return files.filter(file -> file.toString().endsWith(".yaml"))
                    .sorted()
                    .toList();
        }
    }

    @Test
    void theDefinitionIsAccepted() throws IOException {
        try (EmbeddedCluster cluster = EmbeddedCluster.create()) {
            CustomResourceDefinition made = SERIALIZATION.convertValue(definition(), CustomResourceDefinition.class);

            assertThat(cluster.client().resource(made).create().getMetadata().getUid())
                    .isNotEmpty();
        }
    }

    @ParameterizedTest
    @MethodSource("fixtures")
    void errorsAreThoseOfARealServer(Path fixture) throws IOException {
        String text = Files.readString(fixture);
        ObjectNode object = SERIALIZATION.unmarshal(text, ObjectNode.class);
        List<String> expected = text.lines()
                .filter(line -> line.startsWith(REFUSED))
                .map(line -> line.substring(REFUSED.length()))
                .toList();
        CustomSchema schema = schema();
        schema.prune(object);
        schema.applyDefaults(object);

        // That rules were left unchecked because of the other errors follows those errors, and says nothing of the
        // schema.
        assertThat(schema.validate(object, null))
                .extracting(FieldError::toString)
                .filteredOn(error -> !error.contains("some validation rules were not checked"))
                .containsExactlyInAnyOrderElementsOf(expected);
    }

    @ParameterizedTest
    @MethodSource("fixtures")
    void nothingThatIsValidIsPruned(Path fixture) throws IOException {
        ObjectNode object = SERIALIZATION.unmarshal(Files.readString(fixture), ObjectNode.class);

        List<String> pruned = schema().prune(object);

        if (String.valueOf(fixture.getFileName()).startsWith("valid-")) {
            assertThat(pruned).isEmpty();
        }
    }

    @Test
    void whatNoSchemaKnowsIsPruned() throws IOException {
        ObjectNode object = SERIALIZATION.unmarshal(
                Files.readString(FIXTURES.resolve("valid-recipe-of-2020.yaml"))
                        .replace("environment:", "surroundings:"),
                ObjectNode.class);

        assertThat(schema().prune(object)).containsExactly("spec.surroundings");
    }

    private static CustomSchema schema() throws IOException {
        JsonNode version = definition().at("/spec/versions/0/schema/openAPIV3Schema");
        return CustomSchema.compile(version);
    }

    private static ObjectNode definition() throws IOException {
        String name = "/META-INF/sro/crds/specialresources.sro.openshift.io.yaml";
        try (InputStream in = requireNonNull(SpecialResourceCrdTest.class.getResourceAsStream(name))) {
            return SERIALIZATION.unmarshal(new String(in.readAllBytes(), StandardCharsets.UTF_8), ObjectNode.class);
        }
    }
}
