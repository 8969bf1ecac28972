package dev.sro.core.plan;

/**
 * A change that is worth a Kubernetes event. Immutable.
 *
 * @param warning false for type Normal
 * @param reason CamelCase word
 * @param message for a person
 */
public record Transition(boolean warning, String reason, String message) {}
