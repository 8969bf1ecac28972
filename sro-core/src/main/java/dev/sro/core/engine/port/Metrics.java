package dev.sro.core.engine.port;

import dev.sro.api.resource.VerificationStatus;
import dev.sro.core.plan.Plan;
import java.time.Duration;
import java.util.Map;

/** Port: what is measured. Must not block or throw. Implementations are thread-safe. */
public interface Metrics {

    /**
     * A reconcile ended.
     *
     * @param specialResource its name
     * @param plan the last plan made
     * @param writes how many writes were made
     * @param failures how many writes were refused
     * @param took how long it took
     */
    void reconciled(String specialResource, Plan plan, int writes, int failures, Duration took);

    /** A special resource does not exist any more: nothing is to be reported of it. */
    default void gone(String specialResource) {}

    /**
     * What a preflight says now.
     *
     * @param preflight its name
     * @param verdicts by special resource; empty when the preflight does not exist any more
     */
    default void preflight(String preflight, Map<String, VerificationStatus> verdicts) {}

    /** Measures nothing. */
    static Metrics none() {
        return (specialResource, plan, writes, failures, took) -> {};
    }
}
