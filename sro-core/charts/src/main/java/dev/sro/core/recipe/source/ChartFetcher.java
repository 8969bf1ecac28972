package dev.sro.core.recipe.source;

import dev.sro.api.resource.ChartReference;
import dev.sro.core.recipe.chart.Chart;
import dev.sro.core.recipe.chart.ChartException;
import java.io.IOException;
import java.util.List;

/** Fetches charts of one kind of address. May block; implementations are thread-safe. */
public interface ChartFetcher {

    /**
     * What was fetched.
     *
     * @param warnings what the user should know of the way it came
     */
    record Fetched(Chart chart, List<String> warnings) {
        /** Copies. */
        public Fetched {
            warnings = List.copyOf(warnings);
        }
    }

    /**
     * Fetches a chart.
     *
     * @throws ChartException if there is none that fits, or it is none
     * @throws IOException if it cannot be reached
     */
    Fetched fetch(ChartReference reference) throws IOException;
}
