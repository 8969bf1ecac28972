package dev.sro.core.probe;

import dev.sro.api.Outcome;
import dev.sro.api.Problem;
import dev.sro.core.cel.CelException;
import dev.sro.core.cel.Re2;
import dev.sro.core.model.Code;
import dev.sro.core.model.KubeObject;
import dev.sro.core.model.MetadataKeys;
import java.time.Instant;
import java.util.Optional;

/** Judges pods by what is in their logs. Stateless. */
public final class LogOutcomes {

    private static final int MAX_LENGTH = 1_024;

    private LogOutcomes() {}

    /** The regular expression that the object waits for, if it waits for one. */
    public static Optional<String> regexp(KubeObject live) {
        return live.annotation(MetadataKeys.WAIT_FOR_LOGS)
                .or(() -> live.annotation(MetadataKeys.WAIT_FOR_LOGS_MISSPELT))
                .filter(text -> !text.isEmpty());
    }

    /** What is wrong with it. */
    public static Optional<Problem> fault(KubeObject live, String regexp) {
        String fault = "";
        if (regexp.length() > MAX_LENGTH) {
            fault = "it has more than " + MAX_LENGTH + " characters";
        } else {
            try {
                Re2.compile(regexp);
            } catch (CelException e) {
                fault = e.text() + " at character " + (e.position() + 1);
            }
        }
        return fault.isEmpty()
                ? Optional.empty()
                : Optional.of(Problem.vendor(
                        "LogPatternInvalid",
                        live + ": annotation " + MetadataKeys.WAIT_FOR_LOGS + " is no regular expression of Go: "
                                + fault));
    }

    /** The outcome of a pod of which this is known. */
    public static Outcome judge(PodFacts pod, LogRule rule, LogState state, Instant now) {
        String name = "pod " + pod.namespace() + "/" + pod.name()
                + (rule.container().isEmpty() ? "" : ", container " + rule.container());
        return switch (state.kind()) {
            case FOUND -> Outcome.ready();
            case UNREAD -> Outcome.waiting("LogsUnread", now, "the log of " + name + " was not read yet");
            case NOT_THERE ->
                Outcome.waiting(
                        Code.LOGS_NOT_MATCHED.text(),
                        now,
                        "the end of the log of " + name + " does not match " + rule.regexp());
            case UNREADABLE ->
                Outcome.waiting("LogsUnreadable", now, "the log of " + name + " cannot be read: " + state.detail());
            case FORBIDDEN ->
                Outcome.failed(Problem.platform(
                        "LogsForbidden",
                        "the log of " + name
                                + " may not be read; give SRO's service account the verb get for pods/log: "
                                + state.detail()));
        };
    }
}
