package dev.sro.core.recipe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sro.api.State;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Which file of a recipe is which state. */
class StateFileStatesTest {

    private final List<String> warnings = new ArrayList<>();

    private List<String> states(String... files) {
        TreeMap<String, String> texts = new TreeMap<>();
        for (String file : files) {
            texts.put(file, "");
        }
        return StateFileStates.of(
                        new StateFiles.Found("ConfigMap a/b", texts, "", "", true, Map.of(), List.of()), warnings)
                .stream()
                .map(State::id)
                .toList();
    }

    @Test
    void numberedFilesAreStatesInTheirOrder() {
        assertThat(states("1000-driver_container.yaml", "0000-buildconfig..yaml", "2000_X.yml", "2000-x.yaml"))
                .containsExactly("0000-buildconfig", "1000-driver-container", "2000-x", "2000-x-2");
        assertThat(warnings).isEmpty();
    }

    @Test
    void whatHasNoNumberIsLeftOutWithAWarning() {
        assertThat(states("0000-a.yaml", "kustomization.yaml", "driver.yaml", "12345.yaml", "1000.txt"))
                .containsExactly("0000-a");
        assertThat(warnings).hasSize(3).allMatch(warning -> warning.startsWith("ConfigMap a/b: "));
    }

    @Test
    void foldersOf2019AreInTheOrderThatTheyHadThen() {
        assertThat(states(
                        "state-monitoring/0100_a.yaml",
                        "state-device-plugin/0100_a.yml",
                        "state-driver/0100_a.yaml",
                        "state-driver/0200_b.yaml",
                        "state-driver-validation/0100_a.yaml",
                        "zoo/a.yaml"))
                .containsExactly(
                        "0100-state-driver",
                        "0200-state-driver-validation",
                        "0300-state-device-plugin",
                        "0400-state-monitoring",
                        "0500-zoo");
    }

    @Test
    void nothingIsNoRecipe() {
        assertThatThrownBy(() -> states("README.md"))
                .isInstanceOf(RecipeFailure.class)
                .hasMessageContaining("0000-driver.yaml")
                .hasMessageContaining("[README.md]");
    }
}
