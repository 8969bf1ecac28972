package dev.sro.core.cel;

import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The syntax tree of a CEL expression. Immutable. */
public sealed interface CelExpr {
    /** Offset of the expression in its source. */
    int at();

    /** What comes of it, in the case that this is. */
    <R> R on(Cases<R> cases);

    /** Whether the expression uses a variable of this name. */
    boolean uses(String name);

    /** Whether it says where a value is, and makes none: a name, a field, an element. */
    default boolean isPlace() {
        return this instanceof Ident
                || (this instanceof Select select && !select.test() && !select.optional())
                || (this instanceof Index index && !index.optional());
    }

    /**
     * What to do about each kind of expressions: who handles them handles all, or does not compile.
     *
     * @param <R> what comes of it
     */
    record Cases<R>(
            Function<Literal, R> literal,
            Function<Ident, R> ident,
            Function<Select, R> select,
            Function<Index, R> index,
            Function<Call, R> call,
            Function<Items, R> items,
            Function<Struct, R> struct,
            Function<Entries, R> entries,
            Function<Loop, R> loop,
            Function<OptMap, R> optMap) {}

    /** A constant. */
    record Literal(@Nullable Object value, int at) implements CelExpr {
        @Override
        public <R> R on(Cases<R> cases) {
            return cases.literal().apply(this);
        }

        @Override
        public boolean uses(String name) {
            return false;
        }
    }

    /** A variable. */
    record Ident(String name, int at) implements CelExpr {
        @Override
        public <R> R on(Cases<R> cases) {
            return cases.ident().apply(this);
        }

        @Override
        public boolean uses(String name) {
            return this.name.equals(name);
        }
    }

    /**
     * {@code operand.field}.
     *
     * @param test {@code has(operand.field)}
     * @param optional {@code operand.?field}
     */
    record Select(CelExpr operand, String field, boolean test, boolean optional, int at) implements CelExpr {
        @Override
        public <R> R on(Cases<R> cases) {
            return cases.select().apply(this);
        }

        @Override
        public boolean uses(String name) {
            return operand.uses(name);
        }
    }

    /**
     * {@code operand[index]}.
     *
     * @param optional {@code operand[?index]}
     */
    record Index(CelExpr operand, CelExpr index, boolean optional, int at) implements CelExpr {
        @Override
        public <R> R on(Cases<R> cases) {
            return cases.index().apply(this);
        }

        @Override
        public boolean uses(String name) {
            return operand.uses(name) || index.uses(name);
        }
    }

    /** A function, a method (with a target) or an operator (named by its sign). */
    record Call(String function, @Nullable CelExpr target, List<CelExpr> args, int at) implements CelExpr {
        @Override
        public <R> R on(Cases<R> cases) {
            return cases.call().apply(this);
        }

        @Override
        public boolean uses(String name) {
            return (target != null && target.uses(name)) || anyUses(args, name);
        }
    }

    /** {@code [a, b]}. */
    record Items(List<CelExpr> items, int at) implements CelExpr {
        @Override
        public <R> R on(Cases<R> cases) {
            return cases.items().apply(this);
        }

        @Override
        public boolean uses(String name) {
            return anyUses(items, name);
        }
    }

    /**
     * {@code Type{field: value}}.
     *
     * @param type its name, which may have dots
     */
    record Struct(String type, List<Field> fields, int at) implements CelExpr {
        @Override
        public <R> R on(Cases<R> cases) {
            return cases.struct().apply(this);
        }

        @Override
        public boolean uses(String name) {
            return fields.stream().anyMatch(field -> field.value().uses(name));
        }
    }

    /**
     * A field of a {@link Struct}.
     *
     * @param optional {@code ?field: value}: the value is an optional, and without one there is no field
     * @param at of the colon
     */
    record Field(String name, boolean optional, CelExpr value, int at) {}

    /** {@code {k: v}}. */
    record Entries(List<CelExpr> keys, List<CelExpr> values, int at) implements CelExpr {
        @Override
        public <R> R on(Cases<R> cases) {
            return cases.entries().apply(this);
        }

        @Override
        public boolean uses(String name) {
            return anyUses(keys, name) || anyUses(values, name);
        }
    }

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
            int at) implements CelExpr {
        @Override
        public <R> R on(Cases<R> cases) {
            return cases.loop().apply(this);
        }

        @Override
        public boolean uses(String name) {
            return range.uses(name) || body.uses(name) || (filter != null && filter.uses(name));
        }
    }

    /**
     * {@code operand.optMap(variable, body)}.
     *
     * @param flat {@code optFlatMap}: the body is an optional itself
     */
    record OptMap(CelExpr operand, String variable, CelExpr body, boolean flat, int at) implements CelExpr {
        @Override
        public <R> R on(Cases<R> cases) {
            return cases.optMap().apply(this);
        }

        @Override
        public boolean uses(String name) {
            return operand.uses(name) || body.uses(name);
        }
    }

    private static boolean anyUses(List<CelExpr> parts, String name) {
        return parts.stream().anyMatch(p -> p.uses(name));
    }
}
