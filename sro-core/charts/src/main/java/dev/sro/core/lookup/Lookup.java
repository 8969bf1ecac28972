package dev.sro.core.lookup;

/**
 * How something is looked up. Thread-safe.
 *
 * @param <Q> what is asked; equal questions are one
 * @param <A> the answer, an immutable value
 */
public interface Lookup<Q, A> {

    /**
     * Looks. May block; is interrupted when it takes longer than the deadline. Reads what it needs (logins, mirrors, certificates)
     * anew, unless it has just done so.
     *
     * @throws Exception whatever comes: {@link #failed} makes an answer of it
     */
    A look(Q query) throws Exception;

    /**
     * The answer where there is none: calls nobody and does not block.
     *
     * @param cause what was thrown; {@link java.util.concurrent.RejectedExecutionException} where no thread took the look-up,
     *     {@link java.util.concurrent.TimeoutException} where it took longer than the deadline
     */
    A failed(Q query, Throwable cause);

    /** Whether this is what was looked for: it is then looked up again only to refresh it. */
    boolean isSuccess(Q query, A answer);
}
