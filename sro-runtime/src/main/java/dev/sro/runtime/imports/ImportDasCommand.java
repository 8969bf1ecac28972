package dev.sro.runtime.imports;

import dev.sro.core.das.AllocationClaim;
import dev.sro.core.das.DasNames;
import dev.sro.core.model.ValueTrees;
import dev.sro.runtime.Clients;
import dev.sro.runtime.ClusterOptions;
import dev.sro.runtime.ExitCodes;
import dev.sro.runtime.OutputForm;
import dev.sro.runtime.SafeOutput;
import dev.sro.runtime.UnusableInputException;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import java.io.PrintWriter;
import java.net.HttpURLConnection;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Takes over what a running DAS has given away. */
@Command(
        name = "import-das",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Reads a cluster where the Dynamic Accelerator Slicer (DAS) has given slices away, and says what becomes"
                    + " of its claims. With --apply it writes that. No pod is touched: those that run keep what they"
                    + " have.",
            ""
        },
        footer = {
            "",
            "Exit codes: 0 everything maps, and is written with --apply; 1 something does not, or DAS still runs, and"
                    + " what to do is said; 2 wrong arguments, no DAS, or no answer from the cluster.",
            "",
            "Example:",
            "  sro slices import-das",
            "  sro slices import-das --apply"
        })
public final class ImportDasCommand implements Callable<Integer> {
    /** By which agents mark inventories. */
    private static final String MANAGED_BY = "app.kubernetes.io/managed-by";

    private static final String AGENT = "sro-agent";
    private static final String WEBHOOK = "instaslice.redhat.com";
    private static final String OPERATOR = "DASOperator";

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Option(
            names = "--das-namespace",
            paramLabel = "NAME",
            defaultValue = DasNames.NAMESPACE,
            description = "Where DAS has its objects. Default: ${DEFAULT-VALUE}.")
    private String namespace = DasNames.NAMESPACE;

    @Option(names = "--apply", description = "Write it. Default: say what would be written.")
    private boolean apply;

    @Mixin
    private ClusterOptions cluster = new ClusterOptions();

    @Mixin
    private OutputForm form = new OutputForm();

    /** Filled by the command line parser. */
    public ImportDasCommand() {}

    @Override
    public Integer call() {
        Config config = cluster.config();
        try (KubernetesClient client = Clients.plain(config)) {
            return call(client);
        } catch (KubernetesClientException e) {
            throw new UnusableInputException(config.getMasterUrl(), Clients.message(e));
        }
    }

    private int call(KubernetesClient client) {
        List<GenericKubernetesResource> nodes = list(client, DasNames.NODE, DasNames.NODES);
        Set<String> agents = nodes.stream()
                .filter(ImportDasCommand::isAgents)
                .map(node -> node.getMetadata().getName())
                .collect(Collectors.toSet());
        List<GenericKubernetesResource> claims = list(client, DasNames.CLAIM, DasNames.CLAIMS).stream()
                .filter(claim -> namespace.equals(claim.getMetadata().getNamespace()))
                .toList();
        DasTakeover plan =
                DasTakeover.of(claims, client.pods().inAnyNamespace().list().getItems(), agents);
        List<GenericKubernetesResource> stale = nodes.stream()
                .filter(node -> !isAgents(node)
                        && namespace.equals(node.getMetadata().getNamespace())
                        && agents.contains(node.getMetadata().getName()))
                .toList();
        List<String> running = running(client);
        boolean blocked = apply && !running.isEmpty();
        Takeover takeover = new Takeover(plan, stale, running, notes(client, plan), apply && !blocked);
        PrintWriter out = spec.commandLine().getOut();
        PrintWriter err = spec.commandLine().getErr();
        if (form.isText()) {
            // Before anything is written: it shows how far a takeover came that ends in an error.
            out.print(text(takeover));
            out.flush();
            takeover.notes().forEach(note -> err.println("note: " + note));
            plan.problems().forEach(problem -> err.println("not mapped: " + problem));
            running.forEach(what -> err.println("first: " + what));
            err.flush();
        }
        if (takeover.written()) {
            plan.steps().forEach(step -> write(client, step));
            stale.forEach(node -> client.resource(node).delete());
        }
        String end = takeover.written() ? "written" : "nothing was written; --apply does it";
        form.print(() -> (blocked ? "nothing was written: DAS still runs" : end) + "\n", () -> tree(takeover));
        return plan.problems().isEmpty() && running.isEmpty() ? ExitCodes.OK : ExitCodes.FAILED;
    }

    /** What is to become of everything, and whether it has. */
    private record Takeover(
            DasTakeover plan,
            List<GenericKubernetesResource> stale,
            List<String> running,
            List<String> notes,
            boolean written) {}

    private String text(Takeover takeover) {
        StringBuilder text = new StringBuilder();
        takeover.plan()
                .steps()
                .forEach(step -> text.append(line(String.format(
                        "%-10s %s: %s on %s; %s",
                        step.action().text(),
                        step.claim().reference(),
                        step.claim().place(),
                        step.claim().node(),
                        step.why()))));
        takeover.stale()
                .forEach(node -> text.append(line(String.format(
                        "%-10s NodeAccelerator %s/%s: the agent has one of its own",
                        "delete", namespace, node.getMetadata().getName()))));
        if (takeover.plan().steps().isEmpty() && takeover.stale().isEmpty()) {
            text.append(line("namespace " + namespace + " has no claims to take over"));
        }
        return text.toString();
    }

