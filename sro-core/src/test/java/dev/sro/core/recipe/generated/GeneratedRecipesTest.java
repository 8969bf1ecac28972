package dev.sro.core.recipe.generated;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Recipes of the first generation that nobody wrote run as the rules of the original say: what is applied, in which order, after
 * what, on which nodes and for which kernels, and what is refused.
 *
 * <p>{@code -Dsro.recipes.first} and {@code -Dsro.recipes.generated} choose others.
 */
class GeneratedRecipesTest {

    @TempDir
    private Path folder = Path.of("");

    @Test
    void aHundredRecipes() throws IOException {
        recipes(Long.getLong("sro.recipes.first", 1), Integer.getInteger("sro.recipes.generated", 100));
    }

    @Test
    @Tag("slow")
    void fiveThousandRecipes() throws IOException {
        recipes(1_000_000, 5_000);
    }

    /** Those that showed a mistake once. */
    @ParameterizedTest
    @ValueSource(longs = {2, 4, 5, 7, 13, 19, 21, 36, 37, 54, 67, 3823})
    void thoseThatFailedOnce(long seed) throws IOException {
        recipes(seed, 1);
    }

    private void recipes(long first, int count) throws IOException {
        List<String> faults = new ArrayList<>();
        for (long seed = first; seed < first + count; seed++) {
            RecipeLife life =
                    new RecipeLife(BlueprintGenerator.of(seed), Files.createDirectory(folder.resolve("s" + seed)));
            try {
                life.live();
            } catch (AssertionError | RuntimeException e) {
                faults.add("seed " + seed + ": " + e.getMessage() + (faults.isEmpty() ? "\n" + life : ""));
            }
        }
        assertThat(faults.subList(0, Math.min(20, faults.size())))
                .as(faults.size() + " of " + count + " recipes")
                .isEmpty();
    }
}
