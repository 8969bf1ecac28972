package dev.sro.runtime;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import picocli.CommandLine;

/**
 * One run of the command line in this process. Immutable.
 *
 * @param code exit code
 * @param out standard output
 * @param err standard error
 */
public record Cli(int code, String out, String err) {

    /** Runs it. */
    public static Cli run(String... args) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int code = Main.run(new PrintWriter(out, true), new PrintWriter(err, true), args);
        return new Cli(code, out.toString(), err.toString());
    }

    /**
     * Reads a command line and runs nothing.
     *
     * @throws CommandLine.ParameterException if there is no such command, option or argument
     */
    public static void parse(String... args) {
        Main.commandLine(args).parseArgs(args);
    }

    /** Makes a plugin directory with the simple-kmod plugin as a jar, as the packaging does. */
    public static Path plugins(Path directory) {
        return plugin(directory, "sro-plugins-simplekmod", "simple-kmod");
    }

    /** Adds the plugin of another module to a plugin directory. */
    public static Path plugin(Path directory, String module, String id) {
        Path compiled = Repository.file(module).resolve(Path.of("target", "classes"));
        Manifest manifest = new Manifest();
        Attributes attributes = manifest.getMainAttributes();
        attributes.put(Attributes.Name.MANIFEST_VERSION, "1.0");
        attributes.putValue("Plugin-Id", id);
        attributes.putValue("Plugin-Version", "0.1.0");
        attributes.putValue("Plugin-Requires", ">=0.1.0 & <1.0.0");
        try (OutputStream file = Files.newOutputStream(directory.resolve(id + ".jar"));
                JarOutputStream jar = new JarOutputStream(file, manifest);
                Stream<Path> found = Files.walk(compiled)) {
            List<Path> classes = found.filter(Files::isRegularFile).sorted().toList();
            for (Path path : classes) {
                jar.putNextEntry(
                        new ZipEntry(compiled.relativize(path).toString().replace('\\', '/')));
                Files.copy(path, jar);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return directory;
    }
}
