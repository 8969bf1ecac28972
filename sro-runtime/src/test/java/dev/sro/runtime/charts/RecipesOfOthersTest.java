package dev.sro.runtime.charts;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.core.recipe.chart.HelmRenderer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Recipes as authors write them that never saw this code: charts with whatever Helm has, numbered manifests, and the lives of special
 * resources. Each is a text in {@code recipes}, with what the original operator and Helm make of it.
 */
class RecipesOfOthersTest {
    private static final Path RECIPES =
            Path.of("src", "test", "resources", "dev", "sro", "runtime", "charts", "recipes");

    /** Its process, which takes a second to start, is the same for all. */
    private static final HelmRenderer RENDERER = new HelmRenderer();

    @AfterAll
    static void close() {
        RENDERER.close();
    }

    static List<String> recipes() throws IOException {
        try (Stream<Path> files = Files.list(RECIPES)) {
            return files.map(file -> String.valueOf(file.getFileName()).replace(".txt", ""))
                    .filter(name -> name.matches(System.getProperty("sro.recipes", ".*")))
                    .sorted()
                    .toList();
        }
    }

    @ParameterizedTest
    @MethodSource("recipes")
    void runs(String name, @TempDir Path folder) throws IOException {
        RecipeText recipe = RecipeText.read(RECIPES.resolve(name + ".txt"));
        recipe.write(folder);
        try (RecipeWorld world = new RecipeWorld(recipe, folder, RENDERER)) {
            assertThat(recipe.steps()).isNotEmpty();
            for (RecipeText.Step step : recipe.steps()) {
                world.apply(step.apply());
                assertThat(step.expected()).isNotEmpty();
                world.await(step.expected());
            }
            world.rests();
            world.allGo();
        }
    }
}
