package dev.sro.core.cel;

import dev.sro.core.cel.CelLexer.Kind;
import dev.sro.core.cel.CelLexer.Token;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Reads CEL expressions, macros included. One use. */
public final class CelParser {
    /** Binary operators by how strongly they bind; all are left associative. */
    private static final List<Set<String>> LEVELS = List.of(
            Set.of("||"),
            Set.of("&&"),
            Set.of("<", "<=", ">", ">=", "==", "!=", "in"),
            Set.of("+", "-"),
            Set.of("*", "/", "%"));

    private static final Map<String, String> LOOPS = Map.of(
            "all", "all",
            "exists", "exists",
            "exists_one", "exists_one",
            "existsOne", "exists_one",
            "map", "map",
            "filter", "filter");

    private static final String OPERANDS =
            " expecting {'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING,"
                    + " BYTES, IDENTIFIER}";

    /** How deep parts may lie in each other; the number of cel-go. */
    private static final int MAX_DEPTH = 250;

    private final List<Token> tokens;
    private final boolean bindings;
    private int next;
    private int depth;

    private CelParser(String source, boolean bindings) {
        this.tokens = new CelLexer(source).tokens();
        this.bindings = bindings;
    }

    /**
     * The syntax tree.
     *
     * @throws CelException with the position of a syntax error
     */
    public static CelExpr parse(String source) {
        return parse(new CelParser(source, false));
    }

    /**
     * The syntax tree of an expression that may name a value with {@code cel.bind(name, value, expression)}; not all places of the
     * API allow that.
     *
     * @throws CelException with the position of a syntax error
     */
    public static CelExpr parseWithBindings(String source) {
        return parse(new CelParser(source, true));
    }

    private static CelExpr parse(CelParser parser) {
        CelExpr expr = parser.expression();
        if (parser.peek().kind() != Kind.END) {
            throw parser.unexpected();
        }
        return expr;
    }

    private Token peek() {
        return tokens.get(next);
    }

    private Token take() {
        return tokens.get(next++);
    }

    private boolean accept(String sign) {
        if (peek().is(sign)) {
            next++;
            return true;
        }
        return false;
    }

    private void expect(String sign) {
        if (!accept(sign)) {
            throw unexpected();
        }
    }

    private CelException unexpected() {
        Token token = peek();
        return new CelException("Syntax error: mismatched input '" + token.text() + "'", token.at());
    }

    private CelExpr expression() {
        deeper();
        CelExpr expr = conditional();
        depth--;
        return expr;
    }

    private void deeper() {
        if (++depth > MAX_DEPTH) {
            throw new CelException("expression recursion limit exceeded: " + MAX_DEPTH, peek().at());
        }
    }

    private CelExpr conditional() {
        CelExpr condition = binary(0);
        int at = peek().at();
        if (!accept("?")) {
            return condition;
        }
        CelExpr yes = binary(0);
        expect(":");
        CelExpr no = expression();
        return new CelExpr.Call("?:", null, List.of(condition, yes, no), at);
    }

    private CelExpr binary(int level) {
        if (level == LEVELS.size()) {
            return unary();
        }
        CelExpr left = binary(level + 1);
        while (peek().kind() == Kind.SIGN && LEVELS.get(level).contains(peek().text())) {
            Token operator = take();
            CelExpr right = binary(level + 1);
            left = new CelExpr.Call(operator.text(), null, List.of(left, right), operator.at());
        }
        return left;
    }

    private CelExpr unary() {
        deeper();
        CelExpr expr = signed();
        depth--;
        return expr;
    }

    private CelExpr signed() {
        Token token = peek();
        if (accept("!")) {
            return new CelExpr.Call("!", null, List.of(unary()), token.at());
        }
        if (accept("-")) {
            CelExpr operand = unary();
            if (operand instanceof CelExpr.Literal l && l.value() instanceof Long n) {
                return new CelExpr.Literal(-n, token.at());
            }
            if (operand instanceof CelExpr.Literal l && l.value() instanceof Double d) {
                return new CelExpr.Literal(-d, token.at());
            }
            return new CelExpr.Call("-_", null, List.of(operand), token.at());
        }
        return member();
    }

    private CelExpr member() {
        boolean named = peek().kind() == Kind.NAME;
        CelExpr expr = primary();
        while (true) {
            int at = peek().at();
            String type = named ? typeName(expr) : "";
            if (!type.isEmpty() && accept("{")) {
                return struct(type, at);
            }
            if (accept(".")) {
                boolean optional = accept("?");
                Token name = take();
                if (name.kind() != Kind.NAME
                        && !(name.kind() == Kind.SIGN && name.text().equals("in"))) {
                    next--;
                    throw name.kind() == Kind.END
                            ? new CelException("Syntax error: no viable alternative at input '.'", name.at())
                            : unexpected();
                }
                expr = !optional && accept("(")
                        ? method(expr, name)
                        : new CelExpr.Select(expr, name.text(), false, optional, at);
            } else if (accept("[")) {
                boolean optional = accept("?");
                CelExpr index = expression();
                expect("]");
                expr = new CelExpr.Index(expr, index, optional, at);
            } else {
                return expr;
            }
        }
    }

