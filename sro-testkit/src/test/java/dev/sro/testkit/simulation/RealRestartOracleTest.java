package dev.sro.testkit.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.api.resource.SpecialResource;
import dev.sro.testkit.controlplane.Feature;
import dev.sro.testkit.controlplane.RealCluster;
import dev.sro.testkit.controlplane.RealControlPlane;
import dev.sro.testkit.sim.NodeProfile;
import dev.sro.testkit.sim.OsRelease;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Short random histories on a real API server, whose watches and answers come in the order in which they come: when the operator
 * has nothing to do any more, a fresh one has nothing to write and says the same. {@code -Dsro.oracle.real=100} runs more of
 * them, {@code -Dsro.oracle.seed=N} one again, whose order of events differs from run to run.
 */
@RealControlPlane(needs = {Feature.CONTROLLERS, Feature.SCHEDULER, Feature.NODES})
final class RealRestartOracleTest {

    private static final int HISTORIES = Integer.getInteger("sro.oracle.real", 3);
    private static final int STEPS = 6;
    private static final Duration LIMIT = Duration.ofMinutes(2);

    /** Real time without a write after which nothing is expected any more: longer than a rest before a second try. */
    private static final Duration REST = Duration.ofSeconds(3);

    private static final List<String> NAMES = List.of("one", "two", "top", "second");

    @TempDir
    private static Path folder;

    private record Cluster(RealCluster real, String prefix, Random random, List<String> log) {

        KubernetesClient client() {
            return real.client();
        }

        /** Names of special resources are the cluster's, so each history has its own. */
        String named(String name) {
            return prefix + name;
        }
    }

    @Test
    void shortHistoriesNeedNoRestart(RealCluster real) throws IOException {
        real.installSpecialResources();
        real.nodes().create(2, NodeProfile.of(OsRelease.UBUNTU_22).withLabel("example.com/device", "true"));
        OracleCharts.Shelf shelf = new OracleCharts.Shelf(folder);
        Long only = Long.getLong("sro.oracle.seed");
        for (long seed = only == null ? 1 : only; seed <= (only == null ? HISTORIES : only); seed++) {
            String namespace = real.namespace();
            String prefix = "o" + namespace.substring(namespace.length() - 6) + "-" + seed + "-";
            Cluster cluster = new Cluster(real, prefix, new Random(seed), new ArrayList<>(List.of("seed " + seed)));
            try {
                live(cluster, shelf);
            } finally {
                remove(cluster, shelf);
            }
        }
    }

    private static void live(Cluster cluster, OracleCharts.Shelf shelf) {
        Map<String, String> before;
        try (RealOperator operator = new RealOperator(cluster.real().config(), shelf)) {
            for (int i = 0; i < STEPS; i++) {
                step(cluster, shelf);
                pause(Duration.ofMillis(cluster.random().nextInt(400)));
            }
            before = restingState(cluster, operator);
        }
        try (RealOperator fresh = new RealOperator(cluster.real().config(), shelf)) {
            assertThat(restingState(cluster, fresh))
                    .as(() -> "of a fresh operator\n" + cluster.log())
                    .isEqualTo(before);
            assertThat(fresh.writes())
                    .as(() -> "a fresh operator writes\n" + cluster.log())
                    .isEmpty();
        }
    }

    /** The state that the operator leaves when it has nothing to do any more; none that it changed while it was read. */
    private static Map<String, String> restingState(Cluster cluster, RealOperator operator) {
        while (true) {
            int writes = rests(cluster, operator);
            Map<String, String> state = state(cluster);
            if (operator.writes().size() == writes) {
                return state;
            }
        }
    }

    /** Waits until it writes no more; returns how often it wrote until then. */
    private static int rests(Cluster cluster, RealOperator operator) {
        int[] known = {-1};
        long[] since = {System.nanoTime()};
        cluster.real().await("the operator rests\n" + cluster.log(), LIMIT, () -> {
            // Before the writes are counted: the one that ends a deletion is followed by others.
            boolean leaving = resources(cluster).stream()
                    .anyMatch(resource -> resource.getMetadata().getDeletionTimestamp() != null);
            int writes = operator.writes().size();
            if (leaving || writes != known[0]) {
                known[0] = writes;
                since[0] = System.nanoTime();
            }
            return System.nanoTime() - since[0] > REST.toNanos();
        });
        return known[0];
    }

