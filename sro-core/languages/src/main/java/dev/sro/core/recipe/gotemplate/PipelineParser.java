package dev.sro.core.recipe.gotemplate;

import dev.sro.core.recipe.gotemplate.Node.Command;
import dev.sro.core.recipe.gotemplate.Node.Declared;
import dev.sro.core.recipe.gotemplate.Node.Operand;
import dev.sro.core.recipe.gotemplate.Node.Pipeline;
import dev.sro.core.recipe.gotemplate.TextLiterals.BadLiteral;
import dev.sro.core.recipe.gotemplate.Token.Kind;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What is inside of an action: declarations, commands, operands. */
final class PipelineParser {
    /** Whoever looks at a pipeline may look at each stage with all those before it. */
    private static final int MAX_COMMANDS = 1000;

    private final Source source;
    private final TokenStream tokens;
    private final Nesting nesting;
    private Scope variables = new Scope();

    PipelineParser(Source source, TokenStream tokens, Nesting nesting) {
        this.source = source;
        this.tokens = tokens;
        this.nesting = nesting;
    }

    /** From now on, these are the variables. */
    void see(Scope scope) {
        variables = scope;
    }

    /** A pipeline with the token that ends it. */
    Pipeline pipeline(String context, Kind end) {
        List<Declared> declared = new ArrayList<>();
        boolean assigns = declarations(context, declared);
        int start = tokens.peek().start();
        List<Command> commands = new ArrayList<>();
        while (!tokens.peek().is(end)) {
            if (!tokens.peek().beginsTerm()) {
                throw tokens.unexpected(tokens.next(), context);
            }
            if (commands.size() == MAX_COMMANDS) {
                throw source.error(tokens.peek().start(), "a pipeline of more than " + MAX_COMMANDS + " commands");
            }
            commands.add(command());
        }
        Token last = tokens.next();
        check(commands, context, last);
        int to = commands.get(commands.size() - 1).end();
        return new Pipeline(start, to, declared, assigns, commands);
    }

    /** Reads {@code $x :=}, {@code $x =}, {@code $i, $x :=}; answers whether it is an assignment. */
    private boolean declarations(String context, List<Declared> declared) {
        while (tokens.peek().is(Kind.VARIABLE)) {
            Kind after = tokens.peekSecond().kind();
            if (after != Kind.ASSIGN && after != Kind.DECLARE && after != Kind.COMMA) {
                return false;
            }
            Token variable = tokens.next();
            tokens.next();
            declared.add(new Declared(variable.start(), tokens.textOf(variable)));
            variables.declare(tokens.textOf(variable));
            if (after != Kind.COMMA) {
                return after == Kind.ASSIGN;
            }
            moreDeclarations(context, declared);
        }
        return false;
    }

    private void moreDeclarations(String context, List<Declared> declared) {
        Token next = tokens.peek();
        if (!context.equals("range") || declared.size() > 1) {
            throw source.error(next.start(), "too many declarations in " + context);
        }
        if (!next.is(Kind.VARIABLE) && !next.is(Kind.RIGHT_DELIMITER) && !next.is(Kind.RIGHT_PAREN)) {
            throw source.error(next.start(), "range can only initialize variables");
        }
    }

    private void check(List<Command> commands, String context, Token end) {
        if (commands.isEmpty()) {
            throw source.error(end.start(), "missing value for " + context);
        }
        for (int i = 1; i < commands.size(); i++) {
            Operand first = commands.get(i).words().get(0);
            if (first instanceof Node.Constant || first instanceof Node.Dot) {
                throw source.error(first.start(), "non executable command in pipeline stage " + (i + 1));
            }
        }
    }

    /** A command, with the pipe symbol behind it. */
    private Command command() {
        List<Operand> words = new ArrayList<>();
        int end;
        do {
            Operand word = operand();
            words.add(word);
            end = word.end();
        } while (tokens.peek().spaced() && tokens.peek().beginsTerm());
        Token after = tokens.peek();
        if (after.is(Kind.PIPE)) {
            tokens.next();
        } else if (!after.is(Kind.RIGHT_DELIMITER) && !after.is(Kind.RIGHT_PAREN)) {
            throw tokens.unexpected(tokens.next(), "operand");
        }
        return new Command(words.get(0).start(), end, words);
    }

    private Operand operand() {
        Operand term = term();
        List<String> names = new ArrayList<>();
        int end = term.end();
        while (tokens.peek().is(Kind.FIELD) && !tokens.peek().spaced()) {
            Token field = tokens.next();
            names.add(source.text().substring(field.start() + 1, field.end()));
            end = field.end();
        }
        return names.isEmpty() ? term : chain(term, names, end);
    }

    private Operand chain(Operand term, List<String> names, int end) {
        if (term instanceof Node.Fields fields) {
            names.addAll(0, fields.names());
            return new Node.Fields(fields.start(), end, names);
        }
        if (term instanceof Node.Variable variable) {
            return new Node.Variable(variable.start(), end, variable.name(), names);
        }
        if (term instanceof Node.Constant || term instanceof Node.Dot) {
            String text = source.text().substring(term.start(), term.end());
            throw source.error(term.end(), "unexpected . after term " + text);
        }
        return new Node.Chain(term.start(), end, term, names);
    }

    private Operand term() {
        Token token = tokens.next();
        int start = token.start();
        int end = token.end();
        return switch (token.kind()) {
            case IDENTIFIER -> new Node.Function(start, end, tokens.textOf(token));
            case DOT -> new Node.Dot(start, end);
            case FIELD -> new Node.Fields(start, end, List.of(source.text().substring(start + 1, end)));
            case VARIABLE -> variable(token);
            case LEFT_PAREN -> parenthesized(token);
            default -> new Node.Constant(start, end, constant(token));
        };
    }

    private Operand variable(Token token) {
        String name = tokens.textOf(token);
        if (!variables.knows(name)) {
            throw source.error(token.start(), "undefined variable \"" + name + "\"");
        }
        return new Node.Variable(token.start(), token.end(), name, List.of());
    }

    private Operand parenthesized(Token left) {
        nesting.enter(left.start());
        Pipeline inner = pipeline("parenthesized pipeline", Kind.RIGHT_PAREN);
        nesting.leave();
        return new Node.Parenthesized(left.start(), tokens.endOfLast(), inner);
    }

    private @Nullable Object constant(Token token) {
        String text = tokens.textOf(token);
        try {
            return switch (token.kind()) {
                case NIL -> null;
                case BOOL -> text.equals("true");
                case NUMBER -> NumberLiterals.number(text);
                case CHARACTER -> TextLiterals.character(text);
                case STRING, RAW_STRING -> TextLiterals.string(text);
                default -> throw tokens.unexpected(token, "operand");
            };
        } catch (BadLiteral e) {
            throw source.error(token.start(), String.valueOf(e.getMessage()));
        }
    }

    /** The value of a token that is a string. */
    String stringValue(Token token) {
        return String.valueOf(constant(token));
    }
}
