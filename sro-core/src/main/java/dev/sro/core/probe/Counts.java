package dev.sro.core.probe;

import dev.sro.api.Outcome;
import dev.sro.api.Problem;
import dev.sro.core.model.KubeObject;
import dev.sro.core.model.ValueTrees;
import java.time.Instant;
import java.util.Map;

/** Judges Deployments, StatefulSets and ReplicaSets by the counters in their status. Stateless. */
final class Counts {

    private Counts() {}

    static Outcome deployment(KubeObject live, Instant now) {
        Map<String, Object> status = live.map("status");
        long wanted = ValueTrees.number(live.map("spec"), "replicas", 1);
        if (!DaemonSetStatus.isObserved(live)) {
            return notObserved(live, now);
        }
        long updated = ValueTrees.number(status, "updatedReplicas", 0);
        long available = ValueTrees.number(status, "availableReplicas", 0);
        boolean rolledOut = updated >= wanted && ValueTrees.number(status, "replicas", 0) <= updated;
        if (rolledOut && available >= wanted) {
            return Outcome.ready();
        }
        Map<String, Object> progress = ConditionReadiness.find(live, "Progressing");
        if ("ProgressDeadlineExceeded".equals(progress.get("reason")) && "False".equals(progress.get("status"))) {
            return Outcome.failed(Problem.vendor(
                    "ProgressDeadlineExceeded",
                    live + ": " + available + " of " + wanted + " replicas are available, and there is no progress: "
                            + ValueTrees.text(progress, "message")));
        }
        return rolledOut ? notAvailable(live, available, wanted, now) : rollingOut(live, updated, wanted, now);
    }

    static Outcome statefulSet(KubeObject live, Instant now) {
        Map<String, Object> status = live.map("status");
        Map<String, Object> strategy = live.map("spec", "updateStrategy");
        long wanted = ValueTrees.number(live.map("spec"), "replicas", 1);
        if (!DaemonSetStatus.isObserved(live)) {
            return notObserved(live, now);
        }
        // Pods below the partition stay as they are, on purpose.
        long toUpdate =
                Math.max(0, wanted - ValueTrees.number(ValueTrees.map(strategy, "rollingUpdate"), "partition", 0));
        long updated = ValueTrees.number(status, "updatedReplicas", 0);
        boolean current = ValueTrees.text(status, "currentRevision").equals(ValueTrees.text(status, "updateRevision"));
        long ready = ValueTrees.number(status, "readyReplicas", 0);
        if (!current && updated < toUpdate) {
            return isOnDelete(live)
                    ? Outcome.waiting("RollingOut", now, onDelete(live, updated, toUpdate))
                    : rollingOut(live, updated, toUpdate, now);
        }
        return ready >= wanted
                ? Outcome.ready()
                : Outcome.waiting(
                        "PodsNotAvailable", now, live + ": " + ready + " of " + wanted + " replicas are ready");
    }

    static Outcome replicaSet(KubeObject live, Instant now) {
        Map<String, Object> status = live.map("status");
        long wanted = ValueTrees.number(live.map("spec"), "replicas", 1);
        if (!DaemonSetStatus.isObserved(live)) {
            return notObserved(live, now);
        }
        long available = ValueTrees.number(status, "availableReplicas", 0);
        Map<String, Object> failure = ConditionReadiness.find(live, "ReplicaFailure");
        if (available < wanted && "True".equals(failure.get("status"))) {
            return Outcome.waiting("PodsNotCreated", now, live + ": " + ConditionReadiness.describe(failure));
        }
        return available >= wanted && ValueTrees.number(status, "replicas", 0) <= wanted
                ? Outcome.ready()
                : notAvailable(live, available, wanted, now);
    }

    static boolean isOnDelete(KubeObject live) {
        return "OnDelete".equals(live.map("spec", "updateStrategy").get("type"));
    }

    /** Nobody but the one who deletes the pods gets further. */
    static String onDelete(KubeObject live, long updated, long wanted) {
        return live + ": " + updated + " of " + wanted
                + " pods are updated; its updateStrategy is OnDelete: the others are"
                + " replaced when they are deleted";
    }

    static Outcome notObserved(KubeObject live, Instant now) {
        return Outcome.waiting("NotObserved", now, live + " was not seen by its controller yet");
    }

    private static Outcome rollingOut(KubeObject live, long updated, long wanted, Instant now) {
        return Outcome.waiting("RollingOut", now, live + ": " + updated + " of " + wanted + " replicas are updated");
    }

    private static Outcome notAvailable(KubeObject live, long available, long wanted, Instant now) {
        return Outcome.waiting(
                "PodsNotAvailable", now, live + ": " + available + " of " + wanted + " replicas are available");
    }
}
