package dev.sro.core.plugin;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Files that are not taken, one reason each; a good plugin beside them is always loaded. */
class PluginRejectionTest extends PluginRejectionWorld {

    @Test
    void fileThatIsNoArchive() throws IOException {
        Files.writeString(hosts.plugins().resolve("bad.jar"), "this is not a jar");
        Files.writeString(hosts.plugins().resolve("bad.zip"), "this is not a zip");

        try (PluginHost host = hosts.open()) {
            assertThat(host.names()).containsExactly("good");
            assertThat(host.rejections()).extracting(PluginRejection::file).containsExactly("bad.jar", "bad.zip");
            assertThat(host.rejections())
                    .extracting(PluginRejection::code)
                    .containsOnly(PluginRejectionCodes.FILE_UNREADABLE);
        }
    }

    @Test
    void jarThatWasCopiedHalf() throws IOException {
        Path jar = PluginBuilder.named("half").jar(hosts.plugins());
        byte[] whole = Files.readAllBytes(jar);
        Files.write(jar, Arrays.copyOf(whole, whole.length / 2));

        assertThat(onlyRejection().code()).isEqualTo(PluginRejectionCodes.FILE_UNREADABLE);
    }

    @Test
    void libraryWithoutADescriptor() {
        PluginBuilder.empty("library").withoutManifest().entry("a.txt", "a").jar(hosts.plugins());

        PluginRejection rejection = onlyRejection();
        assertThat(rejection.code()).isEqualTo(PluginRejectionCodes.DESCRIPTOR_MISSING);
        assertThat(rejection.message()).contains("Plugin-Id");
    }

    @ParameterizedTest
    @MethodSource("invalidDescriptors")
    void invalidDescriptorField(String field, String value, String reason) {
        PluginBuilder.named("bad").attribute(field, value).jar(hosts.plugins());

        PluginRejection rejection = onlyRejection();
        assertThat(rejection.code()).isEqualTo(PluginRejectionCodes.DESCRIPTOR_INVALID);
        assertThat(rejection.message()).contains(field).contains(reason);
    }

    @Test
    void pluginForAnotherVersionOfSro() {
        PluginBuilder.named("newer").requires(">=2.0.0 & <3.0.0").jar(hosts.plugins());

        PluginRejection rejection = onlyRejection();
        assertThat(rejection.code()).isEqualTo(PluginRejectionCodes.VERSION_UNSUPPORTED);
        assertThat(rejection.message()).contains(">=2.0.0 & <3.0.0").contains("1.4.0");
    }

    @Test
    void descriptorButNoPluginInside() {
        PluginBuilder.empty("bare").jar(hosts.plugins());

        PluginRejection rejection = onlyRejection();
        assertThat(rejection.code()).isEqualTo(PluginRejectionCodes.NO_ACCELERATOR_PLUGIN);
        assertThat(rejection.message()).contains("@AutoService").contains("-proc:full");
    }

    @Test
    void servicesEntryForAClassThatIsNotThere() {
        PluginBuilder.empty("bad").service("bad.Absent").jar(hosts.plugins());

        PluginRejection rejection = onlyRejection();
        assertThat(rejection.code()).isEqualTo(PluginRejectionCodes.CLASS_MISSING);
        assertThat(rejection.message()).contains("bad.Absent");
    }

    @Test
    void pluginThatForgotALibrary() {
        Path library = PluginBuilder.empty("library")
                .source("lib.Lib", "package lib; public class Lib { public static String v() { return \"1\"; } }")
                .jar(root);
        PluginBuilder.named("bad")
                .plugin("bad.Main", "bad", "lib.Lib.v()", "")
                .jar(hosts.plugins(), "bad.jar", library);

        PluginRejection rejection = onlyRejection();
        assertThat(rejection.code()).isEqualTo(PluginRejectionCodes.CLASS_MISSING);
        assertThat(rejection.message()).contains("lib/Lib").contains("lib/ of a zip");
    }

