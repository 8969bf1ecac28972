package dev.sro.plugins.simplekmod;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.core.embed.OperatorLease;
import dev.sro.core.embed.SpecialResourceOperator;
import dev.sro.testkit.operator.SroSandbox;
import dev.sro.testkit.sim.NodeProfile;
import dev.sro.testkit.sim.OsRelease;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.lang.reflect.Method;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The page about embedding keeps its promises: its operator, as it stands there, brings a special resource to Ready. */
class EmbeddingExampleTest {

    private static final Path PAGE = Path.of("..", "docs", "embedders", "embedding.md");
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final Duration STEP = Duration.ofMillis(500);
    private static final int MAX_LINES = 40;

    @TempDir
    private Path folder;

    private static String block(String language, String with) throws IOException {
        Matcher blocks =
                Pattern.compile("(?ms)^```" + language + "\\n(.*?)^```").matcher(Files.readString(PAGE));
        while (blocks.find()) {
            if (blocks.group(1).contains(with)) {
                return blocks.group(1);
            }
        }
        throw new AssertionError("no block of " + language + " with " + with + " in " + PAGE);
    }

    /** Compiles the operator of the page, and gives what starts it. */
    private Method example() throws Exception {
        String code = block("java", "class MyOperator");
        assertThat(code.lines().filter(line -> !line.isBlank())).hasSizeLessThan(MAX_LINES);
        JavaFileObject source =
                new SimpleJavaFileObject(URI.create("docs:///MyOperator.java"), JavaFileObject.Kind.SOURCE) {
                    @Override
                    public CharSequence getCharContent(boolean ignoreEncodingErrors) {
                        return code;
                    }
                };
        DiagnosticCollector<JavaFileObject> found = new DiagnosticCollector<>();
        List<String> options = List.of(
                "--release", "17", "-proc:none", "-cp", System.getProperty("java.class.path"), "-d", folder.toString());
        assertThat(ToolProvider.getSystemJavaCompiler()
                        .getTask(null, null, found, options, null, List.of(source))
                        .call())
                .as("%s", found.getDiagnostics())
                .isTrue();
        ClassLoader loader = new URLClassLoader(
                new URL[] {folder.toUri().toURL()}, getClass().getClassLoader());
        Method start = Class.forName("com.example.embedded.MyOperator", true, loader)
                .getDeclaredMethod("start", KubernetesClient.class);
        start.setAccessible(true);
        return start;
    }

    /** The threads of the operator are its own, so the cluster's time goes on while they work. */
    private static void await(SroSandbox sandbox, String what, BooleanSupplier condition) throws InterruptedException {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as(what).isLessThan(end);
            sandbox.cluster().advance(STEP);
            Thread.sleep(5);
        }
    }

    @Test
    void theOperatorOfThePageBringsASpecialResourceToReady() throws Exception {
        try (SroSandbox sandbox = SroSandbox.create()) {
            sandbox.kill();
            sandbox.nodes().create("worker", NodeProfile.of(OsRelease.UBUNTU_22));
            KubernetesClient client = sandbox.cluster().newClient("my-operator");
            try (SpecialResourceOperator operator =
                    (SpecialResourceOperator) requireNonNull(example().invoke(null, client))) {
                assertThat(operator.plugins()).containsExactly("simple-kmod");
                assertThat(operator.switchedOff()).isEmpty();
                await(sandbox, "it leads", operator::isRunning);
                sandbox.apply(SimpleKmodScenarioTest.RESOURCE.replace(
                        "{name: simple-kmod}\nspec",
                        "{name: simple-kmod, labels: {example.com/operator: mine}}\nspec"));
                await(sandbox, "it is ready", () -> sandbox.isReady("simple-kmod"));
                assertThat(operator.notReady()).isEmpty();
            }
            Lease lease = requireNonNull(sandbox.client()
                    .leases()
                    .inNamespace("default")
                    .withName("my-operator")
                    .get());
            assertThat(lease.getSpec().getHolderIdentity()).as("given back").isNullOrEmpty();
        }
    }

    @Test
    void theTableOfRightsIsWhatTheCallPrints() throws IOException {
        String rights = SpecialResourceOperator.builder()
                .plugins(new SimpleKmodPlugin())
                .namespace("my-namespace")
                .lease(OperatorLease.of("my-operator"))
                .rights()
                .toString();

        assertThat(Files.readString(PAGE))
                .as("the table has to be%n%s", rights)
                .contains("```text\n" + rights + "```\n");
    }

    @Test
    void thePomHasAllThatRunsTheOperator() throws IOException {
        String pom = block("xml", "<artifactId>my-operator</artifactId>").replaceAll("\\s", "");

        assertThat(pom)
                .contains("<artifactId>sro-core</artifactId>")
                .contains(dependency("io.fabric8", "kubernetes-client", "fabric8.version"))
                .contains(dependency("org.slf4j", "slf4j-simple", "slf4j.version"));
    }

    /** In the version that SRO is built with. */
    private static String dependency(String group, String artifact, String property) throws IOException {
        Matcher version = Pattern.compile("<" + Pattern.quote(property) + ">([^<]+)<")
                .matcher(Files.readString(Path.of("..", "pom.xml")));
        assertThat(version.find()).as(property).isTrue();
        return "<groupId>%s</groupId><artifactId>%s</artifactId><version>%s</version>"
                .formatted(group, artifact, version.group(1));
    }
}
