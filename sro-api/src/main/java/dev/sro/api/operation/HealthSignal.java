package dev.sro.api.operation;

import dev.sro.api.Checks;

/**
 * Something that tells of a device's health. Immutable.
 *
 * @param name by which {@link HealthPolicy#judge} gets its value
 * @param source where it is read
 * @param key what is read there: type of a node condition, key of a label or annotation, PromQL
 */
public record HealthSignal(String name, Source source, String key) {

    /** Where signals are read. */
    public enum Source {
        /** {@code status.conditions} of the node: {@code True}, {@code False} or {@code Unknown}. */
        NODE_CONDITION,
        /** A label of the node. */
        NODE_LABEL,
        /** An annotation of the node. */
        NODE_ANNOTATION,
        /** A query to Prometheus, with {@code node} as a label of the result. */
        METRIC
    }

    /** Checks name and key. */
    public HealthSignal {
        Checks.dnsLabel("HealthSignal.name", name);
        Checks.notBlank("HealthSignal.key", key);
    }
}
