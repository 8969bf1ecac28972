package dev.sro.runtime.demo;

import dev.sro.core.plugin.PluginHost;
import dev.sro.runtime.ExitCodes;
import dev.sro.runtime.InputException;
import dev.sro.runtime.PluginDirectory;
import dev.sro.testkit.http.HttpFront;
import dev.sro.testkit.operator.SroSandbox;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Shows the main job on an embedded cluster. */
@Command(
        name = "demo",
        mixinStandardHelpOptions = true,
        description = {
            "Runs the main job on a cluster inside of this process: a special resource is installed on six nodes,",
            "one node gets another kernel, one node is deleted, and so is the special resource."
        },
        footer = {
            "",
            "With --pause the demo stops after the installation: the cluster lives on behind an HTTP port, and a",
            "kubeconfig is written, so that kubectl can look and change things, until Ctrl-C. Colours are left out",
            "where NO_COLOR is set.",
            "",
            "Exit codes: 0 all checks passed; 1 one failed, and is printed; 2 wrong arguments."
        })
public final class DemoCommand implements Callable<Integer> {

    /** Set by the launcher where standard output is a terminal. */
    private static final String TERMINAL = "sro.terminal";

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Option(names = "--plain", description = "One line for each change. Default where there is no terminal.")
    private boolean plain;

    @Option(names = "--json", description = "One JSON object for each event.")
    private boolean json;

    @Option(names = "--openshift", description = "On a cluster that serves OpenShift's APIs.")
    private boolean openShift;

    @Option(
            names = "--speed",
            paramLabel = "X",
            defaultValue = "30",
            description = "How many seconds pass in the cluster in each of ours; 0: as fast as it goes."
                    + " Default: ${DEFAULT-VALUE}.")
    private double speed;

    @Option(names = "--pause", description = "Stop after the installation and keep the cluster until Ctrl-C.")
    private boolean pause;

    @Option(
            names = "--port",
            paramLabel = "N",
            defaultValue = "0",
            description = "With --pause: the HTTP port on this machine. Default: any free one.")
    private int port;

    @Option(
            names = "--plugins",
            paramLabel = "DIR",
            description = "Folder with plugin jars. Default: the plugins that come with SRO.")
    private @Nullable Path plugins;

    /** Filled by the command line parser. */
    public DemoCommand() {}

    @Override
    public Integer call() {
        PrintWriter out = spec.commandLine().getOut();
        DemoView view = view(out);
        try (PluginHost host = PluginDirectory.open(plugins);
                SroSandbox sandbox = SroSandbox.create(openShift, host.current())) {
            Demo demo = new Demo(sandbox, view, speed > 0 ? Pacer.times(speed) : Pacer.none(), Clock.systemUTC());
            demo.addNodes();
            demo.install(specialResource());
            if (pause) {
                return paused(sandbox, demo, view);
            }
            demo.upgrade();
            demo.deleteNode();
            demo.deleteResource();
            demo.finish();
            return demo.ok() ? ExitCodes.OK : ExitCodes.FAILED;
        } catch (DemoFailedException e) {
            spec.commandLine().getErr().println("sro demo: " + e.getMessage());
            return ExitCodes.FAILED;
        }
    }

    private DemoView view(PrintWriter out) {
        if (json) {
            return new JsonView(out);
        }
        boolean terminal = Boolean.getBoolean(TERMINAL);
        return plain || !terminal ? new PlainView(out) : new LiveView(out, System.getenv("NO_COLOR") == null);
    }

    /** Lives on, in step with our time, until the process is ended. */
    private int paused(SroSandbox sandbox, Demo demo, DemoView view) {
        try (HttpFront front = HttpFront.start(sandbox.cluster().server(), port)) {
            Path kubeconfig = Files.createTempFile("sro-demo-", ".kubeconfig");
            kubeconfig.toFile().deleteOnExit();
            Files.writeString(kubeconfig, front.kubeconfig());
            view.say("The cluster listens on " + front.uri() + " until Ctrl-C. Look at it with:");
            view.say("  kubectl --kubeconfig " + kubeconfig + " get specialresources,jobs,daemonsets,pods,nodes -A");
            demo.liveOn();
            return ExitCodes.OK;
        } catch (IOException e) {
            throw new InputException("--port " + port, "cannot be used: " + e.getMessage());
        }
    }

    static String specialResource() {
        try (InputStream in = DemoCommand.class.getResourceAsStream("special-resource.yaml")) {
            if (in == null) {
                throw new IllegalStateException("missing on the class path: special-resource.yaml");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
