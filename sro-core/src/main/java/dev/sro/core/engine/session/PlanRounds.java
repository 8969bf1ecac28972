package dev.sro.core.engine.session;

import dev.sro.core.model.KubeObject;
import dev.sro.core.model.ObjectRef;
import dev.sro.core.plan.Plan;
import dev.sro.core.plan.RecipeAnswers;
import dev.sro.core.plan.RecipeQuestion;
import dev.sro.core.plan.memo.SyncMemo;
import dev.sro.core.plan.planner.PlanInput;
import dev.sro.core.plan.planner.Planner;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Has a plan made that has an answer to all that it asks: what the plan before asked is asked again before, where it is still about the same;
 * what is new is asked when the plan names it, and the plan is made anew. It ends, as a plan asks about what is in its input alone. Guarded by
 * whoever keeps it: for one plan at a time.
 */
public final class PlanRounds {

    private Set<RecipeQuestion<?>> asked = Set.of();

    /**
     * What was asked the last time, and is asked again before anything is planned. Whether an object may go is not among it: that is asked
     * when it is its turn, and nobody is asked who should not be any more.
     */
    // Identity is the point: caches hand out the same object until it changes.
    @SuppressWarnings("ReferenceEquality")
    private List<RecipeQuestion<?>> again(Map<ObjectRef, KubeObject> owned) {
        return asked.stream()
                .<RecipeQuestion<?>>map(question -> question)
                .filter(question -> !(question instanceof RecipeQuestion.BeforeDelete))
                .filter(question -> !(question instanceof RecipeQuestion.OfObject<?> about)
                        || owned.get(about.live().ref()) == about.live())
                .toList();
    }

    /** The plan. */
    public Plan plan(PlanInput input, SyncMemo memo, RecipeQuestion.Oracle oracle) {
        RecipeAnswers answers = RecipeAnswers.NONE.asking(again(input.owned()), oracle);
        while (true) {
            Plan plan = Planner.plan(input.withAnswers(answers), memo);
            Set<RecipeQuestion<?>> questions = plan.demands().questions();
            if (questions.stream().allMatch(answers::contains)) {
                asked = questions;
                return plan;
            }
            answers = answers.asking(questions, oracle);
        }
    }
}
