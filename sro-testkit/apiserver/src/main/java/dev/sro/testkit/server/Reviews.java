package dev.sro.testkit.server;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What admission webhooks said of one write. They are asked outside of the store's lock: a write that needs an answer is broken off
 * with a {@link PendingReview} and done again when the answer is there. What it drew and warned of is then the same.
 */
final class Reviews {
    final Ids.Tape tape = new Ids.Tape();
    private final Map<String, WebhookAnswer> answers = new HashMap<>();
    private final Set<String> warnings = new LinkedHashSet<>();
    private final List<String> ownWarnings;
    private final List<String> ownDuplicates;

    Reviews(WriteCall call) {
        ownWarnings = List.copyOf(call.warnings);
        ownDuplicates = List.copyOf(call.duplicates);
    }

    /** Puts the call back to where it was before the first attempt. */
    void restart(WriteCall call) {
        call.warnings.clear();
        call.warnings.addAll(ownWarnings);
        call.duplicates.clear();
        call.duplicates.addAll(ownDuplicates);
        warnings.clear();
    }

    @Nullable WebhookAnswer answer(String key) {
        return answers.get(key);
    }

    void answered(String key, WebhookAnswer answer) {
        answers.put(key, answer);
    }

    /** Adds a warning of admission; each is given once. */
    void warn(String warning) {
        if (!warning.isEmpty()) {
            warnings.add(warning);
        }
    }

    List<String> warnings() {
        return new ArrayList<>(warnings);
    }
}
