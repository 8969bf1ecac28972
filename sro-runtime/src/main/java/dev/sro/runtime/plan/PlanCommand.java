package dev.sro.runtime.plan;

import dev.sro.core.client.Fabric8Codec;
import dev.sro.core.plugin.PluginHost;
import dev.sro.runtime.ExitCodes;
import dev.sro.runtime.PluginOptions;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Shows what a reconcile would do, from files and without a cluster. */
@Command(
        name = "plan",
        mixinStandardHelpOptions = true,
        description = "Prints what SRO would create, change and delete, per state and pool, without a cluster.",
        footer = {
            "",
            "Exit codes: 0 the plan is printed; 1 the special resource has problems, which are printed;",
            "2 wrong arguments or input that cannot be read.",
            "",
            "Example:",
            "  kubectl get nodes -o yaml | sro plan -f special-resource.yaml --nodes -"
        })
public final class PlanCommand implements Callable<Integer> {

    /** How a plan is printed. */
    enum Format {
        /** For a person. */
        TEXT,
        /** For a program. */
        JSON,
        /** For a program and a person. */
        YAML
    }

    /** What the cluster of the files is. */
    enum Platform {
        /** Kubernetes as it is. */
        KUBERNETES,
        /** With OpenShift's kinds. */
        OPENSHIFT
    }

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Option(
            names = {"-f", "--filename"},
            required = true,
            paramLabel = "FILE",
            description = "One or more special resources, YAML or JSON; - for standard input.")
    private Path file = Path.of("");

    @Option(
            names = "--nodes",
            required = true,
            paramLabel = "FILE",
            description = "The nodes, as \"kubectl get nodes -o yaml\" prints them; - for standard input.")
    private Path nodes = Path.of("");

    @Option(
            names = "--observed",
            paramLabel = "FILE",
            description = "What exists already: objects with SRO's labels, their pods, namespaces. Default: nothing.")
    private @Nullable Path observed;

    @Mixin
    private PluginOptions plugins = new PluginOptions();

    @Option(
            names = "--platform",
            paramLabel = "PLATFORM",
            description = "kubernetes or openshift. Default: ${DEFAULT-VALUE}.",
            defaultValue = "kubernetes")
    private Platform platform = Platform.KUBERNETES;

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FORMAT",
            description = "text, json or yaml. Default: ${DEFAULT-VALUE}.",
            defaultValue = "text")
    private Format format = Format.TEXT;

    @Option(names = "--manifests", description = "With json and yaml: print the objects too.")
    private boolean manifests;

    /** Filled by the command line parser. */
    public PlanCommand() {}

    @Override
    public Integer call() {
        KubernetesSerialization serialization = new KubernetesSerialization();
        Fabric8Codec codec = new Fabric8Codec(serialization);
        FileCluster cluster = new FileCluster(codec, platform == Platform.OPENSHIFT);
        cluster.addNodes(Document.read(nodes));
        if (observed != null) {
            cluster.addObserved(Document.read(observed));
        }
        List<String> names = cluster.addResources(Document.read(file));
        try (PluginHost host = plugins.open()) {
            Planning planning = new Planning(cluster, codec, host.current(), Clock.systemUTC());
            List<PlanReport> reports = names.stream().map(planning::report).toList();
            cluster.warnings().forEach(warning -> spec.commandLine().getErr().println("warning: " + warning));
            print(reports, serialization);
            return reports.stream().anyMatch(PlanReport::hasProblems) ? ExitCodes.FAILED : ExitCodes.OK;
        }
    }

    private void print(List<PlanReport> reports, KubernetesSerialization serialization) {
        PrintWriter out = spec.commandLine().getOut();
        if (format == Format.TEXT) {
            reports.forEach(report -> new PlanText(report, out).print());
        } else {
            Object tree = PlanTree.all(reports.stream()
                    .map(report -> PlanTree.of(report, manifests))
                    .toList());
            out.print(format == Format.JSON ? serialization.asJson(tree) + "\n" : serialization.asYaml(tree));
        }
        out.flush();
    }
}
