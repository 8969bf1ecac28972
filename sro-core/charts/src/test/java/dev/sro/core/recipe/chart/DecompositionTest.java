package dev.sro.core.recipe.chart;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;

/** Vectors S1 to S5. */
class DecompositionTest {

    private enum Kind {
        STATE,
        SHARED,
        OTHER
    }

    @ParameterizedTest(name = "{0}: {1}")
    @CsvFileSource(resources = "file-names.csv", numLinesToSkip = 1)
    void theNameOfAFileSaysWhetherItIsAState(String id, String path, Kind kind) {
        assertThat(Decomposition.isState(path)).as(id).isEqualTo(kind == Kind.STATE);
        assertThat(Decomposition.isShared(path)).as(id).isEqualTo(kind == Kind.SHARED);
    }

    @ParameterizedTest(name = "{0}: {1}, {2}")
    @CsvFileSource(resources = "file-order.csv", numLinesToSkip = 1)
    void statesGoByTheirWholePath(String id, String first, String then) {
        Decomposition steps = Decomposition.of(Fixtures.chart("states"), List.of("states/" + then, "states/" + first));
        assertThat(steps.steps().subList(0, 2))
                .as(id)
                .extracting(ChartStep::paths)
                .containsExactly(List.of("states/" + first), List.of("states/" + then));
    }

    @Test
    void theLabelOfAStateIsThatOfTheOriginal() {
        Decomposition steps =
                Decomposition.of(Fixtures.chart("states"), List.of("states/templates/1000-driver-container.yaml"));
        assertThat(steps.steps().get(0).labelKey("simple-kmod"))
                .isEqualTo("specialresource.openshift.io/state-simple-kmod-1000");
    }

    @Test
    void statesAreSortedByFullPathAndTheRestComesLast() {
        Decomposition steps = Decomposition.of(
                Fixtures.chart("states"),
                List.of(
                        "states/templates/rest.yml",
                        "states/templates/nested/0500-late.yaml",
                        "states/templates/1000_driver.yaml",
                        "states/templates/0000-config.yaml",
                        "states/templates/empty.yaml"));
        assertThat(steps.steps())
                .containsExactly(
                        new ChartStep("0000-config", "0000", List.of("states/templates/0000-config.yaml")),
                        new ChartStep("1000_driver", "1000", List.of("states/templates/1000_driver.yaml")),
                        new ChartStep("0500-late", "0500", List.of("states/templates/nested/0500-late.yaml")),
                        new ChartStep(
                                ChartStep.LAST,
                                "",
                                List.of("states/templates/empty.yaml", "states/templates/rest.yml")));
        assertThat(steps.shared()).containsExactly("templates/_helpers.tpl");
        assertThat(steps.steps().get(1).labelKey("simple-kmod"))
                .isEqualTo("specialresource.openshift.io/state-simple-kmod-1000");
    }

    @Test
    void equalNamesInTwoFoldersAreTwoStates() {
        Decomposition steps = Decomposition.of(
                Fixtures.chart("states"), List.of("states/templates/0000-a.yaml", "states/templates/b/0000-a.yaml"));
        assertThat(steps.steps()).extracting(ChartStep::id).containsExactly("0000-a", "b-0000-a", ChartStep.LAST);
    }

    @Test
    void chartsInsideBelongToTheFirstStep() {
        List<String> inside = List.of("states/charts/a/templates/0000-x.yaml");
        assertThat(Decomposition.of(
                                Fixtures.chart("states"),
                                List.of("states/templates/1000-a.yaml", "states/templates/b.yaml", inside.get(0)))
                        .steps())
                .extracting(ChartStep::paths)
                .containsExactly(
                        List.of("states/templates/1000-a.yaml", inside.get(0)), List.of("states/templates/b.yaml"));
        assertThat(Decomposition.of(Fixtures.chart("states"), inside).steps())
                .extracting(ChartStep::paths)
                .containsExactly(inside);
    }
}
