package dev.sro.core.recipe.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sro.core.recipe.chart.ChartException;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;
import org.junit.jupiter.params.provider.CsvSource;

class VersionConstraintTest {

    /** The answers in the file are those of Helm's own library. */
    @ParameterizedTest(name = "{0} {1}")
    @CsvFileSource(resources = "version-constraints.csv", delimiter = ';', numLinesToSkip = 1)
    void admitsWhatHelmAdmits(String constraint, String version, String answer) {
        switch (answer) {
            case "no-constraint" ->
                assertThatThrownBy(() -> VersionConstraint.of(constraint))
                        .isInstanceOf(ChartException.class)
                        .hasMessageContaining("spec.chart.version: \"" + constraint + "\"");
            case "no-version" -> assertThat(ChartVersion.parse(version)).isEmpty();
            default ->
                assertThat(ChartVersion.parse(version).filter(VersionConstraint.of(constraint)::admits))
                        .as(answer)
                        .matches(found -> found.isPresent() == answer.equals("taken"));
        }
    }

    /** Helm's library refuses it, because it takes a bar for part of a number there. */
    @Test
    void aRangeMayFollowABarWithoutASpace() {
        assertThat(ChartVersion.parse("2.5.0").filter(VersionConstraint.of("1.x||2.0 - 3.0")::admits))
                .isPresent();
    }

    @ParameterizedTest
    @CsvSource(nullValues = "none", textBlock = """
            '',            2.0.0
            1.5.0,         v1.5.0
            v1.5.0,        v1.5.0
            ^1,            1.10.0
            >0-0,          3.0.0-rc.1
            3.0.0-rc.1,    3.0.0-rc.1
            ~4,            none
            """)
    void theNewestIsChosenThatIsMeant(String wanted, String expected) {
        List<String> all = List.of("v1.5.0", "1.9.0", "1.10.0", "3.0.0-rc.1", "2.0.0", "0.1.0");
        assertThat(VersionConstraint.choose(wanted, all, Function.identity()).orElse(null))
                .isEqualTo(expected);
    }

    @Test
    void theExactTextGoesBeforeAnEqualVersion() {
        assertThat(VersionConstraint.choose("1.0.0+b", List.of("1.0.0", "1.0.0+a", "1.0.0+b"), Function.identity()))
                .contains("1.0.0+b");
    }
}
