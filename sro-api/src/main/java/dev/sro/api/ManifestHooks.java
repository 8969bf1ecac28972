package dev.sro.api;

import java.util.List;

/**
 * Optional for a plugin: several manifest hooks, each bound to kinds, names, annotations or states, in an order. Plugins' hooks run
 * before those of SRO itself. A plugin may be a {@link ManifestHook} as well.
 *
 * @since 0.1.0
 */
public interface ManifestHooks {

    /** The hooks. Asked when a recipe is made; the answer may depend on nothing but the plugin. */
    List<BoundHook> manifestHooks();
}
