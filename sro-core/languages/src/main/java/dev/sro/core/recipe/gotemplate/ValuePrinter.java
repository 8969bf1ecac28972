package dev.sro.core.recipe.gotemplate;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Writes values as Go's {@code fmt} does. */
final class ValuePrinter {
    private static final String NIL = "<nil>";

    private final Budget budget;
    private final PaddedWriter writer;

    ValuePrinter(Budget budget) {
        this.budget = budget;
        this.writer = new PaddedWriter(budget);
    }

    String text() {
        return writer.text();
    }

    PaddedWriter writer() {
        return writer;
    }

    /** A space between two of which neither is a string. */
    void print(List<@Nullable Object> values) {
        boolean lastIsString = true;
        for (int i = 0; i < values.size(); i++) {
            Object value = GoValues.convert(values.get(i));
            boolean isString = value instanceof String;
            if (i > 0 && !isString && !lastIsString) {
                writer.raw(" ");
            }
            value(value, 'v');
            lastIsString = isString;
        }
    }

    void println(List<@Nullable Object> values) {
        for (int i = 0; i < values.size(); i++) {
            if (i > 0) {
                writer.raw(" ");
            }
            value(GoValues.convert(values.get(i)), 'v');
        }
        writer.raw("\n");
    }

    void value(@Nullable Object value, int verb) {
        if (value == null) {
            if (verb == 'v' || verb == 'T') {
                writer.padded(NIL);
            } else {
                bad(null, verb);
            }
        } else if (verb == 'T') {
            writer.string(GoValues.typeName(value));
        } else {
            present(value, verb);
        }
    }

    private void present(Object value, int verb) {
        budget.step();
        if (value instanceof String text) {
            string(text, verb);
        } else if (value instanceof Long number) {
            integer(number, verb);
        } else if (value instanceof Double number) {
            floating(number, verb);
        } else if (value instanceof Boolean) {
            if (verb == 'v' || verb == 't') {
                writer.padded(value.toString());
            } else {
                bad(value, verb);
            }
        } else if (value instanceof GoComplex number) {
            complex(number, verb);
        } else if (verb == 'p' || verb == 'w') {
            // There are neither addresses nor errors here.
            bad(value, verb);
        } else if (value instanceof List<?> list) {
            list(list, verb);
        } else if (value instanceof Map<?, ?> map) {
            map(map, verb);
        } else {
            bad(value, verb);
        }
    }

    private void string(String text, int verb) {
        switch (verb) {
            case 'v' -> {
                if (writer.flags().syntax) {
                    writer.quoted(text);
                } else {
                    writer.string(text);
                }
            }
            case 's' -> writer.string(text);
            case 'q' -> writer.quoted(text);
            case 'x', 'X' -> writer.hex(text, verb == 'X');
            default -> bad(text, verb);
        }
    }

    private void integer(long number, int verb) {
        switch (verb) {
            case 'v', 'd' -> writer.integer(number, 10, verb);
            case 'b' -> writer.integer(number, 2, verb);
            case 'o', 'O' -> writer.integer(number, 8, verb);
            case 'x', 'X' -> writer.integer(number, 16, verb);
            case 'c' -> writer.character(number);
            case 'q' -> writer.quotedCharacter(number);
            case 'U' -> writer.unicode(number);
            default -> bad(number, verb);
        }
    }

    private void floating(double number, int verb) {
        if ("vbgGxXfFeE".indexOf(verb) < 0) {
            bad(number, verb);
            return;
        }
        // Very small and very large numbers take many digits to look at.
        budget.steps(Math.abs(Math.getExponent(number)));
        int precision = "fFeE".indexOf(verb) >= 0 ? 6 : GoFloat.SHORTEST;
        if (writer.flags().hasPrecision()) {
            precision = writer.flags().precision;
        }
        char form = verb == 'v' ? 'g' : verb == 'F' ? 'f' : (char) verb;
        String text = GoFloat.format(number, form, precision);
        boolean sharp = writer.flags().sharp && form != 'b' && Character.isDigit(text.charAt(1));
        writer.floating(sharp ? withPoint(text, form, precision) : text);
    }

    /** With a decimal point, and for g with the zeros that it leaves out else. */
    private static String withPoint(String text, char form, int precision) {
        boolean hex = form == 'x' || form == 'X';
        int end = 1;
        while (end < text.length()
                && "pP".indexOf(text.charAt(end)) < 0
                && (hex || "eE".indexOf(text.charAt(end)) < 0)) {
            end++;
        }
        String number = text.substring(0, end);
        boolean pads = form == 'g' || form == 'G' || form == 'x';
        int missing = pads ? (precision == GoFloat.SHORTEST ? 6 : precision) : 0;
        boolean significant = false;
        for (int i = 1; i < number.length(); i++) {
            char c = number.charAt(i);
            significant |= c != '0' && c != '.';
            missing -= significant && c != '.' ? 1 : 0;
        }
        boolean hasPoint = number.indexOf('.') >= 0;
        missing -= number.substring(1).equals("0") ? 1 : 0;
        return number + (hasPoint ? "" : ".") + "0".repeat(Math.max(0, missing)) + text.substring(end);
    }

    private void complex(GoComplex number, int verb) {
        if ("vbgGxXfFeE".indexOf(verb) < 0) {
            bad(number, verb);
            return;
        }
        boolean plus = writer.flags().plus;
        writer.raw("(");
        floating(number.real(), verb);
        writer.flags().plus = true;
        floating(number.imaginary(), verb);
        writer.raw("i)");
        writer.flags().plus = plus;
    }

    private void list(List<?> list, int verb) {
        boolean syntax = writer.flags().syntax;
        budget.enter();
        writer.raw(syntax ? "[]interface {}{" : "[");
        boolean first = true;
        for (Object element : list) {
            if (!first) {
                writer.raw(syntax ? ", " : " ");
            }
            first = false;
            element(element, verb);
        }
        writer.raw(syntax ? "}" : "]");
        budget.leave();
    }

    private void map(Map<?, ?> map, int verb) {
        boolean syntax = writer.flags().syntax;
        budget.enter();
        writer.raw(syntax ? "map[string]interface {}{" : "map[");
        boolean first = true;
        for (Object key : GoValues.sortedKeys(map, budget)) {
            if (!first) {
                writer.raw(syntax ? ", " : " ");
            }
            first = false;
            string(String.valueOf(key), verb);
            writer.raw(":");
            element(map.get(key), verb);
        }
        writer.raw(syntax ? "}" : "]");
        budget.leave();
    }

    private void element(@Nullable Object element, int verb) {
        Object value = GoValues.convert(element);
        if (value == null) {
            budget.step();
            writer.raw(writer.flags().syntax ? "interface {}(nil)" : NIL);
        } else {
            present(value, verb);
        }
    }

    /** A verb that does not fit the value. */
    private void bad(@Nullable Object value, int verb) {
        writer.raw("%!" + Character.toString(verb) + "(");
        if (value == null) {
            writer.raw(NIL);
        } else {
            writer.raw(GoValues.typeName(value) + "=");
            present(value, 'v');
        }
        writer.raw(")");
    }
}
