package dev.sro.runtime.docs;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.core.yaml.Yaml;
import dev.sro.testkit.contract.AcceleratorPluginContract;
import dev.sro.testkit.controlplane.RealControlPlane;
import dev.sro.testkit.node.RealKubelet;
import dev.sro.testkit.node.RealNode;
import java.io.IOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** Compiles the Java code in the documentation, and runs the tests that are in it. */
class DocsCodeTest {
    private static final Pattern PACKAGE = Pattern.compile("(?m)^package ([\\w.]+);");
    private static final Pattern TYPE = Pattern.compile("(?m)^(?:public )?(?:final )?class (\\w+)");
    private static final Pattern RESOURCE = Pattern.compile("\\A# src/main/resources/(\\S+)\\n");

    /** Sealed ones are implemented by nobody else. */
    private static final Pattern INTERFACE = Pattern.compile("(?m)^public interface (\\w+)");

    private static final Pattern IMPLEMENTS =
            Pattern.compile("(?s)\\bclass \\w+(?: extends \\w+)?\\s+implements\\s+([\\w\\s,]+?)\\s*\\{");

    /** Processors do not run here, so the annotation alone is enough. */
    private static final Source AUTO_SERVICE = new Source(
            "com.google.auto.service.AutoService",
            "package com.google.auto.service; public @interface AutoService { Class<?>[] value(); }");

    @TempDir
    Path out;

    private static final class Source extends SimpleJavaFileObject {
        private final String name;
        private final String code;

        Source(String name, String code) {
            super(URI.create("docs:///" + name.replace('.', '/') + ".java"), Kind.SOURCE);
            this.name = name;
            this.code = code;
        }

        static Source of(String code) {
            return new Source(group(PACKAGE, code) + "." + group(TYPE, code), code);
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return code;
        }
    }

    private static String group(Pattern pattern, String text) {
        Matcher matcher = pattern.matcher(text);
        assertThat(matcher.find()).as("%s in:%n%s", pattern, text).isTrue();
        return matcher.group(1);
    }

    private static List<String> blocks(String language) throws IOException {
        return blocks(language, DocsTest.pages().toList());
    }

    private static List<String> blocks(String language, List<String> pages) throws IOException {
        List<String> blocks = new ArrayList<>();
        for (String page : pages) {
            for (MatchResult block : DocsTest.blocks(language, DocsTest.read(page))) {
                blocks.add(block.group(1));
            }
        }
        return blocks;
    }

    /** Those of projects with frameworks that are not on the class path here: the script builds and runs them. */
    private static boolean isBuiltOutside(String page) throws IOException {
        return DocsTest.read(".ci/embedders.sh").contains("embedder_of_page " + page.replaceFirst("^docs/", "") + " ");
    }

    @TestFactory
    Stream<DynamicTest> theTestsInTheDocumentationPass() throws IOException {
        List<String> pages = new ArrayList<>();
        for (String page : DocsTest.pages().toList()) {
            if (!isBuiltOutside(page)) {
                pages.add(page);
            }
        }
        List<Source> sources = blocks("java", pages).stream().map(Source::of).toList();
        compile(sources);
        for (String language : List.of("yaml", "dockerfile")) {
            for (String text : blocks(language)) {
                Matcher path = RESOURCE.matcher(text);
                if (path.find()) {
                    Path file = out.resolve(path.group(1));
                    Files.createDirectories(requireNonNull(file.getParent()));
                    Files.writeString(file, text);
                }
            }
        }
        ClassLoader loader =
                new URLClassLoader(new URL[] {out.toUri().toURL()}, getClass().getClassLoader());
        return sources.stream().filter(source -> source.name.endsWith("Test")).flatMap(source -> tests(source, loader));
    }

