package dev.sro.core.recipe.gotemplate;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A call in a template: of a function, as in {@code lookup "v1" "Pod" "ns" "name"}, or of a method, as in {@code
 * .Capabilities.APIVersions.Has "v1"}. A field is taken for a method where it is given an argument; a method without
 * arguments looks like a field and is none of these. Immutable.
 */
public final class Call {
    private final String template;
    private final String name;
    private final Position position;
    private final TextSpan extent;
    private final List<Argument> arguments;
    private final boolean piped;
    private final @Nullable Receiver receiver;

    Call(
            String template,
            String name,
            Position position,
            TextSpan extent,
            List<Argument> arguments,
            boolean piped,
            @Nullable Receiver receiver) {
        this.template = template;
        this.name = name;
        this.position = position;
        this.extent = extent;
        this.arguments = List.copyOf(arguments);
        this.piped = piped;
        this.receiver = receiver;
    }

    /** What a method is called on: the text of {@code root}, then the names, of which the last is the method. */
    record Receiver(
            String root, List<String> names, @Nullable List<String> path) {
        Receiver {
            names = List.copyOf(names);
        }
    }

    /** The template it is in: the name of a {@code define}, or of the file. */
    public String template() {
        return template;
    }

    /** The name of the function, or the last name of a chain such as {@code .Capabilities.APIVersions.Has}. */
    public String name() {
        return name;
    }

    /** Whether a method is called, and not a function. */
    public boolean isMethod() {
        return receiver != null;
    }

    /**
     * The names of a chain as they are written, the method last: {@code [Capabilities, APIVersions, Has]} for {@code
     * $.Capabilities.APIVersions.Has}. Empty for a function.
     */
    public List<String> names() {
        return receiver == null ? List.of() : receiver.names();
    }

    /**
     * The names of a chain from the template's data, the method last, where the way is known: {@code [Capabilities,
     * APIVersions, Has]} also for {@code $versions.Has} behind {@code $versions := .Capabilities.APIVersions}. Empty for
     * a function.
     */
    public Optional<List<String>> path() {
        return Optional.ofNullable(receiver).map(Receiver::path);
    }

    /**
     * The text of what a method is called on, without the last names of the chain: for {@code $.a.b.Has}, {@code
     * $.a.b} with 1, and {@code $} with 3.
     *
     * @throws IllegalArgumentException if the chain has not so many names, or less than 1 is asked for
     */
    public String receiver(int withoutNames) {
        List<String> names = names();
        if (receiver == null || withoutNames < 1 || withoutNames > names.size()) {
            throw new IllegalArgumentException("no " + withoutNames + " names to leave out of " + names);
        }
        List<String> kept = names.subList(0, names.size() - withoutNames);
        if (kept.isEmpty()) {
            return receiver.root();
        }
        return (receiver.root().equals(".") ? "" : receiver.root()) + "." + String.join(".", kept);
    }

    /** The arguments in order; a {@linkplain #isPiped() piped} one is the last. */
    public List<Argument> arguments() {
        return arguments;
    }

    /** Whether the last argument is the value of the pipeline before the call, as in {@code "v1" | .Has}. */
    public boolean isPiped() {
        return piped;
    }

    /** Where the name of the function or the chain begins. */
    public Position position() {
        return position;
    }

    /** The name and the arguments; with a piped one, from its beginning. */
    public TextSpan extent() {
        return extent;
    }

    /** Position, name and arguments, for messages. */
    @Override
    public String toString() {
        return position + ": " + (receiver == null ? name : String.join(".", names())) + " " + arguments;
    }
}
