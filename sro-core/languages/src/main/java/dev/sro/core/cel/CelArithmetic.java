package dev.sro.core.cel;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The arithmetic operators. */
final class CelArithmetic {
    private CelArithmetic() {}

    static Object apply(String operator, @Nullable Object a, @Nullable Object b) {
        if (a instanceof Long x && b instanceof Long y) {
            return integers(operator, x, y);
        }
        if (a instanceof Double x && b instanceof Double y) {
            return doubles(operator, x, y);
        }
        if (operator.equals("+")) {
            return plus(a, b);
        }
        if (operator.equals("-")) {
            return minus(a, b);
        }
        throw CelException.noOverload();
    }

    private static Object integers(String operator, long x, long y) {
        try {
            return switch (operator) {
                case "+" -> Math.addExact(x, y);
                case "-" -> Math.subtractExact(x, y);
                case "*" -> Math.multiplyExact(x, y);
                case "/" -> {
                    if (y == 0) {
                        throw new CelException("division by zero");
                    }
                    yield x / y;
                }
                default -> {
                    if (y == 0) {
                        throw new CelException("modulus by zero");
                    }
                    yield x % y;
                }
            };
        } catch (ArithmeticException e) {
            throw new CelException("integer overflow");
        }
    }

    private static Object doubles(String operator, double x, double y) {
        return switch (operator) {
            case "+" -> x + y;
            case "-" -> x - y;
            case "*" -> x * y;
            case "/" -> x / y;
            default -> throw CelException.noOverload();
        };
    }

    private static Object plus(@Nullable Object a, @Nullable Object b) {
        if (a instanceof String x && b instanceof String y) {
            return x + y;
        }
        if (a instanceof List<?> x && b instanceof List<?> y) {
            List<@Nullable Object> out = new ArrayList<>(x);
            out.addAll(y);
            return out;
        }
        if (a instanceof Duration x && b instanceof Duration y) {
            return x.plus(y);
        }
        if (a instanceof Instant x && b instanceof Duration y) {
            return x.plus(y);
        }
        if (a instanceof Duration x && b instanceof Instant y) {
            return y.plus(x);
        }
        throw CelException.noOverload();
    }

    private static Object minus(@Nullable Object a, @Nullable Object b) {
        if (a instanceof Duration x && b instanceof Duration y) {
            return x.minus(y);
        }
        if (a instanceof Instant x && b instanceof Duration y) {
            return x.minus(y);
        }
        if (a instanceof Instant x && b instanceof Instant y) {
            return Duration.between(y, x);
        }
        throw CelException.noOverload();
    }
}
