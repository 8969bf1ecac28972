package dev.sro.core.upgrade.machine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.api.operation.UpgradeAction;
import dev.sro.core.upgrade.policy.NodeShare;
import dev.sro.core.upgrade.policy.PodRemoval;
import dev.sro.core.upgrade.policy.RetryPolicy;
import dev.sro.core.upgrade.policy.RolloutPolicy;
import dev.sro.core.upgrade.policy.RolloutWave;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;

/**
 * A random history: nodes, one or two special resources, hands that edit and machines that fail; then calm, in which everything has to
 * end well. Equal seeds give equal histories.
 */
final class UpgradeHistory {

    private static final List<UpgradePhase> PHASES = List.of(UpgradePhase.values());
    private static final List<BlockingPod.Reason> REASONS = List.of(BlockingPod.Reason.values());
    private static final List<UpgradeAction> ACTIONS =
            List.of(UpgradeAction.RESTART_ONLY, UpgradeAction.FULL, UpgradeAction.REBOOT);
    private static final int CALM_TURNS = 2_000;

    private final Random random;
    private final List<SimNode> nodes = new ArrayList<>();
    private final List<SimResource> resources = new ArrayList<>();
    private final Set<String> cordonedByAdmin = new HashSet<>();
    private Instant now = Instant.parse("2026-11-22T00:00:00Z");
    private int revision = 1;
    private int resumes;
    private int born;
    private boolean calm;

    UpgradeHistory(long seed) {
        this.random = new Random(seed * 0x9E3779B97F4A7C15L);
        int count = 1 + random.nextInt(6);
        int owners = random.nextInt(4) == 0 ? 2 : 1;
        for (int i = 0; i < owners; i++) {
            resources.add(new SimResource(i, policy(), random));
        }
        for (int i = 0; i < count; i++) {
            nodes.add(born());
        }
        for (SimResource resource : resources) {
            resource.action = ACTIONS.get(random.nextInt(ACTIONS.size()));
            resource.podsAlways = random.nextBoolean();
            resource.faultPercent = random.nextInt(3) == 0 ? 0 : random.nextInt(40);
        }
    }

    private SimNode born() {
        SimNode node = new SimNode("n" + born++, resources.size());
        for (int i = 0; i < resources.size(); i++) {
            SimNode.Driver driver = node.drivers[i];
            if (random.nextInt(5) != 0) {
                driver.newPod("v" + random.nextInt(2), random);
                driver.starting = 0;
                driver.validating = 0;
            }
            driver.users = random.nextInt(3);
            driver.jobs = random.nextInt(4) == 0 ? 1 : 0;
        }
        return node;
    }

    private RolloutPolicy policy() {
        RolloutPolicy.Builder policy = RolloutPolicy.builder()
                .target("v1")
                .autoUpgrade(random.nextInt(8) != 0)
                .maxParallel(random.nextInt(4))
                .maxUnavailable(
                        random.nextBoolean()
                                ? new NodeShare(1 + random.nextInt(4), false)
                                : new NodeShare(1 + random.nextInt(100), true))
                .waitForJobs(random.nextBoolean())
                .jobsTimeout(Duration.ofMinutes(random.nextInt(2) * 10L))
                .validation(random.nextInt(3) != 0)
                .externalMaintenance(random.nextInt(6) == 0)
                .retry(new RetryPolicy(
                        random.nextInt(3), Duration.ofMinutes(1), Duration.ofMinutes(10), random.nextInt(3) != 0))
                .manualCordon(
                        random.nextInt(5) == 0 ? RolloutPolicy.ManualCordon.BYPASS : RolloutPolicy.ManualCordon.COUNT);
        if (random.nextInt(4) == 0) {
            policy.podDeletion(Optional.empty());
        }
        if (random.nextInt(3) == 0) {
            policy.drain(PodRemoval.DEFAULT);
        }
        if (random.nextInt(4) == 0) {
            policy.addWaves(new RolloutWave(
                    "canary",
                    Map.of("wave", "canary"),
                    Duration.ofMinutes(random.nextInt(2) * 5L),
                    random.nextBoolean(),
                    Optional.of(new NodeShare(1, false))));
        }
        if (random.nextInt(4) == 0) {
            policy.haltOnFailures(new NodeShare(1 + random.nextInt(2), false)).automaticRollback(random.nextBoolean());
        }
        return policy.build();
    }

