package dev.sro.core.probe;

import dev.sro.api.NodeFacts;
import dev.sro.api.Outcome;
import dev.sro.api.Problem;
import dev.sro.api.ReadinessRule.AllocatableAsCounted;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Judges what a node offers by what a container on it has counted. Stateless. */
final class CountedDevices {

    private static final Pattern LINE = Pattern.compile("(?m)^([^\\s=]+)=([0-9]{1,9})$");

    private static final String SHARED = ".shared";

    private CountedDevices() {}

    /**
     * How far the node is.
     *
     * @param said by the container; empty where it has not ended well on this node, or said nothing
     */
    static Outcome judge(NodeFacts node, AllocatableAsCounted rule, Optional<String> said, Instant now) {
        if (said.isEmpty()) {
            return Outcome.waiting(
                    "DevicesNotCounted",
                    now,
                    "node " + node.name() + " waits for container " + rule.container()
                            + ", which counts its devices; see its log");
        }
        Outcome worst = Outcome.ready();
        for (Map.Entry<String, Long> counted : parsed(said.get()).entrySet()) {
            if (counted.getValue() > 0) {
                worst = Outcome.worse(worst, judged(node, rule, counted.getKey(), counted.getValue(), now));
            }
        }
        return worst;
    }

    private static SortedMap<String, Long> parsed(String said) {
        SortedMap<String, Long> counts = new TreeMap<>();
        for (Matcher line = LINE.matcher(said); line.find(); ) {
            counts.merge(line.group(1), Long.parseLong(line.group(2)), Long::sum);
        }
        return counts;
    }

    private static Outcome judged(NodeFacts node, AllocatableAsCounted rule, String resource, long count, Instant now) {
        String renamed = resource + SHARED;
        boolean other = rule.shared()
                && amount(node, resource).signum() == 0
                && amount(node, renamed).signum() > 0;
        String offered = other ? renamed : resource;
        BigDecimal amount = amount(node, offered);
        BigDecimal counted = BigDecimal.valueOf(count);
        String numbers = "node " + node.name() + " offers "
                + node.allocatable().getOrDefault(offered, "0") + " of " + offered + ", " + count
                + " are there by " + rule.container();
        if (amount.signum() <= 0) {
            return Outcome.waiting("ResourceNotAllocatable", now, numbers);
        }
        boolean whole = !rule.shared() || amount.remainder(counted).signum() == 0;
        if (amount.compareTo(counted) >= 0 && whole) {
            return Outcome.ready();
        }
        Problem shortage = rule.shortage();
        String which = amount.compareTo(counted) < 0 ? "" : ", and the same number of shares of each";
        return Outcome.failed(new Problem(
                shortage.code(), numbers + which + ": " + shortage.message(), shortage.owner(), shortage.retryable()));
    }

    private static BigDecimal amount(NodeFacts node, String resource) {
        return RuleOutcomes.amount(node.allocatable().getOrDefault(resource, "0"));
    }
}
