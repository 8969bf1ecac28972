package dev.sro.core.recipe.gotemplate;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a template's body is made of. Starts and ends are indexes into the text. */
sealed interface Node {
    int start();

    /** What comes of it, in the case that this is. */
    <R> R on(Cases<R> cases);

    /** What to do about each kind of nodes: who handles them handles all, or does not compile. */
    record Cases<R>(
            java.util.function.Function<Text, R> text,
            java.util.function.Function<Action, R> action,
            java.util.function.Function<Choice, R> choice,
            java.util.function.Function<Range, R> range,
            java.util.function.Function<Invocation, R> invocation,
            java.util.function.Function<Break, R> leave,
            java.util.function.Function<Continue, R> next) {}

    record Text(int start, int end, String value) implements Node {
        @Override
        public <R> R on(Cases<R> cases) {
            return cases.text().apply(this);
        }
    }

    /** A pipeline whose value is printed, or kept in a variable. */
    record Action(int start, Pipeline pipeline) implements Node {
        @Override
        public <R> R on(Cases<R> cases) {
            return cases.action().apply(this);
        }
    }

    /** {@code if} and {@code with}, with each {@code else if} or {@code else with} as one more arm. */
    record Choice(
            int start,
            boolean with,
            List<Arm> arms,
            @Nullable List<Node> otherwise) implements Node {
        public Choice {
            arms = List.copyOf(arms);
            otherwise = otherwise == null ? null : List.copyOf(otherwise);
        }

        @Override
        public <R> R on(Cases<R> cases) {
            return cases.choice().apply(this);
        }
    }

    record Arm(Pipeline condition, List<Node> body) {
        public Arm {
            body = List.copyOf(body);
        }
    }

    record Range(
            int start,
            Pipeline over,
            List<Node> body,
            @Nullable List<Node> otherwise) implements Node {
        public Range {
            body = List.copyOf(body);
            otherwise = otherwise == null ? null : List.copyOf(otherwise);
        }

        @Override
        public <R> R on(Cases<R> cases) {
            return cases.range().apply(this);
        }
    }

    /** {@code template}, and {@code block} where it is used. */
    record Invocation(int start, String template, @Nullable Pipeline argument, boolean block) implements Node {
        @Override
        public <R> R on(Cases<R> cases) {
            return cases.invocation().apply(this);
        }
    }

    record Break(int start) implements Node {
        @Override
        public <R> R on(Cases<R> cases) {
            return cases.leave().apply(this);
        }
    }

    record Continue(int start) implements Node {
        @Override
        public <R> R on(Cases<R> cases) {
            return cases.next().apply(this);
        }
    }

    /** The body of a {@code define} or {@code block}, or the text outside of all of them. */
    record Template(String name, int nameStart, TextSpan extent, List<Node> body, boolean block) {
        public Template {
            body = List.copyOf(body);
        }

        /** Whether there is nothing but white space in it: such a one does not replace another. */
        boolean isBlank() {
            return body.stream().allMatch(node -> node instanceof Text text && isSpace(text.value()));
        }

        private static boolean isSpace(String text) {
            return text.chars().allMatch(c -> Character.isWhitespace(c) || c == 0x85 || c == 0xa0);
        }
    }

    /** Commands, each of which gets the value of the one before it as its last argument. */
    record Pipeline(int start, int end, List<Declared> declared, boolean assigns, List<Command> commands) {
        public Pipeline {
            declared = List.copyOf(declared);
            commands = List.copyOf(commands);
        }
    }

    record Declared(int start, String name) {}

    record Command(int start, int end, List<Operand> words) {
        public Command {
            words = List.copyOf(words);
        }
    }

    sealed interface Operand {
        int start();

        int end();
    }

    /** A constant: a String, Long, Double, GoComplex, Boolean, or null for {@code nil}. */
    record Constant(int start, int end, @Nullable Object value) implements Operand {}

    record Dot(int start, int end) implements Operand {}

    /** {@code .a.b}. */
    record Fields(int start, int end, List<String> names) implements Operand {
        public Fields {
            names = List.copyOf(names);
        }
    }

    /** {@code $}, {@code $x}, {@code $x.a.b}; the name is with the dollar sign. */
    record Variable(int start, int end, String name, List<String> names) implements Operand {
        public Variable {
            names = List.copyOf(names);
        }
    }

    record Function(int start, int end, String name) implements Operand {}

    record Parenthesized(int start, int end, Pipeline pipeline) implements Operand {}

    /** {@code (pipeline).a.b} or {@code function.a.b}. */
    record Chain(int start, int end, Operand target, List<String> names) implements Operand {
        public Chain {
            names = List.copyOf(names);
        }
    }
}