    @Test
    void pluginsAreShort() throws IOException {
        List<Source> sources = blocks("java").stream().map(Source::of).toList();

        assertThat(lines(sources, "com.acme.first.FirstPlugin"))
                .as("the smallest")
                .isLessThan(50);
        assertThat(lines(sources, "ai.habana.sro.GaudiPlugin"))
                .as("a whole one, with modules, firmware, builds and the container runtime")
                .isLessThan(130);
    }

    /** What a plugin may implement: each has an example, so that nobody has to guess from signatures. */
    @Test
    void everyInterfaceOfTheContractIsImplementedInAnExample() throws IOException {
        Set<String> interfaces = new TreeSet<>();
        try (Stream<Path> files = Files.walk(DocsTest.path("sro-api/src/main/java"))) {
            for (Path file : files.filter(f -> f.toString().endsWith(".java")).toList()) {
                INTERFACE.matcher(Files.readString(file)).results().forEach(found -> interfaces.add(found.group(1)));
            }
        }
        assertThat(interfaces).hasSizeGreaterThan(15).contains("AcceleratorPlugin", "ImageResolver", "UpgradePolicy");
        Set<String> implemented = new TreeSet<>();
        for (String code : blocks("java")) {
            IMPLEMENTS
                    .matcher(code)
                    .results()
                    .forEach(found -> Stream.of(found.group(1).split(",", -1))
                            .map(String::strip)
                            .forEach(implemented::add));
        }
        assertThat(implemented).containsAll(interfaces);
    }

    private static long lines(List<Source> sources, String name) {
        return sources.stream()
                .filter(source -> source.name.equals(name))
                .mapToLong(source -> source.code.lines().count())
                .sum();
    }

    private void compile(List<Source> sources) {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        DiagnosticCollector<JavaFileObject> found = new DiagnosticCollector<>();
        List<String> options = List.of(
                "--release", "17", "-proc:none", "-cp", System.getProperty("java.class.path"), "-d", out.toString());
        List<Source> all = new ArrayList<>(sources);
        all.add(AUTO_SERVICE);
        boolean compiled =
                compiler.getTask(null, null, found, options, null, all).call();
        assertThat(found.getDiagnostics().stream().filter(d -> d.getKind() == Diagnostic.Kind.ERROR))
                .isEmpty();
        assertThat(compiled).isTrue();
    }

    private static Stream<DynamicTest> tests(Source source, ClassLoader loader) {
        try {
            Class<?> type = Class.forName(source.name, true, loader);
            if (Stream.of(RealControlPlane.class, RealNode.class, RealKubelet.class)
                    .anyMatch(type::isAnnotationPresent)) {
                // It compiles; there may be no cluster, or no machine, to run it on.
                return Stream.empty();
            }
            Constructor<?> constructor = type.getDeclaredConstructor();
            constructor.setAccessible(true);
            List<DynamicTest> tests = new ArrayList<>();
            for (Method method : type.getDeclaredMethods()) {
                if (method.isAnnotationPresent(Test.class)) {
                    tests.add(test(type, method, constructor));
                }
            }
            for (Class<?> kit = type.getSuperclass(); kit == AcceleratorPluginContract.class; kit = Object.class) {
                for (Method method : kit.getDeclaredMethods()) {
                    if (method.isAnnotationPresent(Test.class)) {
                        tests.add(test(type, method, constructor));
                    }
                }
            }
            // Of those about monitoring the tests need a tool; .ci/outside.sh runs them.
            assertThat(!tests.isEmpty() || type.getSuperclass() != Object.class)
                    .as("tests of " + source.name)
                    .isTrue();
            return tests.stream();
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    private static DynamicTest test(Class<?> type, Method method, Constructor<?> constructor) {
        method.setAccessible(true);
        return DynamicTest.dynamicTest(
                type.getSimpleName() + "." + method.getName(), () -> method.invoke(constructor.newInstance()));
    }

    @Test
    void theYamlInTheDocumentationIsYaml() throws IOException {
        for (String yaml : blocks("yaml")) {
            assertThat(Yaml.documents("documentation", yaml)).isNotEmpty();
        }
    }
}