    private static void pause(Duration time) {
        long end = System.nanoTime() + time.toNanos();
        while (System.nanoTime() < end) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
        }
    }

    private static void step(Cluster cluster, OracleCharts.Shelf shelf) {
        Random random = cluster.random();
        String name = NAMES.get(random.nextInt(NAMES.size()));
        switch (random.nextInt(8)) {
            case 0 -> {
                cluster.log().add("delete " + name);
                cluster.client()
                        .resources(SpecialResource.class)
                        .withName(cluster.named(name))
                        .delete();
            }
            case 1 -> {
                boolean device = random.nextBoolean();
                cluster.log().add("device " + device);
                Node node = nodes(cluster).get(random.nextInt(2));
                cluster.client().resource(node).edit(live -> {
                    live.getMetadata().getLabels().put("example.com/device", String.valueOf(device));
                    return live;
                });
            }
            default -> {
                String yaml = resource(cluster, shelf, name);
                cluster.log().add("apply " + yaml);
                cluster.client()
                        .resource(cluster.client().getKubernetesSerialization().unmarshal(yaml, SpecialResource.class))
                        .fieldManager("user")
                        .forceConflicts()
                        .serverSideApply();
            }
        }
    }

    private static String resource(Cluster cluster, OracleCharts.Shelf shelf, String name) {
        Random random = cluster.random();
        String recipe = name.equals("one") || name.equals("two")
                ? "plugin: {name: jealous}"
                : "chart: " + OracleResources.reference(shelf.folder(), "app", "1.0.0");
        String needed = NAMES.get(random.nextInt(NAMES.size()));
        String more =
                needed.equals(name) || random.nextBoolean() ? "" : "dependsOn: [{name: " + cluster.named(needed) + "}]";
        String taint = random.nextInt(3) == 0 ? "readinessTaint: {key: acme.com/not-ready}" : "";
        String state = random.nextInt(6) == 0 ? "managementState: Unmanaged" : "";
        return """
            apiVersion: sro.openshift.io/v1beta1
            kind: SpecialResource
            metadata: {name: %1$s}
            spec:
              namespace: %1$s
              nodeSelector: {testkit.sro.dev/test: %2$s, example.com/device: "true"}
              %3$s
              %4$s
              %5$s
              %6$s
            """.formatted(cluster.named(name), cluster.real().namespace(), recipe, more, taint, state);
    }

    private static List<Node> nodes(Cluster cluster) {
        return cluster.client()
                .nodes()
                .withLabels(cluster.real().nodes().selector())
                .list()
                .getItems();
    }

    private static List<SpecialResource> resources(Cluster cluster) {
        return cluster.client().resources(SpecialResource.class).list().getItems().stream()
                .filter(resource -> resource.getMetadata().getName().startsWith(cluster.prefix()))
                .toList();
    }

    private static Map<String, String> state(Cluster cluster) {
        Map<String, String> state = new TreeMap<>();
        for (SpecialResource resource : resources(cluster)) {
            state.put(
                    resource.getMetadata().getName(),
                    RestartOracle.timeless(
                            cluster.client().getKubernetesSerialization().asJson(resource.getStatus())));
        }
        for (Node node : nodes(cluster)) {
            state.put(
                    node.getMetadata().getName(),
                    new TreeMap<>(node.getMetadata().getLabels()) + " "
                            + node.getSpec().getTaints().stream()
                                    .map(taint -> taint.getKey() + taint.getValue() + taint.getEffect())
                                    .sorted()
                                    .toList());
        }
        return state;
    }

    /** Nothing of a history is left for the next one. */
    private static void remove(Cluster cluster, OracleCharts.Shelf shelf) {
        try (RealOperator operator = new RealOperator(cluster.real().config(), shelf)) {
            Objects.requireNonNull(operator);
            resources(cluster)
                    .forEach(resource -> cluster.client().resource(resource).delete());
            cluster.real()
                    .await(
                            "all is gone\n" + cluster.log(),
                            LIMIT,
                            () -> resources(cluster).isEmpty());
        }
        nodes(cluster)
                .forEach(node -> cluster.client().resource(node).edit(live -> {
                    live.getMetadata().getLabels().put("example.com/device", "true");
                    return live;
                }));
    }
}
