package dev.sro.core.upgrade.machine;

import dev.sro.core.upgrade.policy.RolloutWave;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** Counts of one look at all nodes. */
final class NodeCounts {

    final Waves waves;
    int nodes;
    /** Cordoned, or not ready. */
    int unavailable;
    /** In progress for sure. */
    int strong;
    /** In progress for sure, and nobody has cordoned them yet. */
    int strongAvailable;
    /** In progress perhaps. */
    int weak;
    /** In progress perhaps, and nobody has cordoned them. */
    int weakAvailable;
    /** With an attempt for this target that failed. */
    int failed;
    /** With the driver in effect, ready. */
    int done;
    /** That wait and could be taken on. */
    int waiting;

    private final Map<UpgradePhase, Integer> phases = new EnumMap<>(UpgradePhase.class);

    NodeCounts(List<RolloutWave> waves) {
        this.waves = new Waves(waves);
    }

    int wave(UpgradeNode node) {
        nodes++;
        if (node.cordoned() || !node.ready() || node.cordonedByUs()) {
            unavailable++;
        }
        return waves.count(node.labels());
    }

    void strong(UpgradeNode node, int wave) {
        occupied(node);
        waves.open(wave);
    }

    /** It has a slot, in progress or not. */
    void occupied(UpgradeNode node) {
        strong++;
        strongAvailable += WaitingNode.available(node) ? 1 : 0;
    }

    void weak(UpgradeNode node) {
        weak++;
        weakAvailable += WaitingNode.available(node) ? 1 : 0;
    }

    void waits(int wave) {
        waiting++;
        waves.open(wave);
    }

    void failed(int wave) {
        failed++;
        waves.failed(wave);
    }

    /** Takes back {@link #failed(int)}. */
    void uncount(int wave) {
        failed--;
        waves.uncount(wave);
    }

    void done(int wave) {
        done++;
        waves.done(wave);
    }

    void in(UpgradePhase phase) {
        phases.merge(phase, 1, Integer::sum);
    }

    Map<UpgradePhase, Integer> phases() {
        return phases;
    }
}
