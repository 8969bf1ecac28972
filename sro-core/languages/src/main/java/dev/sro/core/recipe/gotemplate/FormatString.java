package dev.sro.core.recipe.gotemplate;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Executes the format of {@code printf}. What is wrong in it is written into the text, as Go does. */
final class FormatString {
    /** Arguments that are larger are no width and no precision; nor are numbers of which ten times that is left. */
    private static final int MAX = 1_000_000;

    private final String format;
    private final List<@Nullable Object> arguments;
    private final ValuePrinter printer;
    private final PaddedWriter writer;
    private int at;
    private int next;
    private boolean reordered;
    private boolean goodIndex;
    private boolean afterIndex;

    FormatString(String format, List<@Nullable Object> arguments, ValuePrinter printer) {
        this.format = format;
        this.arguments = arguments;
        this.printer = printer;
        this.writer = printer.writer();
    }

    void print() {
        while (at < format.length()) {
            int percent = format.indexOf('%', at);
            int end = percent < 0 ? format.length() : percent;
            writer.raw(format.substring(at, end));
            at = end + 1;
            if (percent >= 0) {
                directive();
            }
        }
        if (!reordered && next < arguments.size()) {
            extra();
        }
    }

    private void directive() {
        FormatFlags flags = new FormatFlags();
        writer.use(flags);
        goodIndex = true;
        afterIndex = false;
        readFlags(flags);
        index();
        width(flags);
        precision(flags);
        if (!afterIndex) {
            index();
        }
        if (at >= format.length()) {
            writer.raw("%!(NOVERB)");
            return;
        }
        int verb = GoText.codePointAt(format, at);
        at += Character.charCount(verb);
        verb(verb, flags);
    }

    private void verb(int verb, FormatFlags flags) {
        String name = Character.toString(verb);
        if (verb == '%') {
            writer.raw("%");
        } else if (!goodIndex) {
            writer.raw("%!" + name + "(BADINDEX)");
        } else if (next >= arguments.size()) {
            writer.raw("%!" + name + "(MISSING)");
        } else {
            if (verb == 'v' || verb == 'w') {
                flags.syntax = flags.sharp;
                flags.sharp = false;
                flags.plus = false;
            }
            printer.value(GoValues.convert(arguments.get(next)), verb);
            next++;
        }
    }

    private void readFlags(FormatFlags flags) {
        for (; at < format.length(); at++) {
            switch (format.charAt(at)) {
                case '#' -> flags.sharp = true;
                case '0' -> flags.zero = true;
                case '+' -> flags.plus = true;
                case '-' -> flags.minus = true;
                case ' ' -> flags.space = true;
                default -> {
                    return;
                }
            }
        }
    }

    /** An argument's number, as in {@code %[2]d}. */
    private void index() {
        if (!has('[')) {
            afterIndex = false;
            return;
        }
        reordered = true;
        int close = format.indexOf(']', at);
        if (close < 0) {
            goodIndex = false;
            afterIndex = false;
            at++;
            return;
        }
        int start = at + 1;
        at = start;
        int number = number();
        boolean read = number != FormatFlags.NONE && at == close;
        at = close + 1;
        afterIndex = read;
        if (read && number >= 1 && number <= arguments.size()) {
            next = number - 1;
        } else {
            goodIndex = false;
        }
    }

    private void width(FormatFlags flags) {
        if (has('*')) {
            at++;
            Integer width = argument();
            if (width == null) {
                writer.raw("%!(BADWIDTH)");
            } else {
                flags.width = Math.abs(width);
                flags.minus |= width < 0;
                flags.zero &= width >= 0;
            }
            afterIndex = false;
            return;
        }
        flags.width = number();
        goodIndex &= !afterIndex || flags.width == FormatFlags.NONE;
    }

    private void precision(FormatFlags flags) {
        // A point at the very end is a verb.
        if (!has('.') || at + 1 >= format.length()) {
            return;
        }
        at++;
        goodIndex &= !afterIndex;
        index();
        if (has('*')) {
            at++;
            Integer precision = argument();
            if (precision != null && precision >= 0) {
                flags.precision = precision;
            } else {
                writer.raw("%!(BADPREC)");
            }
            afterIndex = false;
            return;
        }
        flags.precision = Math.max(0, number());
    }

    /** The next argument, if it is an integer that can be a width. */
    private @Nullable Integer argument() {
        if (next >= arguments.size()) {
            return null;
        }
        Object value = GoValues.convert(arguments.get(next++));
        if (value instanceof Long number && number <= MAX && number >= -MAX) {
            return number.intValue();
        }
        return null;
    }

    /** Decimal digits, if there are any. */
    private int number() {
        int start = at;
        int number = 0;
        while (at < format.length() && format.charAt(at) >= '0' && format.charAt(at) <= '9') {
            if (number > MAX) {
                at = format.length();
                return FormatFlags.NONE;
            }
            number = number * 10 + format.charAt(at) - '0';
            at++;
        }
        return at == start ? FormatFlags.NONE : number;
    }

    private boolean has(char wanted) {
        return at < format.length() && format.charAt(at) == wanted;
    }

    private void extra() {
        writer.use(new FormatFlags());
        writer.raw("%!(EXTRA ");
        for (int i = next; i < arguments.size(); i++) {
            Object value = GoValues.convert(arguments.get(i));
            writer.raw(i > next ? ", " : "");
            writer.raw(value == null ? "" : GoValues.typeName(value) + "=");
            printer.value(value, 'v');
        }
        writer.raw(")");
    }
}
