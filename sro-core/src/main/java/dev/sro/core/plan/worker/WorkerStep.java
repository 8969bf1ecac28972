package dev.sro.core.plan.worker;

import dev.sro.api.Outcome;
import dev.sro.api.Problem;
import dev.sro.core.facts.ObservedNode;
import dev.sro.core.load.NodeLoad;
import dev.sro.core.load.WorkerDecision;
import dev.sro.core.load.WorkerDecision.Pod;
import dev.sro.core.load.WorkerDecision.Recorded;
import dev.sro.core.load.WorkerPods;
import dev.sro.core.load.WorkerTask;
import dev.sro.core.model.Code;
import dev.sro.core.model.KubeObject;
import dev.sro.core.model.MetadataKeys;
import dev.sro.core.model.ObjectRef;
import dev.sro.core.plan.Write;
import dev.sro.core.pool.ServedNodes;
import dev.sro.core.probe.PodFacts;
import dev.sro.core.probe.PodOutcomes;
import dev.sro.core.upgrade.machine.DriverPod;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What comes next for the modules of one node: the {@link WorkerDecision}, turned into a write and an outcome. */
final class WorkerStep {

    /** A pod that was given up, which is evicted or turned away by the kubelet, is made anew this long after it was made. */
    private static final Duration RETRY = Duration.ofMinutes(1);

    /** What an upgrade lets a node do that runs another configuration. */
    enum Permit {
        /** Keep it. */
        NONE,
        /** Load the wanted one, which puts right what differs: the plugin says that users do not mind. */
        RELOAD,
        /** Unload, then load. */
        REPLACE
    }

    private final WorkerInput in;
    private final ObservedNode node;
    private final String pool;
    private final @Nullable KubeObject template;
    private final Map<String, KubeObject> templates;
    private final Optional<NodeLoad> recorded;
    private final @Nullable PodFacts pod;
    private final Permit permit;
    private final WorkerDecision.Input facts;
    private final WorkerDecision decision;

    /**
     * @param pool name of the node's pool; empty when nothing is wanted on the node
     * @param template what is wanted, as it is rendered; null for nothing
     * @param templates those that exist, by configuration
     * @param recorded what the node says
     */
    WorkerStep(
            WorkerInput in,
            ObservedNode node,
            String pool,
            @Nullable KubeObject template,
            Map<String, KubeObject> templates,
            Optional<NodeLoad> recorded,
            @Nullable PodFacts pod,
            Permit permit) {
        this.in = in;
        this.node = node;
        this.pool = pool;
        this.template = template;
        this.templates = templates;
        this.recorded = recorded;
        this.pod = pod;
        this.permit = permit;
        this.facts = new WorkerDecision.Input(
                template != null,
                said(),
                podNow(),
                node.facts().ready(),
                template != null
                        && ServedNodes.keepsPodsOff(node.facts(), template.maps("template", "spec", "tolerations")),
                permit != Permit.NONE);
        this.decision = WorkerDecision.of(facts);
    }

    /** The same with another permit. */
    WorkerStep with(Permit other) {
        return new WorkerStep(in, node, pool, template, templates, recorded, pod, other);
    }

    String pool() {
        return pool;
    }

    ObservedNode node() {
        return node;
    }

    boolean isWanted() {
        return template != null;
    }

    /** Configuration that is wanted; empty for none. */
    String config() {
        return template == null
                ? ""
                : template.annotation(MetadataKeys.LOAD_CONFIG).orElse("");
    }

    private boolean inThisBoot() {
        return recorded.filter(load -> load.boot().equals(NodeLoad.boot(node.facts())))
                .filter(load -> load.kernel().equals(NodeLoad.kernel(node.facts())))
                .isPresent();
    }

    private Recorded said() {
        if (recorded.isEmpty()) {
            return Recorded.NOTHING;
        }
        if (!recorded.get().boot().equals(NodeLoad.boot(node.facts()))) {
            return Recorded.OTHER_BOOT;
        }
        if (!recorded.get().kernel().equals(NodeLoad.kernel(node.facts()))) {
            return Recorded.OTHER_KERNEL;
        }
        if (template != null && recorded.get().config().equals(config())) {
            return Recorded.WANTED;
        }
        // Nobody knows any more how it was loaded; loading puts right what it finds.
        boolean lost = !templates.containsKey(recorded.get().config());
        boolean loads = template != null && (permit == Permit.RELOAD || (lost && permit == Permit.REPLACE));
        return loads ? Recorded.NOTHING : Recorded.OTHER;
    }

