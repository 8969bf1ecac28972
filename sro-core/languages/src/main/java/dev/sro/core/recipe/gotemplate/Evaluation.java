package dev.sro.core.recipe.gotemplate;

import dev.sro.core.recipe.gotemplate.Node.Command;
import dev.sro.core.recipe.gotemplate.Node.Operand;
import dev.sro.core.recipe.gotemplate.Node.Pipeline;
import dev.sro.core.recipe.gotemplate.TemplateRenderer.LinkedTemplate;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The values of pipelines, commands and operands. */
final class Evaluation {
    private static final int SHOWN = 60;

    private final TemplateRenderer renderer;
    private final Budget budget;
    private final VariableStack variables;
    private final Builtins builtins;
    /** Places that have asked for a missing key, by identity: equal ones are in different files. */
    private final Set<Operand> reported = Collections.newSetFromMap(new IdentityHashMap<>());

    private @Nullable LinkedTemplate template;
    private int start;
    private int end;

    Evaluation(TemplateRenderer renderer, Budget budget, VariableStack variables) {
        this.renderer = renderer;
        this.budget = budget;
        this.variables = variables;
        this.builtins = new Builtins(budget);
    }

    /** From now on, positions are in this template; answers the one before. */
    LinkedTemplate enter(LinkedTemplate now) {
        LinkedTemplate before = template == null ? now : template;
        template = now;
        return before;
    }

    /** What is looked at, for messages. */
    void at(int from, int to) {
        start = from;
        end = to;
    }

    TemplateException failed(EvaluationError error) {
        LinkedTemplate now = template;
        if (now == null) {
            throw error;
        }
        String text = now.file().text().substring(start, end);
        String shown = text.length() > SHOWN ? text.substring(0, SHOWN) + "..." : text;
        String where = text.isEmpty() ? "" : "at <" + shown + ">: ";
        return new TemplateException(now.file().source().position(start), where + error.getMessage(), error);
    }

    /** The value, which is never null: that of nil is {@link Absent#NO_VALUE}. Sets the variables that are declared. */
    Object pipeline(Pipeline pipeline, @Nullable Object dot) {
        Object value = Absent.NO_INPUT;
        for (Command command : pipeline.commands()) {
            Object next = command(command, dot, value);
            value = next == null ? Absent.NO_VALUE : next;
        }
        for (Node.Declared declared : pipeline.declared()) {
            if (pipeline.assigns()) {
                variables.set(declared.name(), value);
            } else {
                variables.push(declared.name(), value);
            }
        }
        return value;
    }

    private @Nullable Object command(Command command, @Nullable Object dot, Object input) {
        budget.step();
        Operand first = command.words().get(0);
        List<Operand> arguments = command.words().subList(1, command.words().size());
        at(first.start(), first.end());
        if (first instanceof Node.Function function) {
            return function(function, command.end(), new Arguments(arguments, dot, input));
        }
        List<String> names = names(first);
        if (!names.isEmpty()) {
            return fields(first, root(first, dot), names, new Arguments(arguments, dot, input));
        }
        if (!arguments.isEmpty() || input != Absent.NO_INPUT) {
            throw new EvaluationError("can't give argument to non-function");
        }
        if (first instanceof Node.Constant constant && constant.value() == null) {
            throw new EvaluationError("nil is not a command");
        }
        return operand(first, dot);
    }

    /** What a method is given. */
    private record Arguments(
            List<Operand> written, @Nullable Object dot, Object input) {
        static final Arguments NONE = new Arguments(List.of(), null, Absent.NO_INPUT);

        boolean isEmpty() {
            return written.isEmpty() && input == Absent.NO_INPUT;
        }
    }

    private static List<String> names(Operand operand) {
        if (operand instanceof Node.Fields fields) {
            return fields.names();
        }
        if (operand instanceof Node.Variable variable) {
            return variable.names();
        }
        return operand instanceof Node.Chain chain ? chain.names() : List.of();
    }

    private @Nullable Object root(Operand operand, @Nullable Object dot) {
        if (operand instanceof Node.Variable variable) {
            return variables.get(variable.name());
        }
        return operand instanceof Node.Chain chain ? operand(chain.target(), dot) : dot;
    }

