package dev.sro.core.recipe;

import dev.sro.api.RecipeContext;
import dev.sro.api.resource.ChartReference;
import dev.sro.api.resource.SpecialResource;
import dev.sro.core.model.Operands;
import dev.sro.core.recipe.chart.ChartException;
import dev.sro.core.recipe.chart.ManifestRenderer;
import dev.sro.core.recipe.source.ChartFetcher;
import dev.sro.core.recipe.source.Charts;
import dev.sro.core.recipe.source.SourceAnswer;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;

/** Makes recipes of the charts that special resources name. Thread-safe. */
public final class ChartRecipes {

    /** No charts at all. */
    public static final ChartRecipes NONE = new ChartRecipes(
            Charts.NONE,
            request -> {
                throw new IllegalStateException("there are no charts");
            },
            resource -> Map.of());

    private final Charts charts;
    private final ManifestRenderer renderer;
    private final Function<SpecialResource, Map<String, Object>> trees;

    /**
     * @param charts where they come from
     * @param renderer turns them into text; should keep what it rendered
     * @param trees the special resource as maps, lists and scalars, as charts see it
     */
    public ChartRecipes(
            Charts charts, ManifestRenderer renderer, Function<SpecialResource, Map<String, Object>> trees) {
        this.charts = charts;
        this.renderer = renderer;
        this.trees = trees;
    }

    /** Where charts come from. */
    public Charts charts() {
        return charts;
    }

    /** What turns them into text. */
    public ManifestRenderer renderer() {
        return renderer;
    }

    SourceAnswer<ChartFetcher.Fetched> find(RecipeContext context, String asker) {
        return find(reference(context), asker);
    }

    SourceAnswer<ChartFetcher.Fetched> find(ChartReference reference, String asker) {
        return charts.find(reference, asker);
    }

    private static ChartReference reference(RecipeContext context) {
        return Objects.requireNonNull(context.spec().getChart());
    }

    RecipeResolver.Resolution resolve(RecipeContext context, String asker) {
        return find(context, asker)
                .map(
                        found -> resolve(context, found),
                        pending -> RecipeResolver.Resolution.waiting(pending + " is being fetched"),
                        failed -> RecipeResolver.Resolution.problem(failed));
    }

    private RecipeResolver.Resolution resolve(RecipeContext context, ChartFetcher.Fetched found) {
        try {
            return RecipeResolver.Resolution.of(new ChartRecipe(
                    found.chart(),
                    context,
                    trees.apply(context.specialResource()),
                    Operands.namespace(context.specialResource()),
                    renderer,
                    found.warnings()));
        } catch (ChartException e) {
            return RecipeResolver.Resolution.problem(e.problem());
        }
    }
}
