package dev.sro.runtime.operator;

import static java.util.Objects.requireNonNull;

import dev.sro.api.resource.SpecialResource;
import dev.sro.api.resource.SpecialResourceStatus;
import dev.sro.api.resource.UpgradeNodeStatus;
import dev.sro.api.resource.UpgradeStatus;
import dev.sro.runtime.ClusterShell;
import dev.sro.runtime.ServiceAccountConfig;
import dev.sro.testkit.controlplane.RealCluster;
import dev.sro.testkit.node.KubeletCluster;
import dev.sro.testkit.node.KubeletNode;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;

/**
 * Two kubelets with four cards each, a chart with a driver and a validation for them, and users of the cards under a disruption budget. The
 * program of all pods is the probe, and cards are a number in the status of a node: no driver touches a kernel here.
 */
final class CardCluster {
    static final String NAME = "card-driver";
    static final String USERS = "users";
    static final Duration SOON = Duration.ofMinutes(5);

    /** With these arguments the probe ends at once, and says on its standard error which of its words it did not understand. */
    static final String COMPLAINT = "card 3 does not answer";

    static final String CRASH = "[forward, \"" + COMPLAINT + "\"]";

    private static final String CARD = "example.com/card";
    private static final String FILES = "src/test/resources/dev/sro/runtime/operator/upgrade";

    private final KubeletCluster nodes;
    private final RealCluster cluster;
    private final ClusterShell shell;
    private final KubeletNode canary;
    private final KubeletNode other;

    CardCluster(KubeletCluster nodes, RealCluster cluster, Path home) {
        this.nodes = nodes;
        this.cluster = cluster;
        this.shell = new ClusterShell(nodes, home);
        this.canary = nodes.add();
        this.other = nodes.add();
        shell.run("kubectl label node " + canary.name() + " example.com/canary=true");
        for (KubeletNode node : List.of(canary, other)) {
            shell.run("kubectl label node " + node.name() + " example.com/cards=true && kubectl patch node "
                    + node.name() + " --subresource status --type merge -p '{\"status\":{\"capacity\":{\"" + CARD
                    + "\":\"4\"}}}'");
        }
        shell.packChart(FILES + "/chart", NAME);
    }

    /** Of an operator without plugins, with the rights that {@code sro rbac} gives it. */
    static OperatorSettings settings(RealCluster cluster, Path folder) throws IOException {
        Path plugins = Files.createDirectories(folder.resolve("plugins"));
        ClusterSettings.install(cluster, plugins);
        return ClusterSettings.of(
                ServiceAccountConfig.write(cluster, cluster.namespace(), folder.resolve("kubeconfig")),
                plugins,
                Optional.empty(),
                Optional.empty());
    }

    ClusterShell shell() {
        return shell;
    }

    /** The node of the first wave. */
    String canary() {
        return canary.name();
    }

    String other() {
        return other.name();
    }

    /**
     * Wants a driver.
     *
     * @param tag of its image
     * @param args of its container, in YAML
     * @param policy fields of the upgrade's, in the flow style of YAML, with a comma before each
     */
    void want(String tag, String args, String policy) {
        NodeScenario.apply(cluster, """
            apiVersion: sro.openshift.io/v1beta1
            kind: SpecialResource
            metadata: {name: %1$s}
            spec:
              namespace: %1$s
              nodeSelector: {example.com/cards: "true"}
              chart:
                name: %1$s
                version: 0.1.0
                repository: {name: config-map, url: "cm://default/%1$s"}
              set: {apiVersion: sro.openshift.io/v1beta1, kind: Values, tag: "%2$s", args: %3$s}
              upgradePolicy: {autoUpgrade: true, maxUnavailable: 50%%, evict: {resources: [%4$s]},
                drain: {enable: true}, validateBefore: [2000-validation],
                waves: [{name: canary, nodeSelector: {example.com/canary: "true"}, haltOnFailures: 1}]%5$s}
            """.formatted(NAME, tag, args, CARD, policy));
    }

