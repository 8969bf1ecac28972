package dev.sro.core.recipe.gotemplate;

import dev.sro.core.recipe.gotemplate.Token.Kind;
import org.jspecify.annotations.Nullable;

/** The tokens with a look ahead of two, and the messages about those that are not expected. */
final class TokenStream {
    private final Source source;
    private final Lexer lexer;
    private @Nullable Token first;
    private @Nullable Token second;
    private int actionStart;
    private int lastEnd;

    TokenStream(Source source) {
        this.source = source;
        this.lexer = new Lexer(source.text());
    }

    Token peek() {
        Token token = first;
        if (token == null) {
            token = lexer.next();
            first = token;
        }
        return token;
    }

    Token peekSecond() {
        peek();
        Token token = second;
        if (token == null) {
            token = lexer.next();
            second = token;
        }
        return token;
    }

    Token next() {
        Token token = peek();
        first = second;
        second = null;
        lastEnd = token.end();
        return token;
    }

    /** Behind the token that was taken last. */
    int endOfLast() {
        return lastEnd;
    }

    /** The first token of the action whose delimiter is {@code left}. */
    Token startAction(Token left) {
        actionStart = left.start();
        return peek();
    }

    Token expect(Kind kind, String context) {
        Token token = next();
        if (!token.is(kind)) {
            throw unexpected(token, context);
        }
        return token;
    }

    String textOf(Token token) {
        return source.text().substring(token.start(), token.end());
    }

    TemplateException unexpected(Token token, String context) {
        String error = token.error();
        if (error == null) {
            return source.error(token.start(), "unexpected " + describe(token) + " in " + context);
        }
        int line = source.line(actionStart);
        String where = line == source.line(token.start()) ? "" : " in the action that line " + line + " begins";
        return source.error(token.start(), error + where);
    }

    private String describe(Token token) {
        return switch (token.kind()) {
            case EOF -> "EOF";
            case BLOCK, BREAK, CONTINUE, DEFINE, DOT, ELSE, END, IF, NIL, RANGE, TEMPLATE, WITH ->
                "<" + textOf(token) + ">";
            default -> {
                String text = textOf(token);
                int cut = text.offsetByCodePoints(0, Math.min(10, text.codePointCount(0, text.length())));
                yield GoQuote.quote(text.substring(0, cut)) + (cut < text.length() ? "..." : "");
            }
        };
    }
}
