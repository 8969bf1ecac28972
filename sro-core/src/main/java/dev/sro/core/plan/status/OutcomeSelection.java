package dev.sro.core.plan.status;

import dev.sro.api.Outcome;
import dev.sro.api.Problem;
import dev.sro.api.resource.OutcomeKind;
import dev.sro.api.resource.OutcomeSample;
import dev.sro.api.resource.SpecialResourceStatus;
import dev.sro.core.plan.Outcomes;
import dev.sro.core.plan.Reasons;
import dev.sro.core.plan.StateReport;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/** Chooses which outcomes that are not ready a status shows: failures first, then by state, pool and node. */
final class OutcomeSelection {

    private static final Comparator<OutcomeSample> ORDER = Comparator.comparing(
                    (OutcomeSample sample) -> sample.getOutcome() != OutcomeKind.FAILED)
            .thenComparing(OutcomeSample::getState)
            .thenComparing(sample -> Objects.requireNonNullElse(sample.getPool(), ""))
            .thenComparing(sample -> Objects.requireNonNullElse(sample.getNode(), ""));

    private final StatusInput in;
    private final SpecialResourceStatus before;
    private final List<OutcomeSample> samples = new ArrayList<>();
    private final Map<String, String> poolOf = new HashMap<>();

    OutcomeSelection(
            StatusInput in,
            SpecialResourceStatus before,
            List<StateReport> reports,
            SortedMap<String, Problem> nodeProblems) {
        this.in = in;
        this.before = before;
        nodeProblems.forEach((node, problem) -> add("", null, node, Outcome.failed(problem)));
        reports.forEach(this::state);
    }

    private void state(StateReport report) {
        report.pools().forEach((pool, inPool) -> {
            if (inPool.outcome().isReady() || Reasons.is(inPool.outcome(), Reasons.PREVIOUS_STATE)) {
                return;
            }
            boolean anyNode = false;
            for (var entry : inPool.nodes().entrySet()) {
                if (!entry.getValue().isReady() && !sameFailure(inPool.outcome(), entry.getValue())) {
                    add(report.state(), pool(pool, entry.getKey()), entry.getKey(), entry.getValue());
                    anyNode = true;
                }
            }
            if (!anyNode) {
                add(report.state(), pool.isEmpty() ? null : pool, null, inPool.outcome());
            }
        });
    }

    /** Of a state that is made once for all pools, too, a node is in a pool of its own. */
    private @Nullable String pool(String pool, String node) {
        if (!pool.isEmpty()) {
            return pool;
        }
        if (poolOf.isEmpty()) {
            in.members().forEach((name, members) -> members.forEach(member -> poolOf.put(member.name(), name)));
        }
        return poolOf.get(node);
    }

    /** A manifest that cannot be rendered fails on every node in the same words: once is enough. */
    private static boolean sameFailure(Outcome pool, Outcome node) {
        return pool instanceof Outcome.Failed && pool.equals(node);
    }

    private void add(String state, @Nullable String pool, @Nullable String node, Outcome outcome) {
        OutcomeSample sample = new OutcomeSample();
        sample.setState(state);
        sample.setPool(pool);
        sample.setNode(node);
        sample.setOutcome(Outcomes.kind(outcome));
        sample.setReason(Outcomes.reason(outcome));
        sample.setMessage(Outcomes.message(outcome));
        if (outcome instanceof Outcome.Failed failed) {
            sample.setOwner(failed.problem().owner().name().toLowerCase(Locale.ROOT));
        }
        samples.add(sample);
    }

    List<OutcomeSample> list() {
        samples.sort(ORDER);
        List<OutcomeSample> chosen = samples.subList(0, Math.min(samples.size(), SpecialResourceStatus.MAX_SAMPLES));
        chosen.forEach(sample -> sample.setSince(since(sample)));
        return List.copyOf(chosen);
    }

    private String since(OutcomeSample sample) {
        for (OutcomeSample last : before.getSamples()) {
            String since = last.getSince();
            if (since != null
                    && Objects.equals(last.getState(), sample.getState())
                    && Objects.equals(last.getPool(), sample.getPool())
                    && Objects.equals(last.getNode(), sample.getNode())
                    && Objects.equals(last.getReason(), sample.getReason())) {
                return since;
            }
        }
        return Outcomes.time(in.now());
    }
}
