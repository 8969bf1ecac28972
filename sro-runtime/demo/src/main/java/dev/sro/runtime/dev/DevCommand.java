package dev.sro.runtime.dev;

import dev.sro.runtime.AddedCommand;
import dev.sro.runtime.ExitCodes;
import dev.sro.runtime.PluginOptions;
import dev.sro.runtime.Progress;
import dev.sro.runtime.UnusableInputException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** A cluster for who writes a plugin. */
@Command(
        name = "dev",
        mixinStandardHelpOptions = true,
        description = {
            "Runs a cluster on this machine for who writes a plugin, a chart or another recipe: an API server over",
            "HTTP, simulated nodes, a simulated registry, and the operator with the plugins of a folder. A plugin that",
            "is built again is loaded again; a broken one is told, and the one before stays. Files of -f are applied",
            "again when they change. With --no-operator it is a cluster for an operator of your own."
        },
        footer = {
            "",
            "Exit codes: 0 ended by Ctrl-C, or all special resources are ready at the end; 1 one is not;",
            "2 wrong arguments or input that cannot be read.",
            "",
            "Example:",
            "  sro dev --plugins target -f special-resource.yaml --nodes nodes.yaml",
            "  sro dev --no-operator -f special-resource.yaml --write-kubeconfig kubeconfig"
        })
public final class DevCommand implements AddedCommand {

    /** Set by the launcher where standard output is a terminal. */
    private static final String TERMINAL = "sro.terminal";

    /** How long a process that is ended waits for its cluster to close. */
    private static final long CLOSE_SECONDS = 10;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Option(
            names = {"-f", "--filename"},
            paramLabel = "FILE",
            required = true,
            description =
                    "Special resources, and whatever else is to be in the cluster: YAML or JSON. May be repeated.")
    private List<Path> files = new ArrayList<>();

    @Option(
            names = "--nodes",
            paramLabel = "FILE",
            description = "The nodes, as \"kubectl get nodes -o yaml\" prints them. Default: two with RHEL 9 and the"
                    + " labels of spec.nodeSelector.")
    private @Nullable Path nodes;

    @Option(
            names = "--chart",
            paramLabel = "PATH",
            description = "A chart's folder or archive here, instead of the one of its name in the special resource's"
                    + " repository. May be repeated.")
    private List<Path> charts = new ArrayList<>();

    @Option(
            names = "--image-missing",
            paramLabel = "GLOB",
            description = "Images that are in no registry until something in the cluster pushes them, for example"
                    + " \"registry.example.com/acme/*\". May be repeated. Default: all images are there.")
    private List<String> missing = new ArrayList<>();

    @Option(
            names = "--log",
            paramLabel = "LINE",
            description = "What all containers print, for recipes that wait for their logs. May be repeated. Default:"
                    + " nothing.")
    private List<String> logs = new ArrayList<>();

    @Option(names = "--openshift", description = "A cluster that serves OpenShift's APIs.")
    private boolean openShift;

    @Option(
            names = "--no-operator",
            description = "Without SRO: the cluster is for an operator of yours, which is a process of its own and gets"
                    + " the kubeconfig.")
    private boolean noOperator;

    @Option(
            names = "--speed",
            paramLabel = "X",
            defaultValue = "1",
            description = "How many seconds pass in the cluster in each of ours. Default: ${DEFAULT-VALUE}.")
    private double speed;

    @Option(
            names = "--port",
            paramLabel = "N",
            defaultValue = "0",
            description = "The HTTP port on this machine. Default: any free one.")
    private int port;

    @Option(
            names = "--write-kubeconfig",
            paramLabel = "FILE",
            description = "Where the kubeconfig is written. Default: a temporary file, which is named.")
    private @Nullable Path kubeconfig;

    @Option(names = "--until-ready", description = "End when all special resources are ready.")
    private boolean untilReady;

    @Option(names = "--for-seconds", paramLabel = "N", description = "End after so many of our seconds.")
    private @Nullable Integer seconds;

    @Option(names = "--plain", description = "One line for each change. Default where there is no terminal.")
    private boolean plain;

    @Mixin
    private PluginOptions plugins = new PluginOptions();

    /** Filled by the command line parser. */
    public DevCommand() {}

    @Override
    public Integer call() {
        DevSession session =
                new DevSession(settings(), plugins, spec.commandLine().getOut(), Clock.systemUTC());
        CountDownLatch stop = new CountDownLatch(1);
        CountDownLatch ended = new CountDownLatch(1);
        Thread hook = new Thread(() -> end(stop, ended), "sro-stop");
        Runtime.getRuntime().addShutdownHook(hook);
        try (Progress progress =
                Progress.saying(spec.commandLine().getErr(), true, "loading plugins, starting the cluster")) {
            return session.run(stop, progress::clear);
        } finally {
            ended.countDown();
            forget(hook, stop);
        }
    }

    private static void forget(Thread hook, CountDownLatch stop) {
        try {
            if (stop.getCount() > 0) {
                Runtime.getRuntime().removeShutdownHook(hook);
            }
        } catch (IllegalStateException e) {
            // Somebody ends the process right now, and the hook knows that all is closed.
            stop.countDown();
        }
    }

    /** Ctrl-C: an end that was asked for is no failure, whatever code the signal would give. */
    private static void end(CountDownLatch stop, CountDownLatch ended) {
        stop.countDown();
        try {
            boolean closed = ended.await(CLOSE_SECONDS, TimeUnit.SECONDS);
            Runtime.getRuntime().halt(closed ? ExitCodes.OK : ExitCodes.FAILED);
        } catch (InterruptedException e) {
            Runtime.getRuntime().halt(ExitCodes.FAILED);
        }
    }

    private DevSettings settings() {
        if (!(speed > 0)) {
            throw new UnusableInputException("--speed " + speed, "must be more than 0");
        }
        if (seconds != null && seconds < 1) {
            throw new UnusableInputException("--for-seconds " + seconds, "must be at least 1");
        }
        if (noOperator && plugins.directory().isPresent()) {
            throw new UnusableInputException(
                    "--no-operator", "nobody here loads plugins; leave out --plugins (and SRO_PLUGINS)");
        }
        return new DevSettings(
                files,
                Optional.ofNullable(nodes),
                charts,
                openShift,
                noOperator,
                missing,
                logs,
                speed,
                port,
                Optional.ofNullable(kubeconfig),
                untilReady,
                Optional.ofNullable(seconds).map(Duration::ofSeconds),
                plain || !Boolean.getBoolean(TERMINAL));
    }
}
