package dev.sro.api;

import java.util.Map;
import org.pf4j.ExtensionPoint;

/**
 * A vendor's recipe for one kind of accelerator.
 *
 * <p>Discovery: a {@code META-INF/services/dev.sro.api.AcceleratorPlugin} entry, most easily written by
 * {@code @AutoService(AcceleratorPlugin.class)}. PF4J's {@code @Extension} is accepted as a second spelling.
 *
 * <p>Threads and calls: one instance per plugin; methods may be called from any thread, also concurrently for
 * different special resources, and any number of times. Every call has a deadline; one that exceeds it, or throws,
 * turns the states of that special resource to {@code Failed(PluginError)} and touches nothing else. Equal input must
 * give equal output: SRO calls again only when something in the input changed.
 *
 * @since 0.1.0
 */
public interface AcceleratorPlugin extends ExtensionPoint {

    /** The identity and the needs of the plugin. Must return an equal value on every call. */
    PluginDescriptor descriptor();

    /**
     * The steps that bring the device to work, in order.
     *
     * @param context the special resource and the cluster it is applied to
     * @throws InvalidRecipeException when the special resource cannot be turned into states; the message is shown to
     *     the user
     */
    StateGraph states(RecipeContext context);

    /**
     * Values for the placeholders in this plugin's manifests, in addition to those SRO supplies (see
     * {@link ManifestTemplate}). A name that SRO also supplies is refused.
     *
     * @param context the special resource and the cluster
     * @param pool the pool that the manifests are rendered for
     * @throws InvalidRecipeException when there are no manifests for this pool, for instance for its operating system; a problem of
     *     this pool alone
     */
    default Map<String, Object> variables(RecipeContext context, Pool pool) {
        return Map.of();
    }
}
