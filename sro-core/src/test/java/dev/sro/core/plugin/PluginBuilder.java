package dev.sro.core.plugin;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import java.util.zip.Deflater;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/** Builds plugin jars and zips for tests: sources are compiled, everything else is written as it is given. */
final class PluginBuilder {

    static final String SERVICES = "META-INF/services/dev.sro.api.AcceleratorPlugin";

    private final String id;
    private final Map<String, String> manifest = new LinkedHashMap<>();
    private final Map<String, String> sources = new LinkedHashMap<>();
    private final Map<String, byte[]> entries = new LinkedHashMap<>();

    private PluginBuilder(String id) {
        this.id = id;
        attribute("Plugin-Id", id);
        attribute("Plugin-Version", "1.0.0");
    }

    /** A descriptor and nothing else. */
    static PluginBuilder empty(String id) {
        return new PluginBuilder(id);
    }

    /** A plugin of which id, package and descriptor name are the same. */
    static PluginBuilder named(String name) {
        return new PluginBuilder(name).plugin(name + ".Main", name, "").service(name + ".Main");
    }

    /** A class that implements the SPI. */
    PluginBuilder plugin(String className, String name, String body) {
        return plugin(className, name, "\"1.0.0\"", body);
    }

    /**
     * A class that implements the SPI.
     *
     * @param version a Java expression
     * @param body further members
     */
    PluginBuilder plugin(String className, String name, String version, String body) {
        int dot = className.lastIndexOf('.');
        return source(className, """
                package %s;

                public class %s implements dev.sro.api.AcceleratorPlugin {
                    public dev.sro.api.PluginDescriptor descriptor() {
                        return dev.sro.api.PluginDescriptor.of("%s", %s, "Acme");
                    }

                    public dev.sro.api.StateGraph states(dev.sro.api.RecipeContext context) {
                        throw new UnsupportedOperationException();
                    }

                    %s
                }
                """.formatted(
                        className.substring(0, dot), className.substring(dot + 1), name, version, body));
    }

    PluginBuilder source(String className, String code) {
        sources.put(className, code);
        return this;
    }

    PluginBuilder version(String version) {
        return attribute("Plugin-Version", version);
    }

    PluginBuilder requires(String range) {
        return attribute("Plugin-Requires", range);
    }

    PluginBuilder dependsOn(String dependencies) {
        return attribute("Plugin-Dependencies", dependencies);
    }

    PluginBuilder attribute(String name, String value) {
        manifest.put(name, value);
        return this;
    }

    PluginBuilder withoutManifest() {
        manifest.clear();
        return this;
    }

    PluginBuilder service(String... classNames) {
        return entry(SERVICES, String.join("\n", classNames));
    }

    PluginBuilder extension(String... classNames) {
        return entry("META-INF/extensions.idx", String.join("\n", classNames));
    }

    PluginBuilder entry(String name, String text) {
        return entry(name, text.getBytes(StandardCharsets.UTF_8));
    }

    PluginBuilder entry(String name, byte[] content) {
        entries.put(name, content);
        return this;
    }

    /** All classes of the jar or directory that the class was loaded from, as a fat jar has them. */
    PluginBuilder bundle(Class<?> type) throws IOException {
        Path source = Compiler.codeSource(type);
        if (Files.isDirectory(source)) {
            try (Stream<Path> files = Files.walk(source)) {
                for (Path file : files.filter(Files::isRegularFile).toList()) {
                    entry(source.relativize(file).toString().replace('\\', '/'), Files.readAllBytes(file));
                }
            }
            return this;
        }
        try (JarFile jar = new JarFile(source.toFile())) {
            for (var entry :
                    jar.stream().filter(e -> e.getName().endsWith(".class")).toList()) {
                entry(entry.getName(), jar.getInputStream(entry).readAllBytes());
            }
        }
        return this;
    }

    /** Writes {@code ID.jar} into the directory. */
    Path jar(Path directory) {
        return jar(directory, id + ".jar");
    }

    Path jar(Path directory, String fileName, Path... classPath) {
        Map<String, byte[]> content = new LinkedHashMap<>();
        if (!manifest.isEmpty()) {
            content.put("META-INF/MANIFEST.MF", manifestText());
        }
        content.putAll(Compiler.compile(sources, classPath));
        content.putAll(entries);
        return write(directory.resolve(fileName), content);
    }

    /** Writes {@code ID.zip} in PF4J's layout: plugin.properties, classes/ and what was added as an entry. */
    Path zip(Path directory) {
        Map<String, byte[]> content = new LinkedHashMap<>();
        StringBuilder properties = new StringBuilder();
        manifest.forEach((name, value) -> properties
                .append("plugin.")
                .append(name.substring("Plugin-".length()).toLowerCase(java.util.Locale.ROOT))
                .append('=')
                .append(value)
                .append('\n'));
        content.put("plugin.properties", properties.toString().getBytes(StandardCharsets.UTF_8));
        Compiler.compile(sources).forEach((name, bytes) -> content.put("classes/" + name, bytes));
        entries.forEach((name, bytes) -> content.put(name.startsWith("lib/") ? name : "classes/" + name, bytes));
        return write(directory.resolve(id + ".zip"), content);
    }

    private byte[] manifestText() {
        StringBuilder text = new StringBuilder("Manifest-Version: 1.0\n");
        manifest.forEach(
                (name, value) -> text.append(name).append(": ").append(value).append('\n'));
        return text.toString().getBytes(StandardCharsets.UTF_8);
    }

    /** Sorted, so that equal plugins are equal bytes. Replaces the file in place, as an impatient admin does. */
    private static Path write(Path file, Map<String, byte[]> content) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ZipOutputStream zip = new ZipOutputStream(bytes)) {
            zip.setLevel(Deflater.BEST_SPEED);
            for (String name :
                    content.keySet().stream().sorted(Comparator.naturalOrder()).toList()) {
                ZipEntry entry = new ZipEntry(name);
                entry.setTime(0);
                zip.putNextEntry(entry);
                zip.write(content.getOrDefault(name, new byte[0]));
                zip.closeEntry();
            }
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
        try (OutputStream out = Files.newOutputStream(file)) {
            out.write(bytes.toByteArray());
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
        return file;
    }
}
