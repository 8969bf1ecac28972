package dev.sro.core.plan.validation;

import dev.sro.api.Outcome;
import dev.sro.api.Problem;
import dev.sro.api.State;
import dev.sro.api.ValidationLimits;
import dev.sro.core.manifest.DesiredState;
import dev.sro.core.model.Code;
import dev.sro.core.model.KubeObject;
import dev.sro.core.model.ValueTrees;
import dev.sro.core.plan.Outcomes;
import dev.sro.core.probe.LogRule;
import dev.sro.core.probe.PodFacts;
import dev.sro.core.probe.PodOutcomes;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * What the limits of a state make of an outcome: a wait that takes too long is a failure, and a failure that is tried again is a wait.
 * All times are those of the objects. Stateless.
 */
public final class ValidationTime {

    /** Of a pod that another one takes the place of. */
    private static final Set<Code> PASSING = EnumSet.of(Code.POD_TERMINATING, Code.POD_OUTDATED);

    /** How Kubernetes says that it ended a Job or a Pod in time. */
    private static final String DEADLINE = "DeadlineExceeded";

    private ValidationTime() {}

    /** Of a pod of a DaemonSet. */
    public static Outcome onNode(State state, PodFacts pod, Outcome said, Instant now) {
        if (state.limits().isEmpty() || said.isReady()) {
            return said;
        }
        ValidationLimits limits = state.limits().get();
        String what = "pod " + pod.namespace() + "/" + pod.name() + " on node " + pod.node();
        // One that runs again is in the middle of a retry, which has not failed yet.
        int failed = PodOutcomes.obstacle(pod).isEmpty() ? pod.restarts() - 1 : pod.restarts();
        Outcome tried = retried(limits, state, what, failed, said, begin(pod));
        boolean counts = tried instanceof Outcome.Waiting && !Code.isOneOf(PASSING, tried);
        return counts ? inTime(limits, state, what, begin(pod), tried, now) : tried;
    }

    /**
     * Of an object as a whole.
     *
     * @param pods those of an object
     */
    public static Outcome ofObject(
            State state, KubeObject live, Outcome said, Function<KubeObject, List<PodFacts>> pods, Instant now) {
        if (state.limits().isEmpty() || said.isReady() || live.terminating()) {
            return said;
        }
        ValidationLimits limits = state.limits().get();
        return switch (live.ref().kind()) {
            case "Job" -> {
                boolean suspended = Boolean.TRUE.equals(live.map("spec").get("suspend"));
                yield suspended
                        ? said
                        : inTime(limits, state, live.toString(), begin(live), ended(limits, state, live, said), now);
            }
            case "Pod" -> {
                Outcome tried =
                        retried(limits, state, live.toString(), restarts(live), failing(live, said), begin(live));
                yield inTime(limits, state, live.toString(), begin(live), ended(limits, state, live, tried), now);
            }
            // Of one that is reached node by node, each node is judged by itself.
            case "DaemonSet" ->
                state.reach().byNode() ? said : Outcome.worse(said, worstPod(state, pods.apply(live), now));
            default -> said;
        };
    }

    private static Outcome worstPod(State state, List<PodFacts> pods, Instant now) {
        return Outcomes.worst(pods.stream()
                .map(pod -> onNode(state, pod, PodOutcomes.judge(pod, "", now), now))
                .filter(outcome -> outcome instanceof Outcome.Failed failed
                        && failed.problem().code().startsWith("Validation"))
                .toList());
    }

    /** A Pod whose containers break is called running. */
    private static Outcome failing(KubeObject pod, Outcome said) {
        boolean broken = said instanceof Outcome.Waiting
                && pod.maps("status", "containerStatuses").stream()
                        .anyMatch(container ->
                                "CrashLoopBackOff".equals(ValueTrees.text(container, "state", "waiting", "reason")));
        return broken
                ? Outcome.failed(
                        Problem.vendor(Code.CONTAINER_FAILED.text(), pod + ": a container ended with an error"))
                : said;
    }

    private static int restarts(KubeObject pod) {
        return pod.maps("status", "containerStatuses").stream()
                .mapToInt(container -> (int) ValueTrees.number(container, "restartCount", 0))
                .max()
                .orElse(0);
    }

    private static Outcome retried(
            ValidationLimits limits, State state, String what, int restarts, Outcome said, Instant since) {
        boolean broken = Code.CONTAINER_FAILED.is(said);
        if (!broken || limits.retries().isEmpty() || !(said instanceof Outcome.Failed failed)) {
            return said;
        }
        int retries = limits.retries().getAsInt();
        String message = failed.problem().message();
        if (restarts < retries) {
            return Outcome.waiting(
                    Code.VALIDATION_RETRIED.text(),
                    since,
                    message + "; retry " + (restarts + 1) + " of " + retries + " follows");
        }
        String tries =
                retries == 0 ? "failed and is not to be tried again" : "failed, and failed in " + retries + " retries";
        return Outcome.failed(
                Problem.vendor("ValidationFailed", state.id() + ": " + what + " " + tries + ": " + message));
    }

