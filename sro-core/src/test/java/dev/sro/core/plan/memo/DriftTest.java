package dev.sro.core.plan.memo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.core.model.KubeObject;
import dev.sro.core.yaml.Yaml;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;

class DriftTest {

    @ParameterizedTest(name = "{0}: {1} | {2}")
    @CsvFileSource(resources = "drift.psv", numLinesToSkip = 1, delimiter = '|', quoteCharacter = '~')
    void findsTheFieldsThatWeSetAndThatDiffer(String what, String desired, String live, String path) {
        assertThat(Drift.find(object(desired), object(live)).orElse("-"))
                .as(what)
                .isEqualTo(path);
    }

    @ParameterizedTest(name = "{0}: {1}")
    @CsvFileSource(resources = "drift.psv", numLinesToSkip = 1, delimiter = '|', quoteCharacter = '~')
    void anObjectDoesNotDifferFromItself(String what, String desired) {
        assertThat(Drift.find(object(desired), object(desired))).as(what).isEmpty();
    }

    private static KubeObject object(String yaml) {
        Map<String, Object> tree =
                new LinkedHashMap<>(Yaml.documents("test", yaml).get(0));
        tree.put("apiVersion", "v1");
        tree.put("kind", "Test");
        return KubeObject.of(tree);
    }
}
