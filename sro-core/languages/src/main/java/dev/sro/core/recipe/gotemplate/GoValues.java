package dev.sro.core.recipe.gotemplate;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The types of Go that data has here. */
final class GoValues {
    private static final int LONG_BITS = 63;

    private GoValues() {}

    /**
     * A value as the rest of the package has it: null, {@link Absent}, Boolean, String, Long, Double, {@link
     * GoComplex}, List, Map or {@link TemplateFunction}. What is in lists and maps stays as it is.
     */
    static @Nullable Object convert(@Nullable Object value) {
        if (value == null
                || value instanceof String
                || value instanceof Boolean
                || value instanceof Map
                || value instanceof List) {
            return value;
        }
        if (value instanceof Number number) {
            return number(number);
        }
        if (value instanceof Collection<?> collection) {
            return List.copyOf(collection);
        }
        if (value instanceof CharSequence text) {
            return text.toString();
        }
        if (value instanceof Object[] array) {
            return Arrays.asList(array);
        }
        if (value instanceof Absent || value instanceof GoComplex || value instanceof TemplateFunction) {
            return value;
        }
        throw new EvaluationError("a value of Java's type " + value.getClass().getName() + " is no data for templates");
    }

    private static Object number(Number number) {
        if (number instanceof Long || number instanceof Double) {
            return number;
        }
        if (number instanceof BigInteger big) {
            return big.bitLength() <= LONG_BITS ? (Object) big.longValue() : big.doubleValue();
        }
        boolean floating = number instanceof Float || number instanceof BigDecimal;
        return floating ? (Object) number.doubleValue() : number.longValue();
    }

    /** Whether a value is not the zero of its type. */
    static boolean truth(@Nullable Object value) {
        if (value == null || value instanceof Absent) {
            return false;
        }
        if (value instanceof Boolean truth) {
            return truth;
        }
        if (value instanceof String text) {
            return !text.isEmpty();
        }
        if (value instanceof Long number) {
            return number != 0;
        }
        if (value instanceof Double number) {
            return number != 0;
        }
        if (value instanceof GoComplex number) {
            return number.real() != 0 || number.imaginary() != 0;
        }
        if (value instanceof List<?> list) {
            return !list.isEmpty();
        }
        return !(value instanceof Map<?, ?> map) || !map.isEmpty();
    }

    static String typeName(Object value) {
        if (value instanceof String) {
            return "string";
        }
        if (value instanceof Boolean) {
            return "bool";
        }
        if (value instanceof Long) {
            return "int";
        }
        if (value instanceof Double) {
            return "float64";
        }
        if (value instanceof GoComplex) {
            return "complex128";
        }
        if (value instanceof List) {
            return "[]interface {}";
        }
        return value instanceof Map ? "map[string]interface {}" : "func(...interface {}) interface {}";
    }

    /** The keys of a map in the order in which Go goes through them: that of their UTF-8. */
    static List<?> sortedKeys(Map<?, ?> map, Budget budget) {
        budget.steps(map.size());
        Set<?> keys = map.keySet();
        Object[] sorted = keys.toArray();
        Arrays.sort(sorted, (left, right) -> compare(String.valueOf(left), String.valueOf(right)));
        return Arrays.asList(sorted);
    }

    /** Compares as their UTF-8 does. */
    static int compare(String left, String right) {
        int common = Math.min(left.length(), right.length());
        for (int i = 0; i < common; i++) {
            char a = left.charAt(i);
            char b = right.charAt(i);
            if (a != b) {
                boolean one = Character.isSurrogate(a) != Character.isSurrogate(b);
                return one ? (Character.isSurrogate(a) ? 1 : -1) : Character.compare(a, b);
            }
        }
        return Integer.compare(left.length(), right.length());
    }
}
