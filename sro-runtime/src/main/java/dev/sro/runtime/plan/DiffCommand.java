package dev.sro.runtime.plan;

import dev.sro.api.Problem;
import dev.sro.core.model.ObjectRef;
import dev.sro.runtime.ExitCodes;
import dev.sro.runtime.OutputForm;
import dev.sro.runtime.Progress;
import dev.sro.runtime.Screen;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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

    @Mixin
    private OutputForm form = new OutputForm();

    private final Screen screen = new Screen();

    /** Filled by the command line parser. */
    public DiffCommand() {}

    @Override
    public Integer call() {
        PrintWriter err = spec.commandLine().getErr();
        try (Progress progress = Progress.saying(err, form.isText(), PreviewSource.WORK);
                PreviewSource source = options.open()) {
            List<PreviewedResource> previews = source.previews();
            progress.clear();
            source.warnings().forEach(warning -> err.println("warning: " + warning));
            List<Differences.Difference> differences = new ArrayList<>();
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
                if (hidden.isEmpty()) {
                    differences.addAll(Differences.find(previewed));
                }
            }
            form.print(() -> text(differences), () -> tree(differences));
            return failed ? ExitCodes.USAGE : differences.isEmpty() ? ExitCodes.OK : ExitCodes.FAILED;
        }
    }

    private static String text(List<Differences.Difference> differences) {
        StringBuilder text = new StringBuilder();
        for (Differences.Difference difference : differences) {
            String name = name(difference.ref());
            line(text, "--- " + (difference.before() ? "live " + name : "/dev/null"));
            line(text, "+++ " + (difference.after() ? "desired " + name : "/dev/null"));
            difference.hunks().forEach(hunk -> line(text, hunk));
        }
        return text.toString();
    }

    private static void line(StringBuilder text, String line) {
        text.append(line).append('\n');
    }

    private static List<Map<String, Object>> tree(List<Differences.Difference> differences) {
        return differences.stream().map(DiffCommand::tree).toList();
    }

    private static Map<String, Object> tree(Differences.Difference difference) {
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("object", name(difference.ref()));
        tree.put("live", difference.before());
        tree.put("desired", difference.after());
        tree.put("hunks", difference.hunks());
        return tree;
    }

    private static String name(ObjectRef ref) {
        return ref.kindKey() + " " + (ref.namespace().isEmpty() ? "" : ref.namespace() + "/") + ref.name();
    }
}
