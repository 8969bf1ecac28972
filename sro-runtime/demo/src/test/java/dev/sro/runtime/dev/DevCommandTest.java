package dev.sro.runtime.dev;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.api.resource.SpecialResource;
import dev.sro.core.embed.SpecialResourceOperator;
import dev.sro.runtime.Cli;
import dev.sro.runtime.Clients;
import dev.sro.runtime.ExitCodes;
import dev.sro.runtime.Main;
import dev.sro.runtime.Repository;
import io.fabric8.kubernetes.api.model.apps.DaemonSet;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code sro dev} from its start to its end, with a plugin that is compiled and packed here. */
class DevCommandTest {

    private static final long PATIENCE_SECONDS = 90;
    private static final Charset UTF = StandardCharsets.UTF_8;

    private static final String PLUGIN = """
        package com.acme.dev;

        import dev.sro.api.AcceleratorPlugin;
        import dev.sro.api.ManifestTemplate;
        import dev.sro.api.PluginDescriptor;
        import dev.sro.api.ReadinessRule;
        import dev.sro.api.RecipeContext;
        import dev.sro.api.State;
        import dev.sro.api.StateGraph;

        public final class AcmePlugin implements AcceleratorPlugin {
            @Override
            public PluginDescriptor descriptor() {
                return PluginDescriptor.of("acme", "1.0.0", "Acme");
            }

            @Override
            public StateGraph states(RecipeContext context) {
                return StateGraph.chain(State.builder()
                        .id("1000-driver")
                        .addManifests(ManifestTemplate.resource(AcmePlugin.class, "driver.yaml"))
                        .addReadiness(ReadinessRule.allocatable("acme.example/card", 1))
                        .build());
            }
        }
        """;

    private static final String DRIVER = """
        apiVersion: apps/v1
        kind: DaemonSet
        metadata: {name: acme-driver}
        spec:
          selector: {matchLabels: {app: acme-driver}}
          template:
            metadata: {labels: {app: acme-driver}}
            spec:
              containers: [{name: driver, image: "registry.acme.example/driver:v%s"}]
        """;

    private static final String RESOURCE = """
        apiVersion: sro.openshift.io/v1beta1
        kind: SpecialResource
        metadata: {name: acme}
        spec:
          namespace: acme
          plugin: {name: acme}
          nodeSelector: {acme.example/card: "true"}
        """;

    @TempDir
    private Path folder;

    private Path target = Path.of("");
    private Path resource = Path.of("");

    @BeforeEach
    void build() throws IOException {
        target = Files.createDirectory(folder.resolve("target"));
        resource = Files.writeString(folder.resolve("special-resource.yaml"), RESOURCE);
        Path source = Files.writeString(folder.resolve("AcmePlugin.java"), PLUGIN);
        int code = ToolProvider.getSystemJavaCompiler()
                .run(
                        null,
                        null,
                        null,
                        "--release",
                        "17",
                        "-proc:none",
                        "-cp",
                        System.getProperty("java.class.path"),
                        "-d",
                        folder.resolve("classes").toString(),
                        source.toString());
        assertThat(code).isZero();
        pack("1");
    }

    /** As a build packs it; beside it is what builds leave there too. */
    private void pack(String version) throws IOException {
        Path packed = folder.resolve("packed.jar");
        Manifest manifest = new Manifest();
        Attributes attributes = manifest.getMainAttributes();
        attributes.put(Attributes.Name.MANIFEST_VERSION, "1.0");
        attributes.putValue("Plugin-Id", "acme");
        attributes.putValue("Plugin-Version", version + ".0.0");
        attributes.putValue("Plugin-Requires", ">=0.1.0 & <1.0.0");
        try (OutputStream file = Files.newOutputStream(packed);
                JarOutputStream jar = new JarOutputStream(file, manifest)) {
            entry(jar, "META-INF/services/dev.sro.api.AcceleratorPlugin", "com.acme.dev.AcmePlugin\n".getBytes(UTF));
            entry(jar, "com/acme/dev/driver.yaml", DRIVER.formatted(version).getBytes(UTF));
            String name = "com/acme/dev/AcmePlugin.class";
            entry(jar, name, Files.readAllBytes(folder.resolve("classes").resolve(name)));
        }
        Files.copy(packed, target.resolve("acme-plugin.jar"), StandardCopyOption.REPLACE_EXISTING);
        Files.write(target.resolve("acme-plugin-sources.jar"), new byte[] {1});
    }

