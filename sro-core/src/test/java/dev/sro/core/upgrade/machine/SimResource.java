package dev.sro.core.upgrade.machine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.api.operation.UpgradeAction;
import dev.sro.core.upgrade.policy.RolloutPolicy;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;

/**
 * A special resource of the model: its controller, which carries plans out with faults and may end between any two requests, and the
 * ledger of whom it took on, by which invariants are checked.
 */
final class SimResource {

    private static final boolean TRACE = Boolean.getBoolean("sro.fuzz.trace");

    final int index;
    RolloutPolicy policy;
    UpgradeAction action = UpgradeAction.FULL;
    boolean podsAlways = true;
    Map<String, String> journal = Map.of();
    private Map<String, String> read = journal;
    private Journal parsed = Journal.EMPTY;
    /** Nodes that its own writes took on and neither finished nor gave up. */
    final Set<String> ledger = new HashSet<>();

    int requests;

    int faultPercent;
    private final Random random;

    SimResource(int index, RolloutPolicy policy, Random random) {
        this.index = index;
        this.policy = policy;
        this.random = random;
    }

    String target() {
        return Rollout.target(policy, journal());
    }

    /** The journal as it can be read now. */
    private Journal journal() {
        if (read != journal) {
            read = journal;
            parsed = Journal.parse(journal).journal();
        }
        return parsed;
    }

    RolloutPlan plan(List<SimNode> nodes, Instant now) {
        Journal read = journal();
        String target = Rollout.target(policy, read);
        List<UpgradeNode> facts = new ArrayList<>(nodes.size());
        for (SimNode node : nodes) {
            facts.add(node.facts(index, target, action, podsAlways));
        }
        return Rollout.plan(policy, facts, read, now);
    }

    /** One pass of the controller. */
    RolloutPlan pass(List<SimNode> nodes, Instant now) {
        RolloutPlan plan = plan(nodes, now);
        if (TRACE) {
            trace(plan, nodes, now);
        }
        if (plan.journalDue() && request()) {
            journal = plan.journal().text();
        }
        for (NodeStep step : plan.steps()) {
            if (crashes()) {
                return plan;
            }
            SimNode node = find(nodes, step.node());
            if (step.write()) {
                if (request()) {
                    write(nodes, node, step);
                }
            } else {
                for (NodeAction action : step.actions()) {
                    if (request()) {
                        act(node, step, action);
                    }
                }
            }
        }
        return plan;
    }

    private void trace(RolloutPlan plan, List<SimNode> nodes, Instant now) {
        System.out.println(now + " " + index + " " + plan.target() + " " + plan.state() + " " + plan.message() + " "
                + plan.slots() + " wave " + plan.journal().wave() + " due " + plan.journalDue() + " ledger " + ledger);
        for (SimNode node : nodes) {
            System.out.println("  " + node.facts(index, plan.target(), action, podsAlways));
        }
        plan.steps().forEach(step -> System.out.println("  -> " + step));
    }

    private boolean request() {
        requests++;
        return random.nextInt(100) >= faultPercent;
    }

    private boolean crashes() {
        return faultPercent > 0 && random.nextInt(40) == 0;
    }

    private static SimNode find(List<SimNode> nodes, String name) {
        for (SimNode node : nodes) {
            if (node.name.equals(name)) {
                return node;
            }
        }
        throw new AssertionError("no node " + name);
    }

    private void write(List<SimNode> nodes, SimNode node, NodeStep step) {
        SimNode.Driver mine = node.drivers[index];
        boolean available = node.available();
        if (step.cordon() && node.unschedulable() && !mine.cordon) {
            throw new AssertionError("takes over a cordon of " + node.name);
        }
        boolean bypass = policy.manualCordon() == RolloutPolicy.ManualCordon.BYPASS && node.adminCordon;
        mine.label = step.phase().label();
        mine.note = step.note();
        mine.cordon = step.cordon();
        mine.writes++;
        if (step.answersRequest()) {
            mine.requested = false;
        }
        if (!step.phase().inProgress()) {
            ledger.remove(node.name);
        } else if (ledger.add(node.name) && !bypass) {
            admitted(nodes, node, available);
        }
    }

    private void admitted(List<SimNode> nodes, SimNode node, boolean available) {
        if (policy.maxParallel() > 0 && policy.manualCordon() != RolloutPolicy.ManualCordon.BYPASS) {
            assertThat(ledger.size()).as("in progress with " + node.name).isLessThanOrEqualTo(policy.maxParallel());
        }
        if (!available) {
            return;
        }
        int unavailable = 0;
        for (SimNode other : nodes) {
            if (!other.available() || ledger.contains(other.name)) {
                unavailable++;
            }
        }
        assertThat(unavailable)
                .as("unavailable with " + node.name)
                .isLessThanOrEqualTo(policy.maxUnavailable().of(nodes.size()));
    }

    private void act(SimNode node, NodeStep step, NodeAction what) {
        SimNode.Driver mine = node.drivers[index];
        assertThat(ledger).as("acts on " + node.name + ": " + what).contains(node.name);
        assertThat(mine.label).isEqualTo(step.phase().label());
        if (what instanceof NodeAction.DeleteDriverPod delete) {
            deletes(node, mine, delete);
        } else if (what instanceof NodeAction.EvictPods) {
            evicts(mine);
        } else if (what instanceof NodeAction.Reboot reboot) {
            assertThat(reboot.bootId()).isEqualTo("boot-" + node.boot);
            if (guarded()) {
                assertThat(mine.users).as("users at a reboot of " + node.name).isZero();
            }
            mine.reboots++;
            if (node.ready) {
                node.reboot();
            }
        } else if (what instanceof NodeAction.AllowSafeLoad) {
            mine.safeLoad = false;
        } else if (what instanceof NodeAction.RequestMaintenance) {
            mine.maintenance = NodeCheck.State.WAITING;
        } else {
            mine.maintenance = NodeCheck.State.ABSENT;
        }
    }

    private void deletes(SimNode node, SimNode.Driver mine, NodeAction.DeleteDriverPod delete) {
        if (!delete.uid().equals("pod-" + mine.pod)) {
            return;
        }
        assertThat(node.unschedulable() || policy.externalMaintenance())
                .as("cordon when the driver of " + node.name + " is deleted")
                .isTrue();
        boolean restartOnly = action == UpgradeAction.RESTART_ONLY && !mine.unknownAction;
        if (!restartOnly && guarded()) {
            assertThat(mine.users + mine.jobs)
                    .as("users when the driver of " + node.name + " is deleted")
                    .isZero();
        }
        mine.terminating = true;
        mine.deletions++;
    }

    /** Whether its users are ours to evict. */
    private boolean guarded() {
        return (policy.podDeletion().isPresent() || policy.drain().isPresent()) && !policy.externalMaintenance();
    }

    private void evicts(SimNode.Driver mine) {
        mine.jobs = 0;
        if (mine.leaving == 0 && mine.users > 0 && mine.stuck == BlockingPod.Reason.NONE) {
            mine.leaving = 1 + random.nextInt(3);
        }
    }
}