    @Test
    void superclassThatIsMissing() {
        Path library = PluginBuilder.empty("library")
                .source("lib.Base", "package lib; public class Base { }")
                .jar(root);
        PluginBuilder.empty("bad")
                .source("bad.Main", "package bad; public abstract class Main extends lib.Base { }")
                .service("bad.Main")
                .jar(hosts.plugins(), "bad.jar", library);

        assertThat(onlyRejection().code()).isEqualTo(PluginRejectionCodes.CLASS_MISSING);
    }

    @ParameterizedTest
    @MethodSource("invalidProviders")
    void classThatCannotBeAProvider(String code, String reason) {
        PluginBuilder.empty("bad")
                .source("bad.Main", "package bad; " + code)
                .service("bad.Main")
                .jar(hosts.plugins());

        PluginRejection rejection = onlyRejection();
        assertThat(rejection.code()).isEqualTo(PluginRejectionCodes.PROVIDER_INVALID);
        assertThat(rejection.message()).contains("bad.Main").contains(reason);
    }

    @ParameterizedTest
    @MethodSource("throwingMembers")
    void constructorThatThrows(String member, String where) {
        PluginBuilder.named("bad").plugin("bad.Main", "bad", member).jar(hosts.plugins());

        PluginRejection rejection = onlyRejection();
        assertThat(rejection.code()).isEqualTo(PluginRejectionCodes.FAILED);
        assertThat(rejection.message()).contains(where).contains("boom").contains("Main.java:");
    }

    @ParameterizedTest
    @MethodSource("badDescriptorMethods")
    void descriptorMethodThatThrows(String version, String reason) {
        String name = reason.equals("boom") ? "bad" : "Not A Label";
        PluginBuilder.named("bad")
                .plugin("bad.Main", name, version, "static String fail() { throw new RuntimeException(\"boom\"); }")
                .jar(hosts.plugins());

        PluginRejection rejection = onlyRejection();
        assertThat(rejection.code()).isEqualTo(PluginRejectionCodes.FAILED);
        assertThat(rejection.message()).contains("descriptor()").contains(reason);
    }

    @Test
    void descriptorMethodThatReturnsNull() {
        PluginBuilder.named("bad").source("bad.Main", """
            package bad;
            public class Main implements dev.sro.api.AcceleratorPlugin {
                public dev.sro.api.PluginDescriptor descriptor() { return null; }
                public dev.sro.api.StateGraph states(dev.sro.api.RecipeContext c) { return null; }
            }
            """).jar(hosts.plugins());

        assertThat(onlyRejection().message()).contains("descriptor()").contains("null");
    }

    @Test
    void constructorThatHangs() {
        PluginBuilder.named("bad")
                .plugin(
                        "bad.Main",
                        "bad",
                        "public Main() throws Exception { new java.util.concurrent.CountDownLatch(1).await(); }")
                .jar(hosts.plugins());

        try (PluginHost host = hosts.open(config -> config.callDeadline(Duration.ofSeconds(1)))) {
            assertThat(host.names()).containsExactly("good");
            PluginRejection rejection = Hosts.onlyRejection(host);
            assertThat(rejection.code()).isEqualTo(PluginRejectionCodes.TIMED_OUT);
            assertThat(rejection.message()).contains("constructor of bad.Main").contains("1.0 s");
        }
    }

    @Test
    void lifeCycleClassThatThrowsOrIsMissing() {
        PluginBuilder.named("bad")
                .attribute("Plugin-Class", "bad.Life")
                .source("bad.Life", LifeCycles.source("bad.Life", "throw new RuntimeException(\"boom\");", ""))
                .jar(hosts.plugins());
        PluginBuilder.named("worse").attribute("Plugin-Class", "worse.Absent").jar(hosts.plugins());

        try (PluginHost host = hosts.open()) {
            assertThat(host.names()).containsExactly("good");
            PluginRejection thrown = Hosts.rejectionOf(host, "bad.jar");
            assertThat(thrown.code()).isEqualTo(PluginRejectionCodes.FAILED);
            assertThat(thrown.message())
                    .contains("start() of Plugin-Class bad.Life")
                    .contains("boom");
            PluginRejection missing = Hosts.rejectionOf(host, "worse.jar");
            assertThat(missing.code()).isEqualTo(PluginRejectionCodes.CLASS_MISSING);
            assertThat(missing.message()).contains("worse.Absent");
        }
    }

