package dev.sro.agent.kubelet;

import dev.sro.agent.slice.SliceException;

/** Is told what kubelet does with the plugin, on the threads of its calls; must not block. Thread-safe. */
@FunctionalInterface
public interface PluginListener {
    /** Kubelet registered the plugin or refused to: at its start, at ours, and after a restart of either. */
    void registered(RegistrationStatus status);

    /** Claims were prepared or given back, or could not be. */
    default void claimsChanged() {}

    /** A claim did not get what it was allocated, for this reason. */
    default void refused(SliceException.Reason reason) {}
}
