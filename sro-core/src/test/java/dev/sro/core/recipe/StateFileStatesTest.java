package dev.sro.core.recipe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sro.api.State;
import dev.sro.core.recipe.source.StateFileSet;
import java.util.ArrayList;
import java.util.Arrays;
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
        return StateFileStates.create(
                        new StateFileSet("ConfigMap a/b", texts, "", "", true, Map.of(), List.of()), warnings)
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
    void whatHasNoNumberHasTheOneAfterTheFileBeforeIt() {
        assertThat(states("1000-a.yaml", "kustomization.yaml", "driver.yaml", "Zero.yml", "12345.yaml"))
                .containsExactly("1000-a", "1001-12345", "1002-zero", "1003-driver");
        assertThat(states("b.yaml", "a.yaml")).containsExactly("0000-a", "0001-b");
        assertThat(warnings).isEmpty();
    }

    @Test
    void whatIsNoYamlIsLeftOutWithAWarning() {
        assertThat(states("0000-a.yaml", "1000.txt", "README")).containsExactly("0000-a");
        assertThat(warnings).hasSize(2).allMatch(warning -> warning.startsWith("ConfigMap a/b: "));
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

    private List<String> folders(String... folders) {
        return states(Arrays.stream(folders).map(f -> f + "/0100_a.yaml").toArray(String[]::new)).stream()
                .map(id -> id.substring(5))
                .toList();
    }

    @Test
    void foldersAreInTheOrderOfTheStateManagerOfTheirTime() {
        assertThat(folders(
                        "state-container-toolkit",
                        "state-device-plugin",
                        "state-device-plugin-validation",
                        "state-driver",
                        "state-driver-validation",
                        "state-monitoring"))
                .as("until 2020")
                .containsExactly(
                        "state-container-toolkit",
                        "state-driver",
                        "state-driver-validation",
                        "state-device-plugin",
                        "state-device-plugin-validation",
                        "state-monitoring");
        assertThat(folders(
                        "gpu-feature-discovery",
                        "state-container-toolkit",
                        "state-device-plugin",
                        "state-device-plugin-validation",
                        "state-driver",
                        "state-monitoring"))
                .as("of the winter after it")
                .containsExactly(
                        "state-driver",
                        "state-container-toolkit",
                        "state-device-plugin",
                        "state-device-plugin-validation",
                        "state-monitoring",
                        "gpu-feature-discovery");
        assertThat(folders(
                        "gpu-feature-discovery",
                        "pre-requisites",
                        "state-container-toolkit",
                        "state-dcgm",
                        "state-dcgm-exporter",
                        "state-device-plugin",
                        "state-driver",
                        "state-mig-manager",
                        "state-node-status-exporter",
                        "state-operator-metrics",
                        "state-operator-validation"))
                .as("from 2021 on")
                .containsExactly(
                        "pre-requisites",
                        "state-operator-metrics",
                        "state-driver",
                        "state-container-toolkit",
                        "state-operator-validation",
                        "state-device-plugin",
                        "state-dcgm",
                        "state-dcgm-exporter",
                        "gpu-feature-discovery",
                        "state-mig-manager",
                        "state-node-status-exporter");
    }

    @Test
    void nothingIsNoRecipe() {
        assertThatThrownBy(() -> states("README.md"))
                .isInstanceOf(RecipeFailure.class)
                .hasMessageContaining("0000-driver.yaml")
                .hasMessageContaining("[README.md]");
    }
}
