package dev.sro.core.plan.status;

import dev.sro.api.Outcome;
import dev.sro.api.Problem;
import dev.sro.core.manifest.OptionalKinds;
import dev.sro.core.model.ObjectRef;
import dev.sro.core.plan.Dependency;
import dev.sro.core.plan.Outcomes;
import dev.sro.core.plan.StateReport;
import dev.sro.core.plan.Transition;
import dev.sro.core.upgrade.machine.RolloutPlan;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.ConditionBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Stream;

/** The conditions of a special resource. Immutable. */
final class Conditions {

    private static final String READY = "Ready";
    private static final String PROGRESSING = "Progressing";
    private static final String DEGRADED = "Degraded";
    private static final String ERRORED = "Errored";

    /** Not one of the three that say how it goes: what the plugin asks for and this version does not do. */
    private static final String NOT_ACTED_ON = "CapabilitiesNotActedOn";

    /** Nor is this: what the recipe can do without, and does, because the cluster does not serve it. */
    private static final String SKIPPED = "OptionalObjectsSkipped";

    /** Nor is this: what in the recipe is probably not meant like that. */
    private static final String WARNING = "Warning";

    /** Nor this: no further node gets the new driver until somebody says so. */
    private static final String HALTED = "UpgradeHalted";

    /** Reason while a deleted special resource is taken down. */
    static final String DELETING = "Deleting";

    /** Reason while, and after, everything is taken down because the user wants it so. */
    static final String REMOVED = "Removed";

    private record One(String type, boolean value, String reason, String message) {}

    private final List<One> conditions;
    private final String line;

    private Conditions(One ready, One progressing, One degraded, One... others) {
        this.conditions = Stream.concat(Stream.of(ready, progressing, degraded), Stream.of(others))
                .toList();
        this.line = line(ready, progressing, degraded);
    }

    private static String line(One ready, One progressing, One degraded) {
        if (ready.value) {
            return "Ready: " + ready.message;
        }
        if (degraded.value) {
            return "Errored: " + degraded.message;
        }
        // What is taken away on purpose does not make progress towards being ready.
        return progressing.reason.equals(REMOVED)
                ? (progressing.value ? "Removing: " : "Removed: ") + progressing.message
                : "Progressing: " + progressing.message;
    }

    static Conditions of(
            StatusInput in,
            List<StateReport> reports,
            SortedMap<String, Problem> nodeProblems,
            Optional<Problem> obstacle,
            Optional<RolloutPlan> rollout) {
        Outcome worst = Outcome.ready();
        Outcome firstWait = Outcome.ready();
        String at = "";
        String waitAt = "";
        for (StateReport report : reports) {
            if (Outcome.worse(worst, report.outcome()) != worst) {
                worst = report.outcome();
                at = report.state() + ": ";
            }
            if (firstWait.isReady() && report.outcome() instanceof Outcome.Waiting) {
                firstWait = report.outcome();
                waitAt = report.state() + ": ";
            }
        }
        Optional<Problem> problem = problem(in, worst, nodeProblems).or(() -> obstacle);
        String problemAt = in.problems().isEmpty() && worst.isFailed() ? at : "";
        One degraded = problem.map(p -> new One(
                        DEGRADED,
                        true,
                        p.code(),
                        shorten(p.message().startsWith(problemAt) ? p.message() : problemAt + p.message())))
                .orElse(new One(DEGRADED, false, "AsExpected", ""));
        One progressing = firstWait instanceof Outcome.Waiting waiting
                ? new One(PROGRESSING, true, waiting.reason(), shorten(waitAt + waiting.on()))
                : new One(PROGRESSING, false, degraded.value ? degraded.reason : "Done", "");
        One ready;
        if (degraded.value) {
            ready = new One(READY, false, degraded.reason, degraded.message);
        } else if (progressing.value) {
            ready = new One(READY, false, progressing.reason, progressing.message);
        } else if (in.pools().isEmpty() && in.keptOff() > 0) {
            String nodes = in.keptOff() == 1 ? "1 node is" : in.keptOff() + " nodes are";
            ready = new One(
                    READY,
                    true,
                    Dependency.NODES_KEPT_OFF,
                    nodes + " selected, and taints keep the operands off; let the recipe tolerate them");
        } else if (in.pools().isEmpty()) {
            ready = new One(READY, true, "NoMatchingNodes", "no node matches, nothing to do");
        } else {
            ready = new One(READY, true, "AllStatesReady", "");
        }
        return new Conditions(ready, progressing, degraded, notices(in, rollout));
    }

