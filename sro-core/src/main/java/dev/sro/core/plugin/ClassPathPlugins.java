package dev.sro.core.plugin;

import dev.sro.api.AcceleratorPlugin;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;

/** Plugins that are on the application's own class path, or given as objects. */
final class ClassPathPlugins {

    private static final String CLASS_PATH = "class path";

    private final Map<String, LoadedPlugin> byName = new LinkedHashMap<>();
    private final List<PluginRejection> rejections = new ArrayList<>();

    private ClassPathPlugins() {}

    static PluginSet load(List<AcceleratorPlugin> plugins) {
        List<LoadedPlugin> loaded = plugins.stream()
                .map(plugin -> new LoadedPlugin(plugin.descriptor(), plugin, Optional.empty()))
                .toList();
        return new PluginSet(loaded, List.of(), List.of());
    }

    static PluginSet fromServiceLoader(ClassLoader loader) {
        ClassPathPlugins found = new ClassPathPlugins();
        found.collect(
                ServiceLoader.load(AcceleratorPlugin.class, loader).stream().iterator());
        return new PluginSet(found.byName.values(), List.of(), found.rejections);
    }

    private void collect(Iterator<ServiceLoader.Provider<AcceleratorPlugin>> providers) {
        String lastError = "";
        while (true) {
            try {
                if (!providers.hasNext()) {
                    return;
                }
                add(providers.next());
            } catch (ServiceConfigurationError error) {
                String message = String.valueOf(error.getMessage());
                if (message.equals(lastError)) {
                    // A lookup that fails as a whole fails again on every call; one bad entry fails once.
                    return;
                }
                lastError = message;
                rejections.add(PluginRejection.of(
                        CLASS_PATH,
                        PluginRejectionCodes.PROVIDER_INVALID,
                        message,
                        "correct the META-INF/services entry or the jar that it is in"));
            }
        }
    }

    private void add(ServiceLoader.Provider<AcceleratorPlugin> provider) {
        String type = provider.type().getName();
        try {
            AcceleratorPlugin plugin = provider.get();
            LoadedPlugin loaded = new LoadedPlugin(plugin.descriptor(), plugin, Optional.empty());
            LoadedPlugin other = byName.putIfAbsent(loaded.name(), loaded);
            if (other != null) {
                rejections.add(PluginRejection.of(
                        CLASS_PATH,
                        PluginRejectionCodes.DUPLICATE_NAME,
                        type + " has the name \"" + loaded.name() + "\", which "
                                + other.plugin().getClass().getName() + " already has",
                        "remove one of the two from the class path"));
            }
        } catch (ServiceConfigurationError | RuntimeException | LinkageError error) {
            rejections.add(PluginRejection.of(
                    CLASS_PATH,
                    PluginRejectionCodes.FAILED,
                    type + " could not be created: " + Throwables.describe(error),
                    "ask the vendor, or remove the plugin from the class path"));
        }
    }
}
