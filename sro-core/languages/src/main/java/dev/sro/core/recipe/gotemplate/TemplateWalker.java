package dev.sro.core.recipe.gotemplate;

import dev.sro.core.recipe.gotemplate.Node.Pipeline;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Goes through templates without executing them. Keeps what dot and variables stand for, and tells of fields and
 * calls, those inside of another before it.
 */
final class TemplateWalker {
    private final Node.Cases<Runnable> cases = new Node.Cases<>(
            text -> TemplateWalker::nothing,
            action -> () -> action(action),
            choice -> () -> choice(choice),
            range -> () -> range(range),
            invocation -> () -> invocation(invocation),
            leave -> TemplateWalker::nothing,
            next -> TemplateWalker::nothing);
    private final CommandWalker commands;
    private final Origins origins;

    TemplateWalker(Source source, Edits edits, Findings findings) {
        this.origins = new Origins();
        this.commands = new CommandWalker(source, edits, findings, origins);
    }

    void walk(List<Node.Template> templates) {
        for (Node.Template template : templates) {
            origins.begin();
            commands.begin(template.name());
            body(template.body(), Origin.DATA, null);
        }
    }

    private void body(List<Node> nodes, Origin dot, @Nullable Conditions conditions) {
        Origin outerDot = origins.dot();
        Conditions outer = commands.conditions();
        origins.dot(dot);
        commands.conditions(conditions);
        int mark = origins.mark();
        nodes.forEach(this::node);
        origins.reset(mark);
        commands.conditions(outer);
        origins.dot(outerDot);
    }

    private static void nothing() {}

    private void node(Node node) {
        node.on(cases).run();
    }

    private void action(Node.Action action) {
        Pipeline pipeline = action.pipeline();
        declare(pipeline, commands.pipeline(pipeline, isPlainDeclaration(pipeline)));
    }

    /** Such a one prints nothing; what is said of the field is said where the variable is used. */
    private static boolean isPlainDeclaration(Pipeline pipeline) {
        boolean plain = pipeline.commands().size() == 1
                && pipeline.commands().get(0).words().size() == 1;
        return plain && !pipeline.declared().isEmpty();
    }

    private void declare(Pipeline pipeline, Origin value) {
        for (Node.Declared declared : pipeline.declared()) {
            if (pipeline.assigns()) {
                origins.forget(declared.name());
            } else {
                origins.declare(declared.name(), value);
            }
        }
    }

    private void choice(Node.Choice choice) {
        int mark = origins.mark();
        Conditions outer = commands.conditions();
        Conditions otherwise = null;
        for (Node.Arm arm : choice.arms()) {
            Condition condition = condition(arm.condition());
            declare(arm.condition(), condition.value());
            Conditions inner = new Conditions(outer, condition.required(), condition.tested());
            body(arm.body(), choice.with() ? condition.value() : origins.dot(), inner);
            if (otherwise == null) {
                List<List<String>> required = Requirements.ifFalse(origins, arm.condition());
                otherwise = new Conditions(outer, required, condition.tested());
            }
        }
        if (choice.otherwise() != null) {
            body(choice.otherwise(), origins.dot(), otherwise);
        }
        origins.reset(mark);
    }

    /** A condition with the paths in it. */
    private record Condition(Origin value, List<List<String>> required, List<List<String>> tested) {}

    private Condition condition(Pipeline pipeline) {
        commands.remember();
        Origin value = commands.pipeline(pipeline, true);
        return new Condition(value, Requirements.ifTrue(origins, pipeline), commands.remembered());
    }

    private void range(Node.Range range) {
        int mark = origins.mark();
        Conditions outer = commands.conditions();
        Condition over = condition(range.over());
        Origin element = over.value().element();
        List<Node.Declared> declared = range.over().declared();
        for (int i = 0; i < declared.size(); i++) {
            String name = declared.get(i).name();
            if (range.over().assigns()) {
                origins.forget(name);
            } else {
                origins.declare(name, i == declared.size() - 1 ? element : Origin.UNKNOWN);
            }
        }
        body(range.body(), element, new Conditions(outer, over.required(), over.tested()));
        if (range.otherwise() != null) {
            body(range.otherwise(), origins.dot(), outer);
        }
        origins.reset(mark);
    }

    private void invocation(Node.Invocation invocation) {
        Pipeline argument = invocation.argument();
        Origin value = argument == null ? Origin.UNKNOWN : commands.pipeline(argument, true);
        if (argument != null) {
            declare(argument, value);
        }
        Inclusion.Kind kind = invocation.block() ? Inclusion.Kind.BLOCK : Inclusion.Kind.TEMPLATE;
        commands.included(invocation.template(), kind, invocation.start(), value);
    }
}
