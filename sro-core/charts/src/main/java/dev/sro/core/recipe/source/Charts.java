package dev.sro.core.recipe.source;

import dev.sro.api.Problem;
import dev.sro.api.resource.ChartReference;
import java.time.Instant;

/** Port: where charts come from. Answers from memory and never blocks. Implementations are thread-safe. */
public interface Charts {

    /** For embedders that run plugins only. */
    Charts NONE = (reference, specialResource) -> SourceAnswer.failed(Problem.user(
            "ChartsNotSupported", "spec.chart: charts are switched off here; set spec.plugin.name to a plugin"));

    /**
     * The chart that a reference names: the same object as long as its content is the same.
     *
     * @param specialResource that asks, to be reconciled again when the answer changes
     */
    SourceAnswer<ChartFetcher.Fetched> find(ChartReference reference, String specialResource);

    /**
     * Ends a trip of a special resource: what it asked for until some trips ago is not for it any more.
     *
     * @return when it has to ask again for what it asked for in this trip, although nobody tells it; {@link Instant#MAX} for never
     */
    default Instant settle(String specialResource) {
        return Instant.MAX;
    }

    /** There is no such special resource any more. */
    default void gone(String specialResource) {}
}
