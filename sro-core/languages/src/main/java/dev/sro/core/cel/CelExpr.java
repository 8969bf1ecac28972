package dev.sro.core.cel;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** The syntax tree of a CEL expression. Immutable. */
public sealed interface CelExpr {
    /** Offset of the expression in its source. */
    int at();

    /** A constant. */
    record Literal(@Nullable Object value, int at) implements CelExpr {}

    /** A variable. */
    record Ident(String name, int at) implements CelExpr {}

    /**
     * {@code operand.field}.
     *
     * @param test {@code has(operand.field)}
     * @param optional {@code operand.?field}
     */
    record Select(CelExpr operand, String field, boolean test, boolean optional, int at) implements CelExpr {}

    /**
     * {@code operand[index]}.
     *
     * @param optional {@code operand[?index]}
     */
    record Index(CelExpr operand, CelExpr index, boolean optional, int at) implements CelExpr {}

    /** A function, a method (with a target) or an operator (named by its sign). */
    record Call(String function, @Nullable CelExpr target, List<CelExpr> args, int at) implements CelExpr {}

    /** {@code [a, b]}. */
    record Items(List<CelExpr> items, int at) implements CelExpr {}

    /**
     * {@code Type{field: value}}.
     *
     * @param type its name, which may have dots
     */
    record Struct(String type, List<Field> fields, int at) implements CelExpr {}

    /**
     * A field of a {@link Struct}.
     *
     * @param optional {@code ?field: value}: the value is an optional, and without one there is no field
     * @param at of the colon
     */
    record Field(String name, boolean optional, CelExpr value, int at) {}

    /** {@code {k: v}}. */
    record Entries(List<CelExpr> keys, List<CelExpr> values, int at) implements CelExpr {}

    /**
     * A loop over a list or map.
     *
     * @param kind all, exists, exists_one, map or filter
     * @param variable name of the item (of the index or key if there is a second variable)
     * @param second name of the value, empty if there is one variable
     * @param filter for {@code map} with a condition, else null
     * @param body condition or result
     */
    record Loop(
            String kind,
            CelExpr range,
            String variable,
            String second,
            @Nullable CelExpr filter,
            CelExpr body,
            int at) implements CelExpr {}

    /**
     * {@code operand.optMap(variable, body)}.
     *
     * @param flat {@code optFlatMap}: the body is an optional itself
     */
    record OptMap(CelExpr operand, String variable, CelExpr body, boolean flat, int at) implements CelExpr {}

    /** Whether the expression uses a variable of this name. */
    default boolean uses(String name) {
        if (this instanceof Ident i) {
            return i.name().equals(name);
        }
        if (this instanceof Select s) {
            return s.operand().uses(name);
        }
        if (this instanceof Index i) {
            return i.operand().uses(name) || i.index().uses(name);
        }
        if (this instanceof Call c) {
            CelExpr target = c.target();
            return (target != null && target.uses(name)) || anyUses(c.args(), name);
        }
        if (this instanceof Items i) {
            return anyUses(i.items(), name);
        }
        if (this instanceof Struct s) {
            return s.fields().stream().anyMatch(field -> field.value().uses(name));
        }
        if (this instanceof Entries e) {
            return anyUses(e.keys(), name) || anyUses(e.values(), name);
        }
        if (this instanceof Loop l) {
            CelExpr filter = l.filter();
            return l.range().uses(name) || l.body().uses(name) || (filter != null && filter.uses(name));
        }
        if (this instanceof OptMap o) {
            return o.operand().uses(name) || o.body().uses(name);
        }
        return false;
    }

    private static boolean anyUses(List<CelExpr> parts, String name) {
        return parts.stream().anyMatch(p -> p.uses(name));
    }
}
