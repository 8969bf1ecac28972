package dev.sro.core.recipe;

import java.util.function.Supplier;

/**
 * The only way into a plugin: every call runs with the plugin's class loader as context class loader and comes back,
 * with a result or with a {@link RecipeFailure}. Implementations are thread-safe.
 */
public interface PluginGuard {

    /**
     * Calls a plugin.
     *
     * @param plugin its name, for messages and for its share of threads
     * @param loader context class loader during the call
     * @param what the method, for messages
     * @param call the call
     * @throws RecipeFailure if the call throws, or does not return in time
     */
    <T> T call(String plugin, ClassLoader loader, String what, Supplier<T> call);

    /** A guard without deadline that calls on the caller's thread: for tests and simulations with trusted plugins. */
    static PluginGuard direct() {
        return new DirectGuard(new PluginFailures());
    }
}
