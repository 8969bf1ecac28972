package dev.sro.core.cel;

import dev.sro.core.cel.CelType.Kind;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Finds mistakes in an expression before it is run: fields and names that there are not, operators on the wrong types. What it
 * cannot know it lets pass. One use.
 */
public final class CelTypeCheck {
    private static final Set<String> TYPE_NAMES =
            Set.of("int", "uint", "double", "bool", "string", "bytes", "list", "map", "null_type", "type");
    private static final Set<String> COMPARISONS = Set.of("<", "<=", ">", ">=", "==", "!=");
    private static final Set<Kind> CONTAINERS = Set.of(Kind.LIST, Kind.MAP, Kind.DYN);

    private final CelExpr.Cases<CelType> kinds = new CelExpr.Cases<>(
            literal -> literal(literal.value()),
            this::variable,
            this::select,
            this::index,
            this::call,
            this::items,
            this::struct,
            this::entries,
            this::loop,
            this::optMap);
    private final Map<String, CelType> variables;
    private final CelType.Types types;
    private final List<CelException> mistakes = new ArrayList<>();

    private CelTypeCheck(Map<String, CelType> variables, CelType.Types types) {
        this.variables = new HashMap<>(variables);
        this.types = types;
    }

    /**
     * The type of the expression.
     *
     * @throws CelException with all mistakes
     */
    public static CelType check(CelExpr expr, Map<String, CelType> variables) {
        return check(expr, variables, CelType.Types.NONE);
    }

    /**
     * The type of the expression, which may make values of some types.
     *
     * @throws CelException with all mistakes
     */
    public static CelType check(CelExpr expr, Map<String, CelType> variables, CelType.Types types) {
        CelTypeCheck check = new CelTypeCheck(variables, types);
        CelType type = check.type(expr);
        if (!check.mistakes.isEmpty()) {
            check.mistakes.sort(Comparator.comparingInt(CelException::position));
            throw CelException.of(check.mistakes);
        }
        return type;
    }

    /** Dynamic where there is a mistake, so that it is said once. */
    private CelType type(CelExpr expr) {
        try {
            return expr.on(kinds);
        } catch (CelException e) {
            mistakes.add(e);
            return CelType.DYN;
        }
    }

    private CelType entries(CelExpr.Entries map) {
        map.keys().forEach(this::type);
        return CelType.map(
                map.values().stream().map(this::type).reduce(CelType::or).orElse(CelType.DYN));
    }

    private CelType optMap(CelExpr.OptMap map) {
        CelType inner = type(map.operand()).inside();
        CelType body = with(map.variable(), inner, map.body());
        return map.flat() ? body : CelType.optional(body);
    }

    private static CelType literal(@Nullable Object value) {
        if (value instanceof Long) {
            return CelType.INT;
        }
        if (value instanceof Double) {
            return CelType.DOUBLE;
        }
        if (value instanceof String) {
            return CelType.STRING;
        }
        if (value instanceof Boolean) {
            return CelType.BOOL;
        }
        return CelType.simple(value == null ? Kind.NULL : Kind.BYTES);
    }

    private CelType variable(CelExpr.Ident ident) {
        CelType known = variables.get(ident.name());
        if (known != null) {
            return known;
        }
        if (TYPE_NAMES.contains(ident.name())) {
            return CelType.DYN;
        }
        throw undeclared(ident.name(), ident.at());
    }

    private static CelException undeclared(String name, int at) {
        return new CelException("undeclared reference to '" + name + "' (in container '')", at);
    }

    private CelType struct(CelExpr.Struct struct) {
        CelType made = types.named(struct.type());
        if (made == null) {
            throw undeclared(struct.type(), struct.at());
        }
        CelType.Fields fields = made.fields();
        for (CelExpr.Field field : struct.fields()) {
            CelType given = type(field.value());
            CelType wanted = fields == null ? CelType.DYN : fields.field(field.name());
            CelType value = field.optional() ? given.inside() : given;
            boolean fits = !field.optional() || given.mayBe(CelType.optional(CelType.DYN));
            if (wanted == null || !fits || !value.mayBe(wanted)) {
                String expected =
                        wanted == null ? "" : (field.optional() ? CelType.optional(wanted) : wanted).toString();
                throw new CelException(
                        "expected type of field '" + field.name() + "' is '" + expected + "' but provided type is '"
                                + given + "'",
                        field.at());
            }
        }
        return made;
    }

    private CelType select(CelExpr.Select select) {
        CelType known = select.operand() instanceof CelExpr.Ident owner
                ? variables.get(owner.name() + "." + select.field())
                : null;
        if (known != null) {
            return known;
        }
        CelType operand = type(select.operand());
        boolean optional = select.optional() || operand.kind() == Kind.OPTIONAL;
        CelType field = field(operand.kind() == Kind.OPTIONAL ? operand.inside() : operand, select);
        if (select.test()) {
            return CelType.BOOL;
        }
        return optional ? CelType.optional(field) : field;
    }

    private static CelType field(CelType operand, CelExpr.Select select) {
        CelType.Fields fields = operand.fields();
        return switch (operand.kind()) {
            case DYN -> CelType.DYN;
            case MAP -> operand.inside();
            case OBJECT -> {
                CelType found = fields == null ? CelType.DYN : fields.field(select.field());
                if (found == null) {
                    throw new CelException("undefined field '" + select.field() + "'", select.at());
                }
                yield found;
            }
            default -> throw new CelException("type '" + operand + "' does not support field selection", select.at());
        };
    }

