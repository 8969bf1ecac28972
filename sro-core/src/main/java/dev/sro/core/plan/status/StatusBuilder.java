package dev.sro.core.plan.status;

import dev.sro.api.Outcome;
import dev.sro.api.Pool;
import dev.sro.api.Problem;
import dev.sro.api.resource.NodeCounts;
import dev.sro.api.resource.OutcomeKind;
import dev.sro.api.resource.PoolStatus;
import dev.sro.api.resource.SpecialResourceStatus;
import dev.sro.api.resource.StateStatus;
import dev.sro.core.driver.PoolDriver;
import dev.sro.core.load.WorkerPods;
import dev.sro.core.manifest.DesiredHook;
import dev.sro.core.manifest.DesiredState;
import dev.sro.core.manifest.PartitionManifests;
import dev.sro.core.model.Code;
import dev.sro.core.model.Operands;
import dev.sro.core.plan.Dependency;
import dev.sro.core.plan.HeldStates;
import dev.sro.core.plan.Outcomes;
import dev.sro.core.plan.PoolReport;
import dev.sro.core.plan.Reasons;
import dev.sro.core.plan.StateReport;
import dev.sro.core.plan.Transition;
import dev.sro.core.plan.Write;
import dev.sro.core.release.ReleaseRecord;
import dev.sro.core.upgrade.machine.RolloutPlan;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;

/**
 * Makes the status of a special resource from reports, and keeps what did not change (times above all), so that an
 * unchanged status compares equal. Lives for one plan.
 */
public final class StatusBuilder {

    /** Changes of counters and messages alone are written at most this often. */
    private static final Duration COUNTER_INTERVAL = Duration.ofSeconds(1);

    /** Far longer than a registry takes to answer. */
    private static final Duration LOOKING = Duration.ofSeconds(30);

    private final StatusInput in;
    private final List<StateReport> reports;
    private final SortedMap<String, Problem> nodeProblems;
    private final List<Write> work;
    private final Optional<Problem> obstacle;
    private final Optional<RolloutPlan> rollout;
    private final SpecialResourceStatus before;
    private final List<Transition> transitions = new ArrayList<>();
    private Optional<Instant> deferredUntil = Optional.empty();
    private boolean addsKinds;
    private Optional<ManagedKinds> remaining = Optional.empty();

    public StatusBuilder(
            StatusInput in,
            List<StateReport> reports,
            SortedMap<String, Problem> nodeProblems,
            List<Write> work,
            Optional<Problem> obstacle,
            Optional<RolloutPlan> rollout) {
        this.rollout = rollout;
        this.in = in;
        this.reports = reports;
        this.nodeProblems = nodeProblems;
        this.work = work;
        this.obstacle = obstacle;
        SpecialResourceStatus last = in.resource().getStatus();
        this.before = last == null ? new SpecialResourceStatus() : last;
    }

    /** What is worth an event; complete after {@link #write}. */
    public List<Transition> transitions() {
        return transitions;
    }

    /** When a status that was held back is due; known after {@link #write}. */
    public Optional<Instant> deferredUntil() {
        return deferredUntil;
    }

    /** Whether objects of a kind are written for the first time; known after {@link #write}. */
    public boolean addsKinds() {
        return addsKinds;
    }

    /**
     * The write of the status, if it changed and is due.
     *
     * @param readinessTaints that are, or are about to be, on nodes
     * @param partitionTaints the same
     */
    public Optional<Write> write(List<String> readinessTaints, List<String> partitionTaints) {
        SpecialResourceStatus status = new SpecialResourceStatus();
        status.setObservedGeneration(in.resource().getMetadata().getGeneration());
        managed(status);
        status.setReadinessTaints(readinessTaints);
        status.setPartitionTaints(partitionTaints);
        List<PoolStatus> pools = in.pools().stream()
                .limit(SpecialResourceStatus.MAX_POOLS)
                .map(this::poolStatus)
                .toList();
        status.setPools(pools);
        status.setPoolCount(in.pools().size());
        status.setNodes(nodeCounts());
        status.setStates(reports.stream().map(this::stateStatus).toList());
        status.setSamples(new OutcomeSelection(in, before, reports, nodeProblems).list());
        status.setUpgrade(UpgradeStatuses.build(in, rollout, before.getUpgrade()));
        UpgradeStatuses.transition(rollout, before.getUpgrade()).ifPresent(transitions::add);
        Conditions conditions = Conditions.of(in, reports, nodeProblems, obstacle, rollout);
        status.setConditions(conditions.merge(before.getConditions(), in));
        status.setState(conditions.line());
        conditions.transition(before.getConditions()).filter(this::isNews).ifPresent(transitions::add);
        return changed(status);
    }

    /** One cause is one event: what a state said when it failed is not said again by the condition that follows from it. */
    private boolean isNews(Transition transition) {
        return !transition.warning()
                || transitions.stream()
                        .noneMatch(told -> told.warning() && told.reason().equals(transition.reason()));
    }

