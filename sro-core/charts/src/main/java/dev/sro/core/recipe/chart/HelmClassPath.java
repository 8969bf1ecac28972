package dev.sro.core.recipe.chart;

import dev.sro.api.Problem;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Finds the jars that the process with Helm needs, without loading anything of them here. Stateless. */
final class HelmClassPath {

    private static final List<String> NEEDED =
            List.of("com.marcnuri.helm.Helm", "com.marcnuri.helm.jni.HelmLib", "com.sun.jna.Native");

    /** Of the jar with the native library, one for each platform; its class is in no package that Java could name. */
    private static final String NATIVE = "META-INF/services/com.marcnuri.helm.jni.NativeLibrary";

    private HelmClassPath() {}

    /**
     * The class path of the process.
     *
     * @param configured what to use instead, unless empty
     * @throws ChartException {@code HelmRendererMissing}
     */
    static String find(List<Path> configured) {
        if (!configured.isEmpty()) {
            return join(new LinkedHashSet<>(configured));
        }
        ClassLoader loader = HelmClassPath.class.getClassLoader();
        Set<Path> jars = new LinkedHashSet<>();
        jars.add(place(HelmWorker.class));
        for (String name : NEEDED) {
            try {
                jars.add(place(Class.forName(name, false, loader)));
            } catch (ClassNotFoundException | LinkageError e) {
                throw missing(
                        "charts need com.marcnuri.helm-java:helm-java on the class path, which has no " + name, e);
            }
        }
        java.net.@Nullable URL provider = loader.getResource(NATIVE);
        if (provider == null) {
            throw missing(
                    "charts need the native library of helm-java for " + System.getProperty("os.name") + " on "
                            + System.getProperty("os.arch") + " on the class path, or the command helm (--helm, or in"
                            + " PATH)",
                    null);
        }
        String location = provider.toString();
        int inner = location.indexOf("!/");
        jars.add(place(
                inner < 0
                        ? location.substring(0, location.length() - NATIVE.length())
                        : location.substring("jar:".length(), inner)));
        return join(jars);
    }

    private static Path place(Class<?> type) {
        CodeSource source = type.getProtectionDomain().getCodeSource();
        return place(
                source == null || source.getLocation() == null
                        ? ""
                        : source.getLocation().toString());
    }

    private static Path place(String location) {
        try {
            URI uri = new URI(location);
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