    /** There only when there is something to say. */
    private static One[] notices(StatusInput in, Optional<RolloutPlan> rollout) {
        List<One> told = new ArrayList<>();
        rollout.filter(plan -> plan.state() == RolloutPlan.State.HALTED)
                .ifPresent(plan -> told.add(new One(HALTED, true, "TooManyFailures", shorten(plan.message()))));
        if (!in.notices().isEmpty()) {
            String what = "this version of SRO does not act on: " + String.join("; ", in.notices());
            told.add(new One(NOT_ACTED_ON, true, "CapabilityNotActedOn", shorten(what)));
        }
        if (!in.skipped().isEmpty()) {
            told.add(new One(SKIPPED, true, "OptionalKindNotServed", shorten(skipped(in.skipped()))));
        }
        if (!in.warnings().isEmpty()) {
            told.add(new One(WARNING, true, "RecipeWarnings", shorten(String.join("; ", in.warnings()))));
        }
        return told.toArray(One[]::new);
    }

    /** The kinds, and as much as there is room for of what there would be of them. */
    private static String skipped(List<OptionalKinds.Skipped> skipped) {
        SortedSet<String> kinds = new TreeSet<>();
        SortedSet<String> objects = new TreeSet<>();
        for (OptionalKinds.Skipped one : skipped) {
            ObjectRef ref = one.desired().object().ref();
            kinds.add(one.kind());
            objects.add(
                    ref.kind() + " " + ref.name() + " of state " + one.desired().state());
        }
        return "the cluster does not serve " + String.join(", ", kinds) + "; SRO skips until it does: "
                + String.join(", ", objects);
    }

    private static Optional<Problem> problem(StatusInput in, Outcome worst, SortedMap<String, Problem> nodeProblems) {
        if (!in.problems().isEmpty()) {
            Problem first = in.problems().get(0);
            String all = String.join(
                    "; ", in.problems().stream().map(Problem::message).toList());
            return Optional.of(new Problem(first.code(), all, first.owner(), first.retryable()));
        }
        if (worst instanceof Outcome.Failed failed) {
            return Optional.of(failed.problem());
        }
        return nodeProblems.values().stream().findFirst();
    }

    static Conditions teardown(boolean deleted, boolean done, int left, String waitsFor, Optional<Problem> obstacle) {
        String objects = left == 1 ? "1 object is" : left + " objects are";
        String what = done
                ? "everything is removed"
                : objects + " left to remove" + (waitsFor.isEmpty() ? "" : "; " + waitsFor);
        String reason = deleted ? DELETING : REMOVED;
        return new Conditions(
                new One(READY, false, reason, shorten(what)),
                new One(PROGRESSING, !done, reason, shorten(what)),
                obstacle.map(p -> new One(DEGRADED, true, p.code(), shorten(p.message())))
                        .orElse(new One(DEGRADED, false, "AsExpected", "")));
    }

    private static String shorten(String message) {
        return Outcomes.shorten(message);
    }

    /** The one line that earlier versions of SRO had as {@code status.state}. */
    String line() {
        return line;
    }

    /** The conditions with the transition times of those that did not change. */
    List<Condition> merge(List<Condition> before, StatusInput in) {
        List<Condition> result = new ArrayList<>();
        for (One one : conditions) {
            String status = one.value ? "True" : "False";
            String since = find(before, one.type)
                    .filter(last -> status.equals(last.getStatus()))
                    .map(Condition::getLastTransitionTime)
                    .orElse(Outcomes.time(in.now()));
            result.add(new ConditionBuilder()
                    .withType(one.type)
                    .withStatus(status)
                    .withReason(one.reason)
                    .withMessage(one.message)
                    .withObservedGeneration(in.resource().getMetadata().getGeneration())
                    .withLastTransitionTime(since)
                    .build());
        }
        // The operator before us had a third condition of another name; whoever watches that goes on to be told the
        // truth.
        find(before, ERRORED).ifPresent(old -> result.add(errored(result, old)));
        return result;
    }

    private static Condition errored(List<Condition> conditions, Condition before) {
        Condition degraded = find(conditions, DEGRADED).orElseThrow();
        return new ConditionBuilder(degraded)
                .withType(ERRORED)
                .withLastTransitionTime(
                        degraded.getStatus().equals(before.getStatus())
                                ? before.getLastTransitionTime()
                                : degraded.getLastTransitionTime())
                .build();
    }

    /** An event when Ready changed, or when the reason of a problem did. */
    Optional<Transition> transition(List<Condition> before) {
        One ready = conditions.get(0);
        One degraded = conditions.get(2);
        if (degraded.value
                && !find(before, DEGRADED)
                        .filter(last -> "True".equals(last.getStatus()) && degraded.reason.equals(last.getReason()))
                        .isPresent()) {
            return Optional.of(new Transition(true, degraded.reason, degraded.message));
        }
        if (ready.value
                && !find(before, READY)
                        .filter(last -> "True".equals(last.getStatus()))
                        .isPresent()) {
            return Optional.of(new Transition(false, ready.reason, "the special resource is ready"));
        }
        return Optional.empty();
    }

    private static Optional<Condition> find(List<Condition> conditions, String type) {
        return conditions.stream().filter(c -> type.equals(c.getType())).findFirst();
    }
}
