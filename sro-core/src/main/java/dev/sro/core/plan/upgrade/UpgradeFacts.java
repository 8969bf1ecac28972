package dev.sro.core.plan.upgrade;

import dev.sro.api.Outcome;
import dev.sro.api.Pool;
import dev.sro.api.Problem;
import dev.sro.api.operation.UpgradeAction;
import dev.sro.core.facts.ObservedNode;
import dev.sro.core.load.WorkerPods;
import dev.sro.core.manifest.Desired;
import dev.sro.core.manifest.DesiredState;
import dev.sro.core.model.KubeObject;
import dev.sro.core.model.MetadataKeys;
import dev.sro.core.model.ObjectRef;
import dev.sro.core.plan.AnswerLookup;
import dev.sro.core.plan.StateNodes;
import dev.sro.core.plan.StateReport;
import dev.sro.core.plan.UpgradeInput;
import dev.sro.core.plan.worker.Workers;
import dev.sro.core.probe.NodePod;
import dev.sro.core.probe.PodFacts;
import dev.sro.core.recipe.RecipeFailure;
import dev.sro.core.upgrade.cluster.BlockingPods;
import dev.sro.core.upgrade.cluster.DriverRevisions;
import dev.sro.core.upgrade.machine.DeviceReset;
import dev.sro.core.upgrade.machine.DriverPod;
import dev.sro.core.upgrade.machine.JournalEntry;
import dev.sro.core.upgrade.machine.NodeCheck;
import dev.sro.core.upgrade.machine.UpgradeNode;
import dev.sro.core.upgrade.machine.UpgradePhase;
import dev.sro.core.upgrade.policy.RolloutPolicy;
import dev.sro.core.upgrade.policy.UpgradeKeys;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Makes the facts that the machine of upgrades goes by. Lives for one plan. */
final class UpgradeFacts {

    /**
     * A driver on a node.
     *
     * @param pod of its DaemonSet; null for none, and for worker pods
     * @param state how far it is
     */
    private record Carried(
            Desired driver,
            @Nullable KubeObject live,
            @Nullable PodFacts pod,
            DriverPod state) {}

    private final RolloutInput in;
    private final AnswerLookup asks;
    private final UpgradeInput upgrade;
    private final DriverRevisions revisions;
    private final List<StateReport> reports;
    private final Workers workers;
    private final DeviceResetFacts resets;
    private final String manager;
    private final Set<String> labelKeys = new HashSet<>();
    private final Map<String, String> poolByNode = new HashMap<>();
    private final Map<ObjectRef, Map<String, PodFacts>> podsByDriver = new HashMap<>();
    private final Set<String> restartOnly = new HashSet<>();

    UpgradeFacts(
            RolloutInput in,
            AnswerLookup asks,
            UpgradeInput upgrade,
            DriverRevisions revisions,
            List<StateReport> reports,
            Workers workers) {
        this.in = in;
        this.asks = asks;
        this.upgrade = upgrade;
        this.revisions = revisions;
        this.reports = reports;
        this.workers = workers;
        this.resets = new DeviceResetFacts(in, upgrade, this::first);
        this.manager = MetadataKeys.nodeManager(in.resource().getMetadata().getName());
        RolloutPolicy policy = upgrade.rules().policy("");
        policy.waves().forEach(wave -> labelKeys.addAll(wave.matchLabels().keySet()));
        policy.windows().forEach(window -> labelKeys.addAll(window.matchLabels().keySet()));
        for (Desired driver : upgrade.drivers()) {
            KubeObject live = live(driver);
            Map<String, PodFacts> byNode = new HashMap<>();
            if (live != null) {
                // Of two pods on a node, the one that stays counts.
                Comparator<PodFacts> staying = Comparator.comparing((PodFacts pod) -> !pod.terminating())
                        .thenComparing(PodFacts::name);
                in.podsOf(live)
                        .forEach(
                                pod -> byNode.merge(pod.node(), pod, java.util.function.BinaryOperator.maxBy(staying)));
            }
            podsByDriver.put(driver.object().ref(), byNode);
        }
    }

