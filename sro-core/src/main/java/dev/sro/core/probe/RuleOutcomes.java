package dev.sro.core.probe;

import dev.sro.api.NodeFacts;
import dev.sro.api.Outcome;
import dev.sro.api.Problem;
import dev.sro.api.ReadinessRule;
import dev.sro.api.ReadinessRule.AllocatableAsCounted;
import dev.sro.api.ReadinessRule.AllocatableAsLabelled;
import dev.sro.api.ReadinessRule.AllocatableResource;
import dev.sro.api.ReadinessRule.LogPattern;
import dev.sro.api.ReadinessRule.NodeLabel;
import dev.sro.api.ReadinessRule.NodeLabelFailures;
import dev.sro.api.ReadinessRule.NodeShare;
import io.fabric8.kubernetes.api.model.Quantity;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Function;

/** Judges nodes by the readiness rules of a state. Stateless. */
public final class RuleOutcomes {

    private static final int ALL = 100;

    /** How a node is judged by each kind of rule that is about nodes. */
    private static final Map<Class<? extends ReadinessRule>, Judge<ReadinessRule>> JUDGES = new Judges()
            .with(
                    AllocatableResource.class,
                    (node, rule, counted, now) -> offers(node, rule.resource(), rule.atLeast(), "are needed", now))
            .with(AllocatableAsLabelled.class, (node, rule, counted, now) -> asLabelled(node, rule, now))
            .with(
                    AllocatableAsCounted.class,
                    (node, rule, counted, now) ->
                            CountedDevices.judge(node, rule, counted.apply(rule.container()), now))
            .with(NodeLabel.class, (node, rule, counted, now) -> labelled(node, rule, now))
            .with(
                    NodeLabelFailures.class,
                    (node, rule, counted, now) ->
                            failure(node, rule.key(), rule.failures()).orElseGet(Outcome::ready))
            .all(Set.of(NodeShare.class, LogPattern.class));

    /** What a rule says of a node. */
    @FunctionalInterface
    private interface Judge<T extends ReadinessRule> {
        Outcome judge(NodeFacts node, T rule, Function<String, Optional<String>> counted, Instant now);
    }

    /** Judges by rule, none of which can be forgotten. */
    private static final class Judges {
        private final Map<Class<? extends ReadinessRule>, Judge<ReadinessRule>> judges = new HashMap<>();

        <T extends ReadinessRule> Judges with(Class<T> rule, Judge<T> judge) {
            judges.put(rule, (node, any, counted, now) -> judge.judge(node, rule.cast(any), counted, now));
            return this;
        }

        /** @param others rules that are about something else than a node */
        Map<Class<? extends ReadinessRule>, Judge<ReadinessRule>> all(Set<Class<? extends ReadinessRule>> others) {
            Set<Class<?>> known = new HashSet<>(judges.keySet());
            known.addAll(others);
            if (!known.equals(Set.of(ReadinessRule.class.getPermittedSubclasses()))) {
                throw new IllegalStateException("a readiness rule is not acted on; known are " + known);
            }
            return Map.copyOf(judges);
        }
    }

    private RuleOutcomes() {}

    /** Whether any of the rules speaks about single nodes. */
    public static boolean concernNodes(List<ReadinessRule> rules) {
        return rules.stream().anyMatch(rule -> JUDGES.containsKey(rule.getClass()));
    }

    /** The containers of which it matters what they said on a node. */
    public static List<String> counting(List<ReadinessRule> rules) {
        return rules.stream()
                .filter(AllocatableAsCounted.class::isInstance)
                .map(rule -> ((AllocatableAsCounted) rule).container())
                .distinct()
                .toList();
    }

    /**
     * The first rule that the node does not meet, or Ready.
     *
     * @param counted what the container of this name has said on the node, if anything
     */
    public static Outcome judge(
            NodeFacts node, List<ReadinessRule> rules, Function<String, Optional<String>> counted, Instant now) {
        for (ReadinessRule rule : rules) {
            Judge<ReadinessRule> judge = JUDGES.get(rule.getClass());
            Outcome outcome = judge == null ? Outcome.ready() : judge.judge(node, rule, counted, now);
            if (!outcome.isReady()) {
                return outcome;
            }
        }
        return Outcome.ready();
    }

    private static Outcome labelled(NodeFacts node, NodeLabel wanted, Instant now) {
        String value = node.labels().get(wanted.key());
        if (wanted.value().equals(value)) {
            return Outcome.ready();
        }
        return failure(node, wanted.key(), wanted.failures())
                .orElseGet(() -> Outcome.waiting(
                        "NodeLabelMissing",
                        now,
                        "node " + node.name() + " waits for label " + wanted.key() + "=" + wanted.value() + ", it "
                                + (value == null ? "has none" : "is \"" + value + "\"")));
    }

    private static Optional<Outcome> failure(NodeFacts node, String key, Map<String, Problem> failures) {
        String value = node.labels().get(key);
        Problem failure = value == null ? null : failures.get(value);
        return failure == null
                ? Optional.empty()
                : Optional.of(Outcome.failed(new Problem(
                        failure.code(),
                        "node " + node.name() + ": label " + key + " is \"" + value + "\": " + failure.message(),
                        failure.owner(),
                        failure.retryable())));
    }

    private static Outcome offers(NodeFacts node, String resource, long atLeast, String why, Instant now) {
        String amount = node.allocatable().getOrDefault(resource, "0");
        return amount(amount).compareTo(BigDecimal.valueOf(atLeast)) >= 0
                ? Outcome.ready()
                : Outcome.waiting(
                        "ResourceNotAllocatable",
                        now,
                        "node " + node.name() + " offers " + amount + " of " + resource + ", " + atLeast + " " + why);
    }

    private static Outcome asLabelled(NodeFacts node, AllocatableAsLabelled rule, Instant now) {
        for (Map.Entry<String, Long> count : rule.counts(node.labels()).entrySet()) {
            Outcome outcome = offers(
                    node,
                    count.getKey(),
                    count.getValue(),
                    "are there by label " + count.getKey() + rule.suffix(),
                    now);
            if (!outcome.isReady()) {
                return outcome;
            }
        }
        return Outcome.ready();
    }

    static BigDecimal amount(String text) {
        try {
            return Quantity.getAmountInBytes(new Quantity(text));
        } catch (ArithmeticException | IllegalArgumentException e) {
            return BigDecimal.ZERO;
        }
    }

    /** How many of this many nodes have to be ready, if not all. */
    public static OptionalInt needed(List<ReadinessRule> rules, int nodes) {
        return rules.stream()
                .filter(NodeShare.class::isInstance)
                .mapToInt(rule -> ((NodeShare) rule).percent())
                .map(percent -> (nodes * percent + ALL - 1) / ALL)
                .max();
    }
}
