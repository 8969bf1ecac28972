package dev.sro.core.plan.upgrade;

import dev.sro.api.Problem;
import dev.sro.api.operation.DeviceResets;
import dev.sro.api.operation.UpgradePolicy;
import dev.sro.api.resource.UpgradeReboot;
import dev.sro.core.facts.ObservedNode;
import dev.sro.core.manifest.AppliedDigest;
import dev.sro.core.manifest.Desired;
import dev.sro.core.model.KubeObject;
import dev.sro.core.model.ObjectRef;
import dev.sro.core.plan.AnswerLookup;
import dev.sro.core.plan.StateReport;
import dev.sro.core.plan.UpgradeInput;
import dev.sro.core.plan.Write;
import dev.sro.core.plan.worker.Workers;
import dev.sro.core.probe.NodePod;
import dev.sro.core.probe.PodFacts;
import dev.sro.core.recipe.RecipeFailure;
import dev.sro.core.upgrade.cluster.DriverRevisions;
import dev.sro.core.upgrade.machine.BlockingPod;
import dev.sro.core.upgrade.machine.Journal;
import dev.sro.core.upgrade.machine.JournalEntry;
import dev.sro.core.upgrade.machine.NodeAction;
import dev.sro.core.upgrade.machine.NodeStep;
import dev.sro.core.upgrade.machine.Rollout;
import dev.sro.core.upgrade.machine.RolloutPlan;
import dev.sro.core.upgrade.machine.UpgradeNode;
import dev.sro.core.upgrade.machine.UpgradePhase;
import dev.sro.core.upgrade.policy.RetryPolicy;
import dev.sro.core.upgrade.policy.RolloutPolicy;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Plans the upgrade of a driver: what the machine decides becomes marks of nodes and writes. Lives for one plan. */
public final class UpgradePlanner {

    /** Attempts after a failure that the plugin says is worth another one. */
    private static final int PLUGIN_RETRIES = 2;

    private final RolloutInput in;
    private final AnswerLookup asks;
    private final UpgradeInput upgrade;
    private final List<StateReport> reports;
    private final Workers workers;
    private final Map<String, NodeStep> steps = new HashMap<>();
    private final List<Write> records = new ArrayList<>();
    private final List<Write> actions = new ArrayList<>();
    private @Nullable UpgradeFacts facts;

    public UpgradePlanner(
            RolloutInput in, AnswerLookup asks, UpgradeInput upgrade, List<StateReport> reports, Workers workers) {
        this.in = in;
        this.asks = asks;
        this.upgrade = upgrade;
        this.reports = reports;
        this.workers = workers;
    }

    /** Writes of what is remembered; they come before all that depends on it. */
    public List<Write> records() {
        return records;
    }

    /** What is done to nodes beside their marks. */
    public List<Write> actions() {
        return actions;
    }

    /** What is to be on the node; empty when it stays as it is. */
    Optional<NodeStep> step(String node) {
        return Optional.ofNullable(steps.get(node)).filter(NodeStep::write);
    }

    public UpgradeInput input() {
        return upgrade;
    }

    /** The first state of a driver that the node does not have as it shall be. */
    Optional<String> firstNotCurrent(ObservedNode node) {
        return Optional.ofNullable(facts).flatMap(known -> known.firstNotCurrent(node));
    }

    /** The first state of a driver of the node. */
    Optional<String> first(ObservedNode node) {
        return Optional.ofNullable(facts).flatMap(known -> known.first(node));
    }

    public RolloutPlan plan() {
        DriverRevisions revisions = revisions();
        UpgradeFacts made = new UpgradeFacts(in, asks, upgrade, revisions, reports, workers);
        facts = made;
        List<UpgradeNode> nodes = made.all();
        RolloutPolicy policy = policy();
        RolloutPlan plan = Rollout.plan(policy, nodes, upgrade.journal(), in.now());
        record(
                upgrade.revisionsRef(),
                "revisions",
                keeping(revisions, plan.journal()).text());
        boolean turned = !Rollout.target(policy, plan.journal()).equals(upgrade.target());
        if (plan.journalDue() || turned) {
            record(upgrade.journalRef(), "journal", plan.journal().text());
        }
        if (!turned) {
            plan.steps().forEach(step -> steps.put(step.node(), step));
            plan.steps().forEach(this::act);
            UpgradeReboots.done(in, upgrade, plan.journal()).stream()
                    .filter(write -> !isHeld(write.ref()))
                    .forEach(actions::add);
        }
        return plan;
    }

