package dev.sro.core.plan;

import dev.sro.api.NodeFacts;
import dev.sro.api.Outcome;
import dev.sro.api.Problem;
import dev.sro.api.State;
import dev.sro.api.operation.DriverSet;
import dev.sro.api.operation.PodUse;
import dev.sro.api.operation.UpgradeAction;
import dev.sro.api.operation.UpgradePolicy;
import dev.sro.api.operation.UpgradeStrategy;
import dev.sro.core.model.KubeObject;
import dev.sro.core.probe.ClaimUse;
import dev.sro.core.probe.LogQuery;
import dev.sro.core.probe.LogSnapshot;
import dev.sro.core.probe.LogState;
import dev.sro.core.probe.ViewedKind;
import dev.sro.core.recipe.RecipeFailure;
import dev.sro.core.upgrade.policy.UpgradeAdvice;
import java.time.Instant;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Looks up in the input what a plan may lack, and notes that it was wanted. What has no answer counts as not ready, so nothing goes ahead by
 * it; such a plan is made anew before it is carried out. Lives for one plan.
 */
public final class AnswerLookup {

    /** Reason and code in plans that are made anew: nobody ever reads it. */
    private static final String UNASKED = "Unasked";

    private static final String WHY = "the recipe was not asked yet";

    private final Instant now;
    private final LogSnapshot known;
    private final Optional<Collection<ClaimUse>> allocated;
    private final RecipeAnswers answers;
    private final Set<LogQuery> logs = new LinkedHashSet<>();
    private final Set<RecipeQuestion<?>> questions = new LinkedHashSet<>();
    private final Set<ViewedKind<?>> kinds = new LinkedHashSet<>();

    /**
     * @param known what is known of logs
     * @param allocated all resource claims; empty while they are being listed
     * @param answers what the recipe said to what earlier plans asked
     */
    public AnswerLookup(
            Instant now, LogSnapshot known, Optional<Collection<ClaimUse>> allocated, RecipeAnswers answers) {
        this.now = now;
        this.known = known;
        this.allocated = allocated;
        this.answers = answers;
    }

    /** All that was wanted until now. */
    public Demands demands() {
        return new Demands(List.copyOf(logs), kinds, questions);
    }

    /** What is known of the logs of a pod. */
    public LogState log(LogQuery query) {
        logs.add(query);
        return known.of(query);
    }

    /** All resource claims; empty while they are being listed. */
    public Optional<Collection<ClaimUse>> claims() {
        kinds.add(ClaimUse.CLAIMS);
        return allocated;
    }

    /** What the recipe says of an object as a whole; empty for the rule of its kind. */
    public Optional<Outcome> probe(KubeObject live, State state) {
        return asked(new RecipeQuestion.Probe(live, state)).orElseGet(() -> Optional.of(unasked(live)));
    }

    /** What is said of an object that was applied, on top of everything else. */
    public Outcome afterApply(KubeObject live) {
        return asked(new RecipeQuestion.AfterApply(live)).orElseGet(() -> unasked(live));
    }

    /** Whether the object may go. */
    public Outcome beforeDelete(KubeObject live) {
        return asked(new RecipeQuestion.BeforeDelete(live)).orElseGet(() -> unasked(live));
    }

    /** What is said of upgrades; throws {@link RecipeFailure} where that is not known. */
    public UpgradeAdvice upgrades() {
        return new Advice();
    }

    private Outcome unasked(KubeObject live) {
        return Outcome.waiting(UNASKED, now, WHY + " about " + live);
    }

    private <A> Optional<A> asked(RecipeQuestion<A> question) {
        questions.add(question);
        return answers.to(question);
    }

    private <A> A known(RecipeQuestion<A> question) {
        return asked(question).orElseThrow(() -> new RecipeFailure(Problem.platform(UNASKED, WHY)));
    }

    private final class Advice implements UpgradeAdvice {

        /** Its strategy is in the rules already. */
        @Override
        public Optional<UpgradeStrategy> strategy() {
            return Optional.empty();
        }

        @Override
        public UpgradeAction action(DriverSet running, DriverSet desired, NodeFacts node) {
            return known(new RecipeQuestion.Change(running, desired, node));
        }

        @Override
        public Optional<Problem> incompatibility(DriverSet running, DriverSet desired) {
            return known(new RecipeQuestion.Succession(running, desired));
        }

        @Override
        public Optional<List<Boolean>> usesDevice(List<PodUse> pods) {
            return known(new RecipeQuestion.Users(pods));
        }

        @Override
        public Optional<UpgradePolicy.Verdict> classify(Problem problem) {
            return known(new RecipeQuestion.Classification(problem));
        }
    }
}
