package dev.sro.core.recipe.chart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The table is from the rules in Helm's pkg/ignore; a path with a slash at its end is a directory. */
class HelmIgnoreTest {

    @ParameterizedTest
    @CsvSource({
        "helm.txt, helm.txt, true",
        "helm.*, helm.txt, true",
        "helm.*, rudder.txt, false",
        "*.txt, a/b/helm.txt, true",
        "cargo/, cargo/, true",
        "cargo/, cargo, false",
        "cargo/*, cargo/a.txt, true",
        "cargo/*, cargo/a/b.txt, false",
        "/*.txt, rudder.txt, true",
        "/*.txt, a/rudder.txt, false",
        "[a-c]*.yaml, b.yaml, true",
        "[^a-c]*.yaml, b.yaml, false",
        "a?c, abc, true",
        "a?c, a/c, false",
        "\\*.yaml, a.yaml, false",
        "!keep.txt, other.txt, true",
        "!keep.txt, keep.txt, false",
        "'', templates/.hidden, true",
        "'', templates/.hidden/, true",
        "'', .hidden, false",
        "'#x', x, false",
    })
    void followsTheRules(String rules, String path, boolean ignored) {
        boolean directory = path.endsWith("/");
        String name = directory ? path.substring(0, path.length() - 1) : path;
        assertThat(new HelmIgnore("x", rules).ignores(name, directory)).isEqualTo(ignored);
    }

    @ParameterizedTest
    @ValueSource(strings = {"a/**/b", "a[", "a[z-a]", "a\\"})
    void refusesWhatIsNoPattern(String rule) {
        assertThatThrownBy(() -> new HelmIgnore("c: .helmignore", rule))
                .isInstanceOf(ChartException.class)
                .hasMessageStartingWith("c: .helmignore: \"a");
    }

    @Test
    void theFirstRuleThatMatchesDecides() {
        HelmIgnore rules = new HelmIgnore("x", "*.bak\n!*.yaml\n");
        assertThat(rules.ignores("a.yaml", false)).isFalse();
        assertThat(rules.ignores("a.bak", false)).isTrue();
        assertThat(rules.ignores("a.txt", false)).isTrue();
    }
}
