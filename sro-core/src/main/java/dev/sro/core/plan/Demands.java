package dev.sro.core.plan;

import dev.sro.core.probe.LogQuery;
import dev.sro.core.probe.ViewedKind;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * What a plan wants to know, whether or not it was in its input: whoever makes plans sees to it that it is there the next time.
 * Immutable.
 *
 * @param logs that are to be read
 * @param kinds that are to be watched for it
 * @param questions to the recipe
 */
public record Demands(List<LogQuery> logs, Set<ViewedKind<?>> kinds, Set<RecipeQuestion<?>> questions) {

    /** Of a plan that depends on nothing of it. */
    public static final Demands NONE = new Demands(List.of(), Set.of(), Set.of());

    /** Copies. */
    public Demands {
        logs = List.copyOf(logs);
        kinds = Set.copyOf(kinds);
        // In the order in which they came up: plugins are asked in this order, the same in every process.
        questions = Collections.unmodifiableSet(new LinkedHashSet<>(questions));
    }
}
