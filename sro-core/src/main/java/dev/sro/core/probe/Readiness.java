package dev.sro.core.probe;

import dev.sro.api.Outcome;
import dev.sro.api.Problem;
import dev.sro.core.model.KubeObject;
import dev.sro.core.model.Trees;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The built-in readiness rule of each kind, on observed objects. Stateless. */
public final class Readiness {

    private static final String BUILD_NUMBER = "openshift.io/build.number";

    private Readiness() {}

    /**
     * Whether the object is ready; kinds without a rule are, as soon as they exist.
     *
     * @param live as observed
     * @param children objects that it controls and that its rule looks at: the Builds of a BuildConfig
     */
    public static Outcome of(KubeObject live, List<KubeObject> children, Instant now) {
        if (live.terminating()) {
            return Outcome.waiting("Terminating", now, live + " is being deleted");
        }
        return switch (live.ref().kind()) {
            case "DaemonSet" -> DaemonSetStatus.of(live, now);
            case "Deployment" -> deployment(live, now);
            case "StatefulSet" -> statefulSet(live, now);
            case "Job" -> job(live, now);
            case "Pod" -> pod(live, now);
            case "BuildConfig" -> buildConfig(live, children, now);
            case "CustomResourceDefinition" -> condition(live, "Established", now);
            case "APIService" -> condition(live, "Available", now);
            case "Certificate", "Issuer", "ClusterIssuer" -> condition(live, "Ready", now);
            case "PersistentVolumeClaim" -> phase(live, "Bound", now);
            case "Namespace" -> phase(live, "Active", now);
            default -> Outcome.ready();
        };
    }

    private static Outcome deployment(KubeObject live, Instant now) {
        Map<String, Object> status = live.map("status");
        long wanted = Trees.number(live.map("spec"), "replicas", 1);
        if (!DaemonSetStatus.isObserved(live)) {
            return Outcome.waiting("NotObserved", now, live + " was not seen by its controller yet");
        }
        long updated = Trees.number(status, "updatedReplicas", 0);
        long available = Trees.number(status, "availableReplicas", 0);
        if (updated < wanted || Trees.number(status, "replicas", 0) > updated) {
            return Outcome.waiting(
                    "RollingOut", now, live + ": " + updated + " of " + wanted + " replicas are updated");
        }
        return available >= wanted
                ? Outcome.ready()
                : Outcome.waiting(
                        "PodsNotAvailable", now, live + ": " + available + " of " + wanted + " replicas are available");
    }

    private static Outcome statefulSet(KubeObject live, Instant now) {
        Map<String, Object> status = live.map("status");
        long wanted = Trees.number(live.map("spec"), "replicas", 1);
        long ready = Trees.number(status, "readyReplicas", 0);
        boolean current = DaemonSetStatus.isObserved(live)
                && Trees.text(status, "currentRevision").equals(Trees.text(status, "updateRevision"));
        return current && ready >= wanted
                ? Outcome.ready()
                : Outcome.waiting(
                        "PodsNotAvailable", now, live + ": " + ready + " of " + wanted + " replicas are ready");
    }

    private static Outcome job(KubeObject live, Instant now) {
        Optional<Map<String, Object>> failed = findCondition(live, "Failed");
        if (failed.isPresent()) {
            return Outcome.failed(Problem.vendor("JobFailed", live + " failed: " + describe(failed.get())));
        }
        if (findCondition(live, "Complete").isPresent()) {
            return Outcome.ready();
        }
        long failures = Trees.number(live.map("status"), "failed", 0);
        return Outcome.waiting(
                "JobRunning",
                now,
                live + " is not complete yet" + (failures > 0 ? ", " + failures + " failed attempts so far" : ""));
    }

    private static Outcome pod(KubeObject live, Instant now) {
        String phase = Trees.text(live.tree(), "status", "phase");
        return switch (phase) {
            case "Succeeded" -> Outcome.ready();
            case "Failed" ->
                Outcome.failed(
                        Problem.vendor("PodFailed", live + " failed: " + Trees.text(live.tree(), "status", "message")));
            default ->
                Outcome.waiting(
                        "PodRunning", now, live + " has not succeeded yet" + (phase.isEmpty() ? "" : ": " + phase));
        };
    }

    /** By its newest build alone: an old one that succeeded says nothing about the present inputs. */
    private static Outcome buildConfig(KubeObject live, List<KubeObject> builds, Instant now) {
        Optional<KubeObject> newest = builds.stream().max(Comparator.comparingLong(Readiness::buildNumber));
        if (newest.isEmpty()) {
            return Outcome.waiting("BuildNotStarted", now, live + " has no build yet");
        }
        String phase = Trees.text(newest.get().tree(), "status", "phase");
        String message = Trees.text(newest.get().tree(), "status", "message");
        return switch (phase) {
            case "Complete" -> Outcome.ready();
            case "Failed", "Error", "Cancelled" ->
                Outcome.failed(Problem.vendor(
                        "BuildFailed", newest.get() + " is " + phase + (message.isEmpty() ? "" : ": " + message)));
            default -> Outcome.waiting("BuildRunning", now, newest.get() + " is " + (phase.isEmpty() ? "new" : phase));
        };
    }

    private static long buildNumber(KubeObject build) {
        try {
            return Long.parseLong(build.annotation(BUILD_NUMBER).orElse("0"));
        } catch (NumberFormatException e) {
            return 0;
        }
    }

    private static Outcome condition(KubeObject live, String type, Instant now) {
        return findCondition(live, type).isPresent()
                ? Outcome.ready()
                : Outcome.waiting("Not" + type, now, live + " has no condition " + type + "=True yet");
    }

    private static Outcome phase(KubeObject live, String wanted, Instant now) {
        String phase = Trees.text(live.tree(), "status", "phase");
        return wanted.equals(phase)
                ? Outcome.ready()
                : Outcome.waiting("Not" + wanted, now, live + " is " + (phase.isEmpty() ? "not " + wanted : phase));
    }

    private static Optional<Map<String, Object>> findCondition(KubeObject live, String type) {
        return live.maps("status", "conditions").stream()
                .filter(c -> type.equals(c.get("type")) && "True".equals(c.get("status")))
                .findFirst();
    }

    private static String describe(Map<String, Object> condition) {
        String message = Trees.text(condition, "message");
        return message.isEmpty() ? Trees.text(condition, "reason") : Trees.text(condition, "reason") + ": " + message;
    }
}
