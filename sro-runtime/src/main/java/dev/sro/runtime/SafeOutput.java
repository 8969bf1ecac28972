package dev.sro.runtime;

import java.io.PrintWriter;
import org.jspecify.annotations.Nullable;

/**
 * What a command prints, in which nothing but text reaches a terminal. Names, messages and values come from objects that others wrote and
 * from logs of containers: a terminal that reads them as orders would hide lines, change what is on the screen, or its title. All control
 * characters but tab and newline are printed as JSON escapes them, so that an answer in JSON stays the same value. Thread-safe as {@link PrintWriter} is.
 */
public final class SafeOutput extends PrintWriter {
    private static final char DELETE = '\u007f';
    private static final char LAST_CONTROL = '\u009f';

    /** Before each line of a message but the first. */
    private static final String FURTHER = "\n  ";

    private final PrintWriter raw;
    private final boolean messages;

    private SafeOutput(PrintWriter raw, boolean messages) {
        super(raw, true);
        this.raw = raw;
        this.messages = messages;
    }

    /** Over a stream that may be a terminal. */
    public static PrintWriter over(PrintWriter raw) {
        return raw instanceof SafeOutput ? raw : new SafeOutput(raw, false);
    }

    /**
     * The same for a stream to which each {@link #println(String)} writes a message: of one with several lines all but the first are
     * indented, so that what others wrote into it cannot be taken for a message of its own.
     */
    public static PrintWriter messages(PrintWriter raw) {
        return raw instanceof SafeOutput safe && safe.messages ? raw : new SafeOutput(raw, true);
    }

    /** For who draws on a terminal, and prints no text of others but {@link #visible} one. */
    public static PrintWriter drawing(PrintWriter out) {
        return out instanceof SafeOutput safe ? drawing(safe.raw) : out;
    }

    /** The text with its control characters to be seen; of ends of lines as Windows writes them there stays the newline. */
    public static String visible(String text) {
        int first = 0;
        while (first < text.length() && !isOrder(text.charAt(first))) {
            first++;
        }
        if (first == text.length()) {
            return text;
        }
        StringBuilder visible = new StringBuilder(text.length() + 16).append(text, 0, first);
        for (int i = first; i < text.length(); i++) {
            char one = text.charAt(i);
            boolean end = one == '\r' && i + 1 < text.length() && text.charAt(i + 1) == '\n';
            if (!isOrder(one)) {
                visible.append(one);
            } else if (!end) {
                visible.append(String.format("\\u%04x", (int) one));
            }
        }
        return visible.toString();
    }

    /** What others wrote, on one line: it begins none of its own, which a reader would take for the command's, and gives no orders. */
    public static String oneLine(String text) {
        return visible(text.replace("\r\n", "\n").replace("\n", "\\n").replace('\t', ' '));
    }

    private static boolean isOrder(char one) {
        return one < ' ' ? one != '\n' && one != '\t' : one >= DELETE && one <= LAST_CONTROL;
    }

    @Override
    public void println(@Nullable String text) {
        String all = String.valueOf(text);
        super.println(messages ? all.stripTrailing().replace("\r\n", "\n").replace("\n", FURTHER) : all);
    }

    @Override
    public void write(int one) {
        write(String.valueOf((char) one));
    }

    @Override
    public void write(char[] text, int offset, int length) {
        write(new String(text, offset, length));
    }

    @Override
    public void write(String text, int offset, int length) {
        String visible = visible(text.substring(offset, offset + length));
        super.write(visible, 0, visible.length());
    }

    @Override
    public void write(String text) {
        write(text, 0, text.length());
    }
}
