package dev.sro.agent.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sro.testkit.controlplane.ControlPlane;
import dev.sro.testkit.controlplane.Feature;
import dev.sro.testkit.controlplane.RealCluster;
import dev.sro.testkit.controlplane.RealControlPlane;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The orders in which NVIDIA's 32 combinations for a full A100-40GB can come, one pod after the other on a node with one GPU, given to a real
 * scheduler: it admits those that first-fit over what is published admits. Several nodes are served side by side; a pod is for one of them.
 */
@RealControlPlane(needs = {Feature.CONTROLLERS, Feature.SCHEDULER, Feature.NODES})
class FullGpuOrdersTest {
    /** What {@code FullGpuCombinationsTest} says of each order, by way. */
    private static final Path ORDERS =
            Path.of("../../sro-core/dra/src/test/resources/dev/sro/core/dra/full-gpu-orders.csv");

    /** A sample of the 657 orders, at equal distances; 657 are all. */
    private static final int COUNT = Integer.getInteger("sro.orders.count", 8);

    private static final int NODES = Integer.getInteger("sro.orders.nodes", 8);
    private static final boolean NEWER = Boolean.getBoolean("sro.orders.newer");
    private static final Map<FleetWay, Integer> COLUMNS = new TreeMap<>(
            Map.of(FleetWay.NVIDIA_BY_CLAIM, 1, FleetWay.STATIC_BY_CLAIM, 2, FleetWay.ADVISORY_BY_CLAIM, 3));

    /** What was written reaches the scheduler a little later. */
    private static final Duration HEARD = Duration.ofMillis(250);

    /** Nobody leaves, so that what does not fit at first never does. */
    private static final Duration REFUSED = Duration.ofMillis(1200);

    private record Order(List<String> profiles, List<String> admitted) {}

    /** An order on its way on a node. */
    private static final class Attempt {
        final Order order;
        final String node;
        final List<String> pods = new ArrayList<>();
        boolean admitted = true;

        Attempt(Order order, String node) {
            this.order = order;
            this.node = node;
        }

        boolean ended() {
            return !admitted || pods.size() == order.profiles().size();
        }
    }

    private Instant now = Instant.parse("2100-01-01T00:00:00Z");
    private int number;

    @Test
    void aRealSchedulerAdmitsWhatFirstFitAdmits(RealCluster cluster, @TempDir Path directory) throws Exception {
        if (!NEWER) {
            play(cluster, directory);
            return;
        }
        assumeTrue(NewerScheduler.isHere(), "no newer kube-scheduler here: .ci/kube-scheduler/build.sh builds it");
        try (ControlPlane newer = NewerScheduler.start(cluster.controlPlane().binaries());
                RealCluster own = RealCluster.on(newer, "newer")) {
            play(own, directory);
        }
    }

    private void play(RealCluster cluster, Path directory) throws Exception {
        List<Order> orders = orders();
        List<String> nodes = Fleet.nodes(cluster, Math.min(NODES, orders.size()));
        for (Map.Entry<FleetWay, Integer> way : COLUMNS.entrySet()) {
            int admitted = 0;
            Set<String> differences = new LinkedHashSet<>();
            for (int first = 0; first < orders.size(); first += nodes.size()) {
                List<Attempt> attempts = new ArrayList<>();
                for (Order order : orders.subList(first, Math.min(orders.size(), first + nodes.size()))) {
                    attempts.add(new Attempt(order, nodes.get(attempts.size())));
                }
                // A fresh fleet for each: what was published before would be kept where the first choices are the same.
                Path own = Files.createDirectories(directory.resolve(way.getKey() + "-" + first));
                try (Fleet fleet = new Fleet(cluster, nodes, 1, way.getKey(), own)) {
                    serve(fleet, attempts, way.getKey());
                    assertThat(fleet.problems()).isEmpty();
                    fleet.clear();
                }
                for (Attempt attempt : attempts) {
                    admitted += attempt.admitted ? 1 : 0;
                    String said = attempt.order.admitted().get(way.getValue() - 1);
                    if (!said.equals(attempt.admitted ? "yes" : "no")) {
                        differences.add(attempt.order.profiles() + " is said to be admitted: " + said);
                    }
                }
            }
            System.out.println(way.getKey() + ": " + admitted + " of " + orders.size() + " orders admitted");
            assertThat(differences).as("%s", way.getKey()).isEmpty();
        }
    }

    /** One pod for each node at a time. */
    private void serve(Fleet fleet, List<Attempt> attempts, FleetWay way) throws Exception {
        List<Attempt> open = new ArrayList<>(attempts);
        while (!open.isEmpty()) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(HEARD.toMillis()));
            Map<String, String> pods = new LinkedHashMap<>();
            for (Attempt attempt : open) {
                String name = "pod-" + number++;
                String profile = attempt.order.profiles().get(attempt.pods.size());
                attempt.pods.add(name);
                pods.put(name, fleet.pod(name, profile, attempt.node));
            }
            fleet.pods().create(pods);
            List<String> placed = fleet.pods().settled(pods.keySet(), REFUSED);
            now = now.plusSeconds(60);
            for (Attempt attempt : open) {
                attempt.admitted = placed.contains(attempt.pods.get(attempt.pods.size() - 1));
                if (way.follows()) {
                    fleet.node(attempt.node).publishAt(now);
                }
            }
            open.removeIf(Attempt::ended);
        }
    }

    private static List<Order> orders() throws IOException {
        List<String> lines = Files.readAllLines(ORDERS);
        List<Order> orders = new ArrayList<>();
        int all = lines.size() - 1;
        for (int i = 0; i < COUNT; i++) {
            List<String> cells =
                    List.of(lines.get(1 + (int) ((long) i * all / COUNT)).split(",", -1));
            orders.add(new Order(List.of(cells.get(0).split(" ", -1)), cells.subList(1, cells.size())));
        }
        return orders;
    }
}
