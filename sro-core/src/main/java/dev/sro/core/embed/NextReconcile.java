package dev.sro.core.embed;

import java.time.Duration;
import java.util.Optional;

/**
 * The answer to a reconcile that the application asked for. Immutable.
 *
 * @param after when to ask again although nothing changes; empty if there is no need to
 * @param writes how many writes were made
 * @param refused how many were refused; each is tried again by itself, and is in the status
 */
public record NextReconcile(Optional<Duration> after, int writes, int refused) {}