    @Test
    void unsatisfiableDependencyLeavesTheInnocentOneAlone() {
        PluginBuilder.named("bad").dependsOn("good, absent@>=2.0.0").jar(hosts.plugins());

        PluginRejection rejection = onlyRejection();
        assertThat(rejection.code()).isEqualTo(PluginRejectionCodes.DEPENDENCY_MISSING);
        assertThat(rejection.message()).contains("absent");
    }

    @Test
    void dependencyInAVersionThatDoesNotFit() {
        PluginBuilder.named("bad").dependsOn("good@>=2.0.0").jar(hosts.plugins());

        PluginRejection rejection = onlyRejection();
        assertThat(rejection.code()).isEqualTo(PluginRejectionCodes.DEPENDENCY_MISSING);
        assertThat(rejection.message()).contains("good.jar has it in version 1.0.0");
    }

    @Test
    void dependentOfAPluginThatFails() {
        PluginBuilder.named("bad")
                .plugin("bad.Main", "bad", "public Main() { throw new IllegalStateException(\"boom\"); }")
                .jar(hosts.plugins());
        PluginBuilder.named("dependent").dependsOn("bad, good").jar(hosts.plugins());

        try (PluginHost host = hosts.open()) {
            assertThat(host.names()).containsExactly("good");
            assertThat(Hosts.rejectionOf(host, "bad.jar").code()).isEqualTo(PluginRejectionCodes.FAILED);
            PluginRejection rejection = Hosts.rejectionOf(host, "dependent.jar");
            assertThat(rejection.code()).isEqualTo(PluginRejectionCodes.DEPENDENCY_REJECTED);
            assertThat(rejection.message()).contains("depends on plugin bad");
        }
    }

    @Test
    void dependenciesInACircle() {
        PluginBuilder.named("one").dependsOn("two").jar(hosts.plugins());
        PluginBuilder.named("two").dependsOn("one").jar(hosts.plugins());
        PluginBuilder.named("three").dependsOn("two").jar(hosts.plugins());

        try (PluginHost host = hosts.open()) {
            assertThat(host.names()).containsExactly("good");
            assertThat(Hosts.rejectionOf(host, "one.jar").code()).isEqualTo(PluginRejectionCodes.DEPENDENCY_CYCLE);
            assertThat(Hosts.rejectionOf(host, "two.jar").code()).isEqualTo(PluginRejectionCodes.DEPENDENCY_CYCLE);
            assertThat(Hosts.rejectionOf(host, "three.jar").code()).isEqualTo(PluginRejectionCodes.DEPENDENCY_REJECTED);
        }
    }

    @Test
    void sameNameInAnotherPlugin() {
        PluginBuilder.empty("zzz")
                .plugin("zzz.Main", "good", "")
                .service("zzz.Main")
                .jar(hosts.plugins());

        PluginRejection rejection = onlyRejection();
        assertThat(rejection.file()).isEqualTo("zzz.jar");
        assertThat(rejection.code()).isEqualTo(PluginRejectionCodes.DUPLICATE_NAME);
        assertThat(rejection.message()).contains("\"good\"").contains("good.jar");
    }

    @Test
    void sameNameTwiceInOneFile() {
        PluginBuilder.empty("bad")
                .plugin("bad.One", "same", "")
                .plugin("bad.Two", "same", "")
                .service("bad.One", "bad.Two")
                .jar(hosts.plugins());

        assertThat(onlyRejection().code()).isEqualTo(PluginRejectionCodes.DUPLICATE_NAME);
    }
}
