package dev.sro.core.upgrade.machine;

import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What a rollout does next. Immutable.
 *
 * @param target identity of the driver in effect, see {@link Rollout#target}
 * @param steps nodes that change or act, and those in progress or failed that wait; ordered by name. Idle nodes and nodes that wait
 *     for their turn have none
 * @param journal to keep
 * @param journalDue whether the journal has to be written now. If not, it goes with the next one that has to be: what it would add
 *     is on the nodes
 * @param counts nodes in each phase, after the steps; phases without nodes are absent
 * @param slots how many nodes may be taken on, and why
 * @param state of the rollout
 * @param message for people; may be empty
 * @param samples nodes that do not go on, failed ones first, then those that wait longest; at most {@value #MAX_SAMPLES}
 * @param notices what was found edited, lost or recovered; for events, each at most once per plan
 * @param wakeUp when to plan again if nothing changes before
 */
public record RolloutPlan(
        String target,
        List<NodeStep> steps,
        Journal journal,
        boolean journalDue,
        Map<UpgradePhase, Integer> counts,
        Slots slots,
        State state,
        String message,
        List<Sample> samples,
        List<Notice> notices,
        Optional<Instant> wakeUp) {

    /** More nodes than these are not listed as samples. */
    public static final int MAX_SAMPLES = 20;

    /** How a rollout stands. */
    public enum State {
        /** Every node that can be has the driver in effect. */
        DONE,
        /** Nodes are in progress or wait for their turn. */
        RUNNING,
        /** Nodes would be taken on outside of what windows, {@code paused} or {@code autoUpgrade} allow. */
        HELD,
        /** A wave is done and the next one waits for its time, or for somebody. */
        BETWEEN_WAVES,
        /** Too many nodes failed. */
        HALTED
    }

    /**
     * Slots.
     *
     * @param nodes all nodes
     * @param inProgress nodes that occupy a slot, before the steps
     * @param unavailable nodes that are cordoned, not ready or about to be cordoned, before the steps
     * @param maxUnavailable of these nodes
     * @param available how many available nodes could have been taken on
     */
    public record Slots(int nodes, int inProgress, int unavailable, int maxUnavailable, int available) {}

    /**
     * A node that does not go on.
     *
     * @param node name of the node
     * @param phase of it
     * @param failures attempts for this target that failed
     * @param block why
     */
    public record Sample(String node, UpgradePhase phase, int failures, StepBlock block) {}

    /**
     * Something that somebody should hear of.
     *
     * @param warning whether something went wrong; otherwise it is how far the rollout is
     * @param node name of the node; empty for the rollout
     * @param code stable CamelCase word, documented in docs/reference/upgrades.md
     * @param message for people
     */
    public record Notice(boolean warning, String node, String code, String message) {
        static Notice warning(String node, String code, String message) {
            return new Notice(true, node, code, message);
        }

        static Notice progress(String code, String message) {
            return new Notice(false, "", code, message);
        }
    }

    /** Checks and copies. */
    public RolloutPlan {
        Objects.requireNonNull(target, "target");
        Objects.requireNonNull(journal, "journal");
        Objects.requireNonNull(slots, "slots");
        Objects.requireNonNull(state, "state");
        Objects.requireNonNull(message, "message");
        Objects.requireNonNull(wakeUp, "wakeUp");
        steps = List.copyOf(steps);
        counts = Collections.unmodifiableSortedMap(new TreeMap<>(counts));
        samples = List.copyOf(samples);
        notices = List.copyOf(notices);
    }
}
