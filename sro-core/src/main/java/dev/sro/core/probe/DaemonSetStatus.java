package dev.sro.core.probe;

import dev.sro.api.Outcome;
import dev.sro.core.model.KubeObject;
import dev.sro.core.model.ValueTrees;
import java.time.Instant;
import java.util.Map;

/** Judges a DaemonSet by the counters in its status. Stateless. */
final class DaemonSetStatus {

    private DaemonSetStatus() {}

    /** Whether the controller has seen the newest spec. */
    static boolean isObserved(KubeObject object) {
        return ValueTrees.number(object.map("status"), "observedGeneration", -1) >= object.generation();
    }

    static Outcome judge(KubeObject object, Instant now) {
        Map<String, Object> status = object.map("status");
        if (!isObserved(object)) {
            return Counts.notObserved(object, now);
        }
        long desired = ValueTrees.number(status, "desiredNumberScheduled", 0);
        long updated = ValueTrees.number(status, "updatedNumberScheduled", 0);
        long available = ValueTrees.number(status, "numberAvailable", 0);
        if (updated < desired) {
            String how = Counts.isOnDelete(object)
                    ? Counts.onDelete(object, updated, desired)
                    : object + ": " + updated + " of " + desired + " pods are updated";
            return Outcome.waiting("RollingOut", now, how);
        }
        return available >= desired
                ? Outcome.ready()
                : Outcome.waiting(
                        "PodsNotAvailable", now, object + ": " + available + " of " + desired + " pods are available");
    }
}
