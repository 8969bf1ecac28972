package dev.sro.core.probe;

import dev.sro.api.Outcome;
import dev.sro.api.Problem;
import dev.sro.core.model.Code;
import dev.sro.core.model.KubeObject;
import dev.sro.core.model.ValueTrees;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** The built-in readiness rule of each kind, on observed objects. Stateless. */
public final class Readiness {

    private static final String BUILD_NUMBER = "openshift.io/build.number";

    private Readiness() {}

    /**
     * Whether the object is ready; kinds without a rule are, as soon as they exist and as long as their conditions do not say
     * otherwise.
     *
     * @param live as observed
     * @param children objects that it controls and that its rule looks at: the Builds of a BuildConfig
     */
    public static Outcome judge(KubeObject live, List<KubeObject> children, Instant now) {
        if (live.terminating()) {
            return Outcome.waiting("Terminating", now, live + " is being deleted");
        }
        return switch (live.ref().kind()) {
            case "DaemonSet" -> DaemonSetStatus.judge(live, now);
            case "Deployment" -> Counts.deployment(live, now);
            case "StatefulSet" -> Counts.statefulSet(live, now);
            case "ReplicaSet", "ReplicationController" -> Counts.replicaSet(live, now);
            case "Job" -> job(live, now);
            case "Pod" -> pod(live, now);
            case "BuildConfig" -> buildConfig(live, children, now);
            case "Build" -> build(live, now);
            case "CustomResourceDefinition" -> definition(live, now);
            case "APIService" -> ConditionReadiness.needed(live, "Available", now);
            case "Certificate", "Issuer", "ClusterIssuer" -> ConditionReadiness.needed(live, "Ready", now);
            case "PersistentVolumeClaim" -> claim(live, now);
            case "Namespace" -> phase(live, "Active", now);
            default -> ConditionReadiness.general(live, now);
        };
    }

    private static Outcome job(KubeObject live, Instant now) {
        if (ConditionReadiness.isTrue(live, "Failed")) {
            return Outcome.failed(Problem.vendor(
                    Code.JOB_FAILED.text(),
                    live + " failed: " + ConditionReadiness.describe(ConditionReadiness.find(live, "Failed"))));
        }
        if (ConditionReadiness.isTrue(live, "Complete")) {
            return Outcome.ready();
        }
        if (Boolean.TRUE.equals(live.map("spec").get("suspend"))) {
            return Outcome.waiting("JobSuspended", now, live + " is suspended: its spec.suspend is true");
        }
        long failures = ValueTrees.number(live.map("status"), "failed", 0);
        return Outcome.waiting(
                Code.JOB_RUNNING.text(),
                now,
                live + " is not complete yet" + (failures > 0 ? ", " + failures + " failed attempts so far" : ""));
    }

    /** One that runs to an end has to reach it; one that is started again and again has to be ready. */
    private static Outcome pod(KubeObject live, Instant now) {
        String phase = ValueTrees.text(live.tree(), "status", "phase");
        String restart = ValueTrees.text(live.tree(), "spec", "restartPolicy");
        boolean serves = !restart.equals("Never") && !restart.equals("OnFailure");
        if (phase.equals("Succeeded") || (serves && ConditionReadiness.isTrue(live, "Ready"))) {
            return Outcome.ready();
        }
        if (phase.equals("Failed")) {
            String message = ConditionReadiness.describe(live.map("status"));
            return Outcome.failed(
                    Problem.vendor("PodFailed", live + " failed" + (message.isEmpty() ? "" : ": " + message)));
        }
        return Outcome.waiting(
                "PodRunning",
                now,
                live
                        + (serves ? " is not ready yet" : " has not succeeded yet")
                        + (phase.isEmpty() ? "" : ": " + phase)
                        + obstacle(live));
    }

    /** Why no node has the pod, in the scheduler's words, or why a container of it does not begin. */
    private static String obstacle(KubeObject live) {
        Map<String, Object> scheduled = ConditionReadiness.find(live, "PodScheduled");
        if (ValueTrees.text(scheduled, "status").equals("False")) {
            return ", " + ValueTrees.text(scheduled, "message");
        }
        return Stream.of("initContainerStatuses", "containerStatuses")
                .flatMap(list -> live.maps("status", list).stream())
                .filter(container -> !ValueTrees.text(container, "state", "waiting", "message")
                        .isEmpty())
                .findFirst()
                .map(container -> ", container " + ValueTrees.text(container, "name") + ": "
                        + ValueTrees.text(container, "state", "waiting", "message"))
                .orElse("");
    }

    /** Of these builds the one with the highest number. */
    public static Optional<KubeObject> newestBuild(List<KubeObject> builds) {
        return builds.stream().max(Comparator.comparingLong(Readiness::buildNumber));
    }

    /** By its newest build alone: an old one that succeeded says nothing about the present inputs. */
    private static Outcome buildConfig(KubeObject live, List<KubeObject> builds, Instant now) {
        Optional<KubeObject> newest = newestBuild(builds);
        return newest.isEmpty()
                ? Outcome.waiting("BuildNotStarted", now, live + " has no build yet")
                : buildPhase(newest.get(), now);
    }

    /** Of OpenShift by its phase; one of Shipwright only describes builds, and is ready when it is valid. */
    private static Outcome build(KubeObject live, Instant now) {
        if (!live.ref().apiVersion().startsWith("shipwright.io/")) {
            return buildPhase(live, now);
        }
        String registered = ValueTrees.text(live.tree(), "status", "registered");
        if (registered.equals("True")) {
            return Outcome.ready();
        }
        return registered.equals("False")
                ? Outcome.failed(Problem.vendor(
                        "BuildNotRegistered", live + " is refused: " + ConditionReadiness.describe(live.map("status"))))
                : Outcome.waiting("BuildNotRegistered", now, live + " was not seen by its controller yet");
    }

    private static Outcome buildPhase(KubeObject build, Instant now) {
        String phase = ValueTrees.text(build.tree(), "status", "phase");
        String message = ValueTrees.text(build.tree(), "status", "message");
        return switch (phase) {
            case "Complete" -> Outcome.ready();
            case "Failed", "Error", "Cancelled" ->
                Outcome.failed(Problem.vendor(
                        "BuildFailed", build + " is " + phase + (message.isEmpty() ? "" : ": " + message)));
            default -> Outcome.waiting("BuildRunning", now, build + " is " + (phase.isEmpty() ? "new" : phase));
        };
    }

    private static long buildNumber(KubeObject build) {
        try {
            return Long.parseLong(build.annotation(BUILD_NUMBER).orElse("0"));
        } catch (NumberFormatException e) {
            return 0;
        }
    }

    private static Outcome definition(KubeObject live, Instant now) {
        Map<String, Object> names = ConditionReadiness.find(live, "NamesAccepted");
        return "False".equals(names.get("status"))
                ? Outcome.failed(Problem.platform(
                        "CrdNamesNotAccepted",
                        live + ": another definition has its names: " + ConditionReadiness.describe(names)))
                : ConditionReadiness.needed(live, "Established", now);
    }

    private static Outcome claim(KubeObject live, Instant now) {
        return "Lost".equals(live.map("status").get("phase"))
                ? Outcome.failed(Problem.platform("VolumeLost", live + " has lost its volume"))
                : phase(live, "Bound", now);
    }

    private static Outcome phase(KubeObject live, String wanted, Instant now) {
        String phase = ValueTrees.text(live.tree(), "status", "phase");
        return wanted.equals(phase)
                ? Outcome.ready()
                : Outcome.waiting("Not" + wanted, now, live + " is " + (phase.isEmpty() ? "not " + wanted : phase));
    }
}
