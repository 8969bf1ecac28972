package dev.sro.runtime.slices;

import java.io.PrintWriter;

/**
 * A progress bar on standard error, drawn over itself, and only where standard error is a terminal. Not thread-safe.
 */
final class Progress implements AutoCloseable {
    /** Set by the launcher where standard error is a terminal. */
    static final String TERMINAL = "sro.terminal.err";

    private static final int WIDTH = 30;

    private final PrintWriter err;
    private final long steps;
    private final boolean visible;
    private long done;
    private int drawn = -1;

    private Progress(PrintWriter err, long steps, boolean visible) {
        this.err = err;
        this.steps = Math.max(1, steps);
        this.visible = visible;
    }

    static Progress of(PrintWriter err, long steps) {
        return new Progress(err, steps, Boolean.getBoolean(TERMINAL));
    }

    /** One step is done; {@code what} comes next. */
    void step(String what) {
        done++;
        draw(what);
    }

    /** {@code what} is being done. */
    void draw(String what) {
        int percent = (int) (100 * Math.min(done, steps) / steps);
        if (!visible || percent == drawn) {
            return;
        }
        drawn = percent;
        int filled = WIDTH * percent / 100;
        err.print("\r[" + "=".repeat(filled) + " ".repeat(WIDTH - filled) + "] " + percent + "% " + what + "\u001b[K");
        err.flush();
    }

    /** Takes the bar away. */
    @Override
    public void close() {
        if (visible && drawn >= 0) {
            err.print("\r\u001b[K");
            err.flush();
        }
    }
}
