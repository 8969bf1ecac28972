package dev.sro.runtime.plan;

import dev.sro.api.Problem;
import dev.sro.core.model.ObjectRef;
import dev.sro.runtime.ExitCodes;
import dev.sro.runtime.Screen;
import java.io.PrintWriter;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Compares what shall be there with what is there. */
@Command(
        name = "diff",
        mixinStandardHelpOptions = true,
        description = {
            "Prints how the objects of special resources differ from what their recipes want. Nothing is written.",
            "",
            "Of each object the fields count that the recipe sets; those of others do not matter. In place of what is"
                    + " in",
            "Secrets there are digests. In the cluster of the kubeconfig, or in files (--nodes or --kernel, with"
                    + " --observed).",
            ""
        },
        footer = {
            "",
            "Exit codes, as those of kubectl diff: 0 no difference; 1 there are differences; 2 something cannot be"
                    + " compared,",
            "which standard error names, or read, or the arguments are wrong."
        })
public final class DiffCommand implements Callable<Integer> {

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private PreviewOptions options = new PreviewOptions();

    private final Screen screen = new Screen();

    /** Filled by the command line parser. */
    public DiffCommand() {}

    @Override
    public Integer call() {
        PrintWriter err = spec.commandLine().getErr();
        try (PreviewSource source = options.open()) {
            List<PreviewedResource> previews = source.previews();
            source.warnings().forEach(warning -> err.println("warning: " + warning));
            boolean differs = false;
            boolean failed = false;
            for (PreviewedResource previewed : previews) {
                previewed
                        .problems()
                        .forEach(found -> err.println("sro: " + screen.cut(RenderCommand.text(previewed, found))));
                Optional<Problem> hidden = previewed.hidden();
                hidden.ifPresent(problem -> err.println(
                        "sro: " + RenderCommand.text(previewed, new PreviewedResource.LocatedProblem("", problem))));
                RenderCommand.explainUnshown(previewed, "not compared", err);
                failed |= hidden.isPresent()
                        || !previewed.problems().isEmpty()
                        || !previewed.unshown().isEmpty();
                List<Differences.Difference> found = hidden.isPresent() ? List.of() : Differences.find(previewed);
                found.forEach(this::print);
                differs |= !found.isEmpty();
            }
            spec.commandLine().getOut().flush();
            return failed ? ExitCodes.USAGE : differs ? ExitCodes.FAILED : ExitCodes.OK;
        }
    }

    private void print(Differences.Difference difference) {
        PrintWriter out = spec.commandLine().getOut();
        out.println("--- " + (difference.before() ? "live " + name(difference.ref()) : "/dev/null"));
        out.println("+++ " + (difference.after() ? "desired " + name(difference.ref()) : "/dev/null"));
        difference.hunks().forEach(out::println);
    }

    private static String name(ObjectRef ref) {
        return ref.kindKey() + " " + (ref.namespace().isEmpty() ? "" : ref.namespace() + "/") + ref.name();
    }
}
