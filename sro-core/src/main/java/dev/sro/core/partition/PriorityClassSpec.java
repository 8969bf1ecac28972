package dev.sro.core.partition;

/**
 * A priority class of a special resource. Immutable.
 *
 * @param name of the PriorityClass
 * @param value the priority of its pods
 * @param preemptionPolicy as Kubernetes writes it
 * @param description for people; may be empty
 */
public record PriorityClassSpec(String name, int value, String preemptionPolicy, String description) {

    /** The policy when none is given. */
    public static final String PREEMPTS = "PreemptLowerPriority";
}
