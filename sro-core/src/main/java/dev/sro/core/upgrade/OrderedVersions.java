package dev.sro.core.upgrade;

import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Upgrade by version labels of a node, as people do it with the Kernel Module Management operator: the label of the module says which
 * version is wanted on the node, that of the worker which one is loaded, that of the schedule which one pods may use. Nobody is
 * evicted; who sets the first label has emptied the node.
 *
 * <p>That operator's table has 8 rows; here all 27 combinations have an action, which leads to the wanted one in at most five: what pods
 * may use goes before what is loaded, and comes after it.
 */
public final class OrderedVersions {

    private OrderedVersions() {}

    /** What a label says. */
    public enum Mark {
        /** It is not there. */
        MISSING,
        /** It is there; of worker and schedule: with the version of the module's. */
        PRESENT,
        /** It is there with another version than the module's. Of the module's label itself as good as present. */
        DIFFERENT
    }

    /** What to do next. */
    public enum Action {
        /** Nothing. */
        NONE,
        /** Take the label of the schedule away. */
        DELETE_SCHEDULE,
        /** Take the label of the worker away, so that the module is unloaded; once no pod of the device plugin is on the node. */
        DELETE_WORKER,
        /** Give the worker the version of the module; once the node's label that says ready is gone. */
        ADD_WORKER,
        /** Give the schedule the version of the module. */
        ADD_SCHEDULE
    }

    /** What to do next, whatever the labels say. */
    public static Action next(Mark module, Mark worker, Mark schedule) {
        boolean wanted = module != Mark.MISSING;
        boolean loaded = wanted && worker == Mark.PRESENT;
        if (schedule != Mark.MISSING && !(loaded && schedule == Mark.PRESENT)) {
            return Action.DELETE_SCHEDULE;
        }
        if (worker != Mark.MISSING && !loaded) {
            return Action.DELETE_WORKER;
        }
        if (!wanted) {
            return Action.NONE;
        }
        if (!loaded) {
            return Action.ADD_WORKER;
        }
        return schedule == Mark.MISSING ? Action.ADD_SCHEDULE : Action.NONE;
    }

    /** The same by the values of the labels; null for a label that is not there. */
    public static Action forLabels(@Nullable String module, @Nullable String worker, @Nullable String schedule) {
        return next(module == null ? Mark.MISSING : Mark.PRESENT, mark(module, worker), mark(module, schedule));
    }

    private static Mark mark(@Nullable String module, @Nullable String label) {
        if (label == null) {
            return Mark.MISSING;
        }
        return Objects.equals(module, label) ? Mark.PRESENT : Mark.DIFFERENT;
    }

    /**
     * What an action has to wait for.
     *
     * @param devicePods whether pods of the module's device plugin or resource driver are on the node
     * @param readyLabel whether the node still has the label that says that the module is ready
     */
    public static Optional<String> waitsFor(Action action, boolean devicePods, boolean readyLabel) {
        if (action == Action.DELETE_WORKER && devicePods) {
            return Optional.of("pods of the device plugin are on the node");
        }
        return action == Action.ADD_WORKER && readyLabel
                ? Optional.of("the node still has the label that says ready")
                : Optional.empty();
    }
}
