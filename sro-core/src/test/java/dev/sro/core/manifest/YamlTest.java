package dev.sro.core.manifest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigInteger;
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
            {"yes", "yes"},
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
        assertThat(Yaml.documents("test", "data:\n  8080: a\n  true: b\n  1.5: c\n  d: e\n")
                        .get(0))
                .isEqualTo(Map.of("data", Map.of("8080", "a", "true", "b", "1.5", "c", "d", "e")));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a: 1\na: 2",
                "a:\n  b: 1\n  b: 2",
                "a:\n  1: x\n  \"1\": y",
                "- a\n- b",
                "just text",
                "42",
                "a: [",
                "a: b: c",
                "\tx: 1",
                "a: *nowhere",
                "a: !!java/object x",
                "a: &a [*a]",
                "? [a]\n: &b {c: *b}",
            })
    void everythingElseIsAnInvalidManifestThatNamesItsSource(String text) {
        assertThatThrownBy(() -> Yaml.documents("1000-x/ds.yaml", text))
                .isInstanceOfSatisfying(
                        RenderException.class,
                        e -> assertThat(e.problem().code()).isEqualTo("InvalidManifest"))
                .hasMessageContaining("1000-x/ds.yaml");
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
                .isInstanceOf(RenderException.class)
                .hasMessageContaining(insideAnObject ? "too large" : "a list");
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
        assertThatThrownBy(() -> Yaml.documents("test", deep)).isInstanceOf(RenderException.class);
    }
}
