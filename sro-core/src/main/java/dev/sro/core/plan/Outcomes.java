package dev.sro.core.plan;

import dev.sro.api.Outcome;
import dev.sro.api.resource.OutcomeKind;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/** How outcomes are written into a status. Stateless. */
final class Outcomes {

    /** Keeps a status with 20 samples and as many states far below its 32 KiB. */
    private static final int MAX_MESSAGE = 400;

    private Outcomes() {}

    static OutcomeKind kind(Outcome outcome) {
        if (outcome.isReady()) {
            return OutcomeKind.READY;
        }
        return outcome.isFailed() ? OutcomeKind.FAILED : OutcomeKind.WAITING;
    }

    static @Nullable String reason(Outcome outcome) {
        if (outcome instanceof Outcome.Waiting waiting) {
            return waiting.reason();
        }
        return outcome instanceof Outcome.Failed failed ? failed.problem().code() : null;
    }

    static @Nullable String message(Outcome outcome) {
        if (outcome instanceof Outcome.Waiting waiting) {
            return shorten(waiting.on());
        }
        return outcome instanceof Outcome.Failed failed
                ? shorten(failed.problem().message())
                : null;
    }

    static String shorten(String message) {
        return message.length() <= MAX_MESSAGE ? message : message.substring(0, MAX_MESSAGE - 1) + "…";
    }

    /** As the API server writes times. */
    static String time(Instant instant) {
        return instant.truncatedTo(ChronoUnit.SECONDS).toString();
    }
}
