package dev.sro.runtime.dev;

import dev.sro.runtime.SafeOutput;
import java.io.PrintWriter;
import java.time.Duration;

/** Lines that stay, and below them one that says how far everything is. Confined to one thread. */
final class DevScreen {

    private static final int WIDTH = 79;

    private final PrintWriter out;
    private final boolean plain;
    private String status = "";

    /**
     * @param plain whether the last line is written anew for each change, and not painted over
     */
    DevScreen(PrintWriter out, boolean plain) {
        this.out = SafeOutput.drawing(out);
        this.plain = plain;
    }

    /** A line that stays. */
    void say(String line) {
        out.println((plain ? "" : "\r\033[K") + SafeOutput.visible(line));
        paint();
    }

    /** How far everything is now. */
    void status(Duration since, String text) {
        if (text.equals(status)) {
            return;
        }
        status = text;
        if (plain) {
            out.println(String.format("%5d s  %s", since.toSeconds(), SafeOutput.visible(text)));
            out.flush();
        } else {
            paint();
        }
    }

    private void paint() {
        if (!plain) {
            String shown = SafeOutput.visible(status);
            out.print("\r\033[K" + (shown.length() <= WIDTH ? shown : shown.substring(0, WIDTH - 1) + "…"));
        }
        out.flush();
    }

    /** The last line stays as it is. */
    void end() {
        if (!plain) {
            out.println();
        }
        out.flush();
    }
}
