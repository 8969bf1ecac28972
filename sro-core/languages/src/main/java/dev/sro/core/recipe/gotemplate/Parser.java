package dev.sro.core.recipe.gotemplate;

import dev.sro.core.recipe.gotemplate.Node.Arm;
import dev.sro.core.recipe.gotemplate.Node.Template;
import dev.sro.core.recipe.gotemplate.Token.Kind;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Bodies and control structures; {@link PipelineParser} does what is inside of an action. */
final class Parser {
    private final Source source;
    private final TokenStream tokens;
    private final PipelineParser pipelines;
    private final Nesting nesting;
    private final List<Template> templates = new ArrayList<>();
    private final Set<String> defined = new HashSet<>();
    private Scope variables = new Scope();
    private int loops;

    private Parser(Source source) {
        this.source = source;
        this.tokens = new TokenStream(source);
        this.nesting = new Nesting(source);
        this.pipelines = new PipelineParser(source, tokens, nesting);
        pipelines.see(variables);
    }

    /** All templates of a file in the order in which they end: the last is the file itself. */
    static List<Template> parse(Source source) {
        return new Parser(source).file();
    }

    private List<Template> file() {
        List<Node> body = new ArrayList<>();
        while (!tokens.peek().is(Kind.EOF)) {
            if (tokens.peek().is(Kind.LEFT_DELIMITER)) {
                Token left = tokens.next();
                if (tokens.peek().is(Kind.DEFINE)) {
                    definition(left);
                } else {
                    body.add(topLevel(left));
                }
            } else {
                body.add(text());
            }
        }
        TextSpan all = new TextSpan(0, source.text().length());
        add(new Template(source.name(), 0, all, body, false));
        return List.copyOf(templates);
    }

    private Node topLevel(Token left) {
        Token word = tokens.peek();
        if (word.is(Kind.END) || word.is(Kind.ELSE)) {
            throw source.error(word.start(), "unexpected {{" + tokens.textOf(word) + "}}");
        }
        return action(left);
    }

    private Node text() {
        Token token = tokens.expect(Kind.TEXT, "input");
        return new Node.Text(token.start(), token.end(), tokens.textOf(token));
    }

    private void definition(Token left) {
        tokens.next();
        Token name = templateName("define clause");
        tokens.expect(Kind.RIGHT_DELIMITER, "define clause");
        define(left, name, "define clause", false);
    }

    private Token templateName(String context) {
        Token name = tokens.next();
        if (!name.is(Kind.STRING) && !name.is(Kind.RAW_STRING)) {
            throw tokens.unexpected(name, context + ", which needs a quoted name");
        }
        return name;
    }

    /** The body up to its end. It sees no variable and no loop from outside. */
    private String define(Token left, Token nameToken, String context, boolean block) {
        String name = pipelines.stringValue(nameToken);
        Scope outerVariables = variables;
        int outerLoops = loops;
        variables = new Scope();
        pipelines.see(variables);
        loops = 0;
        List<Node> body = new ArrayList<>();
        Token end = body(body, left);
        if (!end.is(Kind.END)) {
            throw source.error(end.start(), "unexpected {{else}} in " + context);
        }
        int after = tokens.expect(Kind.RIGHT_DELIMITER, "end").end();
        variables = outerVariables;
        pipelines.see(variables);
        loops = outerLoops;
        add(new Template(name, nameToken.start(), new TextSpan(left.start(), after), body, block));
        return name;
    }

    private void add(Template template) {
        if (!template.isBlank() && !defined.add(template.name())) {
            throw source.error(
                    template.nameStart(), "multiple definition of template " + GoQuote.quote(template.name()));
        }
        templates.add(template);
    }

