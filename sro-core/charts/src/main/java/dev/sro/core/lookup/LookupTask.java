package dev.sro.core.lookup;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** A task. Guarded by its {@link BackgroundLookups}. */
final class LookupTask<Q, A> {
    Instant since;
    boolean started;

    @Nullable Thread thread;

    @Nullable LookupEntry<Q, A> entry;

    boolean givenUp;

    LookupTask(Instant since) {
        this.since = since;
    }
}