    /** Four users of cards, of which one at a time may be away; each is ready some seconds after its start. */
    void addUsers() {
        shell.apply("""
            apiVersion: v1
            kind: Namespace
            metadata: {name: %1$s}
            ---
            apiVersion: policy/v1
            kind: PodDisruptionBudget
            metadata: {name: keep-three, namespace: %1$s}
            spec: {maxUnavailable: 1, selector: {matchLabels: {app: user}}}
            ---
            apiVersion: apps/v1
            kind: Deployment
            metadata: {name: user, namespace: %1$s}
            spec:
              replicas: 4
              selector: {matchLabels: {app: user}}
              template:
                metadata: {labels: {app: user}}
                spec:
                  terminationGracePeriodSeconds: 5
                  topologySpreadConstraints:
                  - {maxSkew: 1, topologyKey: kubernetes.io/hostname, whenUnsatisfiable: ScheduleAnyway, labelSelector: {matchLabels: {app: user}}}
                  containers:
                  - name: user
                    image: registry.example.com/test/probe:1
                    args: [hold]
                    resources: {limits: {%2$s: 1}}
                    readinessProbe: {tcpSocket: {port: 8080}, initialDelaySeconds: 4, periodSeconds: 1}
            """.formatted(USERS, CARD));
        awaitUsers();
    }

    void awaitUsers() {
        nodes.await("all users are ready", SOON, () -> readyUsers() == 4);
    }

    private int readyUsers() {
        return (int) nodes.client().pods().inNamespace(USERS).list().getItems().stream()
                .filter(CardCluster::isReady)
                .count();
    }

    private static boolean isReady(Pod pod) {
        return pod.getMetadata().getDeletionTimestamp() == null
                && pod.getStatus().getConditions().stream()
                        .anyMatch(c ->
                                c.getType().equals("Ready") && c.getStatus().equals("True"));
    }

    /** Uids of all pods of a node that are not on their way out, by namespace and name. */
    SortedMap<String, String> podsOf(String node) {
        SortedMap<String, String> pods = new TreeMap<>();
        nodes.client().pods().inAnyNamespace().withField("spec.nodeName", node).list().getItems().stream()
                .filter(pod -> pod.getMetadata().getDeletionTimestamp() == null)
                .forEach(pod -> pods.put(
                        pod.getMetadata().getNamespace() + "/"
                                + pod.getMetadata().getName(),
                        pod.getMetadata().getUid()));
        return pods;
    }

    /** Tags of the images that the driver's pods were made with, by node. */
    Map<String, String> drivers() {
        return nodes.client().pods().inNamespace(NAME).withLabel("app", "driver").list().getItems().stream()
                .collect(Collectors.toMap(
                        pod -> pod.getSpec().getNodeName(),
                        pod -> pod.getSpec().getContainers().get(0).getImage().replaceFirst(".*:", ""),
                        (a, b) -> a + "," + b,
                        TreeMap::new));
    }

    UpgradeStatus upgrade() {
        SpecialResourceStatus status = nodes.client()
                .resources(SpecialResource.class)
                .withName(NAME)
                .get()
                .getStatus();
        UpgradeStatus upgrade = status == null ? null : status.getUpgrade();
        return upgrade == null ? new UpgradeStatus() : upgrade;
    }

    Optional<UpgradeNodeStatus> stuck(String node) {
        return upgrade().getStuck().stream()
                .filter(stuck -> node.equals(stuck.getNode()))
                .findFirst();
    }

    /** Both nodes have a driver that works, and the upgrade to it has ended. */
    void awaitDone(String tag) {
        nodes.await(
                "all nodes have driver " + tag,
                SOON,
                () -> NodeScenario.isReady(cluster, NAME)
                        && "Done".equals(upgrade().getState())
                        && drivers().equals(Map.of(canary(), tag, other(), tag)));
    }

    void await(String what, BooleanSupplier condition) {
        nodes.await(what, SOON, condition);
    }

    Node node(String name) {
        return requireNonNull(nodes.client().nodes().withName(name).get());
    }
}
