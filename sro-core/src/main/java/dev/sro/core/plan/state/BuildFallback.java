package dev.sro.core.plan.state;

import dev.sro.api.Outcome;
import dev.sro.api.Problem;
import dev.sro.core.manifest.Desired;
import dev.sro.core.manifest.DesiredState;
import dev.sro.core.model.Code;
import dev.sro.core.model.KubeObject;
import dev.sro.core.model.MetadataKeys;
import dev.sro.core.model.ObjectRef;
import dev.sro.core.model.ValueTrees;
import dev.sro.core.probe.Readiness;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * Pairs of BuildConfigs and DaemonSets with the same {@link MetadataKeys#VENDOR}: an image is built only when it cannot be pulled, for
 * each vendor and pool by itself. Lives for one plan.
 */
public final class BuildFallback {

    /** Reasons of the kubelet for an image that is not there; any other problem a build would not solve. */
    private static final Set<String> NOT_THERE = Set.of("ImagePullBackOff", "ErrImagePull");

    /** The longest time that the kubelet lets pass before it tries to pull an image again, and a minute. */
    private static final Duration PULLED_AGAIN = Duration.ofMinutes(6);

    private final StateInput in;
    private final StateDraft draft;
    private final Map<String, List<Desired>> daemonSets = new HashMap<>();
    private final Map<String, List<Desired>> builds = new HashMap<>();

    public BuildFallback(StateInput in, StateDraft draft) {
        this.in = in;
        this.draft = draft;
        for (DesiredState state : in.states()) {
            state.objects().forEach(this::sort);
        }
    }

    private void sort(Desired desired) {
        KubeObject object = desired.object();
        object.annotation(MetadataKeys.VENDOR)
                .filter(vendor -> !vendor.isEmpty())
                .ifPresent(vendor -> {
                    if (object.ref().kind().equals("DaemonSet")) {
                        daemonSets
                                .computeIfAbsent(vendor, v -> new ArrayList<>())
                                .add(desired);
                    } else if (object.ref().kind().equals("BuildConfig")) {
                        builds.computeIfAbsent(vendor, v -> new ArrayList<>()).add(desired);
                    }
                });
    }

    /** Whether it is a build that nobody needs as long as the images can be pulled. */
    boolean isHeldBack(Desired desired) {
        KubeObject object = desired.object();
        Optional<String> vendor = object.annotation(MetadataKeys.VENDOR);
        if (!object.ref().kind().equals("BuildConfig") || vendor.isEmpty()) {
            return false;
        }
        List<Desired> served = pairedWith(daemonSets, desired, vendor.get());
        return !served.isEmpty()
                && served.stream()
                        .map(daemonSet -> in.owned().get(daemonSet.object().ref()))
                        .filter(Objects::nonNull)
                        .flatMap(live -> in.podsOf(live).stream())
                        .noneMatch(pod -> !pod.terminating() && NOT_THERE.contains(pod.waitingReason()));
    }

    /** What is said of a node of this DaemonSet: that an image cannot be pulled is no failure while it can still be built. */
    Outcome explain(Outcome outcome, KubeObject daemonSet, String pool) {
        Optional<String> vendor = daemonSet.annotation(MetadataKeys.VENDOR);
        if (vendor.isEmpty() || !(outcome instanceof Outcome.Failed failed) || !Code.IMAGE_PULL_FAILED.is(outcome)) {
            return outcome;
        }
        return builds.getOrDefault(vendor.get(), List.of()).stream()
                .filter(build -> build.pool() == null || build.pool().equals(pool))
                .findFirst()
                .map(build -> explain(failed.problem(), build.object().ref()))
                .orElse(outcome);
    }

    private Outcome explain(Problem pull, ObjectRef build) {
        KubeObject live = in.owned().get(build);
        Outcome waiting = Outcome.waiting("ImageNotBuilt", in.now(), build + " builds the image: " + pull.message());
        if (live == null) {
            return waiting;
        }
        List<KubeObject> runs = in.childrenOf(live);
        Outcome built = Readiness.judge(live, runs, in.now());
        if (built instanceof Outcome.Waiting) {
            return waiting;
        }
        if (built instanceof Outcome.Failed failed) {
            return Outcome.failed(failed.problem());
        }
        Optional<Instant> due =
                Readiness.newestBuild(runs).flatMap(BuildFallback::completed).map(at -> at.plus(PULLED_AGAIN));
        if (due.filter(in.now()::isBefore).isPresent()) {
            draft.wakeAt(due.get());
            return Outcome.waiting(
                    "ImageNotBuilt",
                    in.now(),
                    build + " has built the image, which is pulled again: " + pull.message());
        }
        return Outcome.failed(new Problem(
                pull.code(),
                pull.message() + "; " + build + " has built its image, and this one still cannot be pulled: compare the"
                        + " image of the DaemonSet with spec.output.to of the build, and give its service account the"
                        + " right to pull it",
                Problem.Owner.VENDOR,
                pull.retryable()));
    }

    private static Optional<Instant> completed(KubeObject build) {
        try {
            return Optional.of(Instant.parse(ValueTrees.text(build.tree(), "status", "completionTimestamp")));
        } catch (DateTimeParseException e) {
            return Optional.empty();
        }
    }

    private static List<Desired> pairedWith(Map<String, List<Desired>> others, Desired desired, String vendor) {
        return others.getOrDefault(vendor, List.of()).stream()
                .filter(other -> desired.pool() == null
                        || other.pool() == null
                        || desired.pool().equals(other.pool()))
                .toList();
    }
}
