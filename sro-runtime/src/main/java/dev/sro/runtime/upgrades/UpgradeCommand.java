package dev.sro.runtime.upgrades;

import dev.sro.api.resource.DriverUpgradePolicy;
import dev.sro.api.resource.SpecialResource;
import dev.sro.api.resource.SpecialResourceStatus;
import dev.sro.api.resource.UpgradeStatus;
import dev.sro.core.model.Specs;
import dev.sro.core.upgrade.policy.UpgradeKeys;
import dev.sro.runtime.Clients;
import dev.sro.runtime.ClusterOptions;
import dev.sro.runtime.ExitCodes;
import dev.sro.runtime.OutputForm;
import dev.sro.runtime.UnusableInputException;
import dev.sro.runtime.status.UpgradeText;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.time.Clock;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Looks at upgrades of drivers and steers them. */
@Command(
        name = "upgrade",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "COMMAND",
        description = {
            "Shows upgrades of drivers and steers them.",
            "",
            "Each command writes what a user could write by hand: fields of spec.upgradePolicy, labels and annotations"
                    + " of nodes.",
            ""
        },
        footer = {
            "",
            "Exit codes: 0 done; 1 an upgrade is halted or a node failed (status); 2 wrong arguments, no such object,"
                    + " or no answer from the cluster."
        })
public final class UpgradeCommand {

    private static final String NO_POLICY = "has no spec.upgradePolicy";

    /** Filled by the command line parser. */
    public UpgradeCommand() {}

    private interface Work {
        int on(KubernetesClient client);
    }

    private static int with(ClusterOptions cluster, Work work) {
        Config config = cluster.config();
        try (KubernetesClient client = Clients.plain(config)) {
            return work.on(client);
        } catch (KubernetesClientException e) {
            throw new UnusableInputException(config.getMasterUrl(), Clients.message(e));
        }
    }

    /** What was done, in a sentence or for programs. */
    private static int say(OutputForm form, String text, Map<String, Object> done) {
        form.print(() -> text + "\n", () -> done);
        return ExitCodes.OK;
    }

    private static SpecialResource find(KubernetesClient client, String name) {
        SpecialResource found =
                client.resources(SpecialResource.class).withName(name).get();
        if (found == null) {
            throw new UnusableInputException("NAME", "there is no special resource " + name);
        }
        return found;
    }

    private static DriverUpgradePolicy policy(SpecialResource resource) {
        DriverUpgradePolicy policy = Specs.of(resource).getUpgradePolicy();
        if (policy == null) {
            throw new UnusableInputException("NAME", resource.getMetadata().getName() + " " + NO_POLICY);
        }
        return policy;
    }

    /** Merges fields into {@code spec.upgradePolicy}; null takes one away. */
    private static void merge(KubernetesClient client, String name, Map<String, @Nullable Object> fields) {
        policy(find(client, name));
        String text = client.getKubernetesSerialization().asJson(Map.of("spec", Map.of("upgradePolicy", fields)));
        client.resources(SpecialResource.class).withName(name).patch(PatchContext.of(PatchType.JSON_MERGE), text);
    }

    private static void mark(
            KubernetesClient client, String name, String node, String field, boolean on, boolean annotation) {
        UpgradeKeys keys = UpgradeKeys.of(name, policy(find(client, name)));
        String key = annotation ? keys.requested() : keys.skip();
        Node found = client.nodes().withName(node).get();
        if (found == null) {
            throw new UnusableInputException("NODE", "there is no node " + node);
        }
        Map<String, @Nullable String> marks = new HashMap<>();
        marks.put(key, on ? "true" : null);
        String text = client.getKubernetesSerialization().asJson(Map.of("metadata", Map.of(field, marks)));
        client.nodes().withName(node).patch(PatchContext.of(PatchType.JSON_MERGE), text);
    }

    @Command(
            name = "status",
            mixinStandardHelpOptions = true,
            description = "Shows how far upgrades are, and which nodes are stuck with which pod or condition.")
    int status(
            @Parameters(arity = "0..1", paramLabel = "NAME", description = "One special resource. Default: all.")
                    @Nullable String name,
            @Mixin OutputForm form,
            @Mixin ClusterOptions cluster) {
        return with(cluster, client -> {
            List<SpecialResource> found = name != null
                    ? List.of(find(client, name))
                    : client.resources(SpecialResource.class).list().getItems().stream()
                            .sorted(Comparator.comparing(
                                    resource -> resource.getMetadata().getName()))
                            .toList();
            form.print(
                    () -> text(found),
                    () -> found.stream().map(UpgradeCommand::tree).toList());
            return found.stream().anyMatch(UpgradeCommand::isBad) ? ExitCodes.FAILED : ExitCodes.OK;
        });
    }

    private static Optional<UpgradeStatus> upgradeOf(SpecialResource resource) {
        return Optional.ofNullable(resource.getStatus()).map(SpecialResourceStatus::getUpgrade);
    }

    private static boolean isBad(SpecialResource resource) {
        return upgradeOf(resource)
                .filter(upgrade -> "Halted".equals(upgrade.getState())
                        || upgrade.getPhases().containsKey("upgrade-failed"))
                .isPresent();
    }

