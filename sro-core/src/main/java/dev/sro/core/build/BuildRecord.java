package dev.sro.core.build;

import dev.sro.api.Problem;
import dev.sro.core.model.KubeObject;
import dev.sro.core.model.MetadataKeys;
import dev.sro.core.model.ObjectRef;
import dev.sro.core.model.ValueTrees;
import dev.sro.core.probe.LogCause;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * How far one attempt is, as its objects in the cluster say: nothing else remembers it. Immutable.
 *
 * @param ref the object that says it
 * @param uid of that object
 * @param pool it is for
 * @param hash of its inputs
 * @param attempt from 1
 * @param phase how far it is
 * @param ended when it ended; the beginning of time when that is not known, or it has not
 * @param reason one word of the cluster's for why it failed or waits; may be empty
 * @param message for a person; may be empty
 */
public record BuildRecord(
        ObjectRef ref,
        String uid,
        String pool,
        String hash,
        int attempt,
        Phase phase,
        Instant ended,
        String reason,
        String message) {

    /** How far an attempt is. */
    public enum Phase {
        /** It waits or runs. */
        RUNNING,
        /** The image is pushed. */
        DONE,
        /** It failed. */
        FAILED
    }

    /** What is the platform's fault, in the words of OpenShift and of Jobs; the rest is that of who wrote the Dockerfile. */
    private static final List<String> PLATFORM = List.of(
            "PushImageToRegistryFailed",
            "PullBuilderImageFailed",
            "FetchSourceFailed",
            "FetchImageContentFailed",
            "BuildPodEvicted",
            "BuildPodDeleted",
            "CannotCreateBuildPod",
            "DeadlineExceeded",
            "BuildRunTimeout",
            "OutOfMemoryKilled");

    /** What registries answer to whom they do not know. */
    private static final List<String> REFUSED =
            List.of("unauthorized", "UNAUTHORIZED", "authentication required", "denied: requested access");

    private static final int ONE_LINE = 100;

    private static final String BUILD_NUMBER = "openshift.io/build.number";

    /**
     * Reads it.
     *
     * @param live an object that SRO made for a build
     * @param builds objects that it controls: the Builds of a BuildConfig
     * @return empty for objects that say nothing, such as ConfigMaps, and for those that are being deleted
     */
    public static Optional<BuildRecord> of(KubeObject live, List<KubeObject> builds) {
        Optional<String> hash = live.annotation(BuildStep.INPUTS);
        if (hash.isEmpty()
                || live.terminating()
                || !BuildObjects.RUNNERS.contains(live.ref().kindKey())) {
            return Optional.empty();
        }
        Progress found = switch (live.ref().kind()) {
            case "BuildConfig" -> buildConfig(builds);
            case "Job" -> job(live);
            default -> buildRun(live);
        };
        return Optional.of(new BuildRecord(
                live.ref(),
                live.uid(),
                live.annotation(MetadataKeys.POOL).orElse(""),
                hash.get(),
                number(live.annotation(BuildStep.ATTEMPT).orElse("")),
                found.phase,
                found.ended,
                found.reason,
                found.message));
    }

    private record Progress(Phase phase, Instant ended, String reason, String message) {
        static Progress running(String reason, String message) {
            return new Progress(Phase.RUNNING, Instant.MIN, reason, message);
        }
    }

    private static Progress job(KubeObject live) {
        Optional<Map<String, Object>> failed = condition(live, "Failed");
        if (failed.isPresent()) {
            return new Progress(
                    Phase.FAILED,
                    time(ValueTrees.text(failed.get(), "lastTransitionTime")),
                    ValueTrees.text(failed.get(), "reason"),
                    ValueTrees.text(failed.get(), "message"));
        }
        Optional<Map<String, Object>> complete = condition(live, "Complete");
        return complete.map(done -> new Progress(Phase.DONE, time(ValueTrees.text(done, "lastTransitionTime")), "", ""))
                .orElseGet(() -> Progress.running("", ""));
    }

    private static Optional<Map<String, Object>> condition(KubeObject live, String type) {
        return live.maps("status", "conditions").stream()
                .filter(condition -> type.equals(condition.get("type")) && "True".equals(condition.get("status")))
                .findFirst();
    }

    /** By its newest build alone: an old one that succeeded says nothing about the present inputs. */
    private static Progress buildConfig(List<KubeObject> builds) {
        Optional<KubeObject> newest = builds.stream()
                .max(Comparator.comparingInt(
                        build -> number(build.annotation(BUILD_NUMBER).orElse(""))));
        if (newest.isEmpty()) {
            return Progress.running("", "");
        }
        Map<String, Object> status = newest.get().map("status");
        String reason = ValueTrees.text(status, "reason");
        String message = ValueTrees.text(status, "message");
        Instant ended = time(ValueTrees.text(status, "completionTimestamp"));
        return switch (ValueTrees.text(status, "phase")) {
            case "Complete" -> new Progress(Phase.DONE, ended, "", "");
            case "Failed", "Error", "Cancelled" ->
                new Progress(Phase.FAILED, ended, reason, joined(message, ValueTrees.text(status, "logSnippet")));
            default -> Progress.running(reason, message);
        };
    }

    private static Progress buildRun(KubeObject live) {
        Map<String, Object> succeeded = live.maps("status", "conditions").stream()
                .filter(condition -> "Succeeded".equals(condition.get("type")))
                .findFirst()
                .orElse(Map.of());
        Instant ended = time(ValueTrees.text(live.map("status"), "completionTime"));
        String reason = ValueTrees.text(succeeded, "reason");
        String message = ValueTrees.text(succeeded, "message");
        return switch (ValueTrees.text(succeeded, "status")) {
            case "True" -> new Progress(Phase.DONE, ended, "", "");
            case "False" ->
                new Progress(
                        Phase.FAILED,
                        ended,
                        reason,
                        joined(message, ValueTrees.text(live.tree(), "status", "failureDetails", "message")));
            default -> Progress.running(reason, message);
        };
    }

    private static String joined(String message, String log) {
        return log.isBlank() ? message : message.isBlank() ? log : message + "\n" + log;
    }

    private static Instant time(String text) {
        try {
            return text.isEmpty() ? Instant.EPOCH : Instant.parse(text);
        } catch (DateTimeException e) {
            return Instant.EPOCH;
        }
    }

    private static int number(@Nullable String text) {
        try {
            return text == null || text.isEmpty() ? 1 : Integer.parseInt(text);
        } catch (NumberFormatException e) {
            return 1;
        }
    }

    /**
     * Whether another attempt at the same inputs would fail like this one: the compiler said so.
     *
     * @param log end of its log; may be empty
     */
    boolean isBeyondRetry(String log) {
        return phase == Phase.FAILED
                && !PLATFORM.contains(reason)
                && LogCause.of(log.isBlank() ? message : log).fault() == LogCause.Fault.COMPILER;
    }

    /**
     * Why it failed.
     *
     * @param what was to be made, for the message
     * @param log end of its log; may be empty
     * @param next what happens next, for the message
     */
    Problem problem(String what, String log, String next) {
        boolean late = reason.equals("DeadlineExceeded") || reason.equals("BuildRunTimeout");
        boolean refused = REFUSED.stream().anyMatch(word -> log.contains(word) || message.contains(word));
        // A status has room for the beginning of a message only: what went wrong comes first.
        String end = log.isBlank() ? message : log;
        String text = ref + " failed" + (reason.isEmpty() ? "" : " (" + reason + ")")
                + (end.isBlank() ? "" : ": " + telling(end))
                + "; attempt " + attempt + ", " + next + "; it was " + what
                + (message.isBlank() || message.equals(end) ? "" : ": " + message.strip())
                + (end.isBlank() ? "" : ". The end of its log:\n" + end.strip());
        if (late) {
            return Problem.platform("BuildTimedOut", text);
        }
        if (refused) {
            return Problem.platform("BuildRegistryRefused", text);
        }
        return PLATFORM.contains(reason) ? Problem.platform("BuildFailed", text) : Problem.vendor("BuildFailed", text);
    }

    /** What the compiler said; where it was none, the last lines. */
    private static String telling(String log) {
        LogCause cause = LogCause.of(log);
        return cause.fault() == LogCause.Fault.COMPILER ? cause.line() : lastLines(log);
    }

    /** The last lines, as many as fit, in one. */
    private static String lastLines(String log) {
        List<String> lines =
                log.lines().map(String::strip).filter(line -> !line.isEmpty()).toList();
        String text = "";
        for (int i = lines.size() - 1; i >= 0; i--) {
            String more = text.isEmpty() ? lines.get(i) : lines.get(i) + " | " + text;
            if (!text.isEmpty() && more.length() > ONE_LINE) {
                break;
            }
            text = more;
        }
        return text.length() > ONE_LINE ? text.substring(text.length() - ONE_LINE) : text;
    }
}
