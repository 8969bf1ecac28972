package dev.sro.core.upgrade.machine;

import dev.sro.core.upgrade.machine.DriverPod.State;
import dev.sro.core.upgrade.machine.RolloutPlan.Sample;
import dev.sro.core.upgrade.policy.RolloutPolicy;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Plans one rollout: looks at each node once, takes those in progress further, then takes on others. Used once. */
final class RolloutPlanner {

    private final RolloutPolicy policy;
    private final Journal journal;
    private final Journal before;
    private final Instant now;
    private final String target;
    private final boolean resumed;
    private final Map<String, JournalEntry> known;

    private final NodeCounts counts;
    private final PlanBuilder out;
    private final List<OccupiedSlot> taken = new ArrayList<>();
    private final List<UpgradeNode> idleWaiting = new ArrayList<>();
    private final List<WaitingNode> waiting = new ArrayList<>();
    private final List<WaitingNode> claiming = new ArrayList<>();

    /** A node in progress. */
    private record OccupiedSlot(UpgradeNode node, JournalEntry entry, int wave) {}

    RolloutPlanner(RolloutPolicy policy, Journal journal, Instant time) {
        this.policy = policy;
        this.now = time.truncatedTo(ChronoUnit.SECONDS);
        this.target = Rollout.target(policy, journal);
        boolean switched = !target.equals(journal.target());
        this.resumed = !switched && !policy.resume().equals(journal.resumed());
        this.before = journal;
        this.journal = switched ? journal.begin(target, policy, now) : journal;
        this.known = new HashMap<>(journal.entries());
        this.counts = new NodeCounts(target.equals(policy.target()) ? policy.waves() : List.of());
        this.out = new PlanBuilder(target, journal, now);
    }

    RolloutPlan plan(Collection<UpgradeNode> nodes) {
        for (UpgradeNode node : nodes) {
            look(node, counts.wave(node));
        }
        taken.forEach(this::advance);
        counts.waves.settle(journal, resumed, now, out.notices);
        HaltDecision halting = HaltDecision.decide(policy, journal, target, counts, resumed, now);
        StartConditions conditions = new StartConditions(policy, halting.halted(), counts.waves.current(), now);
        NodeSelection selection = new NodeSelection(policy, counts);
        int required = idleWaiting.size() + waiting.size();
        Set<String> admitted = admit(selection, conditions, required);
        waiting.stream().filter(one -> !admitted.contains(one.node().name())).forEach(this::stays);
        for (UpgradeNode node : idleWaiting) {
            if (admitted.isEmpty() || !admitted.contains(node.name())) {
                stays(node);
            }
        }
        return out.build(policy, journal, halting, conditions, counts, selection.slots(required));
    }

    // One look at each node.

    private void look(UpgradeNode node, int wave) {
        @Nullable JournalEntry inJournal = known.isEmpty() ? null : known.get(node.name());
        if (inJournal == null && node.note().isEmpty() && !node.cordonedByUs()) {
            @Nullable UpgradePhase plain = plain(node.label());
            if (plain != null) {
                idle(node, plain, wave);
                return;
            }
        }
        judged(node, Evidence.of(node, inJournal, target, now), wave);
    }

    /** The phase of a label that needs nothing remembered. */
    private static @Nullable UpgradePhase plain(String label) {
        if (label.equals(UpgradePhase.DONE.label())) {
            return UpgradePhase.DONE;
        }
        if (label.isEmpty()) {
            return UpgradePhase.UNKNOWN;
        }
        return label.equals(UpgradePhase.REQUIRED.label()) ? UpgradePhase.REQUIRED : null;
    }

