package dev.sro.core.cel;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * The regular expressions of Go, in time that grows with the length of the text alone, and with limits: a search takes text ×
 * size steps, and a few characters are enough for an expression of a million parts. Stateless.
 */
public final class Re2 {

    /** Parts that an expression may have once its repetitions are written out. */
    public static final int MAX_SIZE = 5_000;

    /** How often something may be repeated, repetitions in repetitions included; Go's number. */
    private static final int MAX_REPEAT = 1_000;

    private Re2() {}

    /**
     * The expression, to search with.
     *
     * @throws CelException with a position, if it is none or too large
     */
    public static Pattern compile(String regexp) {
        size(regexp);
        try {
            return Pattern.compile(regexp);
        } catch (PatternSyntaxException e) {
            throw new CelException("error parsing regexp: " + e.getMessage(), Math.max(0, e.getIndex()));
        }
    }

    /**
     * How many parts it has with its repetitions written out. Of what is no regular expression, any number.
     *
     * @throws CelException with a position, if these are too many
     */
    public static int size(String regexp) {
        return new Scan(regexp).size();
    }

    /** A group that is open, or the whole. */
    private static final class Group {
        private int size;
        private int repeat = 1;
        /** Of the last part: what a repetition that follows applies to. */
        private int lastSize;

        private int lastRepeat = 1;

        void add(int more, int inner) {
            size += more;
            lastSize = more;
            lastRepeat = inner;
            repeat = Math.max(repeat, inner);
        }
    }

    private static final class Scan {
        private final String text;
        private int at;

        Scan(String text) {
            this.text = text;
        }

        int size() {
            Deque<Group> open = new ArrayDeque<>();
            Group group = new Group();
            while (at < text.length()) {
                char c = text.charAt(at);
                if (c == '(') {
                    open.push(group);
                    group = new Group();
                    at++;
                } else if (c == ')' && !open.isEmpty()) {
                    Group inner = group;
                    group = open.pop();
                    group.add(inner.size + 1, inner.repeat);
                    at++;
                } else if (c == '{') {
                    repeated(group);
                } else {
                    part(c);
                    group.add(1, 1);
                }
                check(group);
            }
            return group.size;
        }

        private void check(Group group) {
            if (group.repeat > MAX_REPEAT) {
                throw new CelException("error parsing regexp: invalid repeat count", at - 1);
            }
            if (group.size > MAX_SIZE) {
                throw new CelException(
                        "error parsing regexp: it has more than " + MAX_SIZE + " parts with its repetitions", at - 1);
            }
        }

        private void repeated(Group group) {
            int end = text.indexOf('}', at);
            int count = end < 0 ? -1 : count(text.substring(at + 1, end));
            if (count < 0) {
                group.add(1, 1);
                at++;
                return;
            }
            int times = Math.max(1, count);
            group.size += group.lastSize * (times - 1);
            group.repeat = Math.max(group.repeat, group.lastRepeat * times);
            group.lastSize *= times;
            group.lastRepeat *= times;
            at = end + 1;
        }

        /** The larger number of {@code n}, {@code n,} or {@code n,m}; negative if it is none of these. */
        private static int count(String range) {
            if (!range.matches("[0-9]+(,[0-9]*)?")) {
                return -1;
            }
            int most = 0;
            for (String number : range.split(",")) {
                // More digits than the limit has are too many, whatever they are.
                int value = number.length() > 4 ? MAX_REPEAT + 1 : Integer.parseInt(number);
                most = Math.max(most, Math.min(value, MAX_REPEAT + 1));
            }
            return most;
        }

        /** Goes over one character, escape or class. */
        private void part(char c) {
            if (c == '[') {
                charClass();
            } else if (text.startsWith("\\Q", at)) {
                int end = text.indexOf("\\E", at);
                at = end < 0 ? text.length() : end + 2;
            } else {
                at += c == '\\' ? 2 : 1;
                boolean named = c == '\\' && at <= text.length() && "xpP".indexOf(text.charAt(at - 1)) >= 0;
                int end = named && text.startsWith("{", at) ? text.indexOf('}', at) : -1;
                at = end < 0 ? at : end + 1;
            }
        }

        private void charClass() {
            at++;
            at += text.startsWith("^", at) ? 1 : 0;
            at += text.startsWith("]", at) ? 1 : 0;
            while (at < text.length() && text.charAt(at) != ']') {
                int named = text.startsWith("[:", at) ? text.indexOf(":]", at) : -1;
                at = named >= 0 ? named + 2 : at + (text.charAt(at) == '\\' ? 2 : 1);
            }
            at++;
        }
    }
}
