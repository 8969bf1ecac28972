package dev.sro.core.cel;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A condition that was read and checked, to be evaluated any number of times. Whatever the expression is, it comes to an end:
 * its length, its depth and the steps of an evaluation are limited. Immutable and thread-safe.
 */
public final class CelProgram {

    /** Longer ones are refused: a condition that nobody can read is a mistake. */
    public static final int MAX_LENGTH = 4096;

    /** Steps of one evaluation; the number of the API server for one expression. */
    private static final long MAX_STEPS = 1_000_000;

    private final CelExpr expr;

    private CelProgram(CelExpr expr) {
        this.expr = expr;
    }

    /**
     * Reads and checks a condition.
     *
     * @param variables that it may use
     * @throws CelException with a position, if it cannot be read, uses what there is not, or is no condition
     */
    public static CelProgram condition(String source, Set<String> variables) {
        if (source.length() > MAX_LENGTH) {
            throw new CelException("the expression has more than " + MAX_LENGTH + " characters", MAX_LENGTH);
        }
        Map<String, CelType> types = new HashMap<>();
        variables.forEach(name -> types.put(name, CelType.DYN));
        try {
            CelExpr expr = CelParser.parse(source);
            CelType type = CelTypeCheck.check(expr, types);
            if (!type.mayBe(CelType.BOOL) || type.kind() == CelType.Kind.NULL) {
                throw new CelException("the expression is of type " + type + ", not bool", 0);
            }
            return new CelProgram(expr);
        } catch (IndexOutOfBoundsException e) {
            throw new CelException("a function has too few arguments", 0);
        } catch (StackOverflowError e) {
            throw new CelException("the expression is nested too deeply", 0);
        }
    }

    /**
     * Whether the condition holds for these values.
     *
     * @throws CelException if it has no value: a field that is missing, a wrong type, too many steps
     */
    public boolean holds(Map<String, @Nullable Object> values) {
        Object value = value(values);
        if (value instanceof Boolean holds) {
            return holds;
        }
        throw new CelException("the value is of type " + CelValues.typeOf(value).name() + ", not bool");
    }

    /**
     * The value, a boolean if the expression keeps what it promises.
     *
     * @throws CelException if it has none: a field that is missing, a wrong type, too many steps
     */
    public @Nullable Object value(Map<String, @Nullable Object> values) {
        try {
            return new CelInterpreter(values, MAX_STEPS).value(expr);
        } catch (IndexOutOfBoundsException | ArithmeticException | IllegalArgumentException | ClassCastException e) {
            // A function that was given what it does not take.
            throw new CelException("no such overload");
        } catch (StackOverflowError e) {
            throw new CelException("the expression is nested too deeply");
        }
    }
}
