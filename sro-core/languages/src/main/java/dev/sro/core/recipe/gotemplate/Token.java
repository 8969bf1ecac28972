package dev.sro.core.recipe.gotemplate;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * @param spaced whether white space comes before it, inside of an action
 * @param error what is wrong, of an {@link Kind#ERROR}
 */
record Token(
        Kind kind,
        int start,
        int end,
        boolean spaced,
        @Nullable String error) {
    enum Kind {
        TEXT,
        LEFT_DELIMITER,
        RIGHT_DELIMITER,
        LEFT_PAREN,
        RIGHT_PAREN,
        PIPE,
        ASSIGN,
        DECLARE,
        COMMA,
        OTHER,
        STRING,
        RAW_STRING,
        CHARACTER,
        NUMBER,
        BOOL,
        NIL,
        DOT,
        FIELD,
        VARIABLE,
        IDENTIFIER,
        BLOCK,
        BREAK,
        CONTINUE,
        DEFINE,
        ELSE,
        END,
        IF,
        RANGE,
        TEMPLATE,
        WITH,
        EOF,
        ERROR
    }

    private static final Map<String, Kind> WORDS = Map.ofEntries(
            Map.entry("true", Kind.BOOL),
            Map.entry("false", Kind.BOOL),
            Map.entry("nil", Kind.NIL),
            Map.entry("block", Kind.BLOCK),
            Map.entry("break", Kind.BREAK),
            Map.entry("continue", Kind.CONTINUE),
            Map.entry("define", Kind.DEFINE),
            Map.entry("else", Kind.ELSE),
            Map.entry("end", Kind.END),
            Map.entry("if", Kind.IF),
            Map.entry("range", Kind.RANGE),
            Map.entry("template", Kind.TEMPLATE),
            Map.entry("with", Kind.WITH));

    static Kind ofWord(String word) {
        return WORDS.getOrDefault(word, Kind.IDENTIFIER);
    }

    boolean is(Kind wanted) {
        return kind == wanted;
    }

    /** Whether a term can begin with it. */
    boolean beginsTerm() {
        return switch (kind) {
            case STRING, RAW_STRING, CHARACTER, NUMBER, BOOL, NIL, DOT, FIELD, VARIABLE, IDENTIFIER, LEFT_PAREN -> true;
            default -> false;
        };
    }
}
