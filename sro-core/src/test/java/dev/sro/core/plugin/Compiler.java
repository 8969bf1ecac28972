package dev.sro.core.plugin;

import dev.sro.api.AcceleratorPlugin;
import io.fabric8.kubernetes.api.builder.Builder;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.rbac.PolicyRule;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.DiagnosticCollector;
import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.pf4j.ExtensionPoint;

/** Compiles sources in memory against what a vendor compiles against. */
final class Compiler {

    /** Results by input: most tests have the same good plugin beside what they are about. */
    private static final Map<String, Map<String, byte[]>> RESULTS = new ConcurrentHashMap<>();

    private Compiler() {}

    /** Class files by path, for sources by class name. */
    static Map<String, byte[]> compile(Map<String, String> sources, Path... extraClassPath) {
        if (sources.isEmpty()) {
            return Map.of();
        }
        String input = sources + " " + List.of(extraClassPath);
        return RESULTS.computeIfAbsent(input, missing -> run(sources, extraClassPath));
    }

    private static Map<String, byte[]> run(Map<String, String> sources, Path... extraClassPath) {
        JavaCompiler javac = ToolProvider.getSystemJavaCompiler();
        DiagnosticCollector<JavaFileObject> problems = new DiagnosticCollector<>();
        List<JavaFileObject> units = new ArrayList<>();
        sources.forEach((name, code) -> units.add(new Source(name, code)));
        try (StandardJavaFileManager standard = javac.getStandardFileManager(problems, null, null);
                Memory memory = new Memory(standard)) {
            List<String> options = List.of("-proc:none", "-classpath", classPath(extraClassPath));
            if (!javac.getTask(null, memory, problems, options, null, units).call()) {
                throw new IllegalArgumentException(problems.getDiagnostics().toString());
            }
            return memory.classes();
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }

    static Path codeSource(Class<?> type) {
        try {
            return Path.of(
                    type.getProtectionDomain().getCodeSource().getLocation().toURI());
        } catch (URISyntaxException broken) {
            throw new IllegalStateException(broken);
        }
    }

    private static String classPath(Path... extra) {
        Stream<Path> vendors = Stream.of(
                        AcceleratorPlugin.class, ExtensionPoint.class, ConfigMap.class, PolicyRule.class, Builder.class)
                .map(Compiler::codeSource);
        return Stream.concat(vendors, Stream.of(extra))
                .map(Path::toString)
                .distinct()
                .collect(Collectors.joining(File.pathSeparator));
    }

    private static final class Source extends SimpleJavaFileObject {

        private final String code;

        Source(String className, String code) {
            super(URI.create("string:///" + className.replace('.', '/') + Kind.SOURCE.extension), Kind.SOURCE);
            this.code = code;
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return code;
        }
    }

    private static final class Output extends SimpleJavaFileObject {

        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

        Output(String className) {
            super(URI.create("memory:///" + className), Kind.CLASS);
        }

        @Override
        public OutputStream openOutputStream() {
            return bytes;
        }
    }

    private static final class Memory extends ForwardingJavaFileManager<JavaFileManager> {

        private final Map<String, Output> outputs = new TreeMap<>();

        Memory(JavaFileManager standard) {
            super(standard);
        }

        @Override
        public JavaFileObject getJavaFileForOutput(
                Location location, String className, JavaFileObject.Kind kind, javax.tools.FileObject sibling) {
            return outputs.computeIfAbsent(className.replace('.', '/') + ".class", Output::new);
        }

        Map<String, byte[]> classes() {
            Map<String, byte[]> classes = new TreeMap<>();
            outputs.forEach((path, output) -> classes.put(path, output.bytes.toByteArray()));
            return classes;
        }
    }
}