    private static void entry(JarOutputStream jar, String name, byte[] bytes) throws IOException {
        jar.putNextEntry(new ZipEntry(name));
        jar.write(bytes);
    }

    private String[] args(String... more) {
        return Stream.concat(
                        Stream.of(
                                "dev",
                                "--plugins",
                                target.toString(),
                                "-f",
                                resource.toString(),
                                "--plain",
                                "--speed",
                                "20"),
                        Stream.of(more))
                .toArray(String[]::new);
    }

    /** One run on a thread of its own. */
    private static final class Running {
        private final StringWriter out = new StringWriter();
        private final CompletableFuture<Integer> code = new CompletableFuture<>();
        private final Thread thread;

        Running(String... args) {
            PrintWriter to = new PrintWriter(out, true);
            thread = new Thread(() -> code.complete(Main.run(to, to, args)), "sro-dev");
            thread.start();
        }

        void await(String text) throws Exception {
            awaitThat(text, () -> out.toString().contains(text));
        }

        void awaitThat(String what, Callable<Boolean> condition) throws Exception {
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
            while (!condition.call()) {
                assertThat(System.nanoTime()).as("%s; so far: %s", what, out).isLessThan(end);
                assertThat(code).as("%s; at the end: %s", what, out).isNotDone();
                Thread.sleep(20);
            }
        }

        int stop() throws Exception {
            thread.interrupt();
            return code.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        }
    }

    private static boolean hasImage(KubernetesClient client, String image) {
        List<DaemonSet> sets =
                client.apps().daemonSets().inNamespace("acme").list().getItems();
        return sets.stream()
                .anyMatch(set -> set.getSpec()
                        .getTemplate()
                        .getSpec()
                        .getContainers()
                        .get(0)
                        .getImage()
                        .equals(image));
    }

    @Test
    void aPluginThatIsBuiltAgainIsUsedAndABrokenOneIsNot() throws Exception {
        Path kubeconfig = folder.resolve("kubeconfig");
        Running dev = new Running(args("--write-kubeconfig", kubeconfig.toString()));
        dev.await("acme: Ready on 2 of 2 nodes");
        dev.await("plugin acme 1.0.0 of acme-plugin.jar is in use");
        try (KubernetesClient client = Clients.plain(Clients.config(Optional.of(kubeconfig), Optional.empty()))) {
            assertThat(hasImage(client, "registry.acme.example/driver:v1")).isTrue();

            pack("2");
            dev.await("plugin acme 2.0.0 of acme-plugin.jar is in use instead of 1.0.0");
            dev.awaitThat("image of version 2", () -> hasImage(client, "registry.acme.example/driver:v2"));

            Files.write(target.resolve("acme-plugin.jar"), new byte[100]);
            dev.await("PluginFileUnreadable: acme-plugin.jar");
            dev.await("The copy of plugin acme 2.0.0 that was loaded before stays in use");
            assertThat(hasImage(client, "registry.acme.example/driver:v2")).isTrue();

            Files.writeString(resource, RESOURCE.replace("namespace: acme", "namespace: acme\n  unknown: [") + "\n");
            dev.await("what was applied before stays");
            pack("3");
            dev.await("plugin acme 3.0.0 of acme-plugin.jar is in use instead of 2.0.0");
        }
        assertThat(dev.stop()).isEqualTo(ExitCodes.OK);
        assertThat(kubeconfig).doesNotExist();
        assertThat(dev.out.toString()).doesNotContain("sources.jar", "Exception");
    }

