package dev.sro.core.plan;

import dev.sro.api.Outcome;
import dev.sro.api.resource.OutcomeKind;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** How outcomes are written into a status. Stateless. */
public final class Outcomes {

    /** Keeps a status with 20 samples, 20 pools and as many states below its 32 KiB. */
    private static final int MAX_MESSAGE_BYTES = 256;

    private static final String ELLIPSIS = "…";

    /**
     * What a terminal takes for an order: control characters, and those that turn the direction of writing. Containers say what they
     * like in their last words, and people read a status on a terminal.
     */
    private static final Pattern ORDERS = Pattern.compile("[\\p{Cc}&&[^\\n\\t]]|[\\u202A-\\u202E\\u2066-\\u2069]");

    private static final String REPLACEMENT = "\uFFFD";

    private Outcomes() {}

    /** The worst of all; Ready of none. */
    public static Outcome worst(Iterable<Outcome> outcomes) {
        Outcome worst = Outcome.ready();
        for (Outcome outcome : outcomes) {
            worst = Outcome.worse(worst, outcome);
        }
        return worst;
    }

    /** Its word in a status. */
    public static OutcomeKind kind(Outcome outcome) {
        if (outcome.isReady()) {
            return OutcomeKind.READY;
        }
        return outcome.isFailed() ? OutcomeKind.FAILED : OutcomeKind.WAITING;
    }

    /** Why it is not ready; null when it is. */
    public static @Nullable String reason(Outcome outcome) {
        if (outcome instanceof Outcome.Waiting waiting) {
            return waiting.reason();
        }
        return outcome instanceof Outcome.Failed failed ? failed.problem().code() : null;
    }

    /** The same in words, as short as a status needs it. */
    public static @Nullable String message(Outcome outcome) {
        if (outcome instanceof Outcome.Waiting waiting) {
            return shorten(waiting.on());
        }
        return outcome instanceof Outcome.Failed failed
                ? shorten(failed.problem().message())
                : null;
    }

    /** As short as a status needs it, and without what is an order to a terminal. */
    public static String shorten(String message) {
        String plain = ORDERS.matcher(message).replaceAll(REPLACEMENT);
        byte[] bytes = plain.getBytes(StandardCharsets.UTF_8);
        if (bytes.length <= MAX_MESSAGE_BYTES) {
            return plain;
        }
        int end = MAX_MESSAGE_BYTES - ELLIPSIS.getBytes(StandardCharsets.UTF_8).length;
        // Not in the middle of a character: the bytes after its first begin with 10.
        while ((bytes[end] & 0xC0) == 0x80) {
            end--;
        }
        return new String(bytes, 0, end, StandardCharsets.UTF_8) + ELLIPSIS;
    }

    /** As the API server writes times. */
    public static String time(Instant instant) {
        return instant.truncatedTo(ChronoUnit.SECONDS).toString();
    }
}
