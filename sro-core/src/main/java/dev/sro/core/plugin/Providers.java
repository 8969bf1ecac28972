package dev.sro.core.plugin;

import dev.sro.api.AcceleratorPlugin;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.reflect.Modifier;
import java.net.URL;
import java.net.URLConnection;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Which accelerator plugins a file offers: the union of {@code META-INF/services} and PF4J's index of {@code @Extension}
 * classes, each class once.
 *
 * <p>This is {@link java.util.ServiceLoader}'s lookup restricted to the plugin's own files. ServiceLoader itself would
 * also read those of the host and of other plugins, and a broken entry there would be blamed on this plugin.
 */
final class Providers {

    private static final String SERVICES = "META-INF/services/" + AcceleratorPlugin.class.getName();
    private static final String EXTENSIONS = "META-INF/extensions.idx";

    private final Candidate candidate;
    private final IslandClassLoader loader;

    Providers(Candidate candidate, IslandClassLoader loader) {
        this.candidate = candidate;
        this.loader = loader;
    }

    /** The provider classes, not initialised yet, in the order in which they are named. */
    List<Class<? extends AcceleratorPlugin>> find(GuardedCalls calls)
            throws PluginRejectedException, CallFailedException {
        Set<Class<? extends AcceleratorPlugin>> types = new LinkedHashSet<>();
        for (String name : names(SERVICES)) {
            Class<?> type = load(name, calls);
            if (type.getClassLoader() != loader) {
                // The entry came along with a bundled library; its class is the host's or another plugin's.
                continue;
            }
            if (!AcceleratorPlugin.class.isAssignableFrom(type)) {
                throw invalid(name, "does not implement " + AcceleratorPlugin.class.getName());
            }
            types.add(requireCreatable(type));
        }
        for (String name : names(EXTENSIONS)) {
            Class<?> type = load(name, calls);
            // The index lists extensions of every kind; those of other kinds are none of our business.
            if (type.getClassLoader() == loader && AcceleratorPlugin.class.isAssignableFrom(type)) {
                types.add(requireCreatable(type));
            }
        }
        return List.copyOf(types);
    }

    private Class<?> load(String name, GuardedCalls calls) throws CallFailedException {
        return calls.call(
                "loading " + name + ", which the file names as its plugin,",
                loader,
                () -> Class.forName(name, false, loader));
    }

    private Class<? extends AcceleratorPlugin> requireCreatable(Class<?> type) throws PluginRejectedException {
        boolean hasConstructor =
                List.of(type.getConstructors()).stream().anyMatch(constructor -> constructor.getParameterCount() == 0);
        if (Modifier.isAbstract(type.getModifiers()) || !Modifier.isPublic(type.getModifiers()) || !hasConstructor) {
            throw invalid(type.getName(), "is not a public class with a public constructor without parameters");
        }
        return type.asSubclass(AcceleratorPlugin.class);
    }

    private PluginRejectedException invalid(String className, String reason) {
        return new PluginRejectedException(PluginRejection.of(
                candidate.file(),
                PluginRejectionCodes.PROVIDER_INVALID,
                "the class " + className + ", which it names as its plugin, " + reason,
                "correct the class or its entry in " + SERVICES + " or " + EXTENSIONS));
    }

    private Set<String> names(String resource) throws PluginRejectedException {
        Set<String> names = new LinkedHashSet<>();
        try {
            for (URL url : Collections.list(loader.findResources(resource))) {
                read(url, names);
            }
            return names;
        } catch (IOException broken) {
            throw new PluginRejectedException(PluginRejection.of(
                    candidate.file(),
                    PluginRejectionCodes.FILE_UNREADABLE,
                    resource + " cannot be read: " + Throwables.describe(broken),
                    "copy the file again"));
        }
    }

    private static void read(URL url, Set<String> names) throws IOException {
        URLConnection connection = url.openConnection();
        // A cached connection would keep the jar open after the plugin is gone.
        connection.setUseCaches(false);
        try (BufferedReader reader =
                new BufferedReader(new InputStreamReader(connection.getInputStream(), StandardCharsets.UTF_8))) {
            reader.lines()
                    .map(line -> line.replaceFirst("#.*", "").trim())
                    .filter(line -> !line.isEmpty())
                    .forEach(names::add);
        }
    }
}
