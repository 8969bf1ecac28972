package dev.sro.runtime;

import java.io.PrintWriter;

/**
 * What a command does while it is waited for: a line on standard error, drawn over itself and taken away in the end, only where standard
 * error is a terminal, and not where the answer is for a program. Not thread-safe.
 */
public final class Progress implements AutoCloseable {
    /** Set by the launcher where standard error is a terminal. */
    static final String TERMINAL = "sro.terminal.err";

    private static final int WIDTH = 30;

    private final PrintWriter err;
    private final long steps;
    private final boolean visible;
    private long done;
    private int percents = -1;
    private boolean drawn;

    private Progress(PrintWriter err, long steps, boolean visible) {
        this.err = err;
        this.steps = Math.max(1, steps);
        this.visible = visible;
    }

    /**
     * A bar for a known number of steps.
     *
     * @param wanted whether the answer is for a person
     */
    public static Progress of(PrintWriter err, long steps, boolean wanted) {
        return new Progress(SafeOutput.drawing(err), steps, wanted && Boolean.getBoolean(TERMINAL));
    }

    /**
     * A line about work of which nobody knows how long it takes.
     *
     * @param wanted whether the answer is for a person
     * @param what is done first
     */
    public static Progress saying(PrintWriter err, boolean wanted, String what) {
        Progress progress = of(err, 1, wanted);
        progress.say(what);
        return progress;
    }

    /** {@code what} is done from now on. */
    public void say(String what) {
        if (visible) {
            drawn = true;
            err.print("\r" + SafeOutput.visible(what) + " ...\u001b[K");
            err.flush();
        }
    }

    /** One step is done; {@code what} comes next. */
    public void step(String what) {
        done++;
        draw(what);
    }

    /** {@code what} is being done. */
    public void draw(String what) {
        int percent = (int) (100 * Math.min(done, steps) / steps);
        if (!visible || percent == percents) {
            return;
        }
        percents = percent;
        drawn = true;
        int filled = WIDTH * percent / 100;
        err.print("\r[" + "=".repeat(filled) + " ".repeat(WIDTH - filled) + "] " + percent + "% "
                + SafeOutput.visible(what) + "\u001b[K");
        err.flush();
    }

    /** Takes the line away: something else is printed next. It comes again with the next thing that is said. */
    public void clear() {
        if (drawn) {
            drawn = false;
            err.print("\r\u001b[K");
            err.flush();
        }
    }

    @Override
    public void close() {
        clear();
    }
}
