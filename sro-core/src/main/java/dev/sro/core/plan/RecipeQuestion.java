package dev.sro.core.plan;

import dev.sro.api.NodeFacts;
import dev.sro.api.Outcome;
import dev.sro.api.Problem;
import dev.sro.api.State;
import dev.sro.api.operation.DriverSet;
import dev.sro.api.operation.PodUse;
import dev.sro.api.operation.UpgradeAction;
import dev.sro.api.operation.UpgradePolicy;
import dev.sro.core.model.KubeObject;
import dev.sro.core.upgrade.policy.UpgradeAdvice;
import java.util.List;
import java.util.Optional;

/**
 * Something that a plan depends on and only the recipe, or the plugin behind it, can say. A plan never asks by itself: it takes the
 * answers that are in its input, and names what it wants to know in {@link Demands}. Immutable; equal questions have one answer.
 *
 * @param <A> the answer
 */
public sealed interface RecipeQuestion<A> {

    /** Has it answered. What the oracle throws is an answer, too: see {@link RecipeAnswers}. */
    A ask(Oracle oracle);

    /** Who answers. May block. */
    interface Oracle {
        /** What is said of an object as a whole; empty for the rule of its kind. */
        Optional<Outcome> probe(KubeObject live, State state);

        /** What is said of an object that was applied, on top of everything else. */
        Outcome afterApply(KubeObject live);

        /** Whether an object may go. */
        Outcome beforeDelete(KubeObject live);

        /** What is said of upgrades of the driver. */
        UpgradeAdvice upgrades();
    }

    /** A question about an object as it is now. */
    sealed interface OfObject<A> extends RecipeQuestion<A> {
        /** The very object that was observed. */
        KubeObject live();
    }

    /**
     * How far an object is. Two are equal if they are about objects of one name: within one plan there is but one.
     *
     * @param state to which the object belongs
     */
    record Probe(KubeObject live, State state) implements OfObject<Optional<Outcome>> {
        @Override
        public Optional<Outcome> ask(Oracle oracle) {
            return oracle.probe(live, state);
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Probe probe && live.ref().equals(probe.live.ref()) && state.equals(probe.state);
        }

        @Override
        public int hashCode() {
            return live.ref().hashCode();
        }
    }

    /** How far an object is that was applied. Two are equal as those of {@link Probe}. */
    record AfterApply(KubeObject live) implements OfObject<Outcome> {
        @Override
        public Outcome ask(Oracle oracle) {
            return oracle.afterApply(live);
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof AfterApply applied && live.ref().equals(applied.live.ref());
        }

        @Override
        public int hashCode() {
            return 31 * live.ref().hashCode() + 1;
        }
    }

    /** Whether an object may go. Two are equal as those of {@link Probe}. */
    record BeforeDelete(KubeObject live) implements OfObject<Outcome> {
        @Override
        public Outcome ask(Oracle oracle) {
            return oracle.beforeDelete(live);
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof BeforeDelete leaving && live.ref().equals(leaving.live.ref());
        }

        @Override
        public int hashCode() {
            return 31 * live.ref().hashCode() + 2;
        }
    }

    /** What the change of a driver asks of a node. */
    record Change(DriverSet running, DriverSet desired, NodeFacts node) implements RecipeQuestion<UpgradeAction> {
        @Override
        public UpgradeAction ask(Oracle oracle) {
            return oracle.upgrades().action(running, desired, node);
        }
    }

    /** Why one driver cannot follow the other. */
    record Succession(DriverSet running, DriverSet desired) implements RecipeQuestion<Optional<Problem>> {
        @Override
        public Optional<Problem> ask(Oracle oracle) {
            return oracle.upgrades().incompatibility(running, desired);
        }
    }

    /** Which of these pods use the device. */
    record Users(List<PodUse> pods) implements RecipeQuestion<Optional<List<Boolean>>> {
        /** Copies. */
        public Users {
            pods = List.copyOf(pods);
        }

        @Override
        public Optional<List<Boolean>> ask(Oracle oracle) {
            return oracle.upgrades().usesDevice(pods);
        }
    }

    /** What to do about a problem on a node. */
    record Classification(Problem problem) implements RecipeQuestion<Optional<UpgradePolicy.Verdict>> {
        @Override
        public Optional<UpgradePolicy.Verdict> ask(Oracle oracle) {
            return oracle.upgrades().classify(problem);
        }
    }
}
