package dev.sro.core.upgrade.machine;

import dev.sro.core.upgrade.policy.MaintenanceWindow;
import dev.sro.core.upgrade.policy.RolloutPolicy;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What has to be open before any node is taken on. */
final class StartConditions {

    private final RolloutPolicy policy;
    private final boolean halted;
    private final int wave;
    private final List<MaintenanceWindow> openWindows;
    private final @Nullable Instant nextWindow;

    StartConditions(RolloutPolicy policy, boolean halted, int wave, Instant now) {
        this.policy = policy;
        this.halted = halted;
        this.wave = wave;
        this.openWindows =
                policy.windows().stream().filter(window -> window.isOpen(now)).toList();
        this.nextWindow = policy.windows().stream()
                .filter(window -> !window.isOpen(now))
                .map(window -> window.next(now))
                .min(Instant::compareTo)
                .orElse(null);
    }

    /**
     * Whether the node may be taken on now, if there is a slot. What somebody asks for only waits for the window. A node that we keep
     * from work, or another special resource that waits for us, waits for no wave: it is unavailable until it is upgraded, and may be what an earlier wave lacks.
     */
    boolean open(UpgradeNode node, int itsWave) {
        if (policy.paused() || !inWindow(node)) {
            return false;
        }
        return node.requested()
                || (policy.autoUpgrade() && !halted && (itsWave <= wave || node.cordonedByUs() || node.awaited()));
    }

    private boolean inWindow(UpgradeNode node) {
        if (policy.windows().isEmpty()) {
            return true;
        }
        for (MaintenanceWindow window : openWindows) {
            if (window.matches(node.labels())) {
                return true;
            }
        }
        return false;
    }

    /** When a window opens that is closed now. */
    Optional<Instant> nextWindow() {
        return Optional.ofNullable(nextWindow);
    }

    /** What holds all nodes back, for people; empty if nothing does. */
    String held() {
        if (policy.paused()) {
            return "the rollout is paused";
        }
        if (!policy.autoUpgrade()) {
            return "autoUpgrade is off: nodes are taken on when somebody asks for it";
        }
        return !policy.windows().isEmpty() && openWindows.isEmpty() ? "no maintenance window is open" : "";
    }
}
