package dev.sro.core.probe;

import dev.sro.api.NodeFacts;
import dev.sro.api.Outcome;
import dev.sro.api.ReadinessRule;
import dev.sro.api.ReadinessRule.AllocatableResource;
import dev.sro.api.ReadinessRule.NodeLabel;
import dev.sro.api.ReadinessRule.NodeShare;
import io.fabric8.kubernetes.api.model.Quantity;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import java.util.OptionalInt;

/** Judges nodes by the readiness rules of a state. Stateless. */
public final class RuleOutcomes {

    private static final int ALL = 100;

    private RuleOutcomes() {}

    /** Whether any of the rules speaks about single nodes. */
    public static boolean concernNodes(List<ReadinessRule> rules) {
        return rules.stream().anyMatch(rule -> rule instanceof AllocatableResource || rule instanceof NodeLabel);
    }

    /** The first rule that the node does not meet, or Ready. */
    public static Outcome of(NodeFacts node, List<ReadinessRule> rules, Instant now) {
        for (ReadinessRule rule : rules) {
            Outcome outcome = of(node, rule, now);
            if (!outcome.isReady()) {
                return outcome;
            }
        }
        return Outcome.ready();
    }

    private static Outcome of(NodeFacts node, ReadinessRule rule, Instant now) {
        if (rule instanceof AllocatableResource wanted) {
            String amount = node.allocatable().getOrDefault(wanted.resource(), "0");
            return amount(amount).compareTo(BigDecimal.valueOf(wanted.atLeast())) >= 0
                    ? Outcome.ready()
                    : Outcome.waiting(
                            "ResourceNotAllocatable",
                            now,
                            "node " + node.name() + " offers " + amount + " of " + wanted.resource() + ", "
                                    + wanted.atLeast() + " are needed");
        }
        if (rule instanceof NodeLabel wanted) {
            String value = node.labels().get(wanted.key());
            return wanted.value().equals(value)
                    ? Outcome.ready()
                    : Outcome.waiting(
                            "NodeLabelMissing",
                            now,
                            "node " + node.name() + " waits for label " + wanted.key() + "=" + wanted.value() + ", it "
                                    + (value == null ? "has none" : "is \"" + value + "\""));
        }
        return Outcome.ready();
    }

    private static BigDecimal amount(String text) {
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
