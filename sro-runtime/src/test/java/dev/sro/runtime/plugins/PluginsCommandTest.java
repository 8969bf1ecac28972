package dev.sro.runtime.plugins;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.core.runtimehook.RuntimeState;
import dev.sro.runtime.Cli;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.zip.ZipEntry;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PluginsCommandTest {

    private static final String NEEDY = """
        package needy;

        import dev.sro.api.*;
        import io.fabric8.kubernetes.api.model.rbac.PolicyRuleBuilder;

        public final class Needy implements AcceleratorPlugin {
            public PluginDescriptor descriptor() {
                return PluginDescriptor.builder().name("needy").version("2.1").vendor("Needy Inc.")
                        .addRequiredCrds("widgets.needy.example")
                        .addOptionalCrds("gadgets.needy.example")
                        .addRelatedImages("registry.example/needy:2.1")
                        .addRbacRules(new PolicyRuleBuilder().withVerbs("get", "list").withApiGroups("needy.example")
                                .withResources("widgets").withResourceNames("one").build())
                        .build();
            }

            public StateGraph states(RecipeContext context) {
                return StateGraph.chain();
            }
        }
        """;

    @TempDir
    private Path directory;

    private void needy(Path classes) throws IOException {
        Path source = classes.resolve("needy/Needy.java");
        Files.createDirectories(Objects.requireNonNull(source.getParent()));
        Files.writeString(source, NEEDY);
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        int failed = compiler.run(
                null,
                null,
                null,
                "--release",
                "17",
                "-proc:none",
                "-nowarn",
                "-cp",
                System.getProperty("java.class.path"),
                "-d",
                classes.toString(),
                source.toString());
        assertThat(failed).isZero();
        Manifest manifest = new Manifest();
        Attributes attributes = manifest.getMainAttributes();
        attributes.put(Attributes.Name.MANIFEST_VERSION, "1.0");
        attributes.putValue("Plugin-Id", "needy");
        attributes.putValue("Plugin-Version", "2.1.0");
        try (OutputStream file = Files.newOutputStream(directory.resolve("needy.jar"));
                JarOutputStream jar = new JarOutputStream(file, manifest)) {
            for (String entry : List.of("needy/Needy.class")) {
                jar.putNextEntry(new ZipEntry(entry));
                Files.copy(classes.resolve(entry), jar);
            }
            jar.putNextEntry(new ZipEntry("META-INF/services/dev.sro.api.AcceleratorPlugin"));
            jar.write("needy.Needy\n".getBytes(StandardCharsets.UTF_8));
        }
    }

    @Test
    void saysWhatAPluginNeeds(@TempDir Path classes) throws IOException {
        needy(classes);

        Cli cli = Cli.run("plugins", "--plugins", directory.toString());

        assertThat(cli.code()).isZero();
        assertThat(withoutDigest(cli.out())).isEqualToNormalizingNewlines("""
            needy 2.1 (needy.jar) by Needy Inc.
              API rules:
                get,list widgets in needy.example only one
              needs custom resources:
                widgets.needy.example
              uses custom resources:
                gadgets.needy.example
              images:
                registry.example/needy:2.1
            """);
    }

    @Test
    void listsTheImagesToMirrorAndNothingElse(@TempDir Path classes) throws IOException {
        needy(classes);

        Cli cli = Cli.run("plugins", "--plugins", directory.toString(), "--images");

        assertThat(cli.code()).isZero();
        assertThat(cli.out().lines())
                .isSorted()
                .contains("registry.example/needy:2.1")
                .anySatisfy(image -> assertThat(image).contains("buildkit"))
                .contains(RuntimeState.DEFAULT_IMAGE)
                .allSatisfy(image ->
                        assertThat(image).matches("[a-z0-9.-]+(/[a-z0-9._-]+)+(:[\\w.-]+|@sha256:[0-9a-f]{64})"));
    }

    @Test
    void saysWhatThePluginThatComesWithSroNeeds() {
        Cli cli = Cli.run("plugins", "--plugins", Cli.plugins(directory).toString());

        assertThat(withoutDigest(cli.out())).isEqualToNormalizingNewlines("""
            simple-kmod 0.1.0 (simple-kmod.jar) by SRO
              keeps objects of:
                configmaps
                serviceaccounts
                daemonsets.apps
                jobs.batch
                buildconfigs.build.openshift.io
                imagestreams.image.openshift.io
                roles.rbac.authorization.k8s.io
                rolebindings.rbac.authorization.k8s.io
                prometheusrules.monitoring.coreos.com
              API rules:
                use securitycontextconstraints in security.openshift.io only privileged
              images:
                docker.io/moby/buildkit:v0.23.2-rootless
                docker.io/library/alpine:3.22
                registry.access.redhat.com/ubi9/ubi-minimal:9.6
            """);
    }

    private static String withoutDigest(String out) {
        assertThat(out).containsOnlyOnce("  sha256: ");
        return out.replaceFirst("  sha256: [0-9a-f]{64}\n", "");
    }

    @Test
    void writesTheListOfDigestsByWhichItLoads() throws IOException {
        Cli.plugins(directory);
        String file = "simple-kmod.jar";
        Cli cli = Cli.run("plugins", "--sha256", "--plugins", directory.toString());
        assertThat(cli.code()).isZero();
        assertThat(cli.out()).matches("[0-9a-f]{64}  " + file + "\n");
        Files.writeString(directory.resolve("PLUGINS.sha256"), cli.out());
        assertThat(Cli.run("plugins", "--plugins", directory.toString()).code()).isZero();

        Files.writeString(directory.resolve("PLUGINS.sha256"), "0".repeat(64) + "  " + file);

        Cli refused = Cli.run("plugins", "--sha256", "--plugins", directory.toString());
        assertThat(refused.code()).isEqualTo(1);
        assertThat(refused.out()).isEmpty();
        assertThat(refused.err()).startsWith("rejected: PluginDigestMismatch: " + file);
    }

    @Test
    void saysWhyAFileIsNoPlugin() throws IOException {
        Files.writeString(directory.resolve("broken.jar"), "no archive");

        Cli cli = Cli.run("plugins", "--plugins", directory.toString());

        assertThat(cli.code()).isEqualTo(1);
        assertThat(cli.out()).startsWith("rejected: ").contains("broken.jar");
    }
}
