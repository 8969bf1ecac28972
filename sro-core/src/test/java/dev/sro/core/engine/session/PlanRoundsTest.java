package dev.sro.core.engine.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.api.Outcome;
import dev.sro.api.State;
import dev.sro.core.fixture.Nodes;
import dev.sro.core.fixture.Resources;
import dev.sro.core.fixture.States;
import dev.sro.core.fixture.World;
import dev.sro.core.model.KubeObject;
import dev.sro.core.model.MetadataKeys;
import dev.sro.core.model.ObjectRef;
import dev.sro.core.plan.Plan;
import dev.sro.core.plan.RecipeAnswers;
import dev.sro.core.plan.RecipeQuestion;
import dev.sro.core.plan.Write;
import dev.sro.core.plan.memo.SyncMemo;
import dev.sro.core.plan.planner.PlanInput;
import dev.sro.core.plan.planner.Planner;
import dev.sro.core.upgrade.policy.UpgradeAdvice;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class PlanRoundsTest {

    private final World world =
            new World(States.build(), States.driver()).with(Nodes.node("a", Nodes.K1), Nodes.node("b", Nodes.K1));

    /** What was asked, in order. */
    private final List<String> asked = new ArrayList<>();

    private Outcome mayGo = Outcome.ready();

    private final RecipeQuestion.Oracle oracle = new RecipeQuestion.Oracle() {
        @Override
        public Optional<Outcome> probe(KubeObject live, State state) {
            asked.add("probe " + live.ref().name());
            return Optional.empty();
        }

        @Override
        public Outcome afterApply(KubeObject live) {
            return Outcome.ready();
        }

        @Override
        public Outcome beforeDelete(KubeObject live) {
            asked.add("delete " + live.ref().name());
            return mayGo;
        }

        @Override
        public UpgradeAdvice upgrades() {
            return UpgradeAdvice.none();
        }
    };

    private void delete() {
        world.settle();
        world.resource = Resources.copy(world.resource);
        world.resource.getMetadata().setDeletionTimestamp("2026-01-01T11:00:00Z");
    }

    private static List<ObjectRef> deleted(Plan plan) {
        return plan.writes().stream()
                .filter(Write.Delete.class::isInstance)
                .map(Write::ref)
                .toList();
    }

    @Test
    void aPlanAsksNobodyAndNothingGoesBeforeThereIsAnAnswer() {
        delete();
        Plan plan = Planner.plan(world.input(), new SyncMemo());
        assertThat(deleted(plan)).isEmpty();
        assertThat(plan.demands().questions())
                .isNotEmpty()
                .allMatch(question -> question instanceof RecipeQuestion.BeforeDelete);
    }

    @Test
    void goesOnUntilEverythingThatIsAskedHasAnAnswer() {
        delete();
        PlanInput input = world.input();
        PlanRounds rounds = new PlanRounds();
        Plan plan = rounds.plan(input, new SyncMemo(), oracle);
        assertThat(deleted(plan)).isNotEmpty();
        assertThat(asked).doesNotHaveDuplicates().isNotEmpty();
        // With these answers the plan is the same at once.
        RecipeAnswers answers = RecipeAnswers.NONE.asking(plan.demands().questions(), oracle);
        assertThat(Planner.plan(input.withAnswers(answers), new SyncMemo())).isEqualTo(plan);
    }

    @Test
    void anAnswerCountsInThePlanThatAsked() {
        delete();
        mayGo = Outcome.waiting("Busy", World.START, "not yet");
        assertThat(deleted(new PlanRounds().plan(world.input(), new SyncMemo(), oracle)))
                .isEmpty();
        mayGo = Outcome.ready();
        assertThat(deleted(new PlanRounds().plan(world.input(), new SyncMemo(), oracle)))
                .isNotEmpty();
    }

    @Test
    void asksOnceAPlanAndOnlyAboutWhatIsThere() {
        world.settle();
        PlanRounds rounds = new PlanRounds();
        rounds.plan(world.input(), new SyncMemo(), oracle);
        List<String> first = List.copyOf(asked);
        asked.clear();
        rounds.plan(world.input(), new SyncMemo(), oracle);
        assertThat(asked).containsExactlyInAnyOrderElementsOf(first).doesNotHaveDuplicates();
        asked.clear();
        world.objects.keySet().removeIf(ref -> ref.kind().equals("DaemonSet"));
        rounds.plan(world.input(), new SyncMemo(), oracle);
        assertThat(asked).allMatch(what -> world.objects.keySet().stream().anyMatch(ref -> what.endsWith(ref.name())));
    }

    @Test
    void nobodyIsAskedAboutWhatIsNotToGoAnyMore() {
        delete();
        mayGo = Outcome.waiting("Busy", World.START, "not yet");
        PlanRounds rounds = new PlanRounds();
        rounds.plan(world.input(), new SyncMemo(), oracle);
        assertThat(asked).isNotEmpty();
        asked.clear();
        world.resource.getMetadata().setAnnotations(Map.of(MetadataKeys.SKIP_DELETE_HOOKS, "true"));
        Plan plan = rounds.plan(world.input(), new SyncMemo(), oracle);
        assertThat(asked).isEmpty();
        assertThat(deleted(plan)).isNotEmpty();
    }
}