    /** Nothing else is left, as was seen: no other kind has to be seen from now on. */
    public void onlyLeft(ManagedKinds kinds) {
        remaining = Optional.of(kinds);
    }

    /**
     * The status of a special resource that is being taken down.
     *
     * @param waitsFor what keeps an object; empty for nothing but time
     * @param hold whose states have to stay for a while
     */
    public Optional<Write> writeTeardown(boolean deleted, boolean done, int left, String waitsFor, HeldStates hold) {
        SpecialResourceStatus status = new SpecialResourceStatus();
        status.setObservedGeneration(in.resource().getMetadata().getGeneration());
        status.setManagedKinds(done ? List.of() : before.getManagedKinds());
        status.setManagedOutside(done ? null : before.getManagedOutside());
        remaining.filter(unused -> !done).ifPresent(kinds -> kinds.tell(status));
        status.setReadinessTaints(done ? List.of() : before.getReadinessTaints());
        status.setPartitionTaints(done ? List.of() : before.getPartitionTaints());
        if (!done) {
            // In the order of the recipe, by which they go; nothing else remembers it.
            String reason = deleted ? Conditions.DELETING : Conditions.REMOVED;
            status.setStates(before.getStates().stream()
                    .map(state -> leaving(state, reason, hold))
                    .toList());
        }
        Conditions conditions = Conditions.teardown(deleted, done, left, waitsFor, obstacle);
        conditions
                .transition(before.getConditions())
                .filter(Transition::warning)
                .ifPresent(transitions::add);
        status.setConditions(conditions.merge(before.getConditions(), in));
        status.setState(conditions.line());
        return changed(status);
    }

    private StateStatus leaving(StateStatus state, String otherwise, HeldStates hold) {
        boolean held = hold.states().contains(state.getName());
        String reason = held ? Reasons.CLAIMS_IN_USE : otherwise;
        StateStatus leaving = new StateStatus();
        leaving.setName(state.getName());
        leaving.setOutcome(OutcomeKind.WAITING);
        leaving.setReason(reason);
        leaving.setMessage(held ? Outcomes.shorten(hold.why()) : null);
        leaving.setSince(reason.equals(state.getReason()) ? state.getSince() : Outcomes.time(in.now()));
        return leaving;
    }

    private Optional<Write> changed(SpecialResourceStatus status) {
        if (status.equals(before)) {
            return Optional.empty();
        }
        Optional<Instant> looked = lookingUntil();
        if (!addsKinds && looked.isPresent()) {
            deferredUntil = looked;
            return Optional.empty();
        }
        Instant due = in.lastStatusWrite().equals(Instant.MIN)
                ? in.now()
                : in.lastStatusWrite().plus(COUNTER_INTERVAL);
        if (!addsKinds && in.now().isBefore(due) && outline(status).equals(outline(before))) {
            deferredUntil = Optional.of(due);
            return Optional.empty();
        }
        return Optional.of(new Write.UpdateStatus(in.self(), in.uid(), status));
    }

    /**
     * Until when the status stays as it is, because a registry is asked again for what was known before the operator was started anew:
     * what it says is still the best that anybody knows.
     */
    private Optional<Instant> lookingUntil() {
        boolean current = in.lastStatusWrite().equals(Instant.MIN)
                && Objects.equals(
                        before.getObservedGeneration(),
                        in.resource().getMetadata().getGeneration());
        if (!current) {
            return Optional.empty();
        }
        return in.drivers().values().stream()
                .flatMap(driver -> driver.choice().obstacle().stream())
                .filter(Outcome.Waiting.class::isInstance)
                .map(Outcome.Waiting.class::cast)
                .filter(Code.LOOKING_FOR_IMAGE::is)
                .map(waiting -> waiting.since().plus(LOOKING))
                .filter(in.now()::isBefore)
                .max(Instant::compareTo);
    }

    /** Everything but counters, messages and samples. */
    private static List<Object> outline(SpecialResourceStatus status) {
        List<Object> outline = new ArrayList<>();
        outline.add(String.valueOf(status.getObservedGeneration()));
        outline.add(status.getManagedKinds());
        outline.add(status.getReadinessTaints());
        outline.add(
                status.getUpgrade() == null
                        ? ""
                        : String.valueOf(status.getUpgrade().getState()));
        status.getConditions().forEach(c -> outline.add(c.getType() + c.getStatus() + c.getReason()));
        status.getStates().forEach(s -> outline.add(s.getName() + s.getOutcome() + s.getReason()));
        status.getPools().forEach(p -> outline.add(p.getName()));
        return outline;
    }

