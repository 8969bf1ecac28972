package dev.sro.runtime.status;

import dev.sro.api.resource.SpecialResource;
import dev.sro.api.resource.SpecialResourceStatus;
import dev.sro.runtime.Clients;
import dev.sro.runtime.ClusterOptions;
import dev.sro.runtime.ExitCodes;
import dev.sro.runtime.OutputForm;
import dev.sro.runtime.UnusableInputException;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Clock;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Shows how far special resources are. */
@Command(
        name = "status",
        mixinStandardHelpOptions = true,
        description = {
            "Shows special resources of a cluster: states, pools, and the nodes that are stuck, with the reasons.",
            "",
            "Reads special resources and nothing else. Of what is stuck it shows the first twenty, as the status has"
                    + " them.",
            ""
        },
        footer = {
            "",
            "Exit codes: 0 all are ready; 1 one is not; 2 wrong arguments, no such special resource, or no answer from"
                    + " the cluster."
        })
public final class StatusCommand implements Callable<Integer> {

    @Parameters(arity = "0..1", paramLabel = "NAME", description = "One special resource. Default: all.")
    private @Nullable String name;

    @Mixin
    private ClusterOptions cluster = new ClusterOptions();

    @Mixin
    private OutputForm form = new OutputForm();

    /** Filled by the command line parser. */
    public StatusCommand() {}

    @Override
    public Integer call() {
        Config config = cluster.config();
        List<SpecialResource> found;
        try (KubernetesClient client = Clients.plain(config)) {
            found = read(client);
        } catch (KubernetesClientException e) {
            throw new UnusableInputException(config.getMasterUrl(), Clients.message(e));
        }
        form.print(
                () -> text(found), () -> found.stream().map(StatusCommand::tree).toList());
        return found.stream().allMatch(StatusText::isReady) ? ExitCodes.OK : ExitCodes.FAILED;
    }

    private List<SpecialResource> read(KubernetesClient client) {
        if (name == null) {
            return client.resources(SpecialResource.class).list().getItems().stream()
                    .sorted(Comparator.comparing(
                            resource -> resource.getMetadata().getName()))
                    .toList();
        }
        SpecialResource one =
                client.resources(SpecialResource.class).withName(name).get();
        if (one == null) {
            throw new UnusableInputException("NAME", "there is no special resource " + name);
        }
        return List.of(one);
    }

    private static String text(List<SpecialResource> found) {
        if (found.isEmpty()) {
            return "there are no special resources\n";
        }
        StringBuilder all = new StringBuilder();
        found.forEach(resource ->
                all.append(StatusText.write(resource, Clock.systemUTC().instant())));
        return all.toString();
    }

    private static Map<String, Object> tree(SpecialResource resource) {
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("name", resource.getMetadata().getName());
        tree.put("ready", StatusText.isReady(resource));
        tree.put("current", StatusText.isCurrent(resource));
        SpecialResourceStatus status = resource.getStatus();
        if (status != null) {
            put(tree, "state", status.getState());
            put(tree, "nodes", status.getNodes());
            put(tree, "poolCount", status.getPoolCount());
            tree.put("pools", status.getPools());
            tree.put("states", status.getStates());
            tree.put("samples", status.getSamples());
            put(tree, "upgrade", status.getUpgrade());
            tree.put("conditions", status.getConditions());
        }
        return tree;
    }

    private static void put(Map<String, Object> tree, String key, @Nullable Object value) {
        if (value != null) {
            tree.put(key, value);
        }
    }
}
