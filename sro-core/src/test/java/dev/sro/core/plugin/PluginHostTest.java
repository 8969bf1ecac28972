package dev.sro.core.plugin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.api.AcceleratorPlugin;
import io.fabric8.kubernetes.api.builder.Builder;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.rbac.PolicyRule;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is found in a plugin, and which classes it gets. */
class PluginHostTest {

    @TempDir
    Path root;

    private Hosts hosts;

    @BeforeEach
    void directories() throws IOException {
        hosts = new Hosts(root);
    }

    @Test
    void findsAPluginThatOnlyHasAServicesEntry() {
        PluginBuilder.named("acme").version("2.3.4").jar(hosts.plugins(), "acme-2.3.4.jar");

        try (PluginHost host = hosts.open()) {
            LoadedPlugin plugin = host.find("acme").orElseThrow();
            assertThat(plugin.descriptor().vendor()).isEqualTo("Acme");
            assertThat(plugin.classLoader()).isNotSameAs(getClass().getClassLoader());
            PluginFile file = plugin.file().orElseThrow();
            assertThat(file.file()).isEqualTo("acme-2.3.4.jar");
            assertThat(file.id()).isEqualTo("acme");
            assertThat(file.version()).isEqualTo("2.3.4");
            assertThat(file.sha256()).matches("[0-9a-f]{64}");
            assertThat(host.names()).containsExactly("acme");
            assertThat(host.rejections()).isEmpty();
        }
    }

    @Test
    void findsAPluginThatOnlyIsInPf4jsExtensionIndex() {
        PluginBuilder.empty("acme")
                .plugin("acme.Main", "acme", "")
                .source("acme.Other", "package acme; public class Other implements org.pf4j.ExtensionPoint {}")
                .extension("# generated", "acme.Other", "acme.Main")
                .jar(hosts.plugins());

        try (PluginHost host = hosts.open()) {
            assertThat(host.names()).containsExactly("acme");
            assertThat(host.rejections()).isEmpty();
        }
    }

    @Test
    void doesNotDoubleAPluginThatIsSpelledBothWays() {
        PluginBuilder.named("acme")
                .plugin("acme.Main", "acme", "public Main() { " + hosts.logStatement("created") + " }")
                .extension("acme.Main")
                .jar(hosts.plugins());

        try (PluginHost host = hosts.open()) {
            assertThat(host.current().plugins()).hasSize(1);
            assertThat(host.rejections()).isEmpty();
            assertThat(hosts.logged()).containsExactly("created");
        }
    }

    @Test
    void loadsSeveralPluginsOfOneFile() {
        PluginBuilder.empty("acme")
                .plugin("acme.One", "one", "")
                .plugin("acme.Two", "two", "")
                .service("acme.One", "acme.Two")
                .jar(hosts.plugins());

        try (PluginHost host = hosts.open()) {
            assertThat(host.names()).containsExactly("one", "two");
            assertThat(host.current().files()).hasSize(1);
        }
    }

    @Test
    void readsTheDescriptorFromPluginProperties() {
        PluginBuilder.named("acme")
                .withoutManifest()
                .entry("plugin.properties", "plugin.id=acme\nplugin.version=3.0.0\n")
                .jar(hosts.plugins());

        try (PluginHost host = hosts.open()) {
            assertThat(host.rejections()).isEmpty();
            assertThat(host.find("acme").orElseThrow().file().orElseThrow().version())
                    .isEqualTo("3.0.0");
        }
    }

    @Test
    void loadsAZipWithItsLibraries() throws IOException {
        Path library = PluginBuilder.empty("library")
                .source("lib.Lib", "package lib; public class Lib { public static String hello() { return \"lib\"; } }")
                .jar(root, "library.jar");
        Path jar = PluginBuilder.empty("compiled")
                .plugin("acme.Main", "acme", "lib.Lib.hello()", "")
                .jar(root, "compiled.jar", library);
        PluginBuilder zip = PluginBuilder.empty("acme").service("acme.Main");
        try (var compiled = new java.util.jar.JarFile(jar.toFile())) {
            zip.entry(
                    "acme/Main.class",
                    compiled.getInputStream(compiled.getEntry("acme/Main.class"))
                            .readAllBytes());
        }
        zip.entry("lib/library.jar", Files.readAllBytes(library)).zip(hosts.plugins());

        try (PluginHost host = hosts.open()) {
            assertThat(host.rejections()).isEmpty();
            assertThat(host.find("acme").orElseThrow().descriptor().version()).isEqualTo("lib");
            assertThat(host.find("acme").orElseThrow().file().orElseThrow().file())
                    .isEqualTo("acme.zip");
        }
    }

