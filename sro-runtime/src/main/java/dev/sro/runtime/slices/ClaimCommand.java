package dev.sro.runtime.slices;

import dev.sro.core.dra.DraTemplates;
import dev.sro.runtime.DocumentForm;
import dev.sro.runtime.ExitCodes;
import dev.sro.runtime.UnusableInputException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Prints a template of claims. */
@Command(
        name = "claim",
        mixinStandardHelpOptions = true,
        description = {
            "Prints a ResourceClaimTemplate for slices that asks for places which spoil little of a GPU before others.",
            "",
            "The scheduler prefers nodes that have such a place, so the template steers the node as well as the place."
                    + " The last alternative takes any place.",
            ""
        },
        footer = {
            "",
            "Exit codes: 0 printed; 2 wrong arguments.",
            "",
            "Example:",
            "  sro slices claim --profile 1g.10gb --name notebook | kubectl apply -f -"
        })
final class ClaimCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private DraInput dra = new DraInput();

    @Option(
            names = "--profile",
            required = true,
            paramLabel = "P",
            description = "A profile that will do; if more than one is given, the first is the most wanted.")
    private List<String> profiles = new ArrayList<>();

    @Option(
            names = "--count",
            paramLabel = "N",
            defaultValue = "1",
            description = "How many slices. Default: ${DEFAULT-VALUE}.")
    private int count;

    @Option(names = "--same-gpu", description = "All of them on one GPU.")
    private boolean sameGpu;

    @Option(
            names = "--name",
            paramLabel = "NAME",
            defaultValue = "slices",
            description = "Name of the template. Default: ${DEFAULT-VALUE}.")
    private String name = "";

    @Option(
            names = "--namespace",
            paramLabel = "NAME",
            defaultValue = "",
            description = "Its namespace. Default: none.")
    private String namespace = "";

    @Mixin
    private DocumentForm form = new DocumentForm();

    ClaimCommand() {}

    @Override
    public Integer call() {
        DraTemplates.Wish wish;
        try {
            wish = new DraTemplates.Wish(name, namespace, profiles, count, sameGpu);
        } catch (IllegalArgumentException e) {
            throw new UnusableInputException("sro slices claim", String.valueOf(e.getMessage()));
        }
        PrintWriter out = spec.commandLine().getOut();
        out.print(form.writeBeans(List.of(DraTemplates.create(wish, dra.options()))));
        out.flush();
        if (sameGpu && count > 1 && !dra.server().taintsSafe()) {
            PrintWriter err = spec.commandLine().getErr();
            err.println(
                    "note: Kubernetes " + dra.server() + ": such a claim may wait though there is room"
                            + " (kubernetes/kubernetes#140436), as a candidate that matchAttribute rules out keeps its counters");
            err.flush();
        }
        return ExitCodes.OK;
    }
}
