package dev.sro.core.embed;

/** Is told of reconciles: to measure, to log. Must neither block nor throw. Implementations are thread-safe. */
@FunctionalInterface
public interface ReconcileListener {

    /** A reconcile ended. */
    void reconciled(ReconcileReport report);

    /** A special resource does not exist any more, or is not served here any more. */
    default void gone(String specialResource) {}
}
