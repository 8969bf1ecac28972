package dev.sro.runtime.demo;

import dev.sro.core.plugin.PluginHost;
import dev.sro.core.plugin.Plugins;
import dev.sro.runtime.ExitCodes;
import dev.sro.runtime.PluginCalls;
import dev.sro.runtime.PluginOptions;
import dev.sro.runtime.UnusableInputException;
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
import picocli.CommandLine;

/** One run of the demo, from its cluster to its exit code. Not thread-safe. */
final class DemoSession {

    /** Set by the launcher where standard output is a terminal. */
    private static final String TERMINAL = "sro.terminal";

    private final Choices choices;
    private final PluginOptions plugins;
    private final CommandLine line;

    /** The options of the command. */
    record Choices(boolean plain, boolean json, boolean openShift, double speed, boolean pause, int port) {}

    /** What a scenario does with its cluster; the exit code. */
    @FunctionalInterface
    private interface Scenario {
        int play(DemoView view, Pacer pacer);
    }

    DemoSession(Choices choices, PluginOptions plugins, CommandLine line) {
        this.choices = choices;
        this.plugins = plugins;
        this.line = line;
    }

    int run() {
        return told(this::playMain);
    }

    private int playMain(DemoView view, Pacer pacer) {
        try (PluginCalls calls = plugins.calls();
                PluginHost host = plugins.open();
                SroSandbox sandbox = SroSandbox.create(choices.openShift(), host.current())) {
            guarded(sandbox, calls);
            Demo demo = new Demo(sandbox, view, pacer, Clock.systemUTC());
            demo.addNodes();
            demo.install(specialResource());
            if (choices.pause()) {
                return paused(sandbox, demo.stage(), view);
            }
            demo.upgrade();
            demo.deleteNode();
            demo.deleteResource();
            return finished(demo.stage());
        }
    }

    /** The operator that runs already has nothing to do yet, so it is one that calls plugins like this that begins. */
    private static void guarded(SroSandbox sandbox, PluginCalls calls) {
        sandbox.guard(calls.guard());
        sandbox.kill();
        sandbox.start();
    }

    /** The upgrade scenario, with a recipe of its own. */
    int upgrade() {
        return told(this::playUpgrade);
    }

    private int playUpgrade(DemoView view, Pacer pacer) {
        try (SroSandbox sandbox = SroSandbox.create(choices.openShift(), Plugins.of(new DemoDriver()))) {
            UpgradeDemo demo = new UpgradeDemo(sandbox, view, pacer, Clock.systemUTC());
            demo.install();
            if (choices.pause()) {
                return paused(sandbox, demo.stage(), view);
            }
            demo.kernel();
            demo.driver();
            demo.rollback();
            demo.delete();
            return finished(demo.stage());
        }
    }

    /** The scenario with GPUs, with the plugin for them. */
    int gpu() {
        return told(this::playGpu);
    }

    private int playGpu(DemoView view, Pacer pacer) {
        try (PluginCalls calls = plugins.calls();
                PluginHost host = plugins.open()) {
            Plugins found = host.current();
            if (found.find(GpuDemo.PLUGIN).isEmpty()) {
                throw new UnusableInputException("--plugins", found.describeUnknown(GpuDemo.PLUGIN));
            }
            try (SroSandbox sandbox = SroSandbox.create(GpuDemo.cluster(choices.openShift()), found)) {
                guarded(sandbox, calls);
                GpuDemo demo = new GpuDemo(sandbox, view, pacer, Clock.systemUTC());
                demo.install();
                demo.mend();
                if (choices.pause()) {
                    return paused(sandbox, demo.stage(), view);
                }
                demo.taint();
                demo.preempt();
                demo.delete();
                return finished(demo.stage());
            }
        }
    }

    /** The scenario with slices on demand. */
    int slices() {
        return told(this::playSlices);
    }

    private int playSlices(DemoView view, Pacer pacer) {
        try (SroSandbox sandbox = SroSandbox.create(choices.openShift(), Plugins.of(new DemoDriver()));
                SlicesDemo demo = new SlicesDemo(sandbox, view, pacer, Clock.systemUTC())) {
            demo.install();
            if (choices.pause()) {
                return paused(sandbox, demo.stage(), view);
            }
            demo.churn();
            demo.refuse();
            demo.crash();
            demo.end();
            return finished(demo.stage());
        }
    }

    /** The exit code of a scenario; what it could not wait for is said. */
    private int told(Scenario scenario) {
        Pacer pacer = choices.speed() > 0 ? Pacer.times(choices.speed()) : Pacer.none();
        try {
            return scenario.play(view(line.getOut()), pacer);
        } catch (DemoFailedException e) {
            line.getErr().println("sro demo: " + e.getMessage());
            return ExitCodes.FAILED;
        }
    }

    private static int finished(DemoStage stage) {
        stage.finish();
        return stage.ok() ? ExitCodes.OK : ExitCodes.FAILED;
    }

    private DemoView view(PrintWriter out) {
        if (choices.json()) {
            return new JsonView(out);
        }
        boolean terminal = Boolean.getBoolean(TERMINAL);
        return choices.plain() || !terminal ? new PlainView(out) : new LiveView(out, System.getenv("NO_COLOR") == null);
    }

    /** Lives on, in step with our time, until the process is ended. */
    private int paused(SroSandbox sandbox, DemoStage stage, DemoView view) {
        try (HttpFront front = HttpFront.start(sandbox.cluster().server(), choices.port())) {
            Path kubeconfig = Files.createTempFile("sro-demo-", ".kubeconfig");
            kubeconfig.toFile().deleteOnExit();
            Files.writeString(kubeconfig, front.kubeconfig());
            view.say("The cluster listens on " + front.uri() + " until Ctrl-C. Look at it with:");
            view.say("  kubectl --kubeconfig " + kubeconfig + " get specialresources,jobs,daemonsets,pods,nodes -A");
            stage.liveOn();
            return ExitCodes.OK;
        } catch (IOException e) {
            throw new UnusableInputException("--port " + choices.port(), "cannot be used: " + e.getMessage());
        }
    }

    static String specialResource() {
        try (InputStream in = DemoSession.class.getResourceAsStream("special-resource.yaml")) {
            if (in == null) {
                throw new IllegalStateException("missing on the class path: special-resource.yaml");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