    /** What the plugin says of failures goes beyond what the machine knows. */
    private RolloutPolicy policy() {
        RolloutPolicy policy = upgrade.rules().policy(upgrade.wanted());
        boolean stop = false;
        boolean retry = !upgrade.rules().saysRetries();
        boolean any = false;
        for (JournalEntry entry : upgrade.journal().entries().values()) {
            if (entry.phase() == UpgradePhase.FAILED && entry.target().equals(upgrade.target())) {
                Optional<UpgradePolicy.Verdict> verdict = classified(entry);
                any = true;
                stop |= verdict.filter(UpgradePolicy.Verdict.STOP::equals).isPresent();
                retry &= verdict.filter(UpgradePolicy.Verdict.RETRY::equals).isPresent();
            }
        }
        if (any && retry) {
            RetryPolicy given = policy.retry();
            policy = policy.with()
                    .retry(new RetryPolicy(PLUGIN_RETRIES, given.backoff(), given.maxBackoff(), given.whenReady()))
                    .build();
        }
        return stop ? policy.with().paused(true).build() : policy;
    }

    private Optional<UpgradePolicy.Verdict> classified(JournalEntry entry) {
        String code = entry.problem().matches("[A-Z][A-Za-z0-9]*") ? entry.problem() : "UpgradeFailed";
        try {
            return asks.upgrades().classify(Problem.platform(code, entry.message()));
        } catch (RecipeFailure e) {
            return Optional.empty();
        }
    }

    private DriverRevisions revisions() {
        DriverRevisions revisions = upgrade.revisions();
        for (Desired driver : upgrade.drivers()) {
            KubeObject live = in.owned().get(driver.object().ref());
            if (live != null) {
                revisions = revisions.seen(live);
            }
        }
        return revisions;
    }

    private DriverRevisions keeping(DriverRevisions revisions, Journal journal) {
        Map<String, KubeObject> wanted = new TreeMap<>();
        upgrade.recipe().forEach(driver -> wanted.put(DriverRevisions.name(driver.object()), driver.object()));
        Set<String> uids = new HashSet<>();
        upgrade.drivers().forEach(driver -> {
            KubeObject live = in.owned().get(driver.object().ref());
            if (live != null) {
                uids.add(live.uid());
            }
        });
        return revisions.keeping(upgrade.wanted(), wanted, journal.good(), uids);
    }

    /** Applies an object of ours whose data differ. */
    private void record(ObjectRef ref, String what, Map<String, String> data) {
        KubeObject live = in.owned().get(ref);
        Map<String, String> known = new TreeMap<>();
        if (live != null) {
            live.map("data").forEach((key, value) -> known.put(key, String.valueOf(value)));
        }
        if ((live != null && live.terminating()) || known.equals(data) || isHeld(ref)) {
            return;
        }
        Map<String, Object> tree = UpgradeMaintenances.kept(in, ref, what);
        tree.put("data", data);
        records.add(new Write.Apply(
                AppliedDigest.stamp(KubeObject.of(tree)), live == null, "", "", "the " + what + " of driver upgrades"));
    }

    private boolean isHeld(ObjectRef ref) {
        return !in.refusals().allow(ref);
    }

    private void act(NodeStep step) {
        ObservedNode node = in.nodes().get(step.node());
        if (node == null) {
            return;
        }
        step.actions().forEach(action -> action.on(new OnNode(node)).run());
        boolean pending = !step.write()
                && step.phase().inProgress()
                && "true".equals(node.holds().annotations().get(upgrade.keys().requested()));
        if (pending || (step.write() && step.answersRequest())) {
            Set<String> answered = new TreeSet<>(Set.of(upgrade.keys().requested()));
            // Who asks for it wants devices to be tried again that could not be reset.
            upgrade.rules().deviceResets().map(DeviceResets::failed).ifPresent(answered::add);
            clear(node, answered, "the request for an upgrade is answered");
        }
    }

    /** What each kind of actions comes to on a node. */
    private final class OnNode implements NodeAction.Cases<Runnable, RuntimeException> {
        private final ObservedNode node;

        OnNode(ObservedNode node) {
            this.node = node;
        }

        @Override
        public Runnable evictPods(NodeAction.EvictPods it) {
            return () -> evict(node.name(), it);
        }

