package dev.sro.core.recipe;

import dev.sro.api.BoundHook;
import dev.sro.api.ManifestHook;
import dev.sro.api.ManifestHooks;
import dev.sro.api.Pool;
import dev.sro.api.RecipeContext;
import dev.sro.api.State;
import dev.sro.core.plugin.LoadedPlugin;
import dev.sro.core.plugin.Plugins;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Manifest hooks of plugins in their order, called through the guard. Immutable, thread-safe as far as the plugins are. */
public final class PluginHooks {

    private static final Comparator<Entry> ORDER = Comparator.comparingInt((Entry entry) -> entry.hook.order())
            .thenComparing(entry -> entry.hook.name())
            .thenComparing(entry -> entry.plugin.name());

    /** No hooks. */
    public static final PluginHooks NONE = new PluginHooks(List.of(), PluginGuard.direct());

    private record Entry(LoadedPlugin plugin, BoundHook hook) {}

    private final List<Entry> entries;
    private final PluginGuard guard;

    private PluginHooks(List<Entry> entries, PluginGuard guard) {
        this.entries = entries.stream().sorted(ORDER).toList();
        this.guard = guard;
    }

    /**
     * Those of one plugin for its own recipes.
     *
     * @throws RecipeFailure if the plugin does not say which
     */
    static PluginHooks of(LoadedPlugin plugin, PluginGuard guard) {
        List<Entry> entries = new ArrayList<>();
        if (plugin.plugin() instanceof ManifestHook hook) {
            entries.add(
                    new Entry(plugin, BoundHook.builder().name("").hook(hook).build()));
        }
        ask(plugin, guard).stream()
                .filter(hook -> !hook.allRecipes())
                .forEach(hook -> entries.add(new Entry(plugin, hook)));
        return new PluginHooks(entries, guard);
    }

    /** Those of all plugins for all recipes; a plugin that does not say which has none. */
    static PluginHooks shared(Plugins plugins, PluginGuard guard) {
        List<Entry> entries = new ArrayList<>();
        for (String name : plugins.names()) {
            plugins.find(name).ifPresent(plugin -> {
                try {
                    ask(plugin, guard).stream()
                            .filter(BoundHook::allRecipes)
                            .forEach(hook -> entries.add(new Entry(plugin, hook)));
                } catch (RecipeFailure e) {
                    // It is said where the plugin is the recipe; others shall not suffer.
                }
            });
        }
        return entries.isEmpty() ? NONE : new PluginHooks(entries, guard);
    }

    private static List<BoundHook> ask(LoadedPlugin plugin, PluginGuard guard) {
        return plugin.plugin() instanceof ManifestHooks hooks
                ? guard.call(
                        plugin.name(), plugin.classLoader(), "manifestHooks", () -> List.copyOf(hooks.manifestHooks()))
                : List.of();
    }

    /** Whether there is none. */
    public boolean isEmpty() {
        return entries.isEmpty();
    }

    /** The text of a state, changed by the hooks that see it. */
    String beforeDecode(String text, RecipeContext recipe, State state, @Nullable Pool pool) {
        String result = text;
        for (Entry entry : entries) {
            if (entry.hook.bindsTexts(state)) {
                String before = result;
                result = call(
                        entry,
                        "beforeDecode",
                        hook -> hook.beforeDecode(before, new ManifestHook.Context(recipe, state, pool)));
            }
        }
        return result;
    }

    /**
     * An object, changed by the hooks that see it; empty if one of them leaves it out.
     *
     * @throws RecipeFailure if one of them fails
     */
    public Optional<GenericKubernetesResource> afterDecode(
            GenericKubernetesResource object, RecipeContext recipe, State state, @Nullable Pool pool) {
        GenericKubernetesResource result = object;
        for (Entry entry : entries) {
            if (entry.hook.binds(result, state)) {
                GenericKubernetesResource before = result;
                Optional<GenericKubernetesResource> after = call(
                        entry,
                        "afterDecode",
                        hook -> hook.afterDecode(before, new ManifestHook.Context(recipe, state, pool)));
                if (after.isEmpty()) {
                    return after;
                }
                result = after.get();
            }
        }
        return Optional.of(result);
    }

    private interface Use<T> {
        T of(ManifestHook hook);
    }

    private <T> T call(Entry entry, String method, Use<T> use) {
        String what = entry.hook.name().isEmpty() ? method : method + " of " + entry.hook.name();
        return guard.call(entry.plugin.name(), entry.plugin.classLoader(), what, () -> use.of(entry.hook.hook()));
    }
}
