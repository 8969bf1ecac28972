package dev.sro.core.plan;

import dev.sro.api.Outcome;
import dev.sro.api.resource.OutcomeKind;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/** How outcomes are written into a status. Stateless. */
final class Outcomes {

    /** Keeps a status with 20 samples, 20 pools and as many states below its 32 KiB. */
    private static final int MAX_MESSAGE_BYTES = 256;

    private static final String ELLIPSIS = "…";

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
        byte[] bytes = message.getBytes(StandardCharsets.UTF_8);
        if (bytes.length <= MAX_MESSAGE_BYTES) {
            return message;
        }
        int end = MAX_MESSAGE_BYTES - ELLIPSIS.getBytes(StandardCharsets.UTF_8).length;
        // Not in the middle of a character: the bytes after its first begin with 10.
        while ((bytes[end] & 0xC0) == 0x80) {
            end--;
        }
        return new String(bytes, 0, end, StandardCharsets.UTF_8) + ELLIPSIS;
    }

    /** As the API server writes times. */
    static String time(Instant instant) {
        return instant.truncatedTo(ChronoUnit.SECONDS).toString();
    }
}
