package dev.sro.core.probe;

import dev.sro.api.Outcome;
import dev.sro.api.Problem;
import dev.sro.core.model.Code;
import dev.sro.core.model.KubeObject;
import dev.sro.core.model.ValueTrees;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * What the pods of a Job say of it: its own status counts failures, and says neither that an image cannot be pulled nor what a container
 * that failed had to say. Stateless.
 */
public final class JobOutcomes {

    /** Kubernetes' own, where the Job has none. */
    private static final int BACKOFF_LIMIT = 6;

    private static final Comparator<PodFacts> AGE =
            Comparator.comparing(PodFacts::created).thenComparing(PodFacts::name);

    private JobOutcomes() {}

    /**
     * What is wrong with a Job that goes on, or what the last pod of one that failed said.
     *
     * @param said by the status of the Job
     * @param pods that it controls
     * @param logs the end of the log of a pod that failed; empty while it is not read
     */
    public static Outcome explain(KubeObject job, Outcome said, List<PodFacts> pods, Function<PodFacts, String> logs) {
        if (Code.JOB_FAILED.is(said) && said instanceof Outcome.Failed failed) {
            Problem problem = failed.problem();
            return failed(pods)
                    .map(pod -> Outcome.failed(new Problem(
                            problem.code(),
                            job + " failed: " + describe(pod, logs) + "; " + reason(job, problem),
                            problem.owner(),
                            problem.retryable())))
                    .orElse(said);
        }
        if (!Code.JOB_RUNNING.is(said)) {
            return said;
        }
        Optional<Problem> obstacle = pods.stream()
                .filter(pod -> !pod.terminating())
                .sorted(AGE.reversed())
                .flatMap(pod -> PodOutcomes.obstacle(pod).stream())
                .findFirst();
        return obstacle.map(problem -> Outcome.failed(new Problem(
                        problem.code(), job + ": " + problem.message(), problem.owner(), problem.retryable())))
                .or(() -> attempts(job, pods, logs))
                .orElse(said);
    }

    private static Optional<Outcome> attempts(KubeObject job, List<PodFacts> pods, Function<PodFacts, String> logs) {
        long failures = ValueTrees.number(job.map("status"), "failed", 0);
        if (failures == 0) {
            return Optional.empty();
        }
        long limit = ValueTrees.number(job.map("spec"), "backoffLimit", BACKOFF_LIMIT);
        // Jobs count later than pods fail: the pod is the one of that attempt.
        List<PodFacts> known = failures(pods).toList();
        Optional<PodFacts> last =
                known.isEmpty() ? Optional.empty() : Optional.of(known.get((int) Math.min(failures, known.size()) - 1));
        String text = job + ": attempt " + failures + " of " + (limit + 1) + " failed"
                + last.map(pod -> ": " + describe(pod, logs)).orElse("") + "; the next one follows by itself";
        boolean reach = last.filter(pod -> LogCause.of(words(pod, logs)).fault() == LogCause.Fault.REACH)
                .isPresent();
        String code = Code.JOB_ATTEMPT_FAILED.text();
        return Optional.of(Outcome.failed(reach ? Problem.platform(code, text) : Problem.vendor(code, text)));
    }

    /** Without the name of the Job, which comes first already. */
    private static String reason(KubeObject job, Problem problem) {
        String prefix = job + " failed: ";
        return problem.message().startsWith(prefix) ? problem.message().substring(prefix.length()) : problem.message();
    }

    private static Optional<PodFacts> failed(List<PodFacts> pods) {
        return failures(pods).reduce((older, newer) -> newer);
    }

    private static Stream<PodFacts> failures(List<PodFacts> pods) {
        return pods.stream().filter(pod -> pod.phase().equals("Failed")).sorted(AGE);
    }

    /** What the pod said before which it is: a status has room for the beginning of a message alone. */
    private static String describe(PodFacts pod, Function<PodFacts, String> logs) {
        String words = words(pod, logs);
        String how = pod.message().isEmpty() ? "it failed" : pod.message();
        String pods = "; pod " + pod.name() + " on node " + pod.node();
        return (words.isEmpty() || how.contains(words) ? how : words + "; " + how) + pods;
    }

    /** What it said at its end, where the kubelet kept it; the log is read only where it did not. */
    private static String words(PodFacts pod, Function<PodFacts, String> logs) {
        String message = pod.message();
        int colon = message.indexOf(": ");
        if (!message.startsWith("container ") && !message.isEmpty()) {
            return message;
        }
        return colon >= 0
                ? message.substring(colon + 2)
                : LogCause.of(logs.apply(pod)).line();
    }
}