    private void judged(UpgradeNode node, Evidence evidence, int wave) {
        if (evidence.notice() != null) {
            out.notices.add(evidence.notice());
        }
        @Nullable JournalEntry entry = evidence.entry();
        if (evidence.claim() == Evidence.Claim.STRONG && entry != null) {
            counts.strong(node, wave);
            JournalEntry inPhase = entry.forTarget(target, now).at(evidence.phase(), now);
            taken.add(new OccupiedSlot(node, inPhase, wave));
        } else if (evidence.phase() == UpgradePhase.FAILED && entry != null) {
            if (evidence.claim() == Evidence.Claim.WEAK) {
                counts.occupied(node);
            }
            failed(node, entry, wave);
        } else if (evidence.phase() == UpgradePhase.REQUIRED) {
            required(node, entry, evidence.claim() == Evidence.Claim.WEAK, wave);
        } else {
            idle(node, evidence.phase(), wave);
        }
    }

    private void idle(UpgradeNode node, UpgradePhase phase, int wave) {
        boolean wants = NodeNeeds.upgrade(node)
                || (phase == UpgradePhase.REQUIRED && node.driver().state() == State.CURRENT_NOT_READY);
        if (!wants) {
            settle(node, phase, wave);
            return;
        }
        idleWaiting.add(node);
        if (WaitingNode.obstacle(node, policy) == null) {
            counts.waits(wave);
        }
    }

    private void settle(UpgradeNode node, UpgradePhase phase, int wave) {
        State driver = node.driver().state();
        if (driver == State.CURRENT_READY) {
            counts.done(wave);
        }
        boolean says = policy.autoUpgrade() || phase == UpgradePhase.REQUIRED;
        boolean gone = driver == State.ABSENT || driver == State.TERMINATING;
        UpgradePhase next = says && !gone ? UpgradePhase.DONE : phase;
        counts.in(next);
        out.idle(node, next);
        if (node.reset().gaveUp()) {
            // It is at work, and people should know that it is not what was asked for.
            out.stuck(new Sample(
                    node.name(),
                    next,
                    0,
                    new StepBlock(
                            "ResetFailed",
                            node.reset().failure(),
                            journal.since().orElse(now),
                            List.of())));
        }
    }

    private void failed(UpgradeNode node, JournalEntry entry, int wave) {
        boolean anew = !entry.target().equals(target) || node.requested();
        boolean again = entry.failures() <= policy.retry().retries()
                || (policy.retry().whenReady() && NodeNeeds.satisfied(node) && !NodeNeeds.reset(node));
        Instant due = entry.since().plus(policy.retry().after(entry.failures()));
        boolean free = WaitingNode.obstacle(node, policy) == null;
        if (free && (anew || (again && !now.isBefore(due)))) {
            required(node, entry.waiting(anew ? 0 : entry.failures(), now), false, wave);
            return;
        }
        if (entry.target().equals(target)) {
            counts.failed(wave);
        }
        counts.in(UpgradePhase.FAILED);
        out.failed(node, entry, again && free ? due : null);
    }

    private void required(UpgradeNode node, @Nullable JournalEntry found, boolean weak, int wave) {
        @Nullable JournalEntry entry = found == null ? null : found.forTarget(target, now);
        int failures = entry == null ? 0 : entry.failures();
        boolean asks = NodeNeeds.upgrade(node) || node.driver().state() == State.CURRENT_NOT_READY;
        if (!weak && failures == 0 && !node.cordonedByUs() && !asks) {
            settle(node, UpgradePhase.REQUIRED, wave);
            return;
        }
        if (failures > 0) {
            counts.failed(wave);
        }
        WaitingNode one = new WaitingNode(node, entry, weak, wave);
        waiting.add(one);
        if (weak) {
            counts.weak(node);
        }
        if (one.obstacle(policy) == null) {
            counts.waits(wave);
        }
    }

    // Nodes in progress.

    private void advance(OccupiedSlot one) {
        if (one.node.holder().isPresent() && one.node.yields() && PodRemovalPhases.before(one.entry.phase())) {
            giveWay(one);
            return;
        }
        progress(new NodeProgress(one.node, one.entry, policy, now, out.notices), one.wave);
    }

    private void progress(NodeProgress progress, int wave) {
        NodeStep step = progress.step();
        if (!progress.finished() && progress.entry.failures() > 0) {
            counts.failed(wave);
        }
        counts.in(step.phase());
        out.inProgress(step, progress.finished() ? null : progress.entry);
    }

