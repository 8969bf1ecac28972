package dev.sro.core.cel;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Evaluates a CEL expression. Variables are {@code self}, {@code oldSelf} and those of loops. Not thread-safe; make one for each
 * evaluation.
 */
public final class CelInterpreter {
    private static final Set<String> LIBRARIES = Set.of("optional", "sets", "strings", "math", "format", "ip");

    /** A guard against rules that never end in practice; the real server has a cost budget instead. */
    private static final int MAX_STEPS = 10_000_000;

    /** Characters of a text that cost as much as a step; the number of the server. */
    private static final int CHARACTERS_PER_STEP = 10;

    /** Parts of a regular expression that cost as much as a step for each text of that length; the number of the server. */
    private static final int PARTS_PER_STEP = 4;

    private static final Set<String> REGEXP = Set.of("matches", "find", "findAll");

    private final CelExpr.Cases<@Nullable Object> values = new CelExpr.Cases<>(
            CelExpr.Literal::value,
            ident -> variable(ident.name()),
            this::select,
            this::index,
            this::call,
            list -> values(list.items()),
            this::struct,
            this::entries,
            this::loop,
            this::optMap);
    private final Map<String, @Nullable Object> variables;
    private final CelType.Types types;
    private final long maxSteps;
    private long steps;

    /** With the values of its variables, by name. */
    public CelInterpreter(Map<String, @Nullable Object> variables) {
        this(variables, MAX_STEPS);
    }

    /** With types of which expressions may make values. */
    public CelInterpreter(Map<String, @Nullable Object> variables, CelType.Types types) {
        this(variables, types, MAX_STEPS);
    }

    /**
     * With a limit of its own.
     *
     * @param maxSteps how many parts of the expression may be evaluated; large values count as several
     */
    public CelInterpreter(Map<String, @Nullable Object> variables, long maxSteps) {
        this(variables, CelType.Types.NONE, maxSteps);
    }

    private CelInterpreter(Map<String, @Nullable Object> variables, CelType.Types types, long maxSteps) {
        this.variables = new HashMap<>(variables);
        this.types = types;
        this.maxSteps = maxSteps;
    }

    /**
     * The value.
     *
     * @throws CelException if it has none: missing key, wrong type, overflow
     */
    public @Nullable Object value(CelExpr expr) {
        charge(1);
        return sound(expr.on(values));
    }

    /** A value that is none, as it is not what its schema says, fails whoever looks at it. */
    private static @Nullable Object sound(@Nullable Object value) {
        if (value instanceof CelException fault) {
            throw fault;
        }
        return value;
    }

    private void charge(long more) {
        steps += more;
        if (steps > maxSteps) {
            throw new CelException("operation cancelled: actual cost limit exceeded");
        }
    }

    private static long size(@Nullable Object value) {
        if (value instanceof String text) {
            return text.length() / CHARACTERS_PER_STEP;
        }
        if (value instanceof Collection<?> items) {
            return items.size();
        }
        return value instanceof Map<?, ?> entries ? entries.size() : 0;
    }

    private @Nullable Object variable(String name) {
        if (variables.containsKey(name)) {
            return variables.get(name);
        }
        return switch (name) {
            case "int", "uint", "double", "bool", "string", "bytes", "list", "map", "null_type", "type" ->
                new CelValues.TypeName(name);
            default -> throw new CelException("no such attribute(s): " + name);
        };
    }

    private List<@Nullable Object> values(List<CelExpr> exprs) {
        List<@Nullable Object> out = new ArrayList<>(exprs.size());
        for (CelExpr e : exprs) {
            out.add(value(e));
        }
        return out;
    }

    private Map<Object, @Nullable Object> entries(CelExpr.Entries expr) {
        Map<Object, @Nullable Object> out = new LinkedHashMap<>();
        for (int i = 0; i < expr.keys().size(); i++) {
            Object key = value(expr.keys().get(i));
            if (key == null) {
                throw new CelException("unsupported key type");
            }
            out.put(key, value(expr.values().get(i)));
        }
        return out;
    }

