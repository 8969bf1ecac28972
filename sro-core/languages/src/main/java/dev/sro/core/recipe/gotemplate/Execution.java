package dev.sro.core.recipe.gotemplate;

import dev.sro.core.recipe.gotemplate.Node.Pipeline;
import dev.sro.core.recipe.gotemplate.TemplateRenderer.LinkedTemplate;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One rendering: bodies and control structures; {@link Evaluation} does what is inside of an action. */
final class Execution {
    /** How a body ends. */
    private enum Flow {
        NEXT,
        BREAK,
        CONTINUE
    }

    private final Node.Cases<Flow> cases = new Node.Cases<>(
            this::text,
            this::action,
            this::choice,
            this::range,
            this::call,
            unused -> Flow.BREAK,
            unused -> Flow.CONTINUE);
    private final TemplateRenderer renderer;
    private final Budget budget;
    private final VariableStack variables;
    private final Evaluation evaluation;
    private final StringBuilder out = new StringBuilder();
    private @Nullable Object dot;

    Execution(TemplateRenderer renderer, Budget budget) {
        this.renderer = renderer;
        this.budget = budget;
        this.variables = new VariableStack(budget);
        this.evaluation = new Evaluation(renderer, budget, variables);
    }

    String run(LinkedTemplate template, @Nullable Object data) {
        evaluation.enter(template);
        try {
            Object value = GoValues.convert(data);
            template(template, value == null ? Absent.NO_VALUE : value);
        } catch (EvaluationError e) {
            throw evaluation.failed(e);
        }
        return out.toString();
    }

    private void template(LinkedTemplate template, @Nullable Object data) {
        budget.enter();
        Object outerDot = dot;
        LinkedTemplate outer = evaluation.enter(template);
        int frame = variables.beginFrame(data);
        dot = data;
        body(template.template().body());
        variables.endFrame(frame);
        evaluation.enter(outer);
        dot = outerDot;
        budget.leave();
    }

    private Flow body(List<Node> nodes) {
        budget.enter();
        Flow flow = Flow.NEXT;
        for (int i = 0; i < nodes.size() && flow == Flow.NEXT; i++) {
            flow = node(nodes.get(i));
        }
        budget.leave();
        return flow;
    }

    private Flow node(Node node) {
        budget.step();
        return node.on(cases);
    }

    private Flow text(Node.Text text) {
        write(text.value());
        return Flow.NEXT;
    }

    private Flow action(Node.Action action) {
        action(action.pipeline());
        return Flow.NEXT;
    }

    private Flow call(Node.Invocation invocation) {
        invocation(invocation);
        return Flow.NEXT;
    }

    private void write(String text) {
        budget.writing(text.length());
        out.append(text);
    }

    private void action(Pipeline pipeline) {
        Object value = evaluation.pipeline(pipeline, dot);
        if (!pipeline.declared().isEmpty()) {
            return;
        }
        evaluation.at(pipeline.start(), pipeline.end());
        if (value instanceof Absent) {
            write(renderer.missingKeys() == MissingKeys.EMPTY ? "" : "<no value>");
        } else if (value instanceof String text) {
            write(text);
        } else if (value instanceof TemplateFunction) {
            throw new EvaluationError("can't print a function");
        } else {
            ValuePrinter printer = new ValuePrinter(budget);
            printer.value(value, 'v');
            out.append(printer.text());
        }
    }

    private Flow choice(Node.Choice choice) {
        int mark = variables.mark();
        Object outerDot = dot;
        List<Node> chosen = choice.otherwise();
        for (Node.Arm arm : choice.arms()) {
            budget.step();
            Object value = evaluation.pipeline(arm.condition(), outerDot);
            if (GoValues.truth(value)) {
                dot = choice.with() ? value : outerDot;
                chosen = arm.body();
                break;
            }
        }
        Flow flow = chosen == null ? Flow.NEXT : body(chosen);
        dot = outerDot;
        variables.reset(mark);
        return flow;
    }

    private Flow range(Node.Range range) {
        int mark = variables.mark();
        Object value = evaluation.pipeline(range.over(), dot);
        boolean any = false;
        if (value instanceof Long count) {
            if (range.over().declared().size() > 1) {
                throw new EvaluationError("can't use " + count + " to iterate over more than one variable");
            }
            any = count > 0;
            count(range, count);
        } else if (value instanceof List<?> list) {
            any = !list.isEmpty();
            list(range, list);
        } else if (value instanceof Map<?, ?> map) {
            any = !map.isEmpty();
            map(range, map);
        } else if (!(value instanceof Absent)) {
            String type = value == null ? "nil" : GoValues.typeName(value);
            throw new EvaluationError("range can't iterate over a value of type " + type);
        }
        Flow flow = any || range.otherwise() == null ? Flow.NEXT : body(range.otherwise());
        variables.reset(mark);
        return flow;
    }

    private void count(Node.Range range, long count) {
        boolean goesOn = true;
        for (long i = 0; i < count && goesOn; i++) {
            goesOn = iteration(range, Absent.NO_VALUE, i);
        }
    }

    private void list(Node.Range range, List<?> list) {
        long index = 0;
        boolean goesOn = true;
        for (Iterator<?> elements = list.iterator(); elements.hasNext() && goesOn; index++) {
            goesOn = iteration(range, index, GoValues.convert(elements.next()));
        }
    }

    private void map(Node.Range range, Map<?, ?> map) {
        boolean goesOn = true;
        for (Iterator<?> keys = GoValues.sortedKeys(map, budget).iterator(); keys.hasNext() && goesOn; ) {
            Object key = keys.next();
            goesOn = iteration(range, String.valueOf(key), GoValues.convert(map.get(key)));
        }
    }

    /** Answers whether there may be another. */
    private boolean iteration(Node.Range range, Object index, @Nullable Object element) {
        budget.step();
        List<Node.Declared> declared = range.over().declared();
        if (range.over().assigns()) {
            variables.set(declared.get(0).name(), declared.size() > 1 ? index : element);
            if (declared.size() > 1) {
                variables.set(declared.get(1).name(), element);
            }
        } else if (!declared.isEmpty()) {
            variables.setFromTop(1, element);
            if (declared.size() > 1) {
                variables.setFromTop(2, index);
            }
        }
        int mark = variables.mark();
        Object outerDot = dot;
        dot = element;
        Flow flow = body(range.body());
        dot = outerDot;
        variables.reset(mark);
        return flow != Flow.BREAK;
    }

    private void invocation(Node.Invocation invocation) {
        evaluation.at(invocation.start(), invocation.start());
        LinkedTemplate template = renderer.templates().get(invocation.template());
        if (template == null) {
            throw new EvaluationError("template " + GoQuote.quote(invocation.template()) + " not defined");
        }
        Pipeline argument = invocation.argument();
        template(template, argument == null ? Absent.NO_VALUE : evaluation.pipeline(argument, dot));
    }
}