    /** Two special resources took the node on at once: the one that the order puts behind begins again later. */
    private void giveWay(OccupiedSlot one) {
        JournalEntry entry = one.entry.waiting(one.entry.failures(), now);
        counts.in(UpgradePhase.REQUIRED);
        out.waiting(one.node, entry.failures() > 0 ? entry : null, false, obstacle(one.node, Obstacle.NODE_HELD));
    }

    // Nodes that wait.

    private Set<String> admit(NodeSelection selection, StartConditions conditions, int required) {
        List<WaitingNode> weak = new ArrayList<>();
        List<WaitingNode> open = new ArrayList<>();
        for (WaitingNode one : waiting) {
            if (admissible(one, conditions)) {
                (one.weak() ? weak : open).add(one);
            }
        }
        Set<String> admitted = new HashSet<>();
        claiming.addAll(selection.claiming(weak));
        selection.begun(weak).forEach(one -> take(one, admitted));
        if (selection.possible(required)) {
            for (UpgradeNode node : idleWaiting) {
                int wave = counts.waves.of(node.labels());
                if (conditions.open(node, wave) && WaitingNode.obstacle(node, policy) == null) {
                    open.add(new WaitingNode(node, null, false, wave));
                }
            }
            selection.others(open, required).forEach(one -> take(one, admitted));
        }
        return admitted;
    }

    private boolean admissible(WaitingNode one, StartConditions conditions) {
        return one.obstacle(policy) == null && (one.begun() || conditions.open(one.node(), one.wave()));
    }

    private void take(WaitingNode one, Set<String> admitted) {
        admitted.add(one.node().name());
        if (one.failures() > 0) {
            // Counted when it was found waiting.
            counts.uncount(one.wave());
        }
        JournalEntry entry = one.admitted(policy, target, now);
        progress(new NodeProgress(one.node(), entry, policy, now, out.notices).admitted(), one.wave());
    }

    private void stays(WaitingNode one) {
        UpgradeNode node = one.node();
        if (claiming.contains(one)) {
            // It waits for a slot, and occupies one as long as it may be half way through. One that is not even
            // cordoned is not, and
            // must not keep others from theirs.
            counts.in(UpgradePhase.parse(node.label()).orElse(UpgradePhase.UNKNOWN));
            out.untouched(node, before.entries().get(node.name()));
            return;
        }
        boolean keeps = one.failures() > 0 || node.cordonedByUs();
        JournalEntry entry = one.entry() != null
                ? one.entry()
                : JournalEntry.begin(UpgradePhase.REQUIRED, now, NodeNeeds.cordonedByOthers(node), target);
        counts.in(UpgradePhase.REQUIRED);
        @Nullable StepBlock block = obstacle(node, one.obstacle(policy));
        if (block == null && one.failures() > 0) {
            // It may wait for long, where the rollout halted for it, and is what people have to mend.
            block = entry.failure();
        }
        out.waiting(node, keeps ? entry : null, node.cordonedByUs(), block);
    }

    private void stays(UpgradeNode node) {
        boolean says = policy.autoUpgrade() || node.requested();
        UpgradePhase found = UpgradePhase.parse(node.label()).orElse(UpgradePhase.UNKNOWN);
        boolean idle = found == UpgradePhase.UNKNOWN || found == UpgradePhase.DONE;
        UpgradePhase phase = says || !idle ? UpgradePhase.REQUIRED : found;
        counts.in(phase);
        out.idle(node, phase);
        @Nullable StepBlock block = obstacle(node, WaitingNode.obstacle(node, policy));
        if (block != null) {
            out.stuck(new Sample(node.name(), phase, 0, block));
        }
    }

    private @Nullable StepBlock obstacle(UpgradeNode node, @Nullable Obstacle obstacle) {
        return obstacle == null ? null : obstacle.block(node, journal.since().orElse(now));
    }
}
