package dev.sro.core.plan;

import dev.sro.api.Problem;
import java.time.Instant;

/**
 * A write that the API server refused. Immutable.
 *
 * @param problem why
 * @param retryAt not before this time is it tried again
 * @param attempts how often it was tried in a row
 */
public record WriteFailure(Problem problem, Instant retryAt, int attempts) {}
