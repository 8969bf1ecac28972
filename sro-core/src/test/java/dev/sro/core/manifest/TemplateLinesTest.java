package dev.sro.core.manifest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sro.core.yaml.Yaml;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TemplateLinesTest {

    private static final String TEMPLATE = """
        {{- $a := 1 }}
        kind: ConfigMap
        data:
        {{- range until 3 }}
          key{{ . }}: value
        {{- end }}
          last: {{ .Values.last }}
          end: here
        """;

    private static final String RENDERED = """

        kind: ConfigMap
        data:
          key0: value
          key1: value
          key2: value
          last: a: b
          end: here
        """;

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "2 | line 2",
                "3 | line 3",
                "5 | lines 4 to 7 (line 5 of what it renders)",
                "7 | lines 4 to 7 (line 7 of what it renders)",
                "8 | line 8",
                "9 | line 9",
            })
    void linesThatBothHaveTellWhereTheOthersAre(int line, String place) {
        assertThat(new TemplateLines(TEMPLATE, RENDERED).apply(line)).isEqualTo(place);
    }

    @Test
    void textThatIsNoYamlIsAnInvalidManifest() {
        assertThatThrownBy(() -> TemplateLines.documents("1000-x/ds.yaml", "a: [", "a: [", warning -> {}))
                .isInstanceOfSatisfying(
                        RenderException.class,
                        e -> assertThat(e.problem().code()).isEqualTo("InvalidManifest"))
                .hasMessageStartingWith("1000-x/ds.yaml");
    }

    @Test
    void whatIsMovedByLinesAboveItIsFound() {
        TemplateLines lines = new TemplateLines(
                "{{ include \"a\" . }}\nkind: b\nx: {{ .y }}\nend: c", "1\n2\n3\nkind: b\nx: y: z\nend: c");

        assertThat(lines.apply(5)).isEqualTo("line 3 (line 5 of what it renders)");
        assertThat(lines.apply(2)).isEqualTo("line 1 (line 2 of what it renders)");
    }

    @Test
    void whereNothingIsTheSameTheWholeTemplateIsNamed() {
        assertThat(new TemplateLines("{{ a }}\n{{ b }}\n", "1\n2\n3\n4\n").apply(3))
                .isEqualTo("lines 1 to 2 (line 3 of what it renders)");
        assertThat(new TemplateLines("", "1\n2\n").apply(2)).isNotBlank();
    }

    @Test
    void everyErrorSaysWhatToDo() {
        for (String text : List.of(
                "a: *none",
                "a: &a [*a]",
                "a: !x!y z",
                "a: \"\\q\"",
                "a: |x\n  b",
                "%TAG\n---\na: b",
                "[",
                "a:\tb: c",
                "'")) {
            assertThatThrownBy(() -> Yaml.documents("0000-a/a.yaml", text))
                    .as(text)
                    .hasMessageMatching("(?s)0000-a/a.yaml, line \\d+.*: .*; .*");
        }
    }
}
