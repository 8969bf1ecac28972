package dev.sro.runtime.slices;

import dev.sro.core.dra.NodeMarks;
import dev.sro.runtime.Clients;
import dev.sro.runtime.ClusterOptions;
import dev.sro.runtime.ExitCodes;
import dev.sro.runtime.OutputForm;
import dev.sro.runtime.UnusableInputException;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Takes one GPU of a node out of service. */
@Command(
        name = "cordon",
        mixinStandardHelpOptions = true,
        description = {
            "Takes one GPU of a node out of service: no claim gets anything new of it. What claims have stays.",
            "",
            "It is written on the Node, as an annotation for each GPU, and so outlives reboots and the agent.",
            ""
        },
        footer = {
            "",
            "Exit codes: 0 done; 2 wrong arguments, no such node, or no answer from the cluster.",
            "",
            "Example:",
            "  sro slices cordon gpu-node-1/0000:3b:00.0 --reason 'a fan is loud'"
        })
final class CordonCommand implements Callable<Integer> {
    @Parameters(paramLabel = "NODE/GPU", description = "The node, and the GPU by its UUID or PCI address.")
    private String which = "";

    @Option(
            names = "--reason",
            paramLabel = "TEXT",
            defaultValue = "no reason given",
            description = "Why, for whoever wonders. Default: ${DEFAULT-VALUE}.")
    private String reason = "";

    @Mixin
    private ClusterOptions cluster = new ClusterOptions();

    @Mixin
    private OutputForm form = new OutputForm();

    CordonCommand() {}

    @Override
    public Integer call() {
        mark(cluster, which, Optional.of(reason.isBlank() ? "no reason given" : reason));
        form.print(() -> which + ": cordoned\n", () -> tree(which, true));
        return ExitCodes.OK;
    }

    /** What was written, for programs. */
    static Map<String, Object> tree(String which, boolean cordoned) {
        int stroke = which.indexOf('/');
        return Output.object(
                "node", which.substring(0, stroke), "gpu", which.substring(stroke + 1), "cordoned", cordoned);
    }

    /** Writes the annotation, or takes it away if there is no reason. */
    static void mark(ClusterOptions cluster, String which, Optional<String> reason) {
        int stroke = which.indexOf('/');
        if (stroke < 1 || stroke == which.length() - 1) {
            throw new UnusableInputException(
                    "NODE/GPU", "\"" + which + "\" is not one such as gpu-node-1/0000:3b:00.0");
        }
        String node = which.substring(0, stroke);
        Map<String, @Nullable String> annotations = new HashMap<>();
        try {
            annotations.put(NodeMarks.cordon(which.substring(stroke + 1)), reason.orElse(null));
        } catch (IllegalArgumentException e) {
            throw new UnusableInputException("NODE/GPU", String.valueOf(e.getMessage()));
        }
        Config config = cluster.config();
        try (KubernetesClient client = Clients.plain(config)) {
            if (client.nodes().withName(node).get() == null) {
                throw new UnusableInputException("NODE/GPU", "there is no node " + node);
            }
            String text =
                    client.getKubernetesSerialization().asJson(Map.of("metadata", Map.of("annotations", annotations)));
            client.nodes().withName(node).patch(PatchContext.of(PatchType.JSON_MERGE), text);
        } catch (KubernetesClientException e) {
            throw new UnusableInputException(config.getMasterUrl(), Clients.message(e));
        }
    }
}