    @Test
    void leavesFilesAloneThatAreNoPlugins() throws IOException {
        Files.writeString(hosts.plugins().resolve("README.txt"), "hello");
        Files.writeString(hosts.plugins().resolve(".hidden.jar"), "hello");
        Files.createDirectories(hosts.plugins().resolve("directory.jar"));

        try (PluginHost host = hosts.open()) {
            assertThat(host.current().files()).isEmpty();
            assertThat(host.rejections()).isEmpty();
        }
    }

    @Test
    void sharesTheModelWithAFatJarThatBundlesItAndTheSpi() throws IOException {
        PluginBuilder.empty("fat")
                .service("fat.Main")
                .source("fat.Main", fatSource())
                .bundle(HasMetadata.class)
                .bundle(Builder.class)
                .bundle(PolicyRule.class)
                .bundle(AcceleratorPlugin.class)
                .jar(hosts.plugins());

        try (PluginHost host = hosts.open()) {
            assertThat(host.rejections()).isEmpty();
            LoadedPlugin plugin = host.find("fat").orElseThrow();
            PolicyRule rule = plugin.descriptor().rbacRules().get(0);
            assertThat(rule.getVerbs()).containsExactly("get");
        }
    }

    private static String fatSource() {
        return """
                package fat;
                import dev.sro.api.*;
                import io.fabric8.kubernetes.api.model.rbac.PolicyRuleBuilder;
                public class Main implements AcceleratorPlugin {
                    public PluginDescriptor descriptor() {
                        return PluginDescriptor.builder().name("fat").version("1").vendor("Acme")
                                .addRbacRules(new PolicyRuleBuilder().addToVerbs("get").build())
                                .build();
                    }
                    public StateGraph states(RecipeContext context) {
                        throw new UnsupportedOperationException();
                    }
                }
                """;
    }

    @Test
    void givesAPluginItsOwnVersionOfALibrary() throws ClassNotFoundException {
        String library = "com.fasterxml.jackson.databind.cfg.PackageVersion";
        PluginBuilder.named("acme")
                .plugin("acme.Main", "acme", library + ".VERSION", "")
                .source(
                        library,
                        "package com.fasterxml.jackson.databind.cfg;"
                                + " public class PackageVersion { public static final String VERSION ="
                                + " String.valueOf(\"2.13.5\"); }")
                .jar(hosts.plugins());

        try (PluginHost host = hosts.open()) {
            LoadedPlugin plugin = host.find("acme").orElseThrow();
            assertThat(plugin.descriptor().version()).isEqualTo("2.13.5");
            assertThat(Class.forName(library)).isNotSameAs(plugin.classLoader().loadClass(library));
        }
    }

    @ParameterizedTest
    @CsvSource({
        "dev.sro.api.AcceleratorPlugin, true",
        "io.fabric8.kubernetes.api.model.ConfigMap, true",
        "io.fabric8.kubernetes.model.annotation.Group, true",
        "io.fabric8.kubernetes.client.utils.Serialization, true",
        "com.fasterxml.jackson.annotation.JsonProperty, true",
        "org.slf4j.Logger, true",
        "org.pf4j.ExtensionPoint, true",
        "org.jspecify.annotations.Nullable, true",
        "com.fasterxml.jackson.databind.ObjectMapper, false",
        "org.yaml.snakeyaml.Yaml, false",
        "dev.sro.core.plugin.Plugins, false",
    })
    void sharesWhatCrossesTheLineAndNothingElse(String className, boolean shared) throws Exception {
        Class<?> ours = Class.forName(className);
        String path = className.replace('.', '/') + ".class";
        try (InputStream bytes = ours.getClassLoader().getResourceAsStream(path)) {
            PluginBuilder.named("acme").entry(path, bytes.readAllBytes()).jar(hosts.plugins());
        }

        try (PluginHost host = hosts.open()) {
            ClassLoader loader = host.find("acme").orElseThrow().classLoader();
            assertThat(loader.loadClass(className) == ours).isEqualTo(shared);
        }
    }

