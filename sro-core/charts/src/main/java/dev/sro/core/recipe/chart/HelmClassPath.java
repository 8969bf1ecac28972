package dev.sro.core.recipe.chart;

import dev.sro.api.Problem;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.jspecify.annotations.Nullable;

/** Finds the jars that the process with Helm needs, without loading anything of them here. Stateless. */
final class HelmClassPath {

    private static final List<String> NEEDED =
            List.of("com.marcnuri.helm.Helm", "com.marcnuri.helm.jni.HelmLib", "com.sun.jna.Native");

    /** Of the jar with the native library, one for each platform; its class is in no package that Java could name. */
    private static final String NATIVE = "META-INF/services/com.marcnuri.helm.jni.NativeLibrary";

    private static final Pattern PLATFORM =
            Pattern.compile("com\\.marcnuri\\.helm\\.jni\\.(?<os>[a-z]+)\\.(?<cpu>[a-z0-9]+)\\.");

    /**
     * A jar that a launcher has packed into another one: {@code jar:nested:OUTER/!INNER} as Spring Boot has it since 3.2, {@code
     * jar:file:OUTER!/INNER} before.
     */
    private static final Pattern PACKED =
            Pattern.compile("(?:jar:)?(?:nested|file):(?<outer>[^!]+?)/?!/?(?<inner>[^!]+\\.jar)");

    private HelmClassPath() {}

    /**
     * The class path of the process.
     *
     * @param configured what to use instead, unless empty
     * @param directory where jars that are packed into another one are unpacked
     * @throws ChartException {@code HelmRendererMissing}
     * @throws IOException if a jar cannot be unpacked
     */
    static String find(List<Path> configured, Path directory) throws IOException {
        if (!configured.isEmpty()) {
            return join(new LinkedHashSet<>(configured));
        }
        ClassLoader loader = HelmClassPath.class.getClassLoader();
        Set<Path> jars = new LinkedHashSet<>();
        jars.add(place(HelmWorker.class, directory));
        for (String name : NEEDED) {
            try {
                jars.add(place(Class.forName(name, false, loader), directory));
            } catch (ClassNotFoundException | LinkageError e) {
                throw missing(
                        "charts need com.marcnuri.helm-java:helm-java on the class path, which has no " + name, e);
            }
        }
        Optional<URL> provider = library(loader);
        if (provider.isEmpty()) {
            throw missing(
                    "charts need the native library of helm-java for " + System.getProperty("os.name") + " on "
                            + System.getProperty("os.arch") + " on the class path, or the command helm (--helm, or in"
                            + " PATH)",
                    null);
        }
        String location = provider.get().toString();
        jars.add(place(location.substring(0, location.length() - NATIVE.length()), directory));
        return join(jars);
    }

    /** Of several, as in an image for more than one architecture, the one that this machine can load. */
    private static Optional<URL> library(ClassLoader loader) throws IOException {
        for (URL provider : Collections.list(loader.getResources(NATIVE))) {
            try (InputStream text = provider.openStream()) {
                String name = new String(text.readAllBytes(), StandardCharsets.UTF_8).trim();
                if (isFor(name, System.getProperty("os.name"), System.getProperty("os.arch"))) {
                    return Optional.of(provider);
                }
            }
        }
        return Optional.empty();
    }

    /**
     * Whether a library is for a machine.
     *
     * @param provider the class that stands for it, as {@code com.marcnuri.helm.jni.linux.amd64.LinuxAmd64NativeLibrary}
     * @param system as {@code os.name} has it
     * @param architecture as {@code os.arch} has it
     */
    static boolean isFor(String provider, String system, String architecture) {
        Matcher platform = PLATFORM.matcher(provider);
        if (!platform.lookingAt()) {
            return true;
        }
        String name = system.toLowerCase(Locale.ROOT);
        String os = name.startsWith("mac") ? "darwin" : name.startsWith("win") ? "windows" : name;
        String cpu = architecture.equals("x86_64") ? "amd64" : architecture.equals("aarch64") ? "arm64" : architecture;
        return platform.group("os").equals(os) && platform.group("cpu").equals(cpu);
    }

    private static Path place(Class<?> type, Path directory) throws IOException {
        CodeSource source = type.getProtectionDomain().getCodeSource();
        return place(
                source == null || source.getLocation() == null
                        ? ""
                        : source.getLocation().toString(),
                directory);
    }

    /** The jar or folder at a URL of classes; unpacked into {@code directory} if it is packed into another jar. */
    static Path place(String location, Path directory) throws IOException {
        String place = location.endsWith("!/") ? location.substring(0, location.length() - "!/".length()) : location;
        Matcher packed = PACKED.matcher(place);
        try {
            if (packed.matches()) {
                return unpacked(Path.of(new URI("file:" + packed.group("outer"))), packed.group("inner"), directory);
            }
            URI uri = new URI(place.startsWith("jar:") ? place.substring("jar:".length()) : place);
            if ("file".equals(uri.getScheme())) {
                Path path = Path.of(uri);
                if (Files.exists(path)) {
                    return path;
                }
            }
        } catch (URISyntaxException | IllegalArgumentException e) {
            throw missing(notAFile(location), e);
        }
        throw missing(notAFile(location), null);
    }

    private static Path unpacked(Path outer, String inner, Path directory) throws IOException {
        Path jar = directory.resolve(inner.substring(inner.lastIndexOf('/') + 1));
        if (Files.exists(jar)) {
            return jar;
        }
        try (ZipFile zip = new ZipFile(outer.toFile())) {
            ZipEntry entry = zip.getEntry(inner);
            if (entry == null) {
                throw missing(notAFile(outer + "!/" + inner), null);
            }
            try (InputStream bytes = zip.getInputStream(entry)) {
                Files.copy(bytes, jar);
            }
        }
        return jar;
    }

    private static String notAFile(String location) {
        return "\"" + location + "\" is no jar in a directory, so no process can be started with it; set"
                + " HelmRendererConfig.classPath";
    }

    private static ChartException missing(String message, @Nullable Throwable cause) {
        Problem problem = new Problem("HelmRendererMissing", message, Problem.Owner.PLATFORM, false);
        return cause == null ? new ChartException(problem) : new ChartException(problem, cause);
    }

    private static String join(Set<Path> jars) {
        return jars.stream().map(Path::toString).collect(Collectors.joining(System.getProperty("path.separator")));
    }
}
