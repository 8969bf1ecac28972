package dev.sro.core.yaml;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class YamlTest {

    private static @Nullable Object value(String text) {
        return Yaml.documents("test", "v: " + text).get(0).get("v");
    }

    static List<@Nullable Object[]> scalars() {
        return Arrays.asList(new @Nullable Object[][] {
            {"0644", 420},
            {"\"0644\"", "0644"},
            {"0o644", 420},
            {"0123456701234", 11219468956L},
            {"01777777777777777777777", new BigInteger("18446744073709551615")},
            {"644", 644},
            {"8000000000", 8_000_000_000L},
            {"true", true},
            {"True", true},
            {"'true'", "true"},
            {"yes", true},
            {"On", true},
            {"off", false},
            {"n", false},
            {"oN", "oN"},
            {"'yes'", "yes"},
            {"1_000", 1000},
            {"0b101", 5},
            {"-0b101", -5},
            {"0x1F", 31},
            {"+12", 12},
            {"0999", 999},
            {"1e3", 1000},
            {"1.0", 1},
            {"1e400", "1e400"},
            {".5", 0.5},
            {".", "."},
            {"18446744073709551615", new BigInteger("18446744073709551615")},
            {"18446744073709551616", 1.8446744073709552e19},
            {"1.23456789012345680000e20", 1.2345678901234568e20},
            {"0o8", "0o8"},
            {"12:30:45", "12:30:45"},
            {"!!str 12", "12"},
            {"!!float 1", 1},
            {"!!bool 'yes'", true},
            {"! 12", "12"},
            {"!!binary aGVsbG8=", "hello"},
            {"!!timestamp 2026-01-01", "2026-01-01"},
            {"!unknown 12", "12"},
            {"<<", "<<"},
            {"null", null},
            {"~", null},
            {"", null},
            {"1.5", 1.5},
            {"1.2.3", "1.2.3"},
            {"2026-01-01", "2026-01-01"},
            {"a:b", "a:b"},
        });
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("scalars")
    void readsScalarsAsKubernetesToolsDo(String text, @Nullable Object value) {
        assertThat(value(text)).isEqualTo(value);
    }

    @Test
    void readsSeveralDocumentsAndLeavesOutThoseWithoutContent() {
        assertThat(Yaml.documents("test", "a: 1\n---\n# only a comment\n---\n\n---\nb: 2\n"))
                .containsExactly(Map.of("a", 1), Map.of("b", 2));
        assertThat(Yaml.documents("test", "# nothing\n")).isEmpty();
        assertThat(Yaml.documents("test", "")).isEmpty();
    }

    @Test
    void keysAreStringsAsInJson() {
        assertThat(Yaml.documents("test", "data:\n  8080: a\n  yes: b\n  1.5: c\n  d: e\n  1e6: f\n  0x10: g\n")
                        .get(0))
                .isEqualTo(Map.of(
                        "data", Map.of("8080", "a", "true", "b", "1.5", "c", "d", "e", "1e+06", "f", "16", "g")));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "- a\n- b",
                "just text",
                "42",
                "a: [",
                "a: b: c",
                "\tx: 1",
                "a: *nowhere",
                "a: !!int x",
                "a: .nan",
                "a: !!binary '?'",
                "~: x",
                "<<: 1",
                "a: &a [1]\n<<: *a",
                "a: &a [*a]",
                "? [a]\n: &b {c: *b}",
            })
    void everythingElseIsRefusedByTheNameOfItsSource(String text) {
        assertThatThrownBy(() -> Yaml.documents("1000-x/ds.yaml", text))
                .isInstanceOf(YamlException.class)
                .hasMessageContaining("1000-x/ds.yaml");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a: {b: 1}\nv: x\nv: 1",
                "v: 2\na: {b: 1}\nv: 1",
                "\"v\": 0\nv: 2\n'v': 1",
            })
    void ofTwoEqualKeysTheLastCountsWithAWarningThatNamesFileAndLine(String text) {
        List<String> warnings = new ArrayList<>();
        assertThat(Yaml.documents("1000-x/ds.yaml", text, warnings::add).get(0)).containsEntry("v", 1);
        assertThat(warnings)
                .isNotEmpty()
                .last()
                .asString()
                .startsWith("1000-x/ds.yaml, line 3: the key v is there twice");
    }

    @Test
    void keysAreEqualWhenTheyAreInJson() {
        List<String> warnings = new ArrayList<>();
        assertThat(Yaml.documents("test", "a:\n  1: x\n  \"1\": z\n", warnings::add))
                .containsExactly(Map.of("a", Map.of("1", "z")));
        assertThat(warnings).hasSize(1);
    }

    @Test
    void mergesMapsAsGoDoes() {
        assertThat(Yaml.documents("test", "x: &x {k: 1, l: 1}\ny: &y {k: 2, m: 2}\nz: {<<: [*x, *y], l: 3}\n")
                        .get(0))
                .containsEntry("z", Map.of("k", 1, "l", 3, "m", 2));
        assertThat(Yaml.documents("test", "x: &x {k: 1}\nz: {k: 3, <<: *x}\n").get(0))
                .containsEntry("z", Map.of("k", 1));
        assertThat(Yaml.documents("test", "x: {'<<': 1}\n").get(0)).containsEntry("x", Map.of("<<", 1));
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void anAliasBombIsRefusedAndNotExpanded(boolean insideAnObject) {
        StringBuilder bomb = new StringBuilder(insideAnObject ? "" : "- &z0 []\n");
        bomb.append(insideAnObject ? "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n" : "- &a0 [x, x, x, x, x]\n");
        for (int i = 1; i < 30; i++) {
            String name = insideAnObject ? "a" + i + ": " : "- ";
            bomb.append(name).append("&a").append(i).append(" [");
            bomb.append(("*a" + (i - 1) + ", ").repeat(3)).append("]\n");
        }
        assertThatThrownBy(() -> Yaml.documents("test", bomb.toString()))
                .isInstanceOf(YamlException.class)
                .hasMessageContaining("too large");
    }

    @Test
    void anchorsAreFineWithinReasonAndShareNothing() {
        Map<String, Object> document =
                Yaml.documents("test", "a: &x {k: v}\nb: *x\n").get(0);
        assertThat(document).isEqualTo(Map.of("a", Map.of("k", "v"), "b", Map.of("k", "v")));
        assertThat(document.get("a")).isNotSameAs(document.get("b"));
    }

    @Test
    void tooDeepADocumentIsRefused() {
        String deep = "a: " + "[".repeat(200) + "]".repeat(200);
        assertThatThrownBy(() -> Yaml.documents("test", deep)).isInstanceOf(YamlException.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"[", "{a: ", "- ", "? "})
    void depthIsRefusedBeforeAnythingRecurses(String level) {
        assertThatThrownBy(() -> Yaml.documents("test", "a: \n  " + level.repeat(50_000)))
                .isInstanceOf(YamlException.class)
                .hasMessageContaining("depth");
    }

    @Test
    void tooManyDocumentsAreRefused() {
        assertThat(Yaml.documents("test", "a: 1\n---\n".repeat(Yaml.MAX_DOCUMENTS - 1)))
                .hasSize(Yaml.MAX_DOCUMENTS - 1);
        assertThatThrownBy(() -> Yaml.documents("test", "a: 1\n---\n".repeat(100_000)))
                .isInstanceOf(YamlException.class)
                .hasMessageContaining("more than 2000 documents");
    }

    @Test
    void aMistakeIsNamedWithItsLineAndTheFix() {
        assertThatThrownBy(() -> Yaml.documents("1000-x/ds.yaml", "a: 1\nb: c: d\n"))
                .hasMessageStartingWith("1000-x/ds.yaml, line 2 (b: c: d): it is not valid YAML")
                .hasMessageContaining("put the value into quotes");
    }
}
