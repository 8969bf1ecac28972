package dev.sro.core.recipe.gotemplate;

import dev.sro.core.recipe.gotemplate.Node.Command;
import dev.sro.core.recipe.gotemplate.Node.Operand;
import dev.sro.core.recipe.gotemplate.Node.Pipeline;
import java.util.ArrayList;
import java.util.List;

/** Which fields must be there for a condition to hold, as far as its form tells. */
final class Requirements {
    private final Origins origins;
    private final List<List<String>> paths = new ArrayList<>();

    private Requirements(Origins origins) {
        this.origins = origins;
    }

    static List<List<String>> ifTrue(Origins origins, Pipeline condition) {
        Requirements requirements = new Requirements(origins);
        requirements.pipeline(condition);
        return requirements.paths;
    }

    /** Of the place that is reached if the condition does not hold: {@code not .a} asks for {@code .a} there. */
    static List<List<String>> ifFalse(Origins origins, Pipeline condition) {
        Requirements requirements = new Requirements(origins);
        List<Operand> words = condition.commands().get(0).words();
        boolean negated = condition.commands().size() == 1 && words.size() == 2 && isFunction(words.get(0), "not");
        if (negated) {
            requirements.operand(words.get(1));
        }
        return requirements.paths;
    }

    private void pipeline(Pipeline pipeline) {
        if (pipeline.commands().size() == 1) {
            command(pipeline.commands().get(0));
        }
    }

    private void command(Command command) {
        List<Operand> words = command.words();
        Operand first = words.get(0);
        if (isFunction(first, "and")) {
            words.subList(1, words.size()).forEach(this::operand);
        } else if (isFunction(first, "eq") && words.size() == 3) {
            comparison(words.get(1), words.get(2));
        } else if (isFunction(first, "hasKey") && words.size() == 3) {
            if (words.get(2) instanceof Node.Constant key && key.value() instanceof String name) {
                add(origins.of(words.get(1)).field(List.of(name)));
            }
        } else if (words.size() == 1) {
            operand(first);
        } else {
            add(origins.of(command));
        }
    }

    /** A field that is missing equals no constant but nil. */
    private void comparison(Operand left, Operand right) {
        if (right instanceof Node.Constant constant && constant.value() != null) {
            add(origins.of(left));
        } else if (left instanceof Node.Constant constant && constant.value() != null) {
            add(origins.of(right));
        }
    }

    private void operand(Operand operand) {
        if (operand instanceof Node.Parenthesized inner) {
            pipeline(inner.pipeline());
        } else {
            add(origins.of(operand));
        }
    }

    private void add(Origin origin) {
        if (origin.path() != null && !origin.path().isEmpty()) {
            paths.add(origin.path());
        }
    }

    private static boolean isFunction(Operand operand, String name) {
        return operand instanceof Node.Function function && function.name().equals(name);
    }
}
