package dev.sro.core.recipe;

import dev.sro.api.Problem;
import dev.sro.api.resource.ChartReference;
import dev.sro.core.recipe.chart.Chart;
import java.time.Instant;
import java.util.List;

/** Port: where charts come from. Answers from memory and never blocks. Implementations are thread-safe. */
public interface Charts {

    /** What is known of a chart now. */
    sealed interface Answer permits Found, Pending, Failed {}

    /**
     * The chart is there.
     *
     * @param chart the same object as long as its content is the same
     * @param warnings what the user should know of the way it came
     */
    record Found(Chart chart, List<String> warnings) implements Answer {
        /** Copies. */
        public Found {
            warnings = List.copyOf(warnings);
        }
    }

    /**
     * It is being fetched; the special resource is reconciled again when that is over.
     *
     * @param from where it comes from, for people
     */
    record Pending(String from) implements Answer {}

    /**
     * It could not be had.
     *
     * @param problem why; retryable where another attempt is made
     */
    record Failed(Problem problem) implements Answer {}

    /** For embedders that run plugins only. */
    Charts NONE = (reference, specialResource) -> new Failed(Problem.user(
            "ChartsNotSupported", "spec.chart: charts are switched off here; set spec.plugin.name to a plugin"));

    /**
     * The chart that a reference names.
     *
     * @param specialResource that asks, to be reconciled again when the answer changes
     */
    Answer find(ChartReference reference, String specialResource);

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
