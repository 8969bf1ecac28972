package dev.sro.runtime.plan;

import dev.sro.runtime.ExitCodes;
import dev.sro.runtime.OutputForm;
import dev.sro.runtime.Progress;
import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Shows what a reconcile would do, from files and without a cluster. */
@Command(
        name = "plan",
        mixinStandardHelpOptions = true,
        description = {
            "Prints what SRO would create, change and delete, per state and pool. Nothing is written.",
            "",
            "For the nodes of files (--nodes, --kernel) or for the cluster of the kubeconfig. Where a recipe is applied by the rights"
                    + " of an account, the API server of the cluster is asked whether it may write each object.",
            ""
        },
        footer = {
            "",
            "Exit codes: 0 the plan is printed; 1 the special resource has problems, or its account lacks rights, which is printed;",
            "2 wrong arguments or input that cannot be read.",
            "",
            "Example:",
            "  kubectl get nodes -o yaml | sro plan -f special-resource.yaml --nodes -"
        })
public final class PlanCommand implements Callable<Integer> {

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private PreviewOptions options = new PreviewOptions();

    @Mixin
    private OutputForm form = new OutputForm();

    @Option(names = "--manifests", description = "With json and yaml: print the objects too.")
    private boolean manifests;

    /** Filled by the command line parser. */
    public PlanCommand() {}

    @Override
    public Integer call() {
        PrintWriter err = spec.commandLine().getErr();
        try (Progress progress = Progress.saying(err, form.isText(), PreviewSource.WORK);
                PreviewSource source = options.open()) {
            Planning planning = new Planning(source.plugins(), source.access());
            List<PreviewedResource> previews = source.previews();
            List<PlanReport> reports = previews.stream().map(planning::report).toList();
            progress.clear();
            source.warnings().forEach(warning -> err.println("warning: " + warning));
            reports.forEach(report ->
                    report.warnings().forEach(warning -> err.println("warning: " + report.name() + ": " + warning)));
            print(reports);
            boolean refused = reports.stream()
                    .anyMatch(report -> !report.access().refused().isEmpty());
            return refused || previews.stream().anyMatch(one -> !one.problems().isEmpty())
                    ? ExitCodes.FAILED
                    : ExitCodes.OK;
        }
    }

    private void print(List<PlanReport> reports) {
        PrintWriter out = spec.commandLine().getOut();
        if (form.isText()) {
            for (int i = 0; i < reports.size(); i++) {
                if (i > 0) {
                    out.println();
                }
                new PlanText(reports.get(i), options.fix(), out).print();
            }
        } else {
            Object tree = PlanTree.all(reports.stream()
                    .map(report -> PlanTree.build(report, options.fix(), manifests))
                    .toList());
            out.print(form.write(tree));
        }
        out.flush();
    }
}
