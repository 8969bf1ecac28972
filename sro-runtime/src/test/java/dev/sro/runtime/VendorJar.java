package dev.sro.runtime;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import javax.tools.ToolProvider;

/** Makes jars of plugins out of their sources, without Maven. Stateless. */
public final class VendorJar {

    private VendorJar() {}

    /**
     * Writes the jar of a plugin of one class.
     *
     * @param folder of the plugins
     * @param name of the class, which is in a package of that name in lower case
     * @param source of the class
     */
    public static void write(Path folder, String name, String source) {
        String id = name.toLowerCase(Locale.ROOT);
        try {
            Path sources = Files.createTempDirectory("vendor");
            Files.createDirectory(sources.resolve("resources"));
            Files.writeString(Files.createDirectory(sources.resolve("java")).resolve(name + ".java"), source);
            write(folder, id, sources, id + "." + name);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Writes the jar of a plugin.
     *
     * @param folder of the plugins
     * @param id of the plugin
     * @param sources with what Maven has in {@code src/main}
     * @param plugin name of its class
     */
    public static void write(Path folder, String id, Path sources, String plugin) {
        try {
            Path classes = Files.createTempDirectory("classes");
            List<String> arguments = new ArrayList<>(List.of(
                    "--release",
                    "17",
                    "-proc:none",
                    "-nowarn",
                    "-cp",
                    System.getProperty("java.class.path"),
                    "-d",
                    classes.toString()));
            files(sources.resolve("java")).forEach(file -> arguments.add(file.toString()));
            if (ToolProvider.getSystemJavaCompiler().run(null, null, null, arguments.toArray(String[]::new)) != 0) {
                throw new IllegalArgumentException(sources + " does not compile");
            }
            pack(folder.resolve(id + ".jar"), id, List.of(classes, sources.resolve("resources")), plugin);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<Path> files(Path root) throws IOException {
        try (Stream<Path> found = Files.walk(root)) {
            return found.filter(Files::isRegularFile).sorted().toList();
        }
    }

    private static void pack(Path jar, String id, List<Path> roots, String plugin) throws IOException {
        Manifest manifest = new Manifest();
        Attributes attributes = manifest.getMainAttributes();
        attributes.put(Attributes.Name.MANIFEST_VERSION, "1.0");
        attributes.putValue("Plugin-Id", id);
        attributes.putValue("Plugin-Version", "2.1.0");
        try (OutputStream file = Files.newOutputStream(jar);
                JarOutputStream out = new JarOutputStream(file, manifest)) {
            for (Path root : roots) {
                for (Path path : files(root)) {
                    out.putNextEntry(
                            new ZipEntry(root.relativize(path).toString().replace('\\', '/')));
                    Files.copy(path, out);
                }
            }
            out.putNextEntry(new ZipEntry("META-INF/services/dev.sro.api.AcceleratorPlugin"));
            out.write((plugin + "\n").getBytes(StandardCharsets.UTF_8));
        }
    }
}
