package dev.sro.core.plan;

import dev.sro.api.Problem;
import dev.sro.core.recipe.RecipeFailure;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** What the recipe said to the questions of a plan. Immutable. */
public final class RecipeAnswers {

    /** Nothing was asked. */
    public static final RecipeAnswers NONE = new RecipeAnswers(Map.of());

    /** What was said, or why nothing was. */
    private record Answer(Optional<Object> said, Optional<Problem> failure) {}

    private final Map<RecipeQuestion<?>, Answer> known;

    private RecipeAnswers(Map<RecipeQuestion<?>, Answer> known) {
        this.known = known;
    }

    /** These and what is said to those of the questions that have no answer yet. */
    public RecipeAnswers asking(Collection<? extends RecipeQuestion<?>> questions, RecipeQuestion.Oracle oracle) {
        Map<RecipeQuestion<?>, Answer> all = new HashMap<>(known);
        questions.forEach(question -> all.computeIfAbsent(question, unknown -> answer(unknown, oracle)));
        return new RecipeAnswers(all);
    }

    private static Answer answer(RecipeQuestion<?> question, RecipeQuestion.Oracle oracle) {
        try {
            return new Answer(Optional.of(question.ask(oracle)), Optional.empty());
        } catch (RecipeFailure e) {
            return new Answer(Optional.empty(), Optional.of(e.problem()));
        }
    }

    /** Whether this was asked. */
    public boolean contains(RecipeQuestion<?> question) {
        return known.containsKey(question);
    }

    /**
     * What was said; empty when it was not asked.
     *
     * @throws RecipeFailure if whoever was asked failed
     */
    // An answer is put beside its question by answer() alone.
    @SuppressWarnings("unchecked")
    <A> Optional<A> to(RecipeQuestion<A> question) {
        Answer answer = known.get(question);
        if (answer == null) {
            return Optional.empty();
        }
        answer.failure().ifPresent(problem -> {
            throw new RecipeFailure(problem);
        });
        return answer.said().map(said -> (A) said);
    }
}
