package dev.sro.core.upgrade.machine;

import dev.sro.core.upgrade.machine.RolloutPlan.Notice;
import dev.sro.core.upgrade.policy.RolloutWave;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Counts nodes by wave, and decides which wave is under way. */
final class Waves {

    private final List<RolloutWave> waves;
    private final int[] managed;
    private final int[] open;
    private final int[] done;
    private final int[] failed;

    private int current;
    private @Nullable Instant doneSince;
    private @Nullable Instant next;
    private String message = "";

    /** @param waves none while a driver is rolled back */
    Waves(List<RolloutWave> waves) {
        this.waves = waves;
        this.managed = new int[waves.size() + 1];
        this.open = new int[waves.size() + 1];
        this.done = new int[waves.size() + 1];
        this.failed = new int[waves.size() + 1];
    }

    /** Wave of a node; counts it. */
    int count(Map<String, String> labels) {
        int wave = of(labels);
        managed[wave]++;
        return wave;
    }

    /** Wave of a node. */
    int of(Map<String, String> labels) {
        int wave = 0;
        while (wave < waves.size() && !waves.get(wave).matches(labels)) {
            wave++;
        }
        return wave;
    }

    /** A node of the wave is in progress, or waits and could be taken on. */
    void open(int wave) {
        open[wave]++;
    }

    /** A node of the wave has the driver. */
    void done(int wave) {
        done[wave]++;
    }

    /** A node of the wave failed. */
    void failed(int wave) {
        failed[wave]++;
    }

    /** Takes back {@link #failed(int)}. */
    void uncount(int wave) {
        failed[wave]--;
    }

    /** Why the rollout has to halt for the failures of one wave. */
    Optional<String> halts(int forgiven) {
        for (int i = 0; i < waves.size(); i++) {
            int wave = i;
            Optional<Integer> limit = waves.get(i).haltOnFailures().map(share -> Math.max(1, share.of(managed[wave])));
            if (limit.isPresent() && failed[i] - forgiven >= limit.get()) {
                return Optional.of(failed[i] + " of " + managed[i] + " nodes of wave "
                        + waves.get(i).name() + " failed");
            }
        }
        return Optional.empty();
    }

    /** Decides, once all nodes are counted. */
    void settle(Journal journal, boolean resumed, Instant now, List<Notice> notices) {
        current = Math.min(journal.wave(), waves.size());
        doneSince = journal.waveDone().filter(at -> !at.isAfter(now)).orElse(null);
        if (opened(waves.size()) == 0) {
            return;
        }
        boolean skipWait = resumed;
        while (current < waves.size() && opened(current) == 0) {
            RolloutWave wave = waves.get(current);
            if (managed[current] > 0 && !skipWait && waits(wave, now)) {
                return;
            }
            skipWait = skipWait && managed[current] == 0;
            notices.add(Notice.progress("WaveDone", "wave " + wave.name() + " is done"));
            current++;
            doneSince = null;
        }
        doneSince = null;
    }

    private int opened(int upTo) {
        int sum = 0;
        for (int i = 0; i <= upTo; i++) {
            sum += open[i];
        }
        return sum;
    }

    private boolean waits(RolloutWave wave, Instant now) {
        if (done[current] == 0) {
            message = "no node of wave " + wave.name() + " has the new driver: mend one, or resume";
            doneSince = null;
            return true;
        }
        Instant since = doneSince == null ? now : doneSince;
        Instant end = since.plus(wave.soak());
        doneSince = since;
        if (now.isBefore(end)) {
            next = end;
            message = "wave " + wave.name() + " is done; the next one begins at " + end;
            return true;
        }
        if (wave.pauseAfter()) {
            message = "wave " + wave.name() + " is done; the next one begins when the rollout is resumed";
            return true;
        }
        return false;
    }

    int current() {
        return current;
    }

    Optional<Instant> doneSince() {
        return Optional.ofNullable(doneSince);
    }

    Optional<Instant> next() {
        return Optional.ofNullable(next);
    }

    /** What the next wave waits for; empty if it does not. */
    String message() {
        return message;
    }
}
