package dev.sro.core.model;

import dev.sro.api.Outcome;
import dev.sro.api.Problem;
import java.util.Set;

/**
 * Codes of problems and reasons of waiting by which SRO itself decides. All others are for readers alone, and plugins bring their own,
 * so that a code is a text everywhere else.
 */
public enum Code {
    ACCOUNT_PENDING("AccountPending"),
    BUILD_IMAGE_NOT_READABLE("BuildImageNotReadable"),
    BUILD_INPUT_NOT_READABLE("BuildInputNotReadable"),
    BUILD_QUEUED("BuildQueued"),
    CHART_ACCESS_DENIED("ChartAccessDenied"),
    CHART_NOT_FOUND("ChartNotFound"),
    CHART_PENDING("ChartPending"),
    CONTAINER_FAILED("ContainerFailed"),
    DEPENDENCY_NOT_READY("DependencyNotReady"),
    DRIVER_TOOLKIT_MISSING("DriverToolkitMissing"),
    FORBIDDEN("Forbidden"),
    FORBIDDEN_TO_RECIPE("ForbiddenToRecipe"),
    IMAGE_PULL_FAILED("ImagePullFailed"),
    JOB_ATTEMPT_FAILED("JobAttemptFailed"),
    JOB_FAILED("JobFailed"),
    JOB_RUNNING("JobRunning"),
    KIND_NOT_SERVED("KindNotServed"),
    LOGS_NOT_MATCHED("LogsNotMatched"),
    LOOKING_FOR_IMAGE("LookingForImage"),
    NO_RECIPE("NoRecipe"),
    POD_MISSING("PodMissing"),
    POD_OUTDATED("PodOutdated"),
    POD_STARTING("PodStarting"),
    POD_TERMINATING("PodTerminating"),
    REQUIRED_CRD_MISSING("RequiredCrdMissing"),
    VALIDATION_RETRIED("ValidationRetried");

    private final String text;

    Code(String text) {
        this.text = text;
    }

    /** As statuses and events have it. */
    public String text() {
        return text;
    }

    /** Whether it is the code of this problem. */
    public boolean is(Problem problem) {
        return problem.code().equals(text);
    }

    /** Whether it is what failed here, or the reason why this waits. */
    public boolean is(Outcome outcome) {
        if (outcome instanceof Outcome.Failed failed) {
            return is(failed.problem());
        }
        return outcome instanceof Outcome.Waiting waiting && waiting.reason().equals(text);
    }

    /** Whether one of these is. */
    public static boolean isOneOf(Set<Code> codes, Outcome outcome) {
        return codes.stream().anyMatch(code -> code.is(outcome));
    }
}
