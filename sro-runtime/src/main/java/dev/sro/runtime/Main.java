package dev.sro.runtime;

import dev.sro.core.slicing.SliceException;
import dev.sro.core.slicing.catalogue.CatalogueException;
import dev.sro.core.slicing.catalogue.UnknownModelException;
import dev.sro.core.slicing.input.Suggestions;
import dev.sro.runtime.bundle.BundleCommand;
import dev.sro.runtime.cdi.CdiCommand;
import dev.sro.runtime.explain.ExplainCodeCommand;
import dev.sro.runtime.gather.MustGatherCommand;
import dev.sro.runtime.imports.ImportCommand;
import dev.sro.runtime.install.ManifestsCommand;
import dev.sro.runtime.lint.LintCommand;
import dev.sro.runtime.operator.OperatorCommand;
import dev.sro.runtime.plan.DiffCommand;
import dev.sro.runtime.plan.FeaturesCommand;
import dev.sro.runtime.plan.MigrateCommand;
import dev.sro.runtime.plan.PlanCommand;
import dev.sro.runtime.plan.RenderCommand;
import dev.sro.runtime.plugins.PluginsCommand;
import dev.sro.runtime.preflight.PreflightCommand;
import dev.sro.runtime.rights.RbacCommand;
import dev.sro.runtime.slices.SlicesCommand;
import dev.sro.runtime.status.StatusCommand;
import dev.sro.runtime.tests.TestCommand;
import dev.sro.runtime.upgrades.UpgradeCommand;
import java.io.OutputStreamWriter;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** Entry point of the command line. */
@Command(
        name = "sro",
        description = "Puts hardware accelerators to work in a Kubernetes cluster.",
        mixinStandardHelpOptions = true,
        versionProvider = SroVersion.class,
        synopsisSubcommandLabel = "COMMAND")
public final class Main implements Runnable {

    private static final List<Class<?>> COMMANDS = List.of(
            BundleCommand.class,
            CdiCommand.class,
            CrdCommand.class,
            DiffCommand.class,
            ExplainCodeCommand.class,
            FeaturesCommand.class,
            ImportCommand.class,
            LintCommand.class,
            ManifestsCommand.class,
            MigrateCommand.class,
            MustGatherCommand.class,
            OperatorCommand.class,
            PlanCommand.class,
            PluginsCommand.class,
            PreflightCommand.class,
            RbacCommand.class,
            RenderCommand.class,
            SlicesCommand.class,
            StatusCommand.class,
            TestCommand.class,
            UpgradeCommand.class);

    /** Those of sro-demo, a jar that the container image does not have. */
    private static final List<String> ADDED = List.of("demo", "dev", "install-artifacts", "new");

    /** Commands that need to know all others. */
    private static final List<Class<?>> ABOUT_COMMANDS =
            List.of(AutoComplete.GenerateCompletion.class, CommandLine.HelpCommand.class);

    private static final Set<String> VERSION = Set.of("--version", "-V");

    @CommandLine.Spec
    private CommandLine.Model.CommandSpec spec = CommandLine.Model.CommandSpec.create();

    private Main() {}

    /** Runs a command and ends the process with its exit code. */
    public static void main(String[] args) {
        int code = run(writer(System.out), writer(System.err), args);
        System.exit(code);
    }

    private static PrintWriter writer(PrintStream stream) {
        return new PrintWriter(new OutputStreamWriter(stream, StandardCharsets.UTF_8), true);
    }

    /** Runs a command. */
    public static int run(PrintWriter out, PrintWriter err, String... args) {
        CommandLine line = commandLine(args);
        line.setOut(out);
        line.setErr(err);
        line.setExecutionExceptionHandler(Main::failed);
        CommandLine.IParameterExceptionHandler usual = line.getParameterExceptionHandler();
        line.setParameterExceptionHandler(
                (wrong, arguments) -> usual.handleParseException(onOneLine(withMeant(wrong)), arguments));
        line.setExecutionStrategy(parsed -> execute(line, parsed));
        return line.execute(args);
    }

    /** Help is SRO's own text, with picocli's colors. What a command says is for the most part the text of others. */
    private static int execute(CommandLine line, CommandLine.ParseResult parsed) {
        Integer help = CommandLine.executeHelpRequest(parsed);
        if (help != null) {
            return help;
        }
        line.setOut(SafeOutput.over(line.getOut()));
        line.setErr(SafeOutput.messages(line.getErr()));
        return new CommandLine.RunLast().execute(parsed);
    }