    @Test
    void takesAModelExtensionFromThePluginWhenTheHostHasNone() throws ClassNotFoundException {
        String build = "io.fabric8.openshift.api.model.BuildConfig";
        PluginBuilder.named("acme")
                .plugin("acme.Main", "acme", "new " + build + "().toString()", "")
                .source(
                        build,
                        "package io.fabric8.openshift.api.model; public class BuildConfig"
                                + " extends io.fabric8.kubernetes.api.model.ConfigMap {"
                                + " public String toString() { return \"mine\"; } }")
                .jar(hosts.plugins());

        try (PluginHost host = hosts.open()) {
            LoadedPlugin plugin = host.find("acme").orElseThrow();
            assertThat(plugin.descriptor().version()).isEqualTo("mine");
            assertThat(HasMetadata.class).isAssignableFrom(plugin.classLoader().loadClass(build));
        }
    }

    @Test
    void linksAPluginToTheOneItDependsOnAndAcceptsThatOneWithoutAPluginInside() {
        Path base = PluginBuilder.empty("base")
                .source("base.Base", "package base; public class Base { public static String V = \"from base\"; }")
                .jar(hosts.plugins());
        PluginBuilder.named("acme")
                .plugin("acme.Main", "acme", "base.Base.V", "")
                .dependsOn("base@>=1.0.0, missing?")
                .jar(hosts.plugins(), "acme.jar", base);

        try (PluginHost host = hosts.open()) {
            assertThat(host.rejections()).isEmpty();
            assertThat(host.find("acme").orElseThrow().descriptor().version()).isEqualTo("from base");
            assertThat(host.names()).containsExactly("acme");
            assertThat(host.current().files()).extracting(PluginFile::id).containsExactly("acme", "base");
        }
    }

    /** Here the classes are in a folder, elsewhere in one jar with those of an application, whose manifest has another version. */
    @Test
    void knowsItsVersionWithoutAJarOfItsOwn() throws IOException {
        String pom = Files.readString(Path.of("..", "pom.xml"));

        String version = PluginHostConfig.builder().directory(root).build().sroVersion();

        assertThat(version).matches("\\d+\\.\\d+\\.\\d+(-SNAPSHOT)?");
        assertThat(pom).contains("<artifactId>sro</artifactId>\n  <version>" + version + "</version>");
    }

    @Test
    void countsASnapshotOfTheHostAsItsRelease() {
        PluginBuilder.named("acme").requires(">=2.0.0 & <3.0.0").jar(hosts.plugins());
        PluginBuilder.named("old").requires("<2.0.0").jar(hosts.plugins());

        try (PluginHost host = hosts.open(config -> config.sroVersion("2.0.0-SNAPSHOT"))) {
            assertThat(host.names()).containsExactly("acme");
            assertThat(Hosts.onlyRejection(host).file()).isEqualTo("old.jar");
        }
    }

    @Test
    void runsConstructorsWithThePluginsContextClassLoader() {
        PluginBuilder.named("acme")
                .plugin(
                        "acme.Main",
                        "acme",
                        "String.valueOf(seen == Main.class.getClassLoader())",
                        "final ClassLoader seen = Thread.currentThread().getContextClassLoader();")
                .jar(hosts.plugins());

        try (PluginHost host = hosts.open()) {
            assertThat(host.find("acme").orElseThrow().descriptor().version()).isEqualTo("true");
        }
    }

    @Test
    void startsTheLifeCycleClass() {
        PluginBuilder.named("acme")
                .attribute("Plugin-Class", "acme.Life")
                .source("acme.Life", LifeCycles.source("acme.Life", hosts))
                .jar(hosts.plugins());

        PluginHost host = hosts.open();
        assertThat(host.rejections()).isEmpty();
        assertThat(hosts.logged()).containsExactly("start acme.Life");
        host.close();
        assertThat(hosts.logged()).containsExactly("start acme.Life", "stop acme.Life");
    }
}