        @Override
        public Runnable deleteDriverPod(NodeAction.DeleteDriverPod it) {
            return () -> deleteDriver(node.name(), it.uid());
        }

        @Override
        public Runnable reboot(NodeAction.Reboot it) {
            return () -> boot(node, it.bootId());
        }

        @Override
        public Runnable requestMaintenance(NodeAction.RequestMaintenance it) {
            return () -> upgrade.rules().maintenance().ifPresent(asked -> {
                KubeObject wanted = UpgradeMaintenances.object(in, upgrade, asked, node.name());
                if (in.owned().get(wanted.ref()) == null && !isHeld(wanted.ref())) {
                    actions.add(new Write.Apply(wanted, true, "", "", "asks for maintenance of " + node.name()));
                }
            });
        }

        @Override
        public Runnable releaseMaintenance(NodeAction.ReleaseMaintenance it) {
            return () -> release(node.name());
        }

        @Override
        public Runnable allowSafeLoad(NodeAction.AllowSafeLoad it) {
            return () -> upgrade.rules()
                    .safeLoad(upgrade.keys())
                    .ifPresent(key -> clear(node, Set.of(key), "the driver may load"));
        }
    }

    private void boot(ObservedNode node, String bootId) {
        Optional<UpgradeReboot> rebooter = upgrade.rules().rebooter();
        Optional<Desired> driver = facts == null ? Optional.empty() : facts.driver(node.name());
        if (rebooter.isEmpty() || driver.isEmpty()) {
            return;
        }
        KubeObject wanted = UpgradeReboots.pod(in, rebooter.get(), driver.get().object(), node.name(), bootId);
        if (in.owned().get(wanted.ref()) == null && !isHeld(wanted.ref())) {
            actions.add(new Write.Apply(wanted, true, "", "", "boots node " + node.name()));
        }
    }

    private void release(String node) {
        upgrade.rules().maintenance().ifPresent(asked -> {
            ObjectRef ref = UpgradeMaintenances.ref(in, asked, node);
            KubeObject live = in.owned().get(ref);
            if (live != null && !live.terminating() && !isHeld(ref)) {
                actions.add(new Write.Delete(ref, live.uid(), false, "", "", "maintenance is not needed any more"));
            }
        });
    }

    private void clear(ObservedNode node, Set<String> annotations, String why) {
        SortedSet<String> there = new TreeSet<>(annotations);
        there.retainAll(node.holds().annotations().keySet());
        if (!there.isEmpty() && !isHeld(new ObjectRef("v1", "Node", "", node.name()))) {
            actions.add(new Write.ClearNode(node.name(), node.uid(), new TreeSet<>(), there, why));
        }
    }

    private void evict(String node, NodeAction.EvictPods evict) {
        Map<ObjectRef, NodePod> known = new HashMap<>();
        in.nodePods()
                .getOrDefault(node, List.of())
                .forEach(pod -> known.put(new ObjectRef("v1", "Pod", pod.namespace(), pod.name()), pod));
        for (BlockingPod block : evict.pods()) {
            ObjectRef ref = new ObjectRef("v1", "Pod", block.namespace(), block.name());
            NodePod pod = known.get(ref);
            if (pod != null && !pod.terminating() && !isHeld(ref)) {
                String why = evict.drain() ? "node " + node + " is drained" : "it uses the device";
                actions.add(new Write.Evict(ref, pod.uid(), node, why));
            }
        }
    }

    private void deleteDriver(String node, String uid) {
        boolean underUsers = facts != null && facts.isRestartOnly(node);
        workers.replace(node, uid, underUsers)
                .filter(write -> !isHeld(write.ref()))
                .ifPresent(actions::add);
        for (Desired driver : upgrade.drivers()) {
            KubeObject live = in.owned().get(driver.object().ref());
            if (live == null || !UpgradeFacts.hasDriver(live, driver)) {
                // Its next pod would be of the same driver: it would be deleted again, for ever.
                continue;
            }
            for (PodFacts pod : in.podsOf(live)) {
                ObjectRef ref = new ObjectRef("v1", "Pod", pod.namespace(), pod.name());
                if (pod.uid().equals(uid) && !pod.terminating() && !isHeld(ref)) {
                    actions.add(new Write.Delete(
                            ref,
                            uid,
                            false,
                            driver.state(),
                            driver.pool() == null ? "" : driver.pool(),
                            "node " + node + " gets the new driver"));
                }
            }
        }
    }
}