    /** Reading the options of all commands takes longer than most of them; so where one is named, it is the only one that is read. */
    static CommandLine commandLine(String... args) {
        CommandLine line = new CommandLine(new Main());
        if (args.length == 1 && VERSION.contains(args[0])) {
            return line;
        }
        String first = args.length == 0 ? "" : args[0];
        Optional<Class<?>> named =
                COMMANDS.stream().filter(type -> name(type).equals(first)).findFirst();
        if (named.isPresent()) {
            line.addSubcommand(named.get());
            return line.setCaseInsensitiveEnumValuesAllowed(true);
        }
        SortedMap<String, Object> commands = added();
        if (commands.containsKey(first)) {
            commands.keySet().retainAll(Set.of(first));
        } else {
            COMMANDS.forEach(type -> commands.put(name(type), type));
        }
        commands.forEach(line::addSubcommand);
        if (!commands.containsKey(first)) {
            ABOUT_COMMANDS.forEach(line::addSubcommand);
        }
        return line.setCaseInsensitiveEnumValuesAllowed(true);
    }

    /** What other jars add, and where one is missing what says so. */
    private static SortedMap<String, Object> added() {
        SortedMap<String, Object> commands = new TreeMap<>();
        AddedCommand.types().forEach(type -> commands.put(name(type), type));
        ADDED.stream()
                .filter(name -> !commands.containsKey(name))
                .forEach(name -> commands.put(name, AbsentCommand.create()));
        return commands;
    }

    private static String name(Class<?> type) {
        Command command = type.getAnnotation(Command.class);
        return command == null ? "" : command.name();
    }

    /** A wrong word of those that an option knows, with the one that may have been meant. */
    private static CommandLine.ParameterException withMeant(CommandLine.ParameterException wrong) {
        Class<?> type = wrong.getArgSpec() == null
                ? Void.class
                : wrong.getArgSpec().auxiliaryTypes()[wrong.getArgSpec().auxiliaryTypes().length - 1];
        if (!type.isEnum() || wrong.getValue() == null) {
            return wrong;
        }
        List<String> words =
                Stream.of(type.getEnumConstants()).map(String::valueOf).toList();
        String meant = Suggestions.meant(wrong.getValue(), words);
        return meant.isEmpty()
                ? wrong
                : new CommandLine.ParameterException(
                        wrong.getCommandLine(),
                        wrong.getMessage() + meant,
                        wrong,
                        wrong.getArgSpec(),
                        wrong.getValue());
    }

    /** A refused word is that of who runs the command, and in a script that of whoever it was taken from. */
    private static CommandLine.ParameterException onOneLine(CommandLine.ParameterException wrong) {
        String message = String.valueOf(wrong.getMessage());
        String shown = message.lines().count() > 1 || !message.equals(SafeOutput.visible(message))
                ? SafeOutput.oneLine(message)
                : message;
        return shown.equals(message) || wrong instanceof CommandLine.UnmatchedArgumentException
                ? wrong
                : new CommandLine.ParameterException(
                        wrong.getCommandLine(), shown, wrong, wrong.getArgSpec(), wrong.getValue());
    }

    private static int failed(Exception thrown, CommandLine line, CommandLine.ParseResult parsed) {
        if (thrown instanceof UnusableInputException wrong) {
            line.getErr().println("sro: " + new Screen().cut(String.valueOf(wrong.getMessage())));
            return ExitCodes.USAGE;
        }
        Optional<List<String>> errors = inputErrors(thrown);
        if (errors.isPresent()) {
            errors.get().forEach(error -> line.getErr().println("sro: " + SafeOutput.oneLine(error)));
            return ExitCodes.USAGE;
        }
        line.getErr().println("sro: this is a defect of sro; please report it with what follows");
        thrown.printStackTrace(line.getErr());
        return ExitCodes.FAILED;
    }

    /** What the slicing library says of files and names that cannot be used. */
    private static Optional<List<String>> inputErrors(Exception thrown) {
        if (thrown instanceof dev.sro.core.slicing.input.InputException wrong) {
            return Optional.of(wrong.errors());
        }
        if (thrown instanceof CatalogueException wrong) {
            return Optional.of(wrong.errors());
        }
        return thrown instanceof UnknownModelException || thrown instanceof SliceException
                ? Optional.of(List.of(String.valueOf(thrown.getMessage())))
                : Optional.empty();
    }

    @Override
    public void run() {
        throw new CommandLine.ParameterException(spec.commandLine(), "a command is missing");
    }
}
