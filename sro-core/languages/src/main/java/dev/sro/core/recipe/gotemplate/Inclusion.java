package dev.sro.core.recipe.gotemplate;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A place where another template is executed: {@code template}, {@code block}, or a call of Helm's function {@code
 * include} with a literal name. Immutable.
 */
public final class Inclusion {
    private final String name;
    private final Kind kind;
    private final String template;
    private final Position position;
    private final @Nullable List<String> argument;

    Inclusion(String name, Kind kind, String template, Position position, @Nullable List<String> argument) {
        this.name = name;
        this.kind = kind;
        this.template = template;
        this.position = position;
        this.argument = argument == null ? null : List.copyOf(argument);
    }

    /** How it is written. */
    public enum Kind {
        /** The action {@code template}. */
        TEMPLATE,
        /** The action {@code block}. */
        BLOCK,
        /** The function {@code include}. */
        INCLUDE
    }

    /** The name of the template that is executed. */
    public String name() {
        return name;
    }

    /** How it is written. */
    public Kind kind() {
        return kind;
    }

    /** The template that it is in: the name of a {@code define}, or of the file. */
    public String template() {
        return template;
    }

    /** Where. */
    public Position position() {
        return position;
    }

    /**
     * The path of what the other template is given, where it is known; the empty list is all of this template's data.
     * See {@link FieldReference#path()}.
     */
    public Optional<List<String>> argument() {
        return Optional.ofNullable(argument);
    }
}
