package dev.sro.api;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import java.time.Instant;
import java.util.Optional;

/**
 * Optional for a plugin: decides when an object is ready, where the built-in rule for its kind is not enough.
 *
 * @since 0.1.0
 */
public interface ReadinessProbe {

    /**
     * Judges an object as it is in the cluster. Called only when the object changed.
     *
     * @param live the object as observed; to be treated as immutable
     * @param state the state it belongs to
     * @param now the current time, for {@link Outcome.Waiting#since()}
     * @return the outcome, or empty to use the built-in rule
     */
    Optional<Outcome> probe(GenericKubernetesResource live, State state, Instant now);
}