    /** Lives through it. */
    void live() {
        int turns = 8 + random.nextInt(24);
        for (int turn = 0; turn < turns; turn++) {
            if (random.nextInt(3) == 0) {
                disturb();
            }
            turn();
        }
        calm();
        int idle = 0;
        for (int turn = 0; turn < CALM_TURNS && idle < 2; turn++) {
            int before = requests();
            turn();
            if (!ended()) {
                help();
            }
            if (before == requests()) {
                // Nothing but time is waited for.
                now = now.plusSeconds(240);
            }
            idle = before == requests() && ended() ? idle + 1 : 0;
        }
        endsWell();
    }

    private int requests() {
        return resources.stream().mapToInt(resource -> resource.requests).sum();
    }

    private void turn() {
        for (SimResource resource : resources) {
            if (calm || random.nextInt(4) != 0) {
                resource.pass(nodes, now);
            }
        }
        now = now.plusSeconds(5 + random.nextInt(90));
        String[] targets = resources.stream().map(SimResource::target).toArray(String[]::new);
        for (SimNode node : nodes) {
            node.tick(targets, random);
        }
    }

    private SimNode any() {
        return nodes.get(random.nextInt(nodes.size()));
    }

    private void disturb() {
        SimResource resource = resources.get(random.nextInt(resources.size()));
        SimNode node = any();
        SimNode.Driver driver = node.drivers[resource.index];
        switch (random.nextInt(22)) {
            case 0 ->
                resource.policy =
                        resource.policy.with().target("v" + ++revision).build();
            case 1 ->
                resource.policy = resource.policy
                        .with()
                        .target("v" + Math.max(1, revision - 1))
                        .build();
            case 2 -> driver.label = PHASES.get(random.nextInt(PHASES.size())).label();
            case 3 -> driver.label = "no-such-phase";
            case 4 -> driver.note = random.nextBoolean() ? "" : "phase=? since=yesterday";
            case 5 -> editJournal(resource);
            case 6 -> cordon(node);
            case 7 -> uncordon(node);
            case 8 -> node.reboot();
            case 9 -> {
                node.dead = true;
                node.ready = false;
            }
            case 10 -> node.skip = !node.skip;
            case 11 -> driver.requested = true;
            case 12 -> driver.broken = resource.target();
            case 13 -> driver.validationFails = !driver.validationFails;
            case 14 -> driver.users += 1;
            case 15 -> driver.stuck = REASONS.get(random.nextInt(REASONS.size()));
            case 16 -> driver.unknownAction = !driver.unknownAction;
            case 17 ->
                resource.policy =
                        resource.policy.with().paused(!resource.policy.paused()).build();
            case 18 ->
                resource.policy = resource.policy.with().resume("r" + ++resumes).build();
            case 19 -> driver.safeLoad = driver.starting > 0;
            case 20 -> comeOrGo();
            default -> resource.action = ACTIONS.get(random.nextInt(ACTIONS.size()));
        }
    }

    private void editJournal(SimResource resource) {
        if (random.nextBoolean() || resource.journal.isEmpty()) {
            resource.journal = Map.of();
            return;
        }
        Map<String, String> edited = new TreeMap<>(resource.journal);
        String key = random.nextBoolean() ? Journal.ROLLOUT : Journal.NODES;
        String text = edited.getOrDefault(key, "");
        int at = text.isEmpty() ? 0 : random.nextInt(text.length());
        edited.put(key, random.nextBoolean() ? text.substring(0, at) : text.substring(at) + " =x% since=never");
        resource.journal = edited;
    }

