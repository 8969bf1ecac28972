package dev.sro.core.upgrade.machine;

import dev.sro.core.upgrade.machine.RolloutPlan.Notice;
import dev.sro.core.upgrade.machine.RolloutPlan.Sample;
import dev.sro.core.upgrade.machine.RolloutPlan.State;
import dev.sro.core.upgrade.policy.RolloutPolicy;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Gathers steps, entries and samples, and makes the plan of them. Used once. */
final class PlanBuilder {

    private static final Comparator<Sample> ORDER = Comparator.comparing(
                    (Sample sample) -> sample.phase() != UpgradePhase.FAILED)
            .thenComparing(sample -> !sample.phase().inProgress())
            .thenComparing(sample -> sample.block().since())
            .thenComparing(Sample::node);

    final List<Notice> notices = new ArrayList<>();
    private final String target;
    private final Instant now;
    private final List<NodeStep> steps = new ArrayList<>();
    private final List<Sample> samples = new ArrayList<>();
    private final SortedMap<String, JournalEntry> entries = new TreeMap<>();
    private final Journal before;
    private @Nullable Instant wakeUp;
    private boolean misleading;

    PlanBuilder(String target, Journal before, Instant now) {
        this.target = target;
        this.before = before;
        this.now = now;
    }

    /** A node that is not in progress and has nothing to remember; makes nothing if that is so already. */
    void idle(UpgradeNode node, UpgradePhase phase) {
        if (node.cordonedByUs()
                || !node.note().isEmpty()
                || !node.reset().ordered().isEmpty()
                || !node.label().equals(phase.label())) {
            steps.add(NodeSteps.settled(node, phase, null));
        }
    }

    void failed(UpgradeNode node, JournalEntry entry, @Nullable Instant retry) {
        entries.put(node.name(), entry);
        StepBlock block = entry.failure();
        add(NodeSteps.decide(
                node, entry, "", List.of(), block, retry != null && now.isBefore(retry) ? retry : null, false));
        stuck(new Sample(node.name(), UpgradePhase.FAILED, entry.failures(), block));
    }

    void inProgress(NodeStep step, @Nullable JournalEntry entry) {
        add(step);
        if (entry != null) {
            entries.put(step.node(), entry);
            step.block().ifPresent(block -> stuck(new Sample(step.node(), step.phase(), entry.failures(), block)));
        }
    }

    void waiting(UpgradeNode node, @Nullable JournalEntry entry, boolean cordon, @Nullable StepBlock block) {
        NodeStep step = NodeSteps.decide(node, UpgradePhase.REQUIRED, entry, cordon, "", List.of(), block, null, false);
        @Nullable JournalEntry written = before.entries().get(node.name());
        // The journal would go on claiming a slot for it.
        misleading |= written != null && (entry == null || written.phase().inProgress());
        if (entry != null) {
            entries.put(node.name(), entry);
        }
        if (step.write()) {
            steps.add(step);
        }
        if (block != null) {
            stuck(new Sample(node.name(), UpgradePhase.REQUIRED, entry == null ? 0 : entry.failures(), block));
        }
    }

    void untouched(UpgradeNode node, @Nullable JournalEntry entry) {
        if (entry != null) {
            entries.put(node.name(), entry);
        }
    }

    void stuck(Sample sample) {
        samples.add(sample);
    }

    private void add(NodeStep step) {
        steps.add(step);
        step.wakeUp().ifPresent(this::wakeAt);
    }

    private void wakeAt(Instant time) {
        wakeUp = wakeUp == null || time.isBefore(wakeUp) ? time : wakeUp;
    }

    RolloutPlan build(
            RolloutPolicy policy,
            Journal begun,
            HaltDecision halting,
            StartConditions conditions,
            NodeCounts counts,
            RolloutPlan.Slots slots) {
        boolean busy = counts.strong + counts.weak > 0;
        boolean complete = !busy
                && counts.waiting == 0
                && !halting.halted()
                && counts.done > counts.failed
                && before.target().equals(target);
        Journal after = new Journal(
                target,
                begun.since(),
                complete ? target : begun.good(),
                halting.rejected(),
                counts.waves.current(),
                counts.waves.doneSince(),
                halting.halt(),
                policy.resume(),
                halting.forgiven(),
                entries);
        if (counts.waiting > 0) {
            conditions.nextWindow().ifPresent(this::wakeAt);
            counts.waves.next().ifPresent(this::wakeAt);
        }
        State state = state(halting, conditions, counts, busy);
        steps.sort(Comparator.comparing(NodeStep::node));
        samples.sort(ORDER);
        return new RolloutPlan(
                target,
                steps,
                after,
                misleading || !essence(after).equals(essence(before)),
                counts.phases(),
                slots,
                state,
                message(state, policy, halting, conditions, counts),
                samples.subList(0, Math.min(samples.size(), RolloutPlan.MAX_SAMPLES)),
                notices,
                Optional.ofNullable(wakeUp));
    }

    private static State state(HaltDecision halting, StartConditions conditions, NodeCounts counts, boolean busy) {
        if (halting.halted()) {
            return State.HALTED;
        }
        if (busy) {
            return State.RUNNING;
        }
        if (counts.waiting == 0) {
            return State.DONE;
        }
        if (!conditions.held().isEmpty()) {
            return State.HELD;
        }
        return counts.waves.message().isEmpty() ? State.RUNNING : State.BETWEEN_WAVES;
    }

    private String message(
            State state, RolloutPolicy policy, HaltDecision halting, StartConditions conditions, NodeCounts counts) {
        String back = target.equals(policy.target()) ? "" : "rolled back from " + policy.target() + " to " + target;
        String text = switch (state) {
            case HALTED ->
                "halted: " + halting.halt().map(Journal.Halt::message).orElse("");
            case HELD -> conditions.held();
            case BETWEEN_WAVES -> counts.waves.message();
            default -> "";
        };
        return back.isEmpty() || text.isEmpty() ? back + text : back + "; " + text;
    }

    /** What must not be lost: everything but entries of nodes whose first attempt is under way, which the nodes' notes have too. */
    private static Journal essence(Journal journal) {
        Map<String, JournalEntry> failed = journal.entries().entrySet().stream()
                .filter(entry -> entry.getValue().failures() > 0)
                .collect(Collectors.toMap(Map.Entry::getKey, entry -> memory(entry.getValue())));
        return journal.withEntries(new TreeMap<>(failed));
    }

    private static JournalEntry memory(JournalEntry entry) {
        UpgradePhase phase = entry.phase() == UpgradePhase.FAILED ? UpgradePhase.FAILED : UpgradePhase.REQUIRED;
        return new JournalEntry(
                phase, Instant.EPOCH, Optional.empty(), false, entry.failures(), false, "", "", entry.target(), "", "");
    }
}
