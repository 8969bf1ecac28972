package dev.sro.runtime.slices;

import dev.sro.runtime.ClusterOptions;
import dev.sro.runtime.ExitCodes;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

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
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Parameters(paramLabel = "NODE/GPU", description = "The node, and the GPU by its UUID or PCI address.")
    private String which = "";

    @Mixin
    private ClusterOptions cluster = new ClusterOptions();

    UncordonCommand() {}

    @Override
    public Integer call() {
        CordonCommand.mark(cluster, which, Optional.empty());
        spec.commandLine().getOut().println(which + ": in service");
        spec.commandLine().getOut().flush();
        return ExitCodes.OK;
    }
}