    private CelType index(CelExpr.Index index) {
        CelType operand = type(index.operand());
        type(index.index());
        boolean optional = index.optional() || operand.kind() == Kind.OPTIONAL;
        CelType container = operand.kind() == Kind.OPTIONAL ? operand.inside() : operand;
        CelType element =
                container.kind() == Kind.LIST || container.kind() == Kind.MAP ? container.inside() : CelType.DYN;
        return optional ? CelType.optional(element) : element;
    }

    private CelType items(CelExpr.Items items) {
        CelType element = null;
        for (CelExpr item : items.items()) {
            CelType type = type(item);
            element = element == null || element.equals(type) ? type : CelType.DYN;
        }
        return element == null ? CelType.emptyList() : CelType.list(element);
    }

    private CelType with(String variable, CelType type, CelExpr body) {
        CelType before = variables.put(variable, type);
        CelType result = type(body);
        if (before == null) {
            variables.remove(variable);
        } else {
            variables.put(variable, before);
        }
        return result;
    }

    private CelType loop(CelExpr.Loop loop) {
        CelType range = type(loop.range());
        boolean two = !loop.second().isEmpty();
        CelType first = switch (range.kind()) {
            case LIST -> two ? CelType.INT : range.inside();
            case MAP -> CelType.STRING;
            case DYN -> CelType.DYN;
            default ->
                throw new CelException(
                        "expression of type '" + range + "' cannot be range of a comprehension (must be list, map, or"
                                + " dynamic)",
                        loop.range().at());
        };
        if (two) {
            variables.put(loop.second(), range.inside());
        }
        CelExpr filter = loop.filter();
        if (filter != null) {
            with(loop.variable(), first, filter);
        }
        CelType body = with(loop.variable(), first, loop.body());
        if (two) {
            variables.remove(loop.second());
        }
        return switch (loop.kind()) {
            case "map" -> CelType.list(body);
            case "filter" -> CelType.list(first);
            default -> {
                expect(loop.kind(), loop.body().at(), body, CelType.BOOL);
                yield CelType.BOOL;
            }
        };
    }

    private static void expect(String function, int at, CelType actual, CelType wanted) {
        if (!actual.mayBe(wanted)) {
            throw noOverload(function, at, List.of(actual));
        }
    }

    private static CelException noOverload(String function, int at, List<CelType> args) {
        String name = Character.isLetter(function.charAt(0)) ? function : "_" + function + "_";
        String types = String.join(", ", args.stream().map(CelType::toString).toList());
        return new CelException("found no matching overload for '" + name + "' applied to '(" + types + ")'", at);
    }

    private CelType call(CelExpr.Call call) {
        String name = call.function();
        if (Character.isLetter(name.charAt(0)) && !name.equals("in")) {
            return function(call);
        }
        List<CelType> args = call.args().stream().map(this::type).toList();
        if (COMPARISONS.contains(name)) {
            boolean ordered = !name.equals("==") && !name.equals("!=");
            boolean numbers = ordered && args.get(0).numeric() && args.get(1).numeric();
            if (!numbers && !args.get(0).mayBe(args.get(1))) {
                throw noOverload(name, call.at(), args);
            }
            return CelType.BOOL;
        }
        return switch (name) {
            case "&&", "||", "!" -> {
                args.forEach(a -> expect(name, call.at(), a, CelType.BOOL));
                yield CelType.BOOL;
            }
            case "in" -> {
                if (!CONTAINERS.contains(args.get(1).kind())) {
                    throw new CelException(
                            "found no matching overload for '@in' applied to '(" + args.get(0) + ", " + args.get(1)
                                    + ")'",
                            call.at());
                }
                yield CelType.BOOL;
            }
            case "?:" -> {
                expect("?_:", call.at(), args.get(0), CelType.BOOL);
                yield args.get(1).or(args.get(2));
            }
            case "-_" -> args.get(0);
            default -> arithmetic(call, args.get(0), args.get(1));
        };
    }

    private static CelType arithmetic(CelExpr.Call call, CelType left, CelType right) {
        boolean time = left.kind() == Kind.TIMESTAMP
                || left.kind() == Kind.DURATION
                || right.kind() == Kind.TIMESTAMP
                || right.kind() == Kind.DURATION;
        if (time) {
            return CelType.DYN;
        }
        boolean joins = call.function().equals("+") && (left.kind() == Kind.STRING || left.kind() == Kind.LIST);
        boolean known = left.kind() != Kind.DYN && right.kind() != Kind.DYN;
        if (known && (left.kind() != right.kind() || !(left.numeric() || joins))) {
            throw noOverload(call.function(), call.at(), List.of(left, right));
        }
        if (left.kind() == Kind.LIST && right.kind() == Kind.LIST) {
            CelType either = left.or(right);
            return either.kind() == Kind.DYN ? left : either;
        }
        return left.kind() == Kind.DYN ? right : left;
    }

    private CelType function(CelExpr.Call call) {
        CelExpr target = call.target();
        boolean format = target instanceof CelExpr.Ident f && f.name().equals("format");
        if (target instanceof CelExpr.Ident own && !variables.containsKey(own.name()) && types.isLibrary(own.name())) {
            call.args().forEach(this::type);
            return CelSignatures.result(call.function());
        }
        if (!CelSignatures.isKnown(call.function()) && !(format && CelFormats.NAMES.contains(call.function()))) {
            throw undeclared(call.function(), call.at());
        }
        boolean library = target instanceof CelExpr.Ident i
                && !variables.containsKey(i.name())
                && CelInterpreter.isLibrary(i.name());
        CelType receiver = target == null || library ? CelType.DYN : type(target);
        List<CelType> args = call.args().stream().map(this::type).toList();
        if (library) {
            return call.function().equals("of") ? CelType.optional(args.get(0)) : CelType.DYN;
        }
        return CelSignatures.result(call, receiver, args);
    }
}
