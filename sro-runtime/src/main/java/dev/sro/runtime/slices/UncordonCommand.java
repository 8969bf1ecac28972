package dev.sro.runtime.slices;

import dev.sro.runtime.ClusterOptions;
import dev.sro.runtime.ExitCodes;
import dev.sro.runtime.OutputForm;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Puts one GPU of a node back into service. */
@Command(
        name = "uncordon",
        mixinStandardHelpOptions = true,
        description = {"Puts a GPU back into service that was cordoned, by the name by which that was done.", ""},
        footer = {
            "",
            "Exit codes: 0 done, or it was not cordoned; 2 wrong arguments, no such node, or no answer from the"
                    + " cluster."
        })
final class UncordonCommand implements Callable<Integer> {
    @Parameters(paramLabel = "NODE/GPU", description = "The node, and the GPU by its UUID or PCI address.")
    private String which = "";

    @Mixin
    private ClusterOptions cluster = new ClusterOptions();

    @Mixin
    private OutputForm form = new OutputForm();

    UncordonCommand() {}

    @Override
    public Integer call() {
        CordonCommand.mark(cluster, which, Optional.empty());
        form.print(() -> which + ": in service\n", () -> CordonCommand.tree(which, false));
        return ExitCodes.OK;
    }
}