    private void cordon(SimNode node) {
        // kubectl does not write where the node is unschedulable already.
        if (!node.unschedulable()) {
            node.adminCordon = true;
            cordonedByAdmin.add(node.name);
        }
    }

    private void uncordon(SimNode node) {
        node.adminCordon = false;
        cordonedByAdmin.remove(node.name);
        for (SimNode.Driver driver : node.drivers) {
            driver.cordon = false;
        }
    }

    private void comeOrGo() {
        if (nodes.size() > 1 && random.nextBoolean()) {
            SimNode gone = nodes.remove(random.nextInt(nodes.size()));
            cordonedByAdmin.remove(gone.name);
            resources.forEach(resource -> resource.ledger.remove(gone.name));
        } else {
            nodes.add(born());
        }
    }

    /** Faults stop, what is broken is mended, and nobody forbids anything. */
    private void calm() {
        calm = true;
        for (SimResource resource : resources) {
            resource.faultPercent = 0;
            resource.policy = resource.policy
                    .with()
                    .paused(false)
                    .autoUpgrade(true)
                    .resume("r" + ++resumes)
                    .build();
        }
        boolean keep = resources.stream()
                .allMatch(resource -> resource.policy.maxUnavailable().of(nodes.size()) > 1);
        for (SimNode node : nodes) {
            node.dead = false;
            node.booting = node.ready ? node.booting : 1;
            node.skip = false;
            if (node.adminCordon && (!keep || cordonedByAdmin.size() > 1)) {
                node.adminCordon = false;
                cordonedByAdmin.remove(node.name);
            }
            for (SimNode.Driver driver : node.drivers) {
                driver.broken = "";
                driver.validationFails = false;
                driver.stuck = BlockingPod.Reason.NONE;
                driver.unknownAction = false;
            }
        }
    }

    /** People see that a node failed or that a rollout halted, and say go on. */
    private void help() {
        for (SimResource resource : resources) {
            if (random.nextInt(20) == 0) {
                resource.policy = resource.policy.with().resume("r" + ++resumes).build();
            }
            for (SimNode node : nodes) {
                SimNode.Driver driver = node.drivers[resource.index];
                if (driver.label.equals(UpgradePhase.FAILED.label()) && random.nextInt(5) == 0) {
                    driver.requested = true;
                }
            }
        }
    }

    private boolean ended() {
        for (SimResource resource : resources) {
            for (SimNode node : nodes) {
                SimNode.Driver driver = node.drivers[resource.index];
                if (!driver.label.equals(UpgradePhase.DONE.label())
                        || !driver.revision.equals(resource.target())
                        || !driver.podReady()) {
                    return false;
                }
            }
        }
        return true;
    }

    private void endsWell() {
        for (SimResource resource : resources) {
            for (SimNode node : nodes) {
                SimNode.Driver driver = node.drivers[resource.index];
                String what = "node " + node.name + " of " + resource.index + ": " + driver.note;
                assertThat(driver.label).as(what).isEqualTo(UpgradePhase.DONE.label());
                assertThat(driver.revision).as(what).isEqualTo(resource.target());
                assertThat(driver.podReady()).as(what).isTrue();
                assertThat(driver.note).as(what).isEmpty();
                assertThat(driver.cordon).as(what).isFalse();
                assertThat(node.adminCordon).as(what).isEqualTo(cordonedByAdmin.contains(node.name));
            }
            assertThat(resource.ledger).isEmpty();
            resource.pass(nodes, now);
            RolloutPlan rest = resource.plan(nodes, now);
            assertThat(rest.steps()).as("at rest").isEmpty();
            assertThat(rest.journalDue()).as("journal at rest").isFalse();
        }
    }
}