    private void managed(SpecialResourceStatus status) {
        ManagedKinds managed = new ManagedKinds(Operands.namespace(in.resource()));
        if (!work.isEmpty() || !in.unseenKinds().isEmpty() || !in.problems().isEmpty()) {
            managed.addAll(before);
        }
        in.owned().keySet().forEach(managed::add);
        // Of these it is not known whether there is anything left.
        in.skipped().forEach(skipped -> managed.keep(skipped.kind(), before));
        for (Write write : work) {
            // A dependency is nobody's operand: it is found by its name.
            if (write instanceof Write.Apply apply
                    && !apply.state().equals(Dependency.STATE)
                    && !WorkerPods.isOne(apply.object())) {
                managed.add(apply.ref());
            }
        }
        if (!in.pools().isEmpty()) {
            in.namespace().ifPresent(namespace -> managed.add(namespace.object().ref()));
            in.release()
                    .filter(unused -> !in.unseenKinds().containsKey(ReleaseRecord.KIND_KEY))
                    .map(release -> ReleaseRecord.ref(
                            release.chart().name(), release.chart().namespace(), 1))
                    .ifPresent(managed::add);
        }
        // What is tried and refused is recorded as what is there, or the record would change with each try.
        in.states().stream().filter(this::isPlanned).forEach(state -> {
            state.hooks().stream()
                    .filter(DesiredHook::isAutomatic)
                    .forEach(hook -> managed.add(hook.object().ref()));
            state.objects().forEach(object -> managed.add(object.object().ref()));
        });
        addsKinds = managed.addsTo(before);
        managed.tell(status);
    }

    private boolean isPlanned(DesiredState state) {
        return !in.pools().isEmpty() || state.state().id().equals(PartitionManifests.STATE);
    }

    private NodeCounts nodeCounts() {
        // A node with a problem is selected whether or not it is in a pool.
        int selected = 0;
        for (String node : nodeProblems.keySet()) {
            selected += in.nodes().containsKey(node) ? 0 : 1;
        }
        int ready = 0;
        for (Pool pool : in.pools()) {
            ready += ReadyNodes.count(reports, pool);
            selected += pool.nodes().size();
        }
        NodeCounts counts = new NodeCounts();
        counts.setSelected(selected);
        counts.setReady(ready);
        return counts;
    }

    private PoolStatus poolStatus(Pool pool) {
        PoolStatus status = new PoolStatus();
        status.setName(pool.name());
        status.setKernel(pool.kernel().raw());
        status.setOs(pool.os().toString());
        status.setArchitecture(pool.architecture());
        status.setNodes(pool.nodes().size());
        PoolDriver driver = in.drivers().getOrDefault(pool.name(), PoolDriver.NONE);
        driver.choice().image().ifPresent(status::setDriverImage);
        driver.choice().obstacle().ifPresent(outcome -> {
            status.setDriverReason(Outcomes.reason(outcome));
            status.setDriverMessage(Outcomes.shorten(String.valueOf(Outcomes.message(outcome))));
        });
        return status;
    }

    private StateStatus stateStatus(StateReport report) {
        StateStatus status = new StateStatus();
        status.setName(report.state());
        status.setOutcome(Outcomes.kind(report.outcome()));
        status.setReason(Outcomes.reason(report.outcome()));
        status.setMessage(Outcomes.message(report.outcome()));
        status.setPools(report.pools().size());
        status.setReadyPools(report.readyPools());
        int nodes = 0;
        int ready = 0;
        for (PoolReport pool : report.pools().values()) {
            nodes += pool.nodes().size();
            ready += pool.readyNodes();
        }
        status.setNodes(nodes);
        status.setReadyNodes(ready);
        Optional<StateStatus> last = before.getStates().stream()
                .filter(state -> state.getName().equals(report.state()))
                .findFirst();
        boolean same = last.isPresent()
                && last.get().getOutcome() == status.getOutcome()
                && String.valueOf(last.get().getReason()).equals(String.valueOf(status.getReason()));
        status.setSince(same ? last.get().getSince() : Outcomes.time(in.now()));
        if (!same) {
            announce(report, last.map(StateStatus::getOutcome));
        }
        return status;
    }

    private void announce(StateReport report, Optional<OutcomeKind> last) {
        if (report.outcome() instanceof Outcome.Failed failed) {
            transitions.add(new Transition(
                    true,
                    failed.problem().code(),
                    about(report.state(), failed.problem().message())));
        } else if (report.outcome().isReady()) {
            transitions.add(new Transition(false, "StateReady", "state " + report.state() + " is ready"));
        } else if (last.isPresent() && last.get() == OutcomeKind.READY) {
            transitions.add(new Transition(
                    false, "StateNotReady", about(report.state(), String.valueOf(Outcomes.message(report.outcome())))));
        }
    }

    /** Messages about manifests name their state already. */
    private static String about(String state, String message) {
        return Outcomes.shorten(message.startsWith(state + ": ") ? message : state + ": " + message);
    }
}
