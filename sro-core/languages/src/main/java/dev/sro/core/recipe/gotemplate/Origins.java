package dev.sro.core.recipe.gotemplate;

import dev.sro.core.recipe.gotemplate.Node.Operand;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What dot and the variables stand for at a place. */
final class Origins {
    private final List<String> declared = new ArrayList<>();
    private final Map<String, Deque<Origin>> variables = new HashMap<>();
    private Origin dot = Origin.DATA;

    /** Begins a template. */
    void begin() {
        declared.clear();
        variables.clear();
        dot = Origin.DATA;
        declare("$", Origin.DATA);
    }

    Origin dot() {
        return dot;
    }

    void dot(Origin value) {
        dot = value;
    }

    void declare(String name, Origin value) {
        declared.add(name);
        variables.computeIfAbsent(name, n -> new ArrayDeque<>()).push(value);
    }

    /** A variable got another value, perhaps. */
    void forget(String name) {
        Deque<Origin> values = variables.get(name);
        if (values != null && !values.isEmpty()) {
            values.pop();
            values.push(Origin.UNKNOWN);
        }
    }

    int mark() {
        return declared.size();
    }

    void reset(int mark) {
        while (declared.size() > mark) {
            Deque<Origin> values = variables.get(declared.remove(declared.size() - 1));
            if (values != null) {
                values.pop();
            }
        }
    }

    /** What an operand stands for, by its form alone. */
    Origin of(Operand operand) {
        if (operand instanceof Node.Dot) {
            return dot;
        }
        if (operand instanceof Node.Fields fields) {
            return dot.field(fields.names());
        }
        if (operand instanceof Node.Variable variable) {
            Deque<Origin> values = variables.get(variable.name());
            Origin value = values == null || values.isEmpty() ? Origin.UNKNOWN : values.peek();
            return value.field(variable.names());
        }
        if (operand instanceof Node.Chain chain) {
            return of(chain.target()).field(chain.names());
        }
        if (operand instanceof Node.Parenthesized inner) {
            List<Node.Command> commands = inner.pipeline().commands();
            return commands.size() == 1 ? of(commands.get(0)) : Origin.UNKNOWN;
        }
        return Origin.UNKNOWN;
    }

    /** What the value of a command stands for: its only word, or {@code index} and {@code get} with literal keys. */
    Origin of(Node.Command command) {
        List<Operand> words = command.words();
        if (words.size() == 1) {
            return of(words.get(0));
        }
        boolean looksUp = words.get(0) instanceof Node.Function function
                && (function.name().equals("index") || (function.name().equals("get") && words.size() == 3));
        return looksUp ? of(words.get(1)).field(literals(words.subList(2, words.size()))) : Origin.UNKNOWN;
    }

    /** A key that is not a literal may be any. */
    private static List<String> literals(List<Operand> words) {
        List<String> literals = new ArrayList<>();
        for (Operand word : words) {
            if (word instanceof Node.Constant constant && constant.value() instanceof String literal) {
                literals.add(literal);
            } else {
                literals.add(FieldReference.ELEMENT);
            }
        }
        return literals;
    }
}