    /** Reads into {@code body} up to an {@code end} or {@code else}, which is answered. */
    private Token body(List<Node> body, Token opener) {
        nesting.enter(opener.start());
        while (true) {
            Token token = tokens.peek();
            if (token.is(Kind.EOF)) {
                throw source.error(
                        token.start(),
                        "unexpected EOF: no {{end}} for what line " + source.line(opener.start()) + " begins");
            }
            if (!token.is(Kind.LEFT_DELIMITER)) {
                body.add(text());
                continue;
            }
            Token left = tokens.next();
            if (tokens.peek().is(Kind.END) || tokens.peek().is(Kind.ELSE)) {
                nesting.leave();
                return tokens.next();
            }
            body.add(action(left));
        }
    }

    private Node action(Token left) {
        Token word = tokens.startAction(left);
        return switch (word.kind()) {
            case IF -> choice(left, false);
            case WITH -> choice(left, true);
            case RANGE -> range(left);
            case TEMPLATE -> invocation(left);
            case BLOCK -> block(left);
            case BREAK, CONTINUE -> jump(word);
            default -> new Node.Action(left.start(), pipelines.pipeline("command", Kind.RIGHT_DELIMITER));
        };
    }

    private Node jump(Token word) {
        tokens.next();
        String name = "{{" + tokens.textOf(word) + "}}";
        tokens.expect(Kind.RIGHT_DELIMITER, name);
        if (loops == 0) {
            throw source.error(word.start(), name + " outside {{range}}");
        }
        return word.is(Kind.BREAK) ? new Node.Break(word.start()) : new Node.Continue(word.start());
    }

    private Node choice(Token left, boolean with) {
        Kind keyword = with ? Kind.WITH : Kind.IF;
        List<Arm> arms = new ArrayList<>();
        List<Node> otherwise = null;
        int mark = variables.mark();
        boolean more = true;
        while (more) {
            tokens.next();
            Node.Pipeline condition = pipelines.pipeline(with ? "with" : "if", Kind.RIGHT_DELIMITER);
            List<Node> body = new ArrayList<>();
            Token end = body(body, left);
            arms.add(new Arm(condition, body));
            more = end.is(Kind.ELSE) && tokens.peek().is(keyword);
            if (end.is(Kind.ELSE) && !more) {
                otherwise = otherwise(left);
            }
        }
        tokens.expect(Kind.RIGHT_DELIMITER, "end");
        variables.reset(mark);
        return new Node.Choice(left.start(), with, arms, otherwise);
    }

    /** The rest of an {@code else}, up to and with the word {@code end}. */
    private List<Node> otherwise(Token left) {
        tokens.expect(Kind.RIGHT_DELIMITER, "else");
        List<Node> body = new ArrayList<>();
        Token end = body(body, left);
        if (!end.is(Kind.END)) {
            throw source.error(end.start(), "expected end; found {{else}}");
        }
        return body;
    }

    private Node range(Token left) {
        tokens.next();
        int mark = variables.mark();
        Node.Pipeline over = pipelines.pipeline("range", Kind.RIGHT_DELIMITER);
        List<Node> body = new ArrayList<>();
        loops++;
        Token end = body(body, left);
        loops--;
        List<Node> otherwise = end.is(Kind.ELSE) ? otherwise(left) : null;
        tokens.expect(Kind.RIGHT_DELIMITER, "end");
        variables.reset(mark);
        return new Node.Range(left.start(), over, body, otherwise);
    }

    private Node invocation(Token left) {
        tokens.next();
        String name = pipelines.stringValue(templateName("template clause"));
        Node.@Nullable Pipeline argument = null;
        if (tokens.peek().is(Kind.RIGHT_DELIMITER)) {
            tokens.next();
        } else {
            argument = pipelines.pipeline("template clause", Kind.RIGHT_DELIMITER);
        }
        return new Node.Invocation(left.start(), name, argument, false);
    }

    private Node block(Token left) {
        tokens.next();
        Token name = templateName("block clause");
        Node.Pipeline argument = pipelines.pipeline("block clause", Kind.RIGHT_DELIMITER);
        return new Node.Invocation(left.start(), define(left, name, "block clause", true), argument, true);
    }
}
