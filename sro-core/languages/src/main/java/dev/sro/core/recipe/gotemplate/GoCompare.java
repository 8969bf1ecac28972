package dev.sro.core.recipe.gotemplate;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** {@code eq}, {@code lt} and those that follow from them. */
final class GoCompare {
    private static final String INVALID = "invalid type for comparison";

    private final Budget budget;

    GoCompare(Budget budget) {
        this.budget = budget;
    }

    /** Whether the first equals one of the others. */
    boolean equalsAny(List<@Nullable Object> arguments) {
        if (arguments.size() < 2) {
            throw new EvaluationError("missing argument for comparison");
        }
        for (int i = 1; i < arguments.size(); i++) {
            if (equal(arguments.get(0), arguments.get(i))) {
                return true;
            }
        }
        return false;
    }

    boolean equal(@Nullable Object left, @Nullable Object right) {
        if (left == null || right == null) {
            return left == right;
        }
        if (isBasic(left) != isBasic(right) || (isBasic(left) && left.getClass() != right.getClass())) {
            throw incompatible(left, right);
        }
        if (!isBasic(left)) {
            throw new EvaluationError(
                    "non-comparable types " + GoValues.typeName(left) + " and " + GoValues.typeName(right));
        }
        if (left instanceof String text) {
            budget.reading(text);
        }
        if (left instanceof Double a && right instanceof Double b) {
            return a.doubleValue() == b.doubleValue();
        }
        if (left instanceof GoComplex a && right instanceof GoComplex b) {
            return a.real() == b.real() && a.imaginary() == b.imaginary();
        }
        return left.equals(right);
    }

    boolean less(@Nullable Object left, @Nullable Object right) {
        if (!isBasic(left) || !isBasic(right) || left == null || right == null) {
            throw new EvaluationError(INVALID);
        }
        if (left instanceof Long a && right instanceof Long b) {
            return a < b;
        }
        if (left instanceof Double a && right instanceof Double b) {
            return a < b;
        }
        if (left instanceof String a && right instanceof String b) {
            budget.reading(a);
            return GoValues.compare(a, b) < 0;
        }
        throw left.getClass() == right.getClass() ? new EvaluationError(INVALID) : incompatible(left, right);
    }

    boolean lessOrEqual(@Nullable Object left, @Nullable Object right) {
        return less(left, right) || equal(left, right);
    }

    private static boolean isBasic(@Nullable Object value) {
        return value instanceof String
                || value instanceof Long
                || value instanceof Double
                || value instanceof Boolean
                || value instanceof GoComplex;
    }

    private static EvaluationError incompatible(Object left, Object right) {
        return new EvaluationError(
                "incompatible types for comparison: " + GoValues.typeName(left) + " and " + GoValues.typeName(right));
    }
}