    private @Nullable KubeObject live(Desired driver) {
        KubeObject live = in.owned().get(driver.object().ref());
        return live == null || live.terminating() ? null : live;
    }

    /** Those of all nodes that are to have the driver. */
    List<UpgradeNode> all() {
        List<UpgradeNode> nodes = new ArrayList<>();
        for (Pool pool : in.pools()) {
            List<Desired> drivers = upgrade.drivers().stream()
                    .filter(driver -> driver.pool() == null || driver.pool().equals(pool.name()))
                    .toList();
            if (drivers.isEmpty()) {
                continue;
            }
            for (String name : pool.nodes()) {
                ObservedNode node = in.nodes().get(name);
                List<Desired> own = node == null
                        ? List.of()
                        : drivers.stream().filter(driver -> isFor(driver, node)).toList();
                if (node != null && !own.isEmpty()) {
                    poolByNode.put(name, pool.name());
                    nodes.add(of(node, pool, own));
                }
            }
        }
        return nodes;
    }

    /** What carries the driver of a node. */
    Optional<Desired> driver(String node) {
        return upgrade.drivers().stream()
                .filter(driver -> driver.pool() == null || driver.pool().equals(poolByNode.get(node)))
                .findFirst();
    }

    /** Whether the state of the driver is for the node. */
    private boolean isFor(Desired driver, ObservedNode node) {
        return in.states().stream()
                .map(DesiredState::state)
                .filter(state -> state.id().equals(driver.state()))
                .allMatch(state -> StateNodes.isFor(state, node.facts().labels()));
    }

    /** The first state of a driver that the node does not have as it shall be, in the order of the recipe. */
    Optional<String> firstNotCurrent(ObservedNode node) {
        return carriedBy(node)
                .filter(driver -> carried(node, List.of(driver)).state().state() != DriverPod.State.CURRENT_READY)
                .map(Desired::state)
                .findFirst();
    }

    /** The first state of a driver of the node. */
    Optional<String> first(ObservedNode node) {
        return carriedBy(node).map(Desired::state).findFirst();
    }

    private Stream<Desired> carriedBy(ObservedNode node) {
        return upgrade.drivers().stream()
                .filter(driver -> driver.pool() == null
                        || driver.pool().equals(poolByNode.getOrDefault(node.name(), driver.pool())))
                .filter(driver -> isFor(driver, node));
    }

    private UpgradeNode of(ObservedNode node, Pool pool, List<Desired> drivers) {
        UpgradeKeys keys = upgrade.keys();
        Map<String, String> labels = node.facts().labels();
        Map<String, String> annotations = node.holds().annotations();
        Carried carried = carried(node, drivers);
        DriverPod driver = carried.state();
        String label = labels.getOrDefault(keys.state(), "");
        boolean requested = "true".equals(annotations.get(keys.requested()));
        boolean ours = node.holds().cordoning().contains(manager);
        DeviceReset reset = resets.of(node, pool);
        UpgradeNode.Builder builder = UpgradeNode.builder()
                .name(node.name())
                .label(label)
                .note(annotations.getOrDefault(keys.note(), ""))
                .cordoned(node.facts().unschedulable())
                .cordonedByUs(ours)
                .alone(upgrade.oneNode())
                .ready(node.facts().ready())
                .bootId(node.facts().bootId())
                .skip("true".equals(labels.get(keys.skip()))
                        || upgrade.rules()
                                .skipLabel()
                                .filter(key -> "true".equals(labels.get(key)))
                                .isPresent())
                .requested(requested)
                .safeLoadWaiting(upgrade.rules()
                        .safeLoad(keys)
                        .filter(annotations::containsKey)
                        .isPresent())
                .awaited(node.holds().cordoning().stream().anyMatch(upgrade.followers()::contains))
                .driver(driver)
                .reset(reset);
        arbitrate(builder, node, annotations);
        boolean idle = driver.state() == DriverPod.State.CURRENT_READY
                && !requested
                && reset.needed().isEmpty()
                && (label.isEmpty() || label.equals(UpgradePhase.DONE.label()));
        labelKeys.forEach(key -> {
            String value = labels.get(key);
            if (value != null) {
                builder.putLabels(key, value);
            }
        });
        if (idle) {
            return builder.build();
        }
        action(builder, node, pool, carried, driver, requested);
        pods(builder, node, label);
        return builder.bootProblem(UpgradeReboots.problem(in, node.name()))
                .validation(validation(node, pool))
                .maintenance(UpgradeMaintenances.check(in, upgrade, node.name()))
                .build();
    }

