package dev.sro.runtime.slices;

import dev.sro.runtime.allocator.AllocatorCommand;
import dev.sro.runtime.imports.ImportDasCommand;
import dev.sro.runtime.scheduler.SchedulerConfigCommand;
import dev.sro.runtime.scheduler.SliceSchedulerCommand;
import dev.sro.runtime.waiting.ExplainerCommand;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Groups the commands of the slicing library. */
@Command(
        name = "slices",
        mixinStandardHelpOptions = true,
        description = "Slices of devices: models, pictures, placement, packing, moves, objects for Dynamic Resource"
                + " Allocation. No cluster is needed, but for status, to explain a pod, to verify why it waits, to cordon"
                + " GPUs, to place pods (scheduler), to tell why pods wait (explainer), and to come from DAS"
                + " (import-das).",
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {
            ModelsCommand.class,
            ShowCommand.class,
            ExplainCommand.class,
            VerifyCommand.class,
            PackCommand.class,
            PackMixedCommand.class,
            SimulateCommand.class,
            DefragCommand.class,
            MigCommand.class,
            PublishCommand.class,
            ClaimCommand.class,
            AuditCommand.class,
            CordonCommand.class,
            UncordonCommand.class,
            FleetCommand.class,
            SliceSchedulerCommand.class,
            AllocatorCommand.class,
            ExplainerCommand.class,
            SchedulerConfigCommand.class,
            ImportDasCommand.class,
            CommandLine.HelpCommand.class
        },
        footer = {
            "",
            "Exit codes of all commands: 0 the answer is yes; 1 the answer is no, and why is printed; 2 wrong"
                    + " arguments, or input that cannot be read, each error with file, line and field."
        })
public final class SlicesCommand implements Runnable {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    /** Filled by the command line parser. */
    public SlicesCommand() {}

    @Override
    public void run() {
        throw new CommandLine.ParameterException(spec.commandLine(), "a command is missing");
    }
}
