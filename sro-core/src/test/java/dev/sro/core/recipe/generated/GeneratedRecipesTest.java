package dev.sro.core.recipe.generated;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.SortedMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.stream.LongStream;
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
    void aHundredRecipes() {
        recipes(Long.getLong("sro.recipes.first", 1), Integer.getInteger("sro.recipes.generated", 100));
    }

    @Test
    @Tag("slow")
    void manyRecipes() {
        // Five thousand and more were lived through: -Dsro.recipes.many=5000.
        recipes(1_000_000, Integer.getInteger("sro.recipes.many", 250));
    }

    /** Those that showed a mistake once. */
    @ParameterizedTest
    @ValueSource(
            longs = {
                476, 494, 767, 992, 1444, 1446, 1799, 2038, 2824, 501104, 501569, 503629, 505152, 508051, 508446,
                508698, 508854, 509360
            })
    void thoseThatFailedOnce(long seed) {
        recipes(seed, 1);
    }

    private void recipes(long first, int count) {
        SortedMap<Long, String> faults = new ConcurrentSkipListMap<>();
        LongStream.range(first, first + count).parallel().forEach(seed -> {
            RecipeLife life = new RecipeLife(BlueprintGenerator.of(seed), folder.resolve("s" + seed));
            try {
                life.live();
            } catch (AssertionError | RuntimeException e) {
                faults.put(seed, e.getMessage() + (faults.isEmpty() ? "\n" + life : ""));
            }
        });
        assertThat(faults.entrySet().stream().limit(20))
                .as(faults.size() + " of " + count + " recipes")
                .isEmpty();
    }
}