    /** The value of an operand that is given nothing. */
    private @Nullable Object operand(Operand operand, @Nullable Object dot) {
        budget.step();
        at(operand.start(), operand.end());
        if (operand instanceof Node.Constant constant) {
            return constant.value();
        }
        if (operand instanceof Node.Dot) {
            return dot;
        }
        if (operand instanceof Node.Parenthesized inner) {
            budget.enter();
            Object value = pipeline(inner.pipeline(), dot);
            budget.leave();
            return value;
        }
        if (operand instanceof Node.Function function) {
            return function(function, function.end(), Arguments.NONE);
        }
        List<String> names = names(operand);
        Object root = root(operand, dot);
        return names.isEmpty() ? root : fields(operand, root, names, Arguments.NONE);
    }

    private @Nullable Object fields(Operand operand, @Nullable Object root, List<String> names, Arguments arguments) {
        Object value = root;
        int last = names.size() - 1;
        for (int i = 0; i <= last; i++) {
            budget.step();
            at(operand.start(), operand.end());
            Arguments given = i == last ? arguments : Arguments.NONE;
            value = field(operand, value, names.get(i), given);
        }
        return value;
    }

    private @Nullable Object field(Operand operand, @Nullable Object receiver, String name, Arguments arguments) {
        if (receiver == Absent.NO_VALUE) {
            if (renderer.missingKeys() == MissingKeys.ERROR) {
                throw new EvaluationError("nil data; no entry for key " + GoQuote.quote(name));
            }
            missing(operand);
            return Absent.NO_VALUE;
        }
        if (receiver == null) {
            throw new EvaluationError("nil pointer evaluating interface {}." + name);
        }
        if (!(receiver instanceof Map<?, ?> map)) {
            throw new EvaluationError("can't evaluate field " + name + " in type " + GoValues.typeName(receiver));
        }
        Object value = GoValues.convert(map.get(name));
        if (value instanceof TemplateFunction method) {
            return call(name, method, values(arguments));
        }
        if (!arguments.isEmpty()) {
            throw new EvaluationError(name + " is not a method but has arguments");
        }
        return value == null && !map.containsKey(name) ? absent(operand, name) : value;
    }

    private @Nullable Object absent(Operand operand, String name) {
        missing(operand);
        return switch (renderer.missingKeys()) {
            case NO_VALUE -> Absent.NO_VALUE;
            case EMPTY -> null;
            case ERROR -> throw new EvaluationError("map has no entry for key " + GoQuote.quote(name));
        };
    }

    private void missing(Operand operand) {
        LinkedTemplate now = template;
        if (now == null) {
            return;
        }
        GoTemplate file = now.file();
        if (reported.add(operand)) {
            Position position = file.source().position(operand.start());
            FieldReference known = file.referenceAt(new TextSpan(operand.start(), operand.end()));
            List<String> path = known == null ? names(operand) : known.path();
            renderer.listener().accept(new MissingKey(position, path, known != null && known.guarded()));
        }
    }

    private @Nullable Object function(Node.Function function, int callEnd, Arguments arguments) {
        String name = function.name();
        TemplateFunction own = renderer.functions().get(name);
        if (own == null) {
            boolean piped = arguments.input() != Absent.NO_INPUT;
            Builtins.checkArity(name, arguments.written().size(), piped);
            if (name.equals("and") || name.equals("or")) {
                return junction(name.equals("or"), arguments);
            }
        }
        List<@Nullable Object> values = values(arguments);
        at(function.start(), callEnd);
        return own == null ? GoValues.convert(builtins.call(name, values)) : call(name, own, values);
    }

    /** The first argument that decides, or the last. Those behind it are not evaluated. */
    private @Nullable Object junction(boolean deciding, Arguments arguments) {
        Object value = null;
        for (Operand each : arguments.written()) {
            value = operand(each, arguments.dot());
            if (GoValues.truth(value) == deciding) {
                return value;
            }
        }
        return arguments.input() == Absent.NO_INPUT ? value : arguments.input();
    }

    private List<@Nullable Object> values(Arguments arguments) {
        List<@Nullable Object> values = new ArrayList<>();
        for (Operand each : arguments.written()) {
            values.add(orNil(operand(each, arguments.dot())));
        }
        if (arguments.input() != Absent.NO_INPUT) {
            values.add(orNil(arguments.input()));
        }
        return values;
    }

    private static @Nullable Object orNil(@Nullable Object value) {
        return value == Absent.NO_VALUE ? null : value;
    }

    private @Nullable Object call(String name, TemplateFunction function, List<@Nullable Object> values) {
        try {
            Object result = GoValues.convert(function.call(Collections.unmodifiableList(values)));
            if (result instanceof String text) {
                budget.writing(text.length());
            }
            return result;
        } catch (EvaluationError e) {
            throw e;
        } catch (RuntimeException e) {
            throw new EvaluationError("error calling " + name + ": " + e.getMessage(), e);
        }
    }
}
