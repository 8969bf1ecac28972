package dev.sro.core.recipe.gotemplate;

import dev.sro.core.recipe.gotemplate.Node.Command;
import dev.sro.core.recipe.gotemplate.Node.Operand;
import dev.sro.core.recipe.gotemplate.Node.Pipeline;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The part of {@link TemplateWalker} that is inside of an action. */
final class CommandWalker {
    /** Of Go and of sprig, as Helm has it: those that do something sensible with what is missing. */
    private static final Set<String> GUARDS = Set.of(
            "default",
            "coalesce",
            "empty",
            "hasKey",
            "and",
            "or",
            "not",
            "ternary",
            "dig",
            "get",
            "eq",
            "ne",
            "any",
            "all",
            "required",
            "kindIs",
            "typeIs",
            "include",
            "fail");

    private final Source source;
    private final Edits edits;
    private final Findings findings;
    private final Origins origins;
    private @Nullable Conditions conditions;
    private String template = "";
    private final List<List<String>> remembered = new ArrayList<>();

    CommandWalker(Source source, Edits edits, Findings findings, Origins origins) {
        this.source = source;
        this.edits = edits;
        this.findings = findings;
        this.origins = origins;
    }

    void begin(String name) {
        template = name;
        conditions = null;
    }

    @Nullable Conditions conditions() {
        return conditions;
    }

    void conditions(@Nullable Conditions around) {
        conditions = around;
    }

    /** Keeps the paths of fields that come now for {@link #remembered()}. */
    void remember() {
        remembered.clear();
    }

    List<List<String>> remembered() {
        return List.copyOf(remembered);
    }

    void included(String name, Inclusion.Kind kind, int at, Origin argument) {
        findings.inclusion(new Inclusion(name, kind, template, source.position(at), argument.path()));
    }

    /**
     * @param tolerant whether it does no harm here if a field is missing
     * @return what the value stands for
     */
    Origin pipeline(Pipeline pipeline, boolean tolerant) {
        List<Command> stages = pipeline.commands();
        int lastGuard = -1;
        for (int i = 0; i < stages.size(); i++) {
            lastGuard = isGuard(stages.get(i)) ? i : lastGuard;
        }
        for (int i = 0; i < stages.size(); i++) {
            command(pipeline, i, tolerant || i < lastGuard);
        }
        return stages.size() == 1 ? origins.of(stages.get(0)) : Origin.UNKNOWN;
    }

    private static boolean isGuard(Command command) {
        return command.words().get(0) instanceof Node.Function function && GUARDS.contains(function.name());
    }

    private void command(Pipeline pipeline, int stage, boolean tolerant) {
        Command command = pipeline.commands().get(stage);
        List<Operand> words = command.words();
        Operand first = words.get(0);
        List<Operand> arguments = words.subList(1, words.size());
        boolean calls = stage > 0 || !arguments.isEmpty();
        boolean forgiving = tolerant || isGuard(command);
        boolean looksUp = first instanceof Node.Function
                && words.size() > 1
                && origins.of(command).path() != null;
        if (looksUp) {
            // The way to the field is one field for the reader, too.
            inside(words.get(1), true);
            reference(origins.of(command), command.start(), command.end(), forgiving);
        }
        for (Operand argument : looksUp ? arguments.subList(1, arguments.size()) : arguments) {
            operand(argument, forgiving);
        }
        if (first instanceof Node.Function function) {
            call(pipeline, stage, function.name(), null);
            include(command);
        } else if (calls) {
            method(pipeline, stage, first, forgiving);
        } else {
            operand(first, tolerant);
        }
    }

    private void include(Command command) {
        List<Operand> words = command.words();
        boolean includes = words.get(0) instanceof Node.Function function
                && function.name().equals("include")
                && words.size() > 1;
        if (includes && words.get(1) instanceof Node.Constant constant && constant.value() instanceof String name) {
            Origin argument = words.size() == 3 ? origins.of(words.get(2)) : Origin.UNKNOWN;
            included(name, Inclusion.Kind.INCLUDE, command.start(), argument);
        }
    }