    private CelValues.Struct struct(CelExpr.Struct expr) {
        if (types.named(expr.type()) == null) {
            throw new CelException("undeclared reference to '" + expr.type() + "' (in container '')", expr.at());
        }
        Map<String, @Nullable Object> fields = new LinkedHashMap<>();
        for (CelExpr.Field field : expr.fields()) {
            Object value = value(field.value());
            if (!field.optional()) {
                fields.put(field.name(), value);
            } else if (value instanceof Optional<?> optional) {
                optional.ifPresent(inner -> fields.put(field.name(), inner));
            } else {
                throw CelException.noOverload();
            }
        }
        return new CelValues.Struct(expr.type(), fields);
    }

    private @Nullable Object select(CelExpr.Select expr) {
        if (expr.operand() instanceof CelExpr.Ident owner && variables.containsKey(owner.name() + "." + expr.field())) {
            return variables.get(owner.name() + "." + expr.field());
        }
        Object value = value(expr.operand());
        Object operand = value instanceof CelValues.Struct struct ? struct.fields() : value;
        if (operand instanceof Optional<?> optional) {
            Optional<?> inner = optional.isPresent() ? optionalField(optional.get(), expr.field()) : Optional.empty();
            return expr.test() ? (Object) inner.isPresent() : inner;
        }
        if (expr.optional()) {
            return optionalField(operand, expr.field());
        }
        if (!(operand instanceof Map<?, ?> map)) {
            if (expr.test() && !(operand instanceof List<?>)) {
                return false;
            }
            throw CelException.noField(operand, expr.field());
        }
        if (expr.test()) {
            sound(map.get(expr.field()));
            return map.containsKey(expr.field());
        }
        if (!map.containsKey(expr.field())) {
            throw new CelException("no such key: " + expr.field());
        }
        return map.get(expr.field());
    }

    private static Optional<?> optionalField(@Nullable Object operand, Object key) {
        return operand instanceof Map<?, ?> map ? Optional.ofNullable(map.get(key)) : Optional.empty();
    }

    private @Nullable Object index(CelExpr.Index expr) {
        Object operand = value(expr.operand());
        Object index = value(expr.index());
        boolean optional = expr.optional();
        if (operand instanceof Optional<?> o) {
            if (o.isEmpty()) {
                return o;
            }
            operand = o.get();
            optional = true;
        }
        if (operand instanceof List<?> list && index instanceof Number n) {
            boolean inside = n.longValue() >= 0 && n.longValue() < list.size();
            if (optional) {
                return inside ? Optional.ofNullable(list.get(n.intValue())) : Optional.empty();
            }
            if (!inside) {
                throw new CelException("index out of bounds: " + n);
            }
            return list.get(n.intValue());
        }
        if (operand instanceof Map<?, ?> map && index != null) {
            if (optional) {
                return optionalField(map, index);
            }
            if (!map.containsKey(index)) {
                throw new CelException("no such key: " + index);
            }
            return map.get(index);
        }
        throw index instanceof String key ? CelException.noField(operand, key) : CelException.noOverload();
    }

    private @Nullable Object call(CelExpr.Call call) {
        return switch (call.function()) {
            case "&&" -> logical(call, false);
            case "||" -> logical(call, true);
            case "?:" ->
                bool(value(call.args().get(0)))
                        ? value(call.args().get(1))
                        : value(call.args().get(2));
            default -> dispatch(call);
        };
    }

    private @Nullable Object dispatch(CelExpr.Call call) {
        CelExpr target = call.target();
        if (target instanceof CelExpr.Ident i
                && !variables.containsKey(i.name())
                && (isLibrary(i.name()) || types.isLibrary(i.name()))) {
            return CelFunctions.call(i.name() + "." + call.function(), values(call.args()));
        }
        List<@Nullable Object> args = new ArrayList<>();
        if (target != null) {
            args.add(value(target));
        }
        args.addAll(values(call.args()));
        args.forEach(arg -> charge(size(arg)));
        if (REGEXP.contains(call.function()) && args.size() > 1 && args.get(1) instanceof String regexp) {
            charge(size(args.get(0)) * Re2.size(regexp) / PARTS_PER_STEP);
        }
        Object result =
                target == null ? CelFunctions.call(call.function(), args) : CelFunctions.method(call.function(), args);
        charge(size(result));
        return result;
    }

