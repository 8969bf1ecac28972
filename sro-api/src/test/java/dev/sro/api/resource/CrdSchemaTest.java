package dev.sro.api.resource;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Holds the generated schema to the fixtures, whose verdicts come from the validation code of a real API server. */
class CrdSchemaTest {
    private static final String REFUSED = "# refused: ";

    @ParameterizedTest
    @MethodSource("dev.sro.api.resource.Fixtures#valid")
    void accepts(String fixture) {
        assertThat(errors(fixture)).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("dev.sro.api.resource.Fixtures#invalid")
    void refusesWithTheReason(String fixture) {
        List<String> expected = Fixtures.text(fixture)
                .lines()
                .filter(line -> line.startsWith(REFUSED))
                .map(line -> line.substring(REFUSED.length()))
                .toList();

        assertThat(expected).isNotEmpty();
        assertThat(errors(fixture)).containsExactlyInAnyOrderElementsOf(expected);
    }

    private static List<String> errors(String fixture) {
        Map<String, Object> object = Fixtures.tree(Fixtures.text(fixture));
        return StructuralCheck.errors(CrdYaml.schemaOf(CrdYaml.definition()).keywords(), object);
    }
}
