package dev.sro.core.plugin;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.ref.WeakReference;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What happens to loaded plugins when files change. */
class PluginReloadTest {

    @TempDir
    Path root;

    private Hosts hosts;

    @BeforeEach
    void directories() throws IOException {
        hosts = new Hosts(root);
    }

    private static String version(PluginHost host, String name) {
        return host.find(name).orElseThrow().descriptor().version();
    }

    private PluginBuilder acme(String version) {
        return PluginBuilder.named("acme")
                .version(version)
                .plugin("acme.Main", "acme", "\"" + version + "\"", "")
                .source(
                        "acme.Late",
                        "package acme; public class Late { public String toString() { return \"late " + version
                                + "\"; } }");
    }

    @Test
    void keepsLoadingClassesOfAJarThatWasOverwrittenOrRemoved() throws Exception {
        Path jar = acme("1.0.0").jar(hosts.plugins());
        try (PluginHost host = hosts.open()) {
            ClassLoader loader = host.find("acme").orElseThrow().classLoader();
            Files.write(jar, new byte[200]);
            Files.delete(jar);

            Object late = loader.loadClass("acme.Late").getConstructor().newInstance();
            assertThat(late).hasToString("late 1.0.0");
        }
    }

    @Test
    void answersWithTheSameSetWhenNothingChanged() throws IOException {
        acme("1.0.0").jar(hosts.plugins());
        Files.writeString(hosts.plugins().resolve("bad.jar"), "bad");
        try (PluginHost host = hosts.open()) {
            assertThat(host.rescan()).isSameAs(host.current());
            PluginSet before = host.current();
            assertThat(host.rescan()).isSameAs(before);
        }
    }

    @Test
    void loadsWhatIsNewReplacesWhatChangedAndDropsWhatIsGone() throws IOException {
        acme("1.0.0").jar(hosts.plugins());
        Path gone = PluginBuilder.named("gone").jar(hosts.plugins());
        PluginBuilder.named("same").jar(hosts.plugins());
        try (PluginHost host = hosts.open()) {
            PluginSet before = host.current();
            Files.delete(gone);
            acme("1.1.0").jar(hosts.plugins());
            PluginBuilder.named("added").jar(hosts.plugins());

            PluginSet after = host.rescan();

            assertThat(after.names()).containsExactly("acme", "added", "same");
            assertThat(after.find("acme").orElseThrow().descriptor().version()).isEqualTo("1.1.0");
            assertThat(after.find("same")).isEqualTo(before.find("same"));
            assertThat(after.rejections()).isEmpty();
            assertThat(before.names()).as("a set never changes").containsExactly("acme", "gone", "same");
        }
    }

    @Test
    void forgetsTheOldClassLoaderAfterAReload() {
        acme("1.0.0")
                .attribute("Plugin-Class", "acme.Life")
                .source("acme.Life", LifeCycles.source("acme.Life", "", ""))
                .jar(hosts.plugins());
        try (PluginHost host = hosts.open()) {
            WeakReference<ClassLoader> old =
                    new WeakReference<>(host.find("acme").orElseThrow().classLoader());
            acme("1.1.0").jar(hosts.plugins());
            host.rescan();

            assertThat(version(host, "acme")).isEqualTo("1.1.0");
            assertThat(isCollected(old)).isTrue();
        }
    }

    @Test
    void forgetsTheClassLoaderOfAPluginThatWasRejected() {
        String key = "sro.test.rejectedLoader";
        PluginBuilder.named("bad")
                .source("bad.Boom", "package bad; public class Boom extends RuntimeException { }")
                .plugin("bad.Main", "bad", """
                        public Main() {
                            System.getProperties().put("%s",
                                    new java.lang.ref.WeakReference<Object>(getClass().getClassLoader()));
                            throw new IllegalStateException("boom", new Boom());
                        }
                        """.formatted(key))
                .jar(hosts.plugins());
        try (PluginHost host = hosts.open()) {
            assertThat(Hosts.onlyRejection(host).message()).contains("bad.Boom");
            WeakReference<?> loader = (WeakReference<?>) System.getProperties().remove(key);
            assertThat(isCollected(Objects.requireNonNull(loader))).isTrue();
        }
    }

    @Test
    void loadsAChangeOnceWhenSeveralThreadsAskForIt() throws Exception {
        acme("1.0.0").jar(hosts.plugins());
        ExecutorService threads = Executors.newFixedThreadPool(4);
        try (PluginHost host = hosts.open()) {
            acme("1.1.0")
                    .plugin("acme.Main", "acme", "\"1.1.0\"", "public Main() { " + hosts.logStatement("created") + " }")
                    .jar(hosts.plugins());

            List<Future<PluginSet>> answers =
                    threads.invokeAll(Collections.nCopies(8, (Callable<PluginSet>) host::rescan));

            for (Future<PluginSet> answer : answers) {
                assertThat(answer.get()).isSameAs(host.current());
            }
            assertThat(version(host, "acme")).isEqualTo("1.1.0");
            assertThat(hosts.logged()).containsExactly("created");
        } finally {
            threads.shutdownNow();
        }
    }

    private static boolean isCollected(WeakReference<?> reference) {
        for (int i = 0; i < 50 && reference.get() != null; i++) {
            System.gc();
        }
        return reference.get() == null;
    }