    /** One that Kubernetes ended because of its time. */
    private static Outcome ended(ValidationLimits limits, State state, KubeObject live, Outcome said) {
        boolean deadline = said.isFailed()
                && (DEADLINE.equals(ValueTrees.text(live.tree(), "status", "reason"))
                        || live.maps("status", "conditions").stream()
                                .anyMatch(condition -> "Failed".equals(condition.get("type"))
                                        && DEADLINE.equals(condition.get("reason"))));
        return deadline && limits.timeout().isPresent()
                ? timedOut(state, live.toString(), limits.timeout().get(), begin(live), "it was ended")
                : said;
    }

    private static Outcome inTime(
            ValidationLimits limits, State state, String what, Instant since, Outcome said, Instant now) {
        boolean over = said instanceof Outcome.Waiting
                && limits.timeout()
                        .filter(timeout -> !now.isBefore(since.plus(timeout)))
                        .isPresent();
        return over && said instanceof Outcome.Waiting waiting
                ? timedOut(state, what, limits.timeout().get(), since, waiting.on())
                : said;
    }

    private static Outcome timedOut(State state, String what, Duration timeout, Instant since, String on) {
        return Outcome.failed(Problem.vendor(
                "ValidationTimedOut",
                state.id() + ": " + what + " did not validate within " + timeout + ", since " + since + ": " + on));
    }

    /** Since when the pod of a DaemonSet is what it is. */
    private static Instant begin(PodFacts pod) {
        return pod.changed().isAfter(pod.created()) ? pod.changed() : pod.created();
    }

    /** Since when a Job or a Pod runs. */
    private static Instant begin(KubeObject live) {
        Instant started = time(live.map("status"), "startTime");
        return started.equals(Instant.EPOCH) ? time(live.metadata(), "creationTimestamp") : started;
    }

    /** When a Job or a Pod came to its end; {@link Instant#MAX} when it did not. */
    public static Instant end(KubeObject live) {
        boolean job = live.ref().kind().equals("Job");
        String phase = ValueTrees.text(live.tree(), "status", "phase");
        Set<String> conditions = job ? Set.of("Complete", "Failed") : Set.of("Ready");
        if (!job && !phase.equals("Succeeded") && !phase.equals("Failed")) {
            return Instant.MAX;
        }
        return live.maps("status", "conditions").stream()
                .filter(condition -> conditions.contains(String.valueOf(condition.get("type"))))
                .filter(condition -> !job || "True".equals(condition.get("status")))
                .map(condition -> time(condition, "lastTransitionTime"))
                .findFirst()
                .orElseGet(() -> job ? Instant.MAX : begin(live));
    }

    /** What cannot be read is long ago. */
    public static Instant time(Map<String, Object> tree, String field) {
        try {
            return Instant.parse(ValueTrees.text(tree, field));
        } catch (DateTimeException e) {
            return Instant.EPOCH;
        }
    }

    /** When the first validation is out of time; {@link Instant#MAX} when none will be. */
    public static Instant next(ValidationInput in) {
        Instant next = Instant.MAX;
        for (DesiredState desired : in.states()) {
            Duration timeout =
                    desired.state().limits().flatMap(ValidationLimits::timeout).orElse(null);
            if (timeout == null) {
                continue;
            }
            Instant first = desired.objects()
                    .map(object -> in.owned().get(object.object().ref()))
                    .filter(live -> live != null && !live.terminating())
                    .flatMap(live -> begins(in, desired.state(), live))
                    .map(begin -> begin.plus(timeout))
                    .filter(in.now()::isBefore)
                    .min(Instant::compareTo)
                    .orElse(Instant.MAX);
            next = first.isBefore(next) ? first : next;
        }
        return next;
    }

    private static Stream<Instant> begins(ValidationInput in, State state, KubeObject live) {
        if (live.ref().kind().equals("DaemonSet")) {
            boolean logged = !LogRule.of(live, state).isEmpty();
            return in.podsOf(live).stream()
                    .filter(pod -> logged || !pod.ready())
                    .map(ValidationTime::begin);
        }
        boolean limited = live.ref().kind().equals("Job") || live.ref().kind().equals("Pod");
        return limited && end(live).equals(Instant.MAX) ? Stream.of(begin(live)) : Stream.empty();
    }

    /** For how long after a run was due the result before it counts. */
    public static Duration grace(State state) {
        ValidationLimits limits = state.limits().orElseThrow();
        return limits.timeout().or(limits::repeatEvery).orElse(Duration.ZERO);
    }
}
