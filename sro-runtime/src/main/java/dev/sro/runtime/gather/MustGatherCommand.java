package dev.sro.runtime.gather;

import dev.sro.runtime.Clients;
import dev.sro.runtime.ClusterOptions;
import dev.sro.runtime.ExitCodes;
import dev.sro.runtime.Progress;
import dev.sro.runtime.SroVersion;
import dev.sro.runtime.UnusableInputException;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Gathers what somebody needs who is to find out what is wrong. */
@Command(
        name = "must-gather",
        mixinStandardHelpOptions = true,
        description = {
            "Gathers what somebody needs who is to find out what is wrong: special resources, their operands, pods and logs, nodes,"
                    + " events, the operator's own pods and lease.",
            "",
            "Values of Secrets, and whatever looks like a password, a token or a private key, are replaced by REDACTED. Look through"
                    + " it nevertheless before you give it away: nobody can know what a log says.",
            ""
        },
        footer = {
            "",
            "Exit codes: 0 gathered; 1 gathered, but for what is listed; 2 wrong arguments, or no answer from the cluster."
        })
public final class MustGatherCommand implements Callable<Integer> {

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Parameters(
            arity = "0..1",
            paramLabel = "DIR",
            defaultValue = "sro-must-gather",
            description = "Where to write; a folder that is empty or not there. Default: ${DEFAULT-VALUE}.")
    private Path folder = Path.of("");

    @Mixin
    private ClusterOptions cluster = new ClusterOptions();

    @Option(
            names = "--namespace",
            paramLabel = "NAME",
            defaultValue = "special-resource-operator",
            description = "The operator's own namespace. Default: ${DEFAULT-VALUE}.")
    private String namespace = "";

    /** Filled by the command line parser. */
    public MustGatherCommand() {}

    @Override
    public Integer call() throws IOException {
        if (Files.exists(folder) && !isEmptyFolder()) {
            throw new UnusableInputException(folder.toString(), "is not an empty folder");
        }
        Config config = cluster.config();
        DiagnosticsFolder out = new DiagnosticsFolder(folder);
        String server;
        try (Progress progress = Progress.saying(spec.commandLine().getErr(), true, "asking the cluster");
                KubernetesClient client = Clients.plain(config)) {
            server = client.getKubernetesVersion().getGitVersion();
            new DiagnosticsCollector(client, out, what -> progress.say("reading " + what)).everything(namespace);
        } catch (KubernetesClientException e) {
            throw new UnusableInputException(config.getMasterUrl(), Clients.message(e));
        }
        StringBuilder summary = new StringBuilder("SRO " + SroVersion.current() + ", Kubernetes " + server + ", "
                + Clock.systemUTC().instant().truncatedTo(ChronoUnit.SECONDS) + "\n");
        out.missing().forEach(line -> summary.append("missing: ").append(line).append('\n'));
        out.text("summary.txt", summary.toString());
        PrintWriter print = spec.commandLine().getOut();
        out.missing().forEach(line -> print.println("missing: " + Redaction.text(line)));
        print.println(out.files() + " files in " + folder);
        print.flush();
        return out.missing().isEmpty() ? ExitCodes.OK : ExitCodes.FAILED;
    }

    private boolean isEmptyFolder() throws IOException {
        if (!Files.isDirectory(folder)) {
            return false;
        }
        try (Stream<Path> content = Files.list(folder)) {
            return content.findAny().isEmpty();
        }
    }
}
