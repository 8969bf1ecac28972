package dev.sro.runtime.cdi;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Files for container runtimes. */
@Command(
        name = "cdi",
        mixinStandardHelpOptions = true,
        description = "Files of the Container Device Interface, for container runtimes.",
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {ConvertCommand.class, CommandLine.HelpCommand.class})
public final class CdiCommand implements Runnable {

    @Spec
    private CommandSpec spec = CommandSpec.create();

    /** Filled by the command line parser. */
    public CdiCommand() {}

    @Override
    public void run() {
        throw new CommandLine.ParameterException(spec.commandLine(), "Missing required subcommand");
    }
}
