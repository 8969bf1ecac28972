package dev.sro.runtime.operator.rollout;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.core.model.MetadataKeys;
import dev.sro.runtime.Cli;
import dev.sro.runtime.operator.OperatorCommand;
import dev.sro.testkit.controlplane.Feature;
import dev.sro.testkit.controlplane.RealCluster;
import dev.sro.testkit.controlplane.RealControlPlane;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two hundred nodes of two kernels get simple-kmod and move to a third kernel. Once with everything going wrong that can, and once
 * undisturbed here and on the embedded server, to compare what it costs.
 */
@RealControlPlane(needs = {Feature.CONTROLLERS, Feature.SCHEDULER, Feature.NODES, Feature.RESTART})
class RolloutClusterTest {
    private enum Trouble {
        /** {@code kill -9} of the process that leads. */
        KILL,
        /** The Lease names another holder. */
        TAKE_LEASE,
        /** All connections of all replicas end, watches among them. */
        CUT_CONNECTIONS,
        /** The API server stops and starts again. */
        RESTART_API_SERVER
    }

    private static final Map<Trouble, Integer> TROUBLES = new EnumMap<>(
            Map.of(Trouble.KILL, 10, Trouble.TAKE_LEASE, 2, Trouble.CUT_CONNECTIONS, 4, Trouble.RESTART_API_SERVER, 1));

    private static final Duration QUIET = Duration.ofSeconds(5);

    @TempDir
    private Path folder;

    @Test
    void comesThroughKillsLostLeasesAndCutConnections(RealCluster shared) throws Exception {
        long seed = System.nanoTime();
        try (RealSite site = new RealSite(shared.controlPlane(), folder);
                Deployment operator = new Deployment(site, plugins(), folder.resolve("logs"), 2)) {
            site.applySpecialResource();
            Site.await("ready before the move", site::isReady);
            try {
                moveInTrouble(site, operator, new Random(seed));
                Site.await("moved", () -> site.isMovedTo(Site.THIRD));
            } catch (AssertionError e) {
                throw new AssertionError("seed " + seed + ": " + site.find() + site.operands() + operator.logs(), e);
            }
            Thread.sleep(QUIET.toMillis());
            AuditLog converged = site.audit();
            assertThat(operator.started()).isGreaterThan(TROUBLES.get(Trouble.KILL));
            assertThat(drivers(site)).as("one kernel, one driver").hasSize(1);
            assertThat(converged.refused()).isEmpty();
            assertThat(converged.writes()).hasSizeGreaterThan(6 * Site.NODES);
            assertThat(converged.withoutCause()).as("seed %d", seed).isEmpty();

            awaitLeader(operator).kill();
            awaitLeader(operator);
            Thread.sleep(QUIET.toMillis());
            assertThat(site.audit().writes())
                    .as("a new leader has nothing to do")
                    .hasSameSizeAs(converged.writes());

            site.client().resource(site.find()).delete();
            Site.await("gone", () -> site.find() == null);
            awaitClean(site);
        }
    }

    @Test
    void costsNoMoreRequestsThanOnTheEmbeddedServer(RealCluster shared) throws Exception {
        Path embedded = Files.createDirectories(folder.resolve("embedded"));
        Path real = Files.createDirectories(folder.resolve("real"));
        SortedMap<String, Long> there;
        SortedMap<String, Long> here;
        try (EmbeddedSite site = new EmbeddedSite(embedded)) {
            there = moveAndCount(site, embedded);
        }
        try (RealSite site = new RealSite(shared.controlPlane(), real)) {
            here = moveAndCount(site, real);
        }
        assertThat(total(here))
                .as(
                        "requests on the real server %s = %d, on the embedded one %s = %d",
                        here, total(here), there, total(there))
                .isLessThanOrEqualTo(total(there) * 11 / 10);
    }

    private static void awaitClean(Site site) throws Exception {
        List<String> left = new ArrayList<>();
        try {
            Site.await("nothing is left", () -> {
                left.clear();
                left.addAll(left(site));
                return left.isEmpty();
            });
        } catch (AssertionError e) {
            throw new AssertionError(e.getMessage() + ": " + left, e);
        }
    }

    private Path plugins() throws IOException {
        return Cli.plugins(Files.createDirectories(folder.resolve("plugins")));
    }