    /** The expression as the name of a type; empty if it is none. */
    private static String typeName(CelExpr expr) {
        if (expr instanceof CelExpr.Ident ident) {
            return ident.name();
        }
        if (expr instanceof CelExpr.Select select && !select.test() && !select.optional()) {
            String before = typeName(select.operand());
            return before.isEmpty() ? "" : before + "." + select.field();
        }
        return "";
    }

    private CelExpr struct(String type, int at) {
        List<CelExpr.Field> fields = new ArrayList<>();
        while (!accept("}")) {
            boolean optional = accept("?");
            Token name = take();
            if (name.kind() != Kind.NAME) {
                next--;
                throw unexpected();
            }
            int colon = peek().at();
            expect(":");
            fields.add(new CelExpr.Field(name.text(), optional, expression(), colon));
            if (!accept(",") && !peek().is("}")) {
                throw unexpected();
            }
        }
        return new CelExpr.Struct(type, List.copyOf(fields), at);
    }

    private CelExpr method(CelExpr target, Token name) {
        int at = opened();
        List<CelExpr> args = arguments(")");
        String loop = LOOPS.get(name.text());
        if (loop != null && args.size() >= 2 && args.get(0) instanceof CelExpr.Ident variable) {
            return loop(loop, target, variable, args, name);
        }
        boolean binds = bindings
                && name.text().equals("bind")
                && args.size() == 3
                && target instanceof CelExpr.Ident library
                && library.name().equals("cel");
        if (binds && args.get(0) instanceof CelExpr.Ident variable) {
            return bind(variable.name(), args, at);
        }
        boolean opt = name.text().equals("optMap") || name.text().equals("optFlatMap");
        if (opt && args.size() == 2 && args.get(0) instanceof CelExpr.Ident variable) {
            boolean flat = name.text().equals("optFlatMap");
            return new CelExpr.OptMap(target, variable.name(), args.get(1), flat, at);
        }
        return new CelExpr.Call(name.text(), target, args, at);
    }

    /** The value with a name is an optional that always has one, and so is what is made of it. */
    private static CelExpr bind(String variable, List<CelExpr> args, int at) {
        CelExpr library = new CelExpr.Ident("optional", at);
        CelExpr value = new CelExpr.Call("of", library, List.of(args.get(1)), at);
        CelExpr made = new CelExpr.OptMap(value, variable, args.get(2), false, at);
        return new CelExpr.Call("value", made, List.of(), at);
    }

    private static CelExpr loop(String kind, CelExpr range, CelExpr.Ident variable, List<CelExpr> args, Token name) {
        if (args.size() == 2) {
            return new CelExpr.Loop(kind, range, variable.name(), "", null, args.get(1), name.at());
        }
        if (kind.equals("map")) {
            return new CelExpr.Loop(kind, range, variable.name(), "", args.get(1), args.get(2), name.at());
        }
        if (args.get(1) instanceof CelExpr.Ident second) {
            return new CelExpr.Loop(kind, range, variable.name(), second.name(), null, args.get(2), name.at());
        }
        throw new CelException("argument must be a simple name", args.get(1).at());
    }

    private List<CelExpr> arguments(String end) {
        List<CelExpr> args = new ArrayList<>();
        if (accept(end)) {
            return args;
        }
        if (end.equals(")") && peek().kind() == Kind.END) {
            throw new CelException(unexpected().text() + OPERANDS.replace("'(', '.'", "'(', ')', '.'"), peek().at());
        }
        do {
            if (peek().is(end)) {
                break;
            }
            args.add(expression());
        } while (accept(","));
        expect(end);
        return args;
    }

    private CelExpr primary() {
        Token token = peek();
        if (token.kind() == Kind.LITERAL) {
            next++;
            return new CelExpr.Literal(token.value(), token.at());
        }
        if (accept("(")) {
            CelExpr inner = expression();
            expect(")");
            return inner;
        }
        if (accept("[")) {
            return new CelExpr.Items(arguments("]"), token.at());
        }
        if (accept("{")) {
            return entries(token.at());
        }
        accept(".");
        Token name = peek();
        if (name.kind() != Kind.NAME) {
            throw new CelException(unexpected().text() + OPERANDS, name.at());
        }
        next++;
        return accept("(") ? function(name) : new CelExpr.Ident(name.text(), name.at());
    }

    /** Where the bracket is that was just read: messages about calls point there. */
    private int opened() {
        return tokens.get(next - 1).at();
    }

    private CelExpr function(Token name) {
        int at = opened();
        List<CelExpr> args = arguments(")");
        if (!name.text().equals("has")) {
            return new CelExpr.Call(name.text(), null, args, at);
        }
        if (args.size() == 1 && args.get(0) instanceof CelExpr.Select select) {
            return new CelExpr.Select(select.operand(), select.field(), true, false, at);
        }
        throw new CelException(
                "invalid argument to has() macro",
                args.isEmpty() ? at : args.get(0).at());
    }

    private CelExpr entries(int at) {
        List<CelExpr> keys = new ArrayList<>();
        List<CelExpr> values = new ArrayList<>();
        while (!accept("}")) {
            keys.add(expression());
            expect(":");
            values.add(expression());
            if (!accept(",") && !peek().is("}")) {
                throw unexpected();
            }
        }
        return new CelExpr.Entries(keys, values, at);
    }
}