    private Pod podNow() {
        if (pod == null) {
            return Pod.NONE;
        }
        if (pod.terminating()) {
            return Pod.LEAVING;
        }
        Optional<WorkerTask> work = WorkerTask.parse(pod.work());
        if (work.isEmpty() || !work.get().boot().equals(NodeLoad.boot(node.facts()))) {
            return Pod.OTHER_BOOT;
        }
        boolean ofRecorded =
                inThisBoot() && recorded.get().config().equals(work.get().config());
        boolean failed = pod.phase().equals("Failed");
        boolean succeeded = pod.phase().equals("Succeeded");
        if (work.get().task() == WorkerTask.Task.UNLOAD) {
            if (!ofRecorded) {
                return Pod.UNLOADS_OTHER;
            }
            return succeeded ? Pod.UNLOADED_RECORDED : failed ? Pod.FAILED_RECORDED : Pod.UNLOADS_RECORDED;
        }
        if (template == null || !work.get().config().equals(config())) {
            boolean begun = !pod.phase().equals("Pending")
                    || !pod.containers().stream()
                            .allMatch(container -> !container.started() && container.restarts() == 0);
            return ofRecorded ? Pod.LOADS_RECORDED : begun ? Pod.LOADS_OTHER : Pod.NOT_BEGUN;
        }
        return succeeded ? Pod.LOADED_WANTED : failed ? Pod.FAILED_WANTED : Pod.LOADS_WANTED;
    }

    /** What is loaded, as an upgrade sees it. */
    DriverPod driver() {
        if (template == null) {
            return DriverPod.of(DriverPod.State.CURRENT_READY, "");
        }
        DriverPod.State state = WorkerDrivers.state(facts, pod != null && pod.restarts() > 0);
        String uid = switch (state) {
            case CURRENT_READY -> "";
            case OUTDATED -> recorded.map(NodeLoad::label).orElse("");
            default -> pod == null ? "" : pod.uid();
        };
        boolean working = pod != null && state != DriverPod.State.CURRENT_READY && state != DriverPod.State.OUTDATED;
        return new DriverPod(state, uid, working && pod != null ? pod.restarts() : 0, working ? waits(working()) : "");
    }

    private static String waits(Outcome outcome) {
        return outcome instanceof Outcome.Failed failed
                ? failed.problem().message()
                : outcome instanceof Outcome.Waiting waiting ? waiting.on() : "";
    }

    /** What the node is to say. */
    Optional<NodeLoad> recordedAfter() {
        if (decision == WorkerDecision.RECORD && pod != null) {
            return WorkerTask.parse(pod.work()).map(work -> NodeLoad.of(work.config(), node.facts()));
        }
        return decision == WorkerDecision.FORGET ? Optional.empty() : recorded;
    }

    /** What is to be done to its pod. */
    Optional<Write> write() {
        Optional<Write> write = switch (decision) {
            case LOAD -> work(WorkerTask.Task.LOAD, config());
            case UNLOAD -> recorded.flatMap(load -> work(WorkerTask.Task.UNLOAD, load.config()));
            case DELETE_POD -> Optional.ofNullable(pod).map(one -> deletion(one, pool, "its work is done"));
            case RETRY ->
                Optional.ofNullable(pod)
                        .filter(one -> !in.now().isBefore(again(one)))
                        .map(one -> deletion(one, pool, "it failed and is made anew"));
            default -> Optional.empty();
        };
        return write.filter(one -> in.refusals().allow(one.ref()));
    }

    private Optional<Write> work(WorkerTask.Task task, String config) {
        KubeObject from = templates.get(config);
        if (from == null) {
            return Optional.empty();
        }
        ObjectRef ref = ref(from);
        WorkerTask work = new WorkerTask(task, config, NodeLoad.boot(node.facts()));
        KubeObject made = WorkerPods.render(from, ref, node.name(), node.facts().bootId(), work);
        String why =
                (task == WorkerTask.Task.LOAD ? "loads modules on node " : "unloads modules from node ") + node.name();
        return Optional.of(
                new Write.Apply(made, true, from.annotation(MetadataKeys.STATE).orElse(""), pool, why));
    }

    private ObjectRef ref(KubeObject from) {
        return WorkerPods.ref(in.resource().getMetadata().getName(), from.ref().namespace(), node.name());
    }