    private SortedMap<String, Long> moveAndCount(Site site, Path logs) throws Exception {
        Replica replica = Replica.start(site.kubeconfig(), plugins(), logs.resolve("operator.log"));
        try {
            Site.await("it leads", replica::isLeader);
            site.applySpecialResource();
            Site.await("ready before the move", site::isReady);
            Thread.sleep(QUIET.toMillis());
            for (int at = 0; at < Site.NODES; at += Site.BATCH) {
                site.nodes().subList(at, at + Site.BATCH).forEach(node -> site.move(node, Site.THIRD));
                int moved = at + Site.BATCH;
                Site.await(moved + " are ready", () -> site.isReady() && proved(site) == Site.NODES);
            }
            Site.await("moved", () -> site.isMovedTo(Site.THIRD));
            site.client().resource(site.find()).delete();
            Site.await("gone", () -> site.find() == null);
            // Leases and watches are renewed as long as it runs: that says something of the time, not of the work.
            SortedMap<String, Long> requests = replica.requests();
            requests.keySet().removeIf(call -> call.contains("leases") || call.startsWith("watch "));
            return requests;
        } catch (AssertionError e) {
            throw new AssertionError(site.find() + " " + Files.readString(replica.log()), e);
        } finally {
            replica.stop();
        }
    }

    private static long total(Map<String, Long> requests) {
        return requests.values().stream().mapToLong(Long::longValue).sum();
    }

    private static long proved(Site site) {
        return site.client()
                .nodes()
                .withLabels(Map.of(
                        "specialresource.openshift.io/state-kmod-1000", "Ready",
                        "specialresource.openshift.io/state-kmod-2000", "Ready"))
                .list()
                .getItems()
                .size();
    }

    /** Moves some nodes, waits a moment, strikes; until all nodes are moved and all troubles are over. */
    private static void moveInTrouble(RealSite site, Deployment operator, Random random) throws Exception {
        List<Trouble> troubles = new ArrayList<>();
        TROUBLES.forEach((trouble, times) -> troubles.addAll(Collections.nCopies(times, trouble)));
        Collections.shuffle(troubles, random);
        for (int i = 0; i < troubles.size(); i++) {
            int from = i * Site.NODES / troubles.size();
            int to = (i + 1) * Site.NODES / troubles.size();
            site.nodes().subList(from, to).forEach(node -> site.move(node, Site.THIRD));
            Thread.sleep(random.nextInt(1_500));
            switch (troubles.get(i)) {
                case KILL -> awaitLeader(operator).kill();
                case TAKE_LEASE -> {
                    awaitLeader(operator);
                    takeLease(site);
                }
                case CUT_CONNECTIONS -> {
                    awaitLeader(operator);
                    assertThat(site.cutConnections()).isPositive();
                }
                case RESTART_API_SERVER -> site.restartApiServer();
            }
        }
    }

    private static Replica awaitLeader(Deployment operator) throws Exception {
        List<Replica> leader = new ArrayList<>();
        Site.await("one leads", () -> {
            operator.leader().ifPresent(leader::add);
            return !leader.isEmpty();
        });
        return leader.get(0);
    }

    /** The leader sees that it is not the leader any more; nobody renews the lease until it has run out. */
    private static void takeLease(Site site) {
        String taken = """
                {"spec": {"holderIdentity": "somebody-else", "renewTime": "%s"}}
                """.formatted(DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSSSSS'Z'")
                .format(ZonedDateTime.now(ZoneOffset.UTC)));
        // A patch, as the leader writes at the same time.
        site.client()
                .leases()
                .inNamespace(Site.NAMESPACE)
                .withName(OperatorCommand.LEASE)
                .patch(PatchContext.of(PatchType.JSON_MERGE), taken);
    }

    /** Kernels that driver containers are for. */
    private static SortedSet<String> drivers(Site site) {
        SortedSet<String> drivers = new TreeSet<>(site.operands());
        drivers.removeIf(o -> !o.startsWith("DaemonSet kmod-driver-container"));
        return drivers;
    }

    /** What SRO left behind, on nodes and elsewhere. */
    private static List<String> left(Site site) {
        List<String> left = new ArrayList<>(site.operands());
        if (site.client().namespaces().withName(Site.OPERANDS).get() != null) {
            left.add("Namespace " + Site.OPERANDS);
        }
        for (Node node : site.client().nodes().list().getItems()) {
            node.getMetadata().getLabels().keySet().stream()
                    .filter(label -> label.startsWith(MetadataKeys.STATE_LABEL_PREFIX))
                    .forEach(label -> left.add(node.getMetadata().getName() + " " + label));
            node.getMetadata().getManagedFields().stream()
                    .filter(held -> held.getManager().startsWith("sro."))
                    .forEach(held -> left.add(node.getMetadata().getName() + " " + held));
        }
        return left;
    }
}