    @Test
    void endsWhenAllIsReadyOnTheNodesOfAFile() {
        Path nodes = Repository.file("sro-runtime/src/test/resources/dev/sro/runtime/plan/nodes.yaml");
        String[] args = args("--nodes", nodes.toString(), "--until-ready", "--for-seconds", "60");
        write(RESOURCE.replace("  nodeSelector: {acme.example/card: \"true\"}\n", ""));
        Cli ended = Cli.run(args);

        assertThat(ended.code()).as("%s", ended).isEqualTo(ExitCodes.OK);
        assertThat(ended.out()).contains("it has 5 nodes", "acme: Ready on 4 of 4 nodes");
    }

    @Test
    void isAClusterForAnOperatorOfSomebodyElse() throws Exception {
        Path kubeconfig = folder.resolve("kubeconfig");
        // Nobody here knows what the states of somebody else's operator wait for, so the node offers it.
        Path node = Files.writeString(folder.resolve("node.yaml"), """
            apiVersion: v1
            kind: Node
            metadata:
              name: node
              labels:
                acme.example/card: "true"
                kubernetes.io/arch: amd64
                feature.node.kubernetes.io/kernel-version.full: 5.15.0-91-generic
            status:
              allocatable: {acme.example/card: "1"}
              capacity: {acme.example/card: "1"}
              nodeInfo: {architecture: amd64, kernelVersion: 5.15.0-91-generic, osImage: Ubuntu 22.04.3 LTS}
            """);
        Running dev = new Running(
                "dev",
                "--no-operator",
                "--nodes",
                node.toString(),
                "-f",
                resource.toString(),
                "--plain",
                "--speed",
                "20",
                "--until-ready",
                "--write-kubeconfig",
                kubeconfig.toString());
        dev.await("KUBECONFIG=" + kubeconfig);
        dev.await("acme: not looked at yet");
        try (KubernetesClient client = Clients.plain(Clients.config(Optional.of(kubeconfig), Optional.empty()))) {
            assertThat(client.resources(SpecialResource.class)
                            .withName("acme")
                            .get()
                            .getFinalizers())
                    .as("nobody serves it")
                    .isEmpty();
            try (SpecialResourceOperator own = SpecialResourceOperator.builder()
                    .client(client)
                    .pluginFolder(target)
                    .start()) {
                assertThat(dev.code)
                        .as("%s; %s", own.unseen(), dev.out)
                        .succeedsWithin(Duration.ofSeconds(PATIENCE_SECONDS))
                        .isEqualTo(ExitCodes.OK);
                assertThat(own.plugins()).containsExactly("acme");
            }
        }
        assertThat(dev.out.toString()).contains("acme: Ready on 1 of 1 nodes").doesNotContain("plugin acme");
    }

    private void write(String text) {
        try {
            Files.writeString(resource, text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void saysWhatIsMissingWhenItsTimeIsOver() {
        Cli ended = Cli.run(args("--image-missing", "registry.acme.example/*", "--until-ready", "--for-seconds", "5"));

        assertThat(ended.code()).as("%s", ended).isEqualTo(ExitCodes.FAILED);
        assertThat(ended.out()).contains("acme  NOT READY", "1000-driver  waiting", "0 of 2 pods are available");
    }

    @Test
    void saysWhichInputItCannotUse() {
        Cli noResource = Cli.run("dev", "--plugins", target.toString(), "-f", empty());
        assertThat(noResource.code()).isEqualTo(ExitCodes.USAGE);
        assertThat(noResource.err()).contains("-f: there is no special resource in the files");

        Cli noNodes = Cli.run(args("--nodes", resource.toString()));
        assertThat(noNodes.code()).isEqualTo(ExitCodes.USAGE);
        assertThat(noNodes.err()).contains("kind is SpecialResource; only nodes belong here");

        Cli still = Cli.run("dev", "--plugins", target.toString(), "-f", resource.toString(), "--speed", "0");
        assertThat(still.code()).isEqualTo(ExitCodes.USAGE);
        assertThat(still.err()).contains("--speed 0.0: must be more than 0");

        Cli nobody = Cli.run(args("--no-operator"));
        assertThat(nobody.code()).isEqualTo(ExitCodes.USAGE);
        assertThat(nobody.err()).contains("--no-operator: nobody here loads plugins; leave out --plugins");
    }

    private String empty() {
        try {
            return Files.writeString(
                            folder.resolve("map.yaml"), "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n")
                    .toString();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
