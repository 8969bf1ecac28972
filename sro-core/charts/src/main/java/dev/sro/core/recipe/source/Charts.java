package dev.sro.core.recipe.source;

import dev.sro.api.Problem;
import dev.sro.api.resource.ChartReference;
import dev.sro.core.recipe.chart.Chart;
import java.time.Instant;
import java.util.List;
import java.util.function.Function;

/** Port: where charts come from. Answers from memory and never blocks. Implementations are thread-safe. */
public interface Charts {

    /** What is known of a chart now. */
    sealed interface Answer permits Found, Pending, Failed {
        /** What comes of it, in each of the cases that there are. */
        <R> R map(Function<Found, R> found, Function<Pending, R> pending, Function<Failed, R> failed);
    }

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

        @Override
        public <R> R map(Function<Found, R> found, Function<Pending, R> pending, Function<Failed, R> failed) {
            return found.apply(this);
        }
    }

    /**
     * It is being fetched; the special resource is reconciled again when that is over.
     *
     * @param from where it comes from, for people
     */
    record Pending(String from) implements Answer {
        @Override
        public <R> R map(Function<Found, R> found, Function<Pending, R> pending, Function<Failed, R> failed) {
            return pending.apply(this);
        }
    }

    /**
     * It could not be had.
     *
     * @param problem why; retryable where another attempt is made
     */
    record Failed(Problem problem) implements Answer {
        @Override
        public <R> R map(Function<Found, R> found, Function<Pending, R> pending, Function<Failed, R> failed) {
            return failed.apply(this);
        }
    }

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
