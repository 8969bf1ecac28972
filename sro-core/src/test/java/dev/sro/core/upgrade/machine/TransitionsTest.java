package dev.sro.core.upgrade.machine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.core.upgrade.policy.RolloutPolicy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;

/** One node, one step: rows 1 to 19 are those of the published table, the others ours. */
class TransitionsTest {

    @ParameterizedTest(name = "row {0}: {1}, {2}, {3}: {4}")
    @CsvFileSource(resources = "transitions.psv", numLinesToSkip = 1, delimiter = '|', quoteCharacter = '~')
    void aNodeGoesOneStep(String row, String label, String facts, String policy, String expected) {
        UpgradeNode node = Facts.node("n", label.equals("-") ? "" : label, facts);
        RolloutPolicy.Builder rules = Facts.policy(policy);
        List<UpgradeNode> nodes = new ArrayList<>(List.of(node));
        if (Facts.words(facts).containsKey("slots")) {
            // A node that does occupy the only slot.
            nodes.add(Facts.node("other", "pod-restart-required", "driver=notready"));
        }
        RolloutPlan plan = Rollout.plan(rules.build(), nodes, begun(), Facts.NOW);
        assertThat(describe(plan, node)).as(row).isEqualTo(expected);
    }

    /** A journal of a rollout that is under way. */
    static Journal begun() {
        return new Journal(
                Facts.TARGET,
                Optional.of(Facts.NOW.minus(Duration.ofHours(1))),
                "v1",
                "",
                0,
                Optional.empty(),
                Optional.empty(),
                "",
                0,
                new TreeMap<>());
    }

    private static String describe(RolloutPlan plan, UpgradeNode node) {
        Optional<NodeStep> step =
                plan.steps().stream().filter(one -> one.node().equals("n")).findFirst();
        List<String> words = new ArrayList<>();
        words.add(step.map(one -> one.phase().label()).orElse(node.label()));
        if (words.get(0).isEmpty()) {
            words.set(0, "-");
        }
        if (step.map(NodeStep::cordon).orElse(node.cordonedByUs())) {
            words.add("+cordon");
        }
        if (step.filter(NodeStep::answersRequest).isPresent()) {
            words.add("answers");
        }
        step.ifPresent(one ->
                one.actions().forEach(action -> words.add(action.getClass().getSimpleName())));
        step.map(NodeStep::order).filter(order -> !order.isEmpty()).ifPresent(order -> words.add("orders=" + order));
        boolean moved = step.filter(NodeStep::write)
                .filter(one -> one.phase().inProgress())
                .isPresent();
        Optional<String> code = step.flatMap(NodeStep::block)
                .map(StepBlock::code)
                .or(() -> plan.samples().stream()
                        .filter(sample -> sample.node().equals("n"))
                        .map(sample -> sample.block().code())
                        .findFirst());
        code.filter(one -> !moved).ifPresent(one -> words.add("!" + one));
        return words.stream().collect(Collectors.joining(" "));
    }
}
