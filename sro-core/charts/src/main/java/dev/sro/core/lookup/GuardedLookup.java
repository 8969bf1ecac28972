package dev.sro.core.lookup;

import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Whatever a {@link Lookup} throws, an Error too: it must not end the look-ups of a question for ever. Thread-safe. */
final class GuardedLookup<Q, A> {

    private static final Logger LOG = LoggerFactory.getLogger(GuardedLookup.class);

    private final Lookup<Q, A> lookup;

    GuardedLookup(Lookup<Q, A> lookup) {
        this.lookup = lookup;
    }

    /** Null where not even a failure has an answer. */
    @Nullable A look(Q query) {
        try {
            return lookup.look(query);
        } catch (Throwable e) {
            if (e instanceof InterruptedException) {
                Thread.currentThread().interrupt();
            }
            return failed(query, e);
        }
    }

    @Nullable A failed(Q query, Throwable cause) {
        boolean stopping = cause instanceof RejectedExecutionException;
        if (cause instanceof Error || (cause instanceof RuntimeException && !stopping)) {
            LOG.atError().setCause(cause).log("a look-up failed: {}", query);
        }
        try {
            return lookup.failed(query, cause);
        } catch (RuntimeException | Error e) {
            LOG.atError().setCause(e).log("a look-up that failed has no answer: {}", query);
            return null;
        }
    }

    boolean isSuccess(Q query, @Nullable A answer) {
        return answer != null && lookup.isSuccess(query, answer);
    }
}