    private static String text(List<SpecialResource> found) {
        StringBuilder text = new StringBuilder();
        for (SpecialResource resource : found) {
            boolean none = resource.getSpec() == null || resource.getSpec().getUpgradePolicy() == null;
            text.append(resource.getMetadata().getName())
                    .append(upgradeOf(resource)
                            .map(upgrade -> "\n"
                                    + UpgradeText.write(
                                            upgrade, "  ", Clock.systemUTC().instant()))
                            .orElse("  " + (none ? NO_POLICY : "nothing is upgraded by SRO") + "\n"));
        }
        return text.toString();
    }

    private static Map<String, Object> tree(SpecialResource resource) {
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("name", resource.getMetadata().getName());
        tree.put("bad", isBad(resource));
        upgradeOf(resource).ifPresent(upgrade -> tree.put("upgrade", upgrade));
        return tree;
    }

    @Command(
            name = "pause",
            mixinStandardHelpOptions = true,
            description = "Begins no further node; those that were begun go on to the end.")
    int pause(@Parameters(paramLabel = "NAME") String name, @Mixin OutputForm form, @Mixin ClusterOptions cluster) {
        return with(cluster, client -> {
            Map<String, @Nullable Object> fields = new HashMap<>();
            fields.put("paused", true);
            merge(client, name, fields);
            return say(form, name + ": paused", Map.of("name", name, "done", "pause"));
        });
    }

    @Command(
            name = "resume",
            mixinStandardHelpOptions = true,
            description =
                    "Goes on after a pause, after a halt, and after a wave that waits; takes an automatic rollback"
                            + " back.")
    int resume(@Parameters(paramLabel = "NAME") String name, @Mixin OutputForm form, @Mixin ClusterOptions cluster) {
        return with(cluster, client -> {
            Map<String, @Nullable Object> fields = new HashMap<>();
            fields.put("paused", null);
            fields.put("resume", Clock.systemUTC().instant().toString());
            merge(client, name, fields);
            return say(form, name + ": goes on", Map.of("name", name, "done", "resume"));
        });
    }

    @Command(
            name = "retry",
            mixinStandardHelpOptions = true,
            description = "Asks for an upgrade of one node, whether it failed or has the driver already.")
    int retry(
            @Parameters(paramLabel = "NAME") String name,
            @Parameters(paramLabel = "NODE") String node,
            @Mixin OutputForm form,
            @Mixin ClusterOptions cluster) {
        return with(cluster, client -> {
            mark(client, name, node, "annotations", true, true);
            return say(form, node + ": asked for", Map.of("name", name, "node", node, "done", "retry"));
        });
    }

    @Command(name = "skip", mixinStandardHelpOptions = true, description = "Leaves a node out; with --undo no longer.")
    int skip(
            @Parameters(paramLabel = "NAME") String name,
            @Parameters(paramLabel = "NODE") String node,
            @Option(names = "--undo", description = "Do not leave it out any more.") boolean undo,
            @Mixin OutputForm form,
            @Mixin ClusterOptions cluster) {
        return with(cluster, client -> {
            mark(client, name, node, "labels", !undo, false);
            return say(
                    form,
                    node + (undo ? ": not left out any more" : ": left out"),
                    Map.of("name", name, "node", node, "done", "skip", "undo", undo));
        });
    }

    @Command(
            name = "rollback",
            mixinStandardHelpOptions = true,
            description = "Brings the last good driver back to all nodes; with --undo goes forward again.")
    int rollback(
            @Parameters(paramLabel = "NAME") String name,
            @Option(names = "--undo", description = "Go forward again.") boolean undo,
            @Mixin OutputForm form,
            @Mixin ClusterOptions cluster) {
        return with(cluster, client -> {
            SpecialResource resource = find(client, name);
            UpgradeStatus upgrade =
                    resource.getStatus() == null ? null : resource.getStatus().getUpgrade();
            if (!undo && (upgrade == null || upgrade.getLastGood() == null)) {
                throw new UnusableInputException(
                        "NAME", name + ": no driver came to all nodes yet, so there is none to go back to");
            }
            if (!undo
                    && Objects.equals(
                            upgrade == null ? null : upgrade.getLastGood(),
                            upgrade == null ? null : upgrade.getWanted())) {
                throw new UnusableInputException(
                        "NAME", name + ": all nodes have the driver that the recipe has; nothing is to be rolled back");
            }
            Map<String, @Nullable Object> of = new HashMap<>();
            of.put("of", undo || upgrade == null ? null : upgrade.getWanted());
            Map<String, @Nullable Object> fields = new HashMap<>();
            fields.put("rollback", of);
            merge(client, name, fields);
            return say(
                    form,
                    name + (undo ? ": goes forward" : ": goes back to driver " + upgrade(upgrade)),
                    Map.of("name", name, "done", "rollback", "undo", undo));
        });
    }

    private static String upgrade(@Nullable UpgradeStatus status) {
        return status == null ? "" : String.valueOf(status.getLastGood());
    }
}
