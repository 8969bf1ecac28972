package dev.sro.runtime;

import java.io.PrintWriter;

/**
 * What a command prints, in which nothing but text reaches a terminal. Names, messages and values come from objects that others wrote and
 * from logs of containers: a terminal that reads them as orders would hide lines, change what is on the screen, or its title. All control
 * characters but tab and newline are printed as JSON escapes them, so that an answer in JSON stays the same value. Thread-safe as {@link PrintWriter} is.
 */
public final class SafeOutput extends PrintWriter {
    private static final char DELETE = '\u007f';
    private static final char LAST_CONTROL = '\u009f';

    private final PrintWriter raw;

    private SafeOutput(PrintWriter raw) {
        super(raw, true);
        this.raw = raw;
    }

    /** Over a stream that may be a terminal. */
    public static PrintWriter over(PrintWriter raw) {
        return raw instanceof SafeOutput ? raw : new SafeOutput(raw);
    }

    /** For who draws on a terminal, and prints no text of others but {@link #visible} one. */
    public static PrintWriter drawing(PrintWriter out) {
        return out instanceof SafeOutput safe ? safe.raw : out;
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

    private static boolean isOrder(char one) {
        return one < ' ' ? one != '\n' && one != '\t' : one >= DELETE && one <= LAST_CONTROL;
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
