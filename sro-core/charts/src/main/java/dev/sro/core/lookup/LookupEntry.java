package dev.sro.core.lookup;

import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A question that somebody asks. Guarded by its {@link BackgroundLookups}. */
final class LookupEntry<Q, A> {

    /** One who asks a question. Guarded alike. */
    static final class Asker {
        Instant last = Instant.MIN;
        /** How often this one settled since. */
        int missed;
    }

    final Q query;
    final Map<String, Asker> askers = new HashMap<>();
    Instant since;
    LookupOptions terms;
    boolean queued;

    @Nullable LookupTask<Q, A> run;

    boolean again;

    @Nullable A answer;

    boolean success;
    int failures;
    Instant due = Instant.MIN;

    LookupEntry(Q query, LookupOptions terms, Instant since) {
        this.query = query;
        this.terms = terms;
        this.since = since;
    }

    boolean asked() {
        return askers.values().stream().anyMatch(asker -> asker.missed == 0);
    }

    boolean busy() {
        return queued || run != null;
    }

    boolean isFinal() {
        return success && terms.refresh().isEmpty();
    }

    /** Other terms of one who asks. */
    void change(LookupOptions other, Instant now) {
        LookupOptions before = terms;
        terms = other;
        if (success && !before.refresh().equals(other.refresh())) {
            due = other.refresh().map(now::plus).orElse(Instant.MAX);
        }
        if (!before.reason().equals(other.reason())) {
            failures = 0;
            again = run != null;
            due = Instant.MIN;
        }
    }

    /**
     * A look-up ended.
     *
     * @param what came of it; null where not even an answer could be made
     */
    void ended(@Nullable A what, boolean isSuccess, LookupPace pace, Instant now) {
        run = null;
        if (isSuccess) {
            answer = what;
            success = true;
            failures = 0;
            due = terms.refresh().map(now::plus).orElse(Instant.MAX);
        } else {
            due = now.plus(terms.every().orElse(pace.retry(failures)));
            failures++;
            if (what != null && !success) {
                answer = what;
            }
        }
        if (again) {
            again = false;
            due = Instant.MIN;
        }
    }
}
