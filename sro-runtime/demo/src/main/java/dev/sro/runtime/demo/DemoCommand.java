package dev.sro.runtime.demo;

import dev.sro.runtime.AddedCommand;
import dev.sro.runtime.PluginOptions;
import dev.sro.runtime.UnusableInputException;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
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
public final class DemoCommand implements AddedCommand {

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

    @Option(
            names = "--scenario",
            paramLabel = "NAME",
            defaultValue = "life",
            description = {
                "life: as above. upgrade: six nodes get a new kernel, a new driver, and one that fails on a canary and"
                        + " is rolled back. gpu: eight nodes get NVIDIA's stack, which fails on one of them, and are"
                        + " kept for pods that need GPUs. slices: 200 pods come and go on 16 emulated GPUs that are cut"
                        + " on demand, one is refused and told why, agent and operator are killed. Default:"
                        + " ${DEFAULT-VALUE}."
            })
    private String scenario = "life";

    @Option(names = "--pause", description = "Stop after the installation and keep the cluster until Ctrl-C.")
    private boolean pause;

    @Option(
            names = "--port",
            paramLabel = "N",
            defaultValue = "0",
            description = "With --pause: the HTTP port on this machine. Default: any free one.")
    private int port;

    @Mixin
    private PluginOptions plugins = new PluginOptions();

    /** Filled by the command line parser. */
    public DemoCommand() {}

    @Override
    public Integer call() {
        DemoSession.Choices choices = new DemoSession.Choices(plain, json, openShift, speed, pause, port);
        DemoSession session = new DemoSession(choices, plugins, spec.commandLine());
        return switch (scenario) {
            case "life" -> session.run();
            case "upgrade" -> session.upgrade();
            case "gpu" -> session.gpu();
            case "slices" -> session.slices();
            default ->
                throw UnusableInputException.noneOf(
                        "--scenario", scenario, List.of("life", "upgrade", "gpu", "slices"));
        };
    }
}
