package dev.sro.testkit.upgrade;

import dev.sro.testkit.operator.SroSandbox;
import dev.sro.testkit.sim.Behavior;
import java.util.List;
import java.util.Map;

/** What is wrong with the one node of a history that no upgrade gets done, and how it shows. */
enum BadNode {
    /** The new driver ends again and again. */
    DRIVER_CRASHES(End.FAILS, "container driver", "DriverCrashes", "DriverTimedOut"),
    /** It says that the modules of the former one are in use. */
    MODULE_IN_USE(End.FAILS, "container driver", "DriverCrashes", "DriverTimedOut"),
    /** The new driver runs and is never ready. */
    DRIVER_NEVER_READY(End.FAILS, "gpu-driver", "DriverTimedOut"),
    /** The image of the new driver does not come to this node. */
    IMAGE_MISSING(End.FAILS, "gpu-driver", "DriverTimedOut"),
    /** The validation of the new driver does not pass. */
    VALIDATION_FAILS(End.FAILS, "validat", "ValidationFailed", "ValidationTimedOut"),
    /** A disruption budget keeps a user of the device. */
    BUDGET_BLOCKS(End.FAILS, "default/kept", "PodDeletionTimedOut", "DrainTimedOut"),
    /** A user of the device would be made anew by nobody. */
    USER_NOT_EVICTABLE(
            End.FAILS, "default/alone", "PodsNotEvictable", "DrainFailed", "PodDeletionTimedOut", "DrainTimedOut"),
    /** A user of the device ends, and somebody's finalizer keeps it. */
    USER_NEVER_ENDS(End.FAILS, "default/held", "PodDeletionTimedOut", "DrainTimedOut"),
    /** Nobody boots the node when that is asked for. */
    NOBODY_REBOOTS(End.FAILS, "reboot", "RebootTimedOut"),
    /** It does not come back from its reboot. */
    LOST_IN_REBOOT(End.FAILS, "not Ready", "RebootTimedOut", "NodeNotReady", "DriverTimedOut"),
    /** A job on it never ends, and for jobs one waits for ever. */
    JOB_NEVER_ENDS(End.WAITS, "default/job", "WaitingForJobs"),
    /** Its kubelet does not answer from the beginning. */
    NOT_READY(End.STAYS_OUT, "not Ready", "NodeNotReady");

    /** What comes of the node, and what it takes from the others meanwhile. */
    enum End {
        /** It fails in the end: then it has no slot, and is unavailable. */
        FAILS,
        /** It has a slot as long as it is bad. */
        WAITS,
        /** It is never begun, and is unavailable. */
        STAYS_OUT
    }

    final End end;
    /** The reasons that status.upgrade.stuck may give in the end. */
    final String reasons;

    /** What the message there has in it. */
    final String word;

    BadNode(End end, String word, String... reasons) {
        this.end = end;
        this.word = word;
        this.reasons = String.join(" or ", reasons);
    }

    /** Whether it shows only when drivers are loaded in a new boot. */
    boolean needsReboot() {
        return this == NOBODY_REBOOTS || this == LOST_IN_REBOOT;
    }

    /** The node is as it should be until now, and is bad from here on. */
    void begin(SroSandbox sandbox, String node) {
        switch (this) {
            case DRIVER_CRASHES -> behave(sandbox, Behavior.crashLoop(), "*driver:*", node);
            case MODULE_IN_USE ->
                behave(sandbox, Behavior.crashLoop().saying("rmmod: ERROR: Module acme is in use"), "*driver:*", node);
            case DRIVER_NEVER_READY -> behave(sandbox, Behavior.neverReady(), "*driver:*", node);
            case IMAGE_MISSING -> behave(sandbox, Behavior.pullError("no such image here"), "*driver:*", node);
            case VALIDATION_FAILS -> {
                // One that crashes without a probe is ready for a moment, which is enough.
                behave(sandbox, Behavior.neverReady(), "*validate:*", node);
                NodeUsers.startAnew(sandbox, node, "gpu-validation");
            }
            case BUDGET_BLOCKS -> {
                NodeUsers.create(sandbox, "kept", node, Map.of("app", "kept"), true, List.of());
                NodeUsers.budget(sandbox, "kept");
            }
            case USER_NOT_EVICTABLE -> NodeUsers.create(sandbox, "alone", node, Map.of(), false, List.of());
            case USER_NEVER_ENDS ->
                NodeUsers.create(sandbox, "held", node, Map.of(), true, List.of("example.com/hold"));
            case JOB_NEVER_ENDS -> NodeUsers.create(sandbox, "job", node, Map.of("app", "job"), true, List.of());
            case NOT_READY -> sandbox.nodes().notReady(node);
            case NOBODY_REBOOTS, LOST_IN_REBOOT -> {
                // It shows when somebody is asked to boot the node.
            }
        }
    }

    private static void behave(SroSandbox sandbox, Behavior behavior, String image, String node) {
        // The name is a whole one: node-1 is not node-10.
        sandbox.simulation().behaviors().add(behavior.image(image).node(node));
    }

    /** Somebody mends it. */
    void end(SroSandbox sandbox, String node) {
        sandbox.simulation().behaviors().clear();
        NodeUsers.away(sandbox, "kept", "alone", "held", "job");
        if (this == NOT_READY || this == LOST_IN_REBOOT) {
            sandbox.nodes().ready(node);
        }
    }

    /** Whether this reason is one of them. */
    boolean shows(String reason) {
        return (" or " + reasons + " or ").contains(" or " + reason + " or ");
    }
}