    private void method(Pipeline pipeline, int stage, Operand first, boolean tolerant) {
        List<String> names = names(first);
        if (names.isEmpty()) {
            operand(first, tolerant);
            return;
        }
        inside(first, tolerant);
        Call.Receiver receiver =
                new Call.Receiver(root(first), names, origins.of(first).path());
        call(pipeline, stage, names.get(names.size() - 1), receiver);
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

    private String root(Operand operand) {
        if (operand instanceof Node.Variable variable) {
            return variable.name();
        }
        if (operand instanceof Node.Chain chain) {
            TextSpan extent =
                    new TextSpan(chain.target().start(), chain.target().end());
            String edited = edits.edited(extent);
            return edited == null ? extent.of(source.text()) : edited;
        }
        return ".";
    }

    private void call(Pipeline pipeline, int stage, String name, Call.@Nullable Receiver receiver) {
        Command command = pipeline.commands().get(stage);
        List<Argument> arguments = new ArrayList<>();
        for (Operand word : command.words().subList(1, command.words().size())) {
            arguments.add(argument(word));
        }
        int start = command.start();
        if (stage > 0) {
            start = pipeline.commands().get(0).start();
            arguments.add(piped(pipeline, stage));
        }
        Position position = source.position(command.start());
        TextSpan extent = new TextSpan(start, command.end());
        findings.call(new Call(template, name, position, extent, arguments, stage > 0, receiver), false);
    }

    private Argument argument(Operand word) {
        TextSpan extent = new TextSpan(word.start(), word.end());
        boolean isText = word instanceof Node.Constant constant && constant.value() instanceof String;
        String literal = isText ? (String) ((Node.Constant) word).value() : null;
        return new Argument(
                source.text(),
                extent,
                false,
                edits.edited(extent),
                literal,
                origins.of(word).path());
    }

    private Argument piped(Pipeline pipeline, int stage) {
        List<Command> commands = pipeline.commands();
        if (stage == 1 && commands.get(0).words().size() == 1) {
            Operand only = commands.get(0).words().get(0);
            if (!(only instanceof Node.Function)) {
                return argument(only);
            }
        }
        TextSpan extent =
                new TextSpan(commands.get(0).start(), commands.get(stage - 1).end());
        Origin origin = stage == 1 ? origins.of(commands.get(0)) : Origin.UNKNOWN;
        return new Argument(source.text(), extent, true, edits.edited(extent), null, origin.path());
    }

    private void operand(Operand operand, boolean tolerant) {
        if (operand instanceof Node.Function function) {
            TextSpan extent = new TextSpan(function.start(), function.end());
            Position position = source.position(function.start());
            findings.call(new Call(template, function.name(), position, extent, List.of(), false, null), true);
            return;
        }
        inside(operand, tolerant);
        boolean named =
                operand instanceof Node.Fields || operand instanceof Node.Variable || operand instanceof Node.Chain;
        if (named) {
            reference(origins.of(operand), operand.start(), operand.end(), tolerant);
        }
    }

    /** What is inside of an operand, but not the field that it is itself. */
    private void inside(Operand operand, boolean tolerant) {
        if (operand instanceof Node.Parenthesized inner) {
            pipeline(inner.pipeline(), tolerant);
        } else if (operand instanceof Node.Chain chain) {
            operand(chain.target(), tolerant);
        }
    }

    private void reference(Origin origin, int start, int end, boolean tolerant) {
        List<String> path = origin.path();
        if (path == null || path.isEmpty() || path.get(path.size() - 1).equals(FieldReference.ELEMENT)) {
            return;
        }
        remembered.add(path);
        boolean guarded = tolerant || Conditions.test(conditions, path);
        TextSpan extent = new TextSpan(start, end);
        findings.reference(new FieldReference(
                template, path, source.position(start), extent, guarded, Conditions.required(conditions)));
    }
}