    private void arbitrate(UpgradeNode.Builder builder, ObservedNode node, Map<String, String> annotations) {
        String resource = in.resource().getMetadata().getName();
        String holder = annotations.getOrDefault(UpgradeKeys.HOLDER, "");
        if (!holder.isEmpty() && !holder.equals(resource)) {
            builder.holder(holder).yields(true);
        } else if (holder.isEmpty() && upgrade.awaited().containsKey(node.name())) {
            builder.yields(true);
        }
    }

    /** Whether what the change asks of the node does not concern users. */
    boolean isRestartOnly(String node) {
        return restartOnly.contains(node);
    }

    /** Of several that carry a driver, the one that is farthest from what it shall be. */
    private Carried carried(ObservedNode node, List<Desired> drivers) {
        Carried worst = null;
        for (Desired driver : drivers) {
            Carried one = carried(node, driver);
            worst = worst == null || rank(one.state()) < rank(worst.state()) ? one : worst;
        }
        return worst == null ? new Carried(drivers.get(0), null, null, DriverPod.ABSENT) : worst;
    }

    private Carried carried(ObservedNode node, Desired driver) {
        KubeObject live = live(driver);
        if (WorkerPods.isTemplate(driver.object())) {
            // Templates of a pool are for different nodes.
            boolean own = workers.wanted(node.name())
                    .equals(driver.object().annotation(MetadataKeys.LOAD_CONFIG).orElse(""));
            DriverPod loaded = own ? workers.driver(node.name()) : DriverPod.of(DriverPod.State.CURRENT_READY, "");
            return new Carried(driver, live, null, loaded);
        }
        PodFacts pod =
                podsByDriver.getOrDefault(driver.object().ref(), Map.of()).get(node.name());
        return new Carried(driver, live, pod, pod(driver, live, pod));
    }

    private static int rank(DriverPod pod) {
        return switch (pod.state()) {
            case OUTDATED, ORPHANED -> 0;
            case TERMINATING -> 1;
            case ABSENT -> 2;
            case CURRENT_NOT_READY -> 3;
            case CURRENT_READY -> 4;
        };
    }

    private DriverPod pod(Desired driver, @Nullable KubeObject live, @Nullable PodFacts pod) {
        if (pod == null || live == null) {
            return DriverPod.ABSENT;
        }
        boolean ready = pod.isReady(in.now());
        String message = ready
                ? ""
                : "pod " + pod.namespace() + "/" + pod.name() + " is "
                        + (pod.waitingReason().isEmpty() ? pod.phase() : pod.waitingReason())
                        + (pod.message().isEmpty() ? "" : ": " + pod.message());
        DriverPod.State state;
        if (pod.terminating()) {
            state = DriverPod.State.TERMINATING;
        } else if (!revisions.ofPod(live.uid(), pod.templateGeneration()).equals(digest(driver))) {
            state = DriverPod.State.OUTDATED;
        } else {
            state = ready ? DriverPod.State.CURRENT_READY : DriverPod.State.CURRENT_NOT_READY;
        }
        return new DriverPod(state, pod.uid(), pod.restarts(), message);
    }

    static String digest(Desired driver) {
        return driver.object().annotation(MetadataKeys.DRIVER_REVISION).orElse("");
    }

    /** Whether new pods of the object get this driver: that of a later state is changed only when those before are ready again. */
    static boolean hasDriver(KubeObject live, Desired driver) {
        return live.annotation(MetadataKeys.DRIVER_REVISION).orElse("").equals(digest(driver));
    }

