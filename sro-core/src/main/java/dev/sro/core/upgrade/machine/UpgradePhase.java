package dev.sro.core.upgrade.machine;

import dev.sro.core.upgrade.policy.RolloutPolicy;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Where a node stands in an upgrade. The values of the label are those of NVIDIA's {@code nvidia.com/<driver>-driver-upgrade-state},
 * so that tools that read these go on working; {@link #REBOOT} and {@link #DEVICE_RESET} are ours.
 */
public enum UpgradePhase {
    /** Nobody has looked yet. */
    UNKNOWN("", false, false),
    /** The driver is the wanted one. */
    DONE("upgrade-done", false, false),
    /** The driver is not the wanted one; the node waits for its turn. */
    REQUIRED("upgrade-required", false, false),
    /** It is the node's turn; it is being made unschedulable. */
    CORDON("cordon-required", true, true),
    /** Jobs on the node may finish. */
    JOBS("wait-for-jobs-required", true, true),
    /** Pods that use the device have to go. */
    POD_DELETION("pod-deletion-required", true, true),
    /** All pods have to go. */
    DRAIN("drain-required", true, true),
    /** Another operator cordons and drains the node. */
    MAINTENANCE("node-maintenance-required", true, false),
    /** The other operator is done. */
    POST_MAINTENANCE("post-maintenance-required", true, false),
    /** The node has to boot anew before the new driver can be loaded. */
    REBOOT("reboot-required", true, true),
    /** The driver's pod is replaced, and becomes ready. */
    POD_RESTART("pod-restart-required", true, true),
    /** Devices of the node are reset; what builds upon the driver is away for that. */
    DEVICE_RESET("device-reset-required", true, true),
    /** The new driver has to prove that it works. */
    VALIDATION("validation-required", true, true),
    /** The node goes back to work. */
    UNCORDON("uncordon-required", true, true),
    /** The upgrade failed here; the node stays out of work and the others go on. */
    FAILED("upgrade-failed", false, true);

    private final String label;
    private final boolean inProgress;
    private final boolean cordoned;

    UpgradePhase(String label, boolean inProgress, boolean cordoned) {
        this.label = label;
        this.inProgress = inProgress;
        this.cordoned = cordoned;
    }

    /** Value of the label; empty for {@link #UNKNOWN}, which is written as no label at all. */
    public String label() {
        return label;
    }

    /** Whether a node in this phase occupies one of {@link RolloutPolicy#maxParallel()} slots. A failed node does not. */
    public boolean inProgress() {
        return inProgress;
    }

    /** Whether a node in this phase is kept unschedulable by us, unless somebody else already does. */
    public boolean cordoned() {
        return cordoned;
    }

    /** The phase of a label; {@link #UNKNOWN} for none; empty for a value that is none of ours. Never throws. */
    public static Optional<UpgradePhase> parse(@Nullable String label) {
        if (label == null) {
            return Optional.of(UNKNOWN);
        }
        for (UpgradePhase phase : VALUES) {
            if (phase.label.equals(label)) {
                return Optional.of(phase);
            }
        }
        return Optional.empty();
    }

    private static final UpgradePhase[] VALUES = values();
}
