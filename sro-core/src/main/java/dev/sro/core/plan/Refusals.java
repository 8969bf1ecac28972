package dev.sro.core.plan;

import dev.sro.api.Problem;
import dev.sro.core.model.ObjectRef;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/** Writes that were refused, at one time: which of them may be tried again. Immutable. */
public final class Refusals {

    private final Map<ObjectRef, WriteFailure> failures;
    private final Instant now;

    /**
     * @param failures writes that failed and are not to be repeated yet
     */
    public Refusals(Map<ObjectRef, WriteFailure> failures, Instant now) {
        this.failures = failures;
        this.now = now;
    }

    /** Why the last write of the object was refused, whether or not it may be tried again; empty if it was not. */
    public Optional<WriteFailure> of(ObjectRef ref) {
        return Optional.ofNullable(failures.get(ref));
    }

    /** The same, in words. */
    public Optional<Problem> problem(ObjectRef ref) {
        return of(ref).map(WriteFailure::problem);
    }

    /** Why the object is not to be written yet; empty if it may be. */
    public Optional<Problem> hold(ObjectRef ref) {
        return of(ref).filter(failure -> now.isBefore(failure.retryAt())).map(WriteFailure::problem);
    }

    /** Whether the object may be written. */
    public boolean allow(ObjectRef ref) {
        return hold(ref).isEmpty();
    }
}