    static Write deletion(PodFacts pod, String pool, String why) {
        ObjectRef ref = new ObjectRef("v1", "Pod", pod.namespace(), pod.name());
        return new Write.Delete(ref, pod.uid(), false, "", pool, why);
    }

    private static Instant again(PodFacts pod) {
        return pod.created().plus(RETRY);
    }

    /** When a pod is to be made anew; {@link Instant#MAX} when none is. */
    Instant retryAt() {
        return decision == WorkerDecision.RETRY && pod != null && in.now().isBefore(again(pod))
                ? again(pod)
                : Instant.MAX;
    }

    /** How far the node is. */
    Outcome outcome() {
        String name = node.name();
        return switch (decision) {
            case READY, HELD -> ready();
            case REST -> Outcome.ready();
            case RECORD, DELETE_POD -> isLoadedAfter() ? ready() : loading("changes what is loaded");
            case FORGET -> loading("changes what is loaded");
            case LOAD -> failure().orElseGet(() -> loading("gets a pod that loads"));
            case UNLOAD -> failure().orElseGet(() -> unloading(name));
            case RETRY, WORKING -> working();
            case NODE_NOT_READY -> Outcome.waiting("NodeNotReady", in.now(), "node " + name + " is not Ready");
            case NODE_TAINTED ->
                Outcome.waiting(
                        "NodeTainted",
                        in.now(),
                        "node " + name + " has a taint that the pods which load do not tolerate: "
                                + node.facts().taints());
        };
    }

    private boolean isLoadedAfter() {
        return template != null
                && recordedAfter()
                        .filter(load -> load.config().equals(config()))
                        .filter(load -> load.boot().equals(NodeLoad.boot(node.facts())))
                        .isPresent();
    }

    private Outcome ready() {
        return node.facts().ready()
                ? Outcome.ready()
                : Outcome.waiting("NodeNotReady", in.now(), "node " + node.name() + " is not Ready");
    }

    private Outcome loading(String what) {
        return Outcome.waiting("Loading", in.now(), "node " + node.name() + " " + what);
    }

    private Outcome unloading(String name) {
        if (recorded.isPresent() && !templates.containsKey(recorded.get().config())) {
            return Outcome.failed(Problem.user(
                    "LoadRecordMissing",
                    "node " + name + ": what is loaded cannot be unloaded, its PodTemplate with annotation "
                            + MetadataKeys.LOAD_CONFIG + "=" + recorded.get().config()
                            + " was deleted; boot the node, or unload by hand and remove the node's label "
                            + MetadataKeys.loadedLabel(
                                    in.resource().getMetadata().getName())));
        }
        return Outcome.waiting("Unloading", in.now(), "node " + name + " gets a pod that unloads");
    }

    /** Why the pod could not be made. */
    private Optional<Outcome> failure() {
        String wantedConfig = decision == WorkerDecision.LOAD
                ? config()
                : recorded.map(NodeLoad::config).orElse("");
        return Optional.ofNullable(templates.get(wantedConfig))
                .flatMap(from -> in.refusals().problem(ref(from)))
                .map(Outcome::failed);
    }

    private Outcome working() {
        if (pod == null) {
            return loading("waits");
        }
        boolean unloads = WorkerTask.parse(pod.work())
                .filter(work -> work.task() == WorkerTask.Task.UNLOAD)
                .isPresent();
        String waits = unloads ? "Unloading" : "Loading";
        String where = "pod " + pod.namespace() + "/" + pod.name() + " on node " + node.name() + ": ";
        if (decision == WorkerDecision.RETRY) {
            return failed(unloads, where + (pod.message().isEmpty() ? "the kubelet gave it up" : pod.message()));
        }
        Outcome said = PodOutcomes.judge(pod, "", in.now());
        if (Code.CONTAINER_FAILED.is(said)) {
            return failed(unloads, where + (pod.message().isEmpty() ? pod.waitingReason() : pod.message()));
        }
        return said.isReady() || said instanceof Outcome.Waiting
                ? Outcome.waiting(waits, in.now(), where + (unloads ? "unloads" : "loads"))
                : said;
    }

    private static Outcome failed(boolean unloads, String message) {
        return Outcome.failed(
                unloads ? Problem.platform("UnloadFailed", message) : Problem.vendor("LoadFailed", message));
    }
}
