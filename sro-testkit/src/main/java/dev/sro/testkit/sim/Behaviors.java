package dev.sro.testkit.sim;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The rules that steer containers. The rule added last that matches and is not used up wins; without one a container behaves
 * well. Rules are asked for when an image is pulled and when a container starts: a running container keeps what it began with,
 * unless {@link Simulation#restartContainers} makes it start again. Thread-safe.
 */
public final class Behaviors {
    private static final class Counted {
        final Behavior rule;
        int left;

        Counted(Behavior rule) {
            this.rule = rule;
            this.left = rule.times;
        }
    }

    private final List<Counted> rules = new ArrayList<>();

    Behaviors() {}

    /** Adds a rule before those that are there. */
    public synchronized Behaviors add(Behavior rule) {
        rules.add(0, new Counted(rule));
        return this;
    }

    /** Takes a rule away, as it was given to {@link #add}. */
    public synchronized Behaviors remove(Behavior rule) {
        rules.removeIf(c -> c.rule == rule);
        return this;
    }

    /** Takes all rules away. */
    public synchronized Behaviors clear() {
        rules.clear();
        return this;
    }

    /** The rule for a container that is about to run, counted as one use; null where it behaves well. */
    synchronized @Nullable Behavior useForRun(Behavior.Target target) {
        return use(target, false);
    }

    /** The rule that makes the pull of an image fail, counted as one use; null where it does not fail. */
    synchronized @Nullable Behavior useForPull(Behavior.Target target) {
        return use(target, true);
    }

    private @Nullable Behavior use(Behavior.Target target, boolean pull) {
        for (Counted c : rules) {
            if (c.left > 0 && (c.rule.kind == Behavior.Kind.PULL_ERROR) == pull && c.rule.matches(target)) {
                c.left--;
                return c.rule;
            }
        }
        return null;
    }
}