    /** Whether it is the first part of the name of functions, and no variable. */
    public static boolean isLibrary(String name) {
        return LIBRARIES.contains(name);
    }

    /** One side that settles the result hides an error on the other side. */
    private Object logical(CelExpr.Call call, boolean settling) {
        CelException failure = null;
        for (CelExpr arg : call.args()) {
            try {
                if (bool(value(arg)) == settling) {
                    return settling;
                }
            } catch (CelException e) {
                failure = e;
            }
        }
        if (failure != null) {
            throw failure;
        }
        return !settling;
    }

    private static boolean bool(@Nullable Object value) {
        if (value instanceof Boolean b) {
            return b;
        }
        throw CelException.noOverload();
    }

    private @Nullable Object optMap(CelExpr.OptMap expr) {
        if (!(value(expr.operand()) instanceof Optional<?> optional)) {
            throw CelException.noOverload();
        }
        if (optional.isEmpty()) {
            return optional;
        }
        Object result = with(expr.variable(), optional.get(), expr.body());
        return expr.flat() ? result : Optional.ofNullable(result);
    }

    private @Nullable Object with(String name, @Nullable Object value, CelExpr body) {
        boolean had = variables.containsKey(name);
        Object before = variables.put(name, value);
        try {
            return value(body);
        } finally {
            if (had) {
                variables.put(name, before);
            } else {
                variables.remove(name);
            }
        }
    }

    private @Nullable Object loop(CelExpr.Loop loop) {
        Object range = value(loop.range());
        return switch (loop.kind()) {
            case "all" -> quantified(loop, range, false);
            case "exists" -> quantified(loop, range, true);
            case "exists_one" -> existsOne(loop, range);
            case "map" -> mapped(loop, range);
            default -> filtered(loop, range);
        };
    }

    /** The items, as pairs of first and second variable. */
    private static List<@Nullable Object[]> items(CelExpr.Loop loop, @Nullable Object range) {
        List<@Nullable Object[]> out = new ArrayList<>();
        boolean two = !loop.second().isEmpty();
        if (range instanceof Map<?, ?> map) {
            map.forEach((k, v) -> out.add(new @Nullable Object[] {k, v}));
        } else if (range instanceof Collection<?> list) {
            long index = 0;
            for (Object item : list) {
                out.add(new @Nullable Object[] {two ? (Object) index : item, item});
                index++;
            }
        } else {
            throw CelException.noOverload();
        }
        return out;
    }

    private @Nullable Object body(CelExpr.Loop loop, @Nullable Object[] item, CelExpr body) {
        if (loop.second().isEmpty()) {
            return with(loop.variable(), item[0], body);
        }
        variables.put(loop.second(), item[1]);
        try {
            return with(loop.variable(), item[0], body);
        } finally {
            variables.remove(loop.second());
        }
    }

    private Object quantified(CelExpr.Loop loop, @Nullable Object range, boolean settling) {
        CelException failure = null;
        for (@Nullable Object[] item : items(loop, range)) {
            try {
                if (bool(body(loop, item, loop.body())) == settling) {
                    return settling;
                }
            } catch (CelException e) {
                failure = e;
            }
        }
        if (failure != null) {
            throw failure;
        }
        return !settling;
    }

    private Object existsOne(CelExpr.Loop loop, @Nullable Object range) {
        int found = 0;
        for (@Nullable Object[] item : items(loop, range)) {
            found += bool(body(loop, item, loop.body())) ? 1 : 0;
        }
        return found == 1;
    }

    private Object mapped(CelExpr.Loop loop, @Nullable Object range) {
        List<@Nullable Object> out = new ArrayList<>();
        for (@Nullable Object[] item : items(loop, range)) {
            CelExpr filter = loop.filter();
            if (filter == null || bool(body(loop, item, filter))) {
                out.add(body(loop, item, loop.body()));
            }
        }
        return out;
    }

    private Object filtered(CelExpr.Loop loop, @Nullable Object range) {
        List<@Nullable Object> out = new ArrayList<>();
        for (@Nullable Object[] item : items(loop, range)) {
            if (bool(body(loop, item, loop.body()))) {
                out.add(item[0]);
            }
        }
        return out;
    }
}
