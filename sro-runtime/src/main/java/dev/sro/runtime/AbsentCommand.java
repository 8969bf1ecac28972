package dev.sro.runtime;

import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Has the name of a command whose jar is not on the class path, takes any arguments, and says where the command is. */
@Command(
        mixinStandardHelpOptions = true,
        description = "Not in this installation, as in the container image; the archive of a release has it.")
final class AbsentCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    private AbsentCommand() {}

    static CommandLine create() {
        return new CommandLine(new AbsentCommand()).setUnmatchedArgumentsAllowed(true);
    }

    @Override
    public Integer call() {
        String name = spec.name();
        throw new UnusableInputException(
                name,
                "is not in this installation, as in the container image; run sro " + name
                        + " of a release's archive, or ./sro " + name + " in the repository");
    }
}
