package dev.sro.core.recipe.source;

import dev.sro.api.Problem;
import java.util.function.Function;

/**
 * What is known now of something that a recipe is made of. A value.
 *
 * @param <T> what it is when it is there
 */
public sealed interface SourceAnswer<T> {

    /** It is there. */
    record Found<T>(T value) implements SourceAnswer<T> {
        @Override
        public <R> R map(Function<T, R> found, Function<String, R> pending, Function<Problem, R> failed) {
            return found.apply(value);
        }
    }

    /**
     * It is being looked for; the special resource is reconciled again when that is over.
     *
     * @param from where it comes from, for people
     */
    record Pending<T>(String from) implements SourceAnswer<T> {
        @Override
        public <R> R map(Function<T, R> found, Function<String, R> pending, Function<Problem, R> failed) {
            return pending.apply(from);
        }
    }

    /**
     * It cannot be had.
     *
     * @param problem why; retryable where another attempt is made
     */
    record Failed<T>(Problem problem) implements SourceAnswer<T> {
        @Override
        public <R> R map(Function<T, R> found, Function<String, R> pending, Function<Problem, R> failed) {
            return failed.apply(problem);
        }
    }

    /** What comes of it, in each of the cases that there are: of what it is, of where it comes from, or of why it cannot be had. */
    <R> R map(Function<T, R> found, Function<String, R> pending, Function<Problem, R> failed);

    /** Whether it is there. */
    default boolean isFound() {
        return map(value -> true, from -> false, problem -> false);
    }

    /** It is there. */
    static <T> SourceAnswer<T> found(T value) {
        return new Found<>(value);
    }

    /** It is being looked for at this place. */
    static <T> SourceAnswer<T> pending(String from) {
        return new Pending<>(from);
    }

    /** It cannot be had for this reason. */
    static <T> SourceAnswer<T> failed(Problem problem) {
        return new Failed<>(problem);
    }
}