    private void action(
            UpgradeNode.Builder builder,
            ObservedNode node,
            Pool pool,
            Carried carried,
            DriverPod driver,
            boolean requested) {
        if (driver.state() != DriverPod.State.OUTDATED) {
            builder.action(requested ? UpgradeAction.FULL : UpgradeAction.NONE);
            return;
        }
        try {
            UpgradeAction action = asked(node, pool, carried);
            builder.action(action);
            if (action == UpgradeAction.RESTART_ONLY && !requested) {
                restartOnly.add(node.name());
            }
        } catch (RecipeFailure e) {
            builder.action(Optional.empty()).actionProblem(e.problem().message());
        } catch (UpgradeRequirements.Unanswered e) {
            builder.action(Optional.empty()).actionProblem(String.valueOf(e.getMessage()));
        }
    }

    private UpgradeAction asked(ObservedNode node, Pool pool, Carried carried) throws UpgradeRequirements.Unanswered {
        KubeObject live = carried.live;
        PodFacts pod = carried.pod;
        boolean worker = WorkerPods.isTemplate(carried.driver.object());
        if (live == null || (pod == null && !worker)) {
            return UpgradeAction.NONE;
        }
        if (!hasDriver(live, carried.driver)) {
            throw new UpgradeRequirements.Unanswered(live.ref() + " does not have the new driver yet");
        }
        Map<String, Object> before = pod == null
                ? workers.former(node).orElse(null)
                : revisions.templates().get(revisions.ofPod(live.uid(), pod.templateGeneration()));
        String running = pod == null ? UpgradeRequirements.driverDigest(before) : pod.driverDigest();
        Map<String, Object> template = DriverRevisions.template(carried.driver.object());
        return new UpgradeRequirements(upgrade, asks.upgrades(), node, pool).of(before, running, template);
    }

    private void pods(UpgradeNode.Builder builder, ObservedNode node, String label) {
        List<NodePod> pods =
                UpgradeInput.phasesWithPods().contains(label) ? in.nodePods().get(node.name()) : null;
        builder.podsKnown(false);
        if (pods == null) {
            return;
        }
        Optional<Instant> begin = upgrade.oneNode() ? begin(node) : Optional.empty();
        try {
            BlockingPods found = BlockingPods.find(
                    pods.stream()
                            .filter(pod -> !workers.isWorker(node.name(), pod.uid()) && !UpgradeReboots.isOne(in, pod))
                            .filter(pod -> begin.filter(at -> !pod.created().isBefore(at))
                                    .isEmpty())
                            .toList(),
                    upgrade.rules(),
                    upgrade.keys(),
                    asks.upgrades(),
                    ref -> in.refusals().problem(ref).map(Problem::message));
            builder.podsKnown(true).jobs(found.jobs()).users(found.users()).drainPods(found.drained());
        } catch (RecipeFailure e) {
            // Who uses the device is not known: nobody is evicted, and the driver stays.
            builder.podsKnown(false);
        }
    }

    /** Where nothing keeps pods off the node, each has to go once: those that came since then do not count. */
    private Optional<Instant> begin(ObservedNode node) {
        String note = node.holds().annotations().getOrDefault(upgrade.keys().note(), "");
        return JournalEntry.parse(note).map(entry -> entry.started().orElse(entry.since()));
    }

    private NodeCheck validation(ObservedNode node, Pool pool) {
        for (String id : upgrade.rules().validateBefore()) {
            Outcome outcome = reports.stream()
                    .filter(report -> report.state().equals(id))
                    .findFirst()
                    .map(report -> report.on(pool.name(), node.name()))
                    .orElse(null);
            if (outcome == null) {
                return NodeCheck.waiting("nothing is known of state " + id + " on the node");
            }
            if (outcome instanceof Outcome.Failed failed) {
                String why = id + ": " + failed.problem().message();
                return failed.problem().retryable() ? NodeCheck.waiting(why) : NodeCheck.failed(why);
            }
            if (outcome instanceof Outcome.Waiting waiting) {
                return NodeCheck.waiting(id + ": " + waiting.on());
            }
        }
        return NodeCheck.READY;
    }
}