    @Test
    void keepsTheLastGoodCopyWhenAFileIsReplacedByABadOne() throws IOException {
        Path jar = acme("1.0.0").jar(hosts.plugins());
        try (PluginHost host = hosts.open()) {
            LoadedPlugin before = host.find("acme").orElseThrow();
            Files.writeString(jar, "half a jar");

            host.rescan();

            assertThat(host.find("acme")).contains(before);
            assertThat(Hosts.onlyRejection(host).message()).contains("stays in use until SRO restarts");

            acme("1.1.0").jar(hosts.plugins());
            host.rescan();
            assertThat(version(host, "acme")).isEqualTo("1.1.0");
            assertThat(host.rejections()).isEmpty();
        }
    }

    @Test
    void keepsTheLastGoodCopyWhenTheNewOneThrows() {
        acme("1.0.0").jar(hosts.plugins());
        try (PluginHost host = hosts.open()) {
            acme("1.1.0")
                    .plugin(
                            "acme.Main",
                            "acme",
                            "public Main() { " + hosts.logStatement("tried")
                                    + " throw new IllegalStateException(\"boom\"); }")
                    .jar(hosts.plugins());

            host.rescan();
            host.rescan();

            assertThat(version(host, "acme")).isEqualTo("1.0.0");
            assertThat(Hosts.onlyRejection(host).code()).isEqualTo(PluginRejectionCodes.FAILED);
            assertThat(hosts.logged()).as("what failed is not run again").containsExactly("tried");
        }
    }

    @Test
    void keepsEverythingWhileTheDirectoryCannotBeListed() throws IOException {
        acme("1.0.0").jar(hosts.plugins());
        try (PluginHost host = hosts.open()) {
            Files.move(hosts.plugins(), root.resolve("away"));
            host.rescan();
            assertThat(host.names()).containsExactly("acme");
            assertThat(Hosts.onlyRejection(host).code()).isEqualTo(PluginRejectionCodes.DIRECTORY_UNREADABLE);

            Files.move(root.resolve("away"), hosts.plugins());
            host.rescan();
            assertThat(host.names()).containsExactly("acme");
            assertThat(host.rejections()).isEmpty();
        }
    }

    @Test
    void takesTheHighestVersionOfAnIdThenTheFirstFileName() {
        acme("1.9.0").jar(hosts.plugins(), "z.jar");
        acme("1.10.0").jar(hosts.plugins(), "b.jar");
        acme("1.10.0").jar(hosts.plugins(), "a.jar");
        try (PluginHost host = hosts.open()) {
            LoadedPlugin plugin = host.find("acme").orElseThrow();
            assertThat(plugin.file().orElseThrow().file()).isEqualTo("a.jar");
            assertThat(host.rejections()).extracting(PluginRejection::file).containsExactly("b.jar", "z.jar");
            assertThat(host.rejections())
                    .extracting(PluginRejection::code)
                    .containsOnly(PluginRejectionCodes.DUPLICATE_ID);
        }
    }

    @Test
    void fallsBackToAnotherFileOfTheSameIdWhenTheBetterOneFails() {
        acme("1.0.0").jar(hosts.plugins(), "acme-1.0.0.jar");
        acme("1.1.0")
                .plugin("acme.Main", "acme", "public Main() { throw new IllegalStateException(\"boom\"); }")
                .jar(hosts.plugins(), "acme-1.1.0.jar");
        acme("1.2.0").dependsOn("absent").jar(hosts.plugins(), "acme-1.2.0.jar");
        PluginBuilder.named("dependent").dependsOn("acme").jar(hosts.plugins());
        try (PluginHost host = hosts.open()) {
            assertThat(host.names()).containsExactly("acme", "dependent");
            assertThat(version(host, "acme")).isEqualTo("1.0.0");
            assertThat(Hosts.rejectionOf(host, "acme-1.1.0.jar").code()).isEqualTo(PluginRejectionCodes.FAILED);
            assertThat(Hosts.rejectionOf(host, "acme-1.2.0.jar").code())
                    .isEqualTo(PluginRejectionCodes.DEPENDENCY_MISSING);
            PluginSet before = host.current();
            assertThat(host.rescan()).isSameAs(before);
        }
    }

    @Test
    void reloadsThePluginsThatDependOnTheOneThatChanged() {
        Path base = base("1.0.0");
        PluginBuilder.named("acme")
                .plugin("acme.Main", "acme", "base.Base.V", "")
                .dependsOn("base")
                .jar(hosts.plugins(), "acme.jar", base);
        try (PluginHost host = hosts.open()) {
            assertThat(version(host, "acme")).isEqualTo("base 1.0.0");
            base("1.1.0");
            host.rescan();
            assertThat(version(host, "acme")).isEqualTo("base 1.1.0");
        }
    }

    @Test
    void keepsTheOldDependencyOpenForADependentThatStays() throws Exception {
        Path base = base("1.0.0");
        PluginBuilder.named("acme")
                .plugin("acme.Main", "acme", "base.Base.V", "")
                .dependsOn("base@<2.0.0")
                .jar(hosts.plugins(), "acme.jar", base);
        try (PluginHost host = hosts.open()) {
            base("2.0.0");
            host.rescan();

            assertThat(Hosts.rejectionOf(host, "acme.jar").message()).contains("stays in use until SRO restarts");
            LoadedPlugin acme = host.find("acme").orElseThrow();
            Object late =
                    acme.classLoader().loadClass("base.Late").getConstructor().newInstance();
            assertThat(late).hasToString("late 1.0.0");
        }
    }

    private Path base(String version) {
        return PluginBuilder.empty("base")
                .version(version)
                .source(
                        "base.Base",
                        "package base; public class Base { public static String V = \"base " + version + "\"; }")
                .source(
                        "base.Late",
                        "package base; public class Late { public String toString() { return \"late " + version
                                + "\"; } }")
                .jar(hosts.plugins());
    }
}