    /** Who may write objects of DAS may write anything into them, but no line of ours. */
    private static String line(String text) {
        return SafeOutput.oneLine(text) + "\n";
    }

    private Map<String, Object> tree(Takeover takeover) {
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("written", takeover.written());
        List<Map<String, Object>> steps = new ArrayList<>();
        for (DasTakeover.Step step : takeover.plan().steps()) {
            Map<String, Object> one = new LinkedHashMap<>();
            one.put("action", step.action().text());
            one.put("claim", String.valueOf(step.claim().reference()));
            one.put("place", String.valueOf(step.claim().place()));
            one.put("node", step.claim().node());
            one.put("why", step.why());
            steps.add(one);
        }
        tree.put("claims", steps);
        tree.put(
                "deletedNodeAccelerators",
                takeover.stale().stream()
                        .map(node -> namespace + "/" + node.getMetadata().getName())
                        .toList());
        tree.put("notMapped", takeover.plan().problems());
        tree.put("first", takeover.running());
        tree.put("notes", takeover.notes());
        return tree;
    }

    private static boolean isAgents(HasMetadata object) {
        Map<String, String> labels = object.getMetadata().getLabels();
        return labels != null && AGENT.equals(labels.get(MANAGED_BY));
    }

    private static ResourceDefinitionContext context(String kind, String plural) {
        return new ResourceDefinitionContext.Builder()
                .withGroup(DasNames.GROUP)
                .withVersion(DasNames.VERSION)
                .withKind(kind)
                .withPlural(plural)
                .withNamespaced(true)
                .build();
    }

    private List<GenericKubernetesResource> list(KubernetesClient client, String kind, String plural) {
        try {
            return client.genericKubernetesResources(context(kind, plural))
                    .inAnyNamespace()
                    .list()
                    .getItems();
        } catch (KubernetesClientException e) {
            if (e.getCode() == HttpURLConnection.HTTP_NOT_FOUND) {
                throw new UnusableInputException(
                        "the cluster", "has no " + plural + "." + DasNames.GROUP + ": DAS is not installed there");
            }
            throw e;
        }
    }

    /** What of DAS would go on to write claims, or would make pods fail, each with what ends it. */
    private List<String> running(KubernetesClient client) {
        List<String> running = new ArrayList<>();
        client.apps().deployments().inNamespace(namespace).list().getItems().stream()
                .filter(found -> found.getMetadata().getName().startsWith("das-"))
                .filter(found -> !Objects.equals(found.getSpec().getReplicas(), 0))
                .forEach(found -> running.add("kubectl -n " + namespace + " scale deployment "
                        + found.getMetadata().getName() + " --replicas 0"));
        client.apps().daemonSets().inNamespace(namespace).list().getItems().stream()
                .filter(found -> found.getMetadata().getName().startsWith("das-"))
                .forEach(found -> running.add("kubectl -n " + namespace + " delete daemonset "
                        + found.getMetadata().getName()));
        client.admissionRegistration().v1().mutatingWebhookConfigurations().list().getItems().stream()
                .filter(found -> found.getWebhooks().stream().anyMatch(hook -> WEBHOOK.equals(hook.getName())))
                .forEach(found -> running.add("kubectl delete mutatingwebhookconfiguration "
                        + found.getMetadata().getName()));
        return running;
    }

    private List<String> notes(KubernetesClient client, DasTakeover plan) {
        List<String> notes = new ArrayList<>(plan.notes());
        List<GenericKubernetesResource> operators;
        try {
            operators = client.genericKubernetesResources(context(OPERATOR, "dasoperators"))
                    .inNamespace(namespace)
                    .list()
                    .getItems();
        } catch (KubernetesClientException e) {
            // Older ones have none.
            return notes;
        }
        for (GenericKubernetesResource operator : operators) {
            Map<String, Object> selector =
                    ValueTrees.map(ValueTrees.copy(operator.getAdditionalProperties()), "spec", "nodeSelector");
            notes.add(OPERATOR + " " + operator.getMetadata().getName()
                    + ": acted on by sro slices scheduler --das-operator alone"
                    + (selector.isEmpty()
                            ? ""
                            : "; without that, put spec.nodeSelector " + selector + " into the DaemonSet sro-agent"));
        }
        return notes;
    }

    private void write(KubernetesClient client, DasTakeover.Step step) {
        AllocationClaim claim = step.claim();
        var resource = client.genericKubernetesResources(context(DasNames.CLAIM, DasNames.CLAIMS))
                .inNamespace(claim.namespace())
                .withName(claim.name());
        switch (step.action()) {
            case DELETE -> resource.delete();
            case TAKE_OVER, PROMISE -> {
                Map<String, @Nullable Object> metadata = new LinkedHashMap<>();
                metadata.put("labels", Map.of(DasNames.NODE_LABEL, DasNames.nodeLabel(claim.node())));
                if (step.action() == DasTakeover.Action.TAKE_OVER) {
                    List<String> finalizers = new ArrayList<>(claim.finalizers());
                    finalizers.add(DasNames.TAKEN_OVER);
                    metadata.put("finalizers", finalizers);
                }
                resource.patch(
                        PatchContext.of(PatchType.JSON_MERGE),
                        client.getKubernetesSerialization().asJson(Map.of("metadata", metadata)));
            }
            case DONE -> {}
        }
    }
}
