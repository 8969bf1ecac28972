package dev.sro.core.recipe.gotemplate;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** An argument of a {@link Call}, or what a call is made on. Immutable. */
public final class Argument {
    private final String text;
    private final TextSpan extent;
    private final boolean pipeline;
    private final @Nullable String rewritten;
    private final @Nullable String literal;
    private final @Nullable List<String> path;

    Argument(
            String text,
            TextSpan extent,
            boolean pipeline,
            @Nullable String rewritten,
            @Nullable String literal,
            @Nullable List<String> path) {
        this.text = text;
        this.extent = extent;
        this.pipeline = pipeline;
        this.rewritten = rewritten;
        this.literal = literal;
        this.path = path;
    }

    /** Where it is in the template, as it was parsed. */
    public TextSpan extent() {
        return extent;
    }

    /**
     * Its text. While a template is rewritten, with the replacements already made inside of it. Fit to be an argument
     * of another call: what has more than one word is in parentheses.
     */
    public String source() {
        String source = rewritten == null ? extent.of(text) : rewritten;
        return pipeline ? "(" + source + ")" : source;
    }

    /** Its value, if it is a literal string. */
    public Optional<String> literal() {
        return Optional.ofNullable(literal);
    }

    /** The path from the template's data, if it is a field and the way to it is known; see {@link FieldReference#path()}. */
    public Optional<List<String>> path() {
        return Optional.ofNullable(path);
    }

    /** {@link #source()}. */
    @Override
    public String toString() {
        return source();
    }
}
