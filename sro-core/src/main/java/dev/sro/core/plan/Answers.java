package dev.sro.core.plan;

import dev.sro.api.Problem;
import dev.sro.core.recipe.RecipeFailure;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** What the recipe said to the questions of a plan. Immutable. */
public final class Answers {

    /** Nothing was asked. */
    public static final Answers NONE = new Answers(Map.of());

    /** What was said, or why nothing was. */
    private record Answer(Optional<Object> said, Optional<Problem> failure) {}

    private final Map<Question<?>, Answer> known;

    private Answers(Map<Question<?>, Answer> known) {
        this.known = known;
    }

    /** These and what is said to those of the questions that have no answer yet. */
    public Answers asking(Collection<? extends Question<?>> questions, Question.Oracle oracle) {
        Map<Question<?>, Answer> all = new HashMap<>(known);
        questions.forEach(question -> all.computeIfAbsent(question, unknown -> answer(unknown, oracle)));
        return new Answers(all);
    }

    private static Answer answer(Question<?> question, Question.Oracle oracle) {
        try {
            return new Answer(Optional.of(question.ask(oracle)), Optional.empty());
        } catch (RecipeFailure e) {
            return new Answer(Optional.empty(), Optional.of(e.problem()));
        }
    }

    /** Whether this was asked. */
    public boolean contains(Question<?> question) {
        return known.containsKey(question);
    }

    /**
     * What was said; empty when it was not asked.
     *
     * @throws RecipeFailure if whoever was asked failed
     */
    // An answer is put beside its question by answer() alone.
    @SuppressWarnings("unchecked")
    <A> Optional<A> to(Question<A> question) {
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
