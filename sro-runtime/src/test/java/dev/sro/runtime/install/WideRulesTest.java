package dev.sro.runtime.install;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.api.AcceleratorPlugin;
import dev.sro.api.PluginDescriptor;
import dev.sro.api.RecipeContext;
import dev.sro.api.StateGraph;
import dev.sro.runtime.Cli;
import io.fabric8.kubernetes.api.model.rbac.PolicyRuleBuilder;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** No command that hands out rights gives a plugin those that nobody can list, unless it is told to. */
class WideRulesTest {

    /** A plugin that wants everything of its vendor's, whatever that is. */
    public static final class Greedy implements AcceleratorPlugin {
        /** For the loader of services. */
        public Greedy() {}

        @Override
        public PluginDescriptor descriptor() {
            return PluginDescriptor.builder()
                    .name("greedy")
                    .version("1.0.0")
                    .vendor("Acme")
                    .addRbacRules(new PolicyRuleBuilder()
                            .withApiGroups("acme.example")
                            .withResources("*")
                            .withVerbs("*")
                            .build())
                    .build();
        }

        @Override
        public StateGraph states(RecipeContext context) {
            return StateGraph.of(List.of());
        }
    }

    @TempDir
    private Path folder;

    private Path plugins = Path.of("");

    @BeforeEach
    void buildPlugins() throws IOException {
        plugins = Files.createDirectories(folder.resolve("plugins"));
        Manifest manifest = new Manifest();
        Attributes attributes = manifest.getMainAttributes();
        attributes.put(Attributes.Name.MANIFEST_VERSION, "1.0");
        attributes.putValue("Plugin-Id", "greedy");
        attributes.putValue("Plugin-Version", "1.0.0");
        attributes.putValue("Plugin-Requires", ">=0.1.0 & <1.0.0");
        String file = Greedy.class.getName().replace('.', '/') + ".class";
        try (OutputStream to = Files.newOutputStream(plugins.resolve("greedy.jar"));
                JarOutputStream jar = new JarOutputStream(to, manifest)) {
            jar.putNextEntry(new ZipEntry(file));
            Files.copy(Path.of("target", "test-classes").resolve(file), jar);
            jar.putNextEntry(new ZipEntry("META-INF/services/" + AcceleratorPlugin.class.getName()));
            jar.write(Greedy.class.getName().getBytes(StandardCharsets.UTF_8));
        }
    }

    private Cli run(String command, String... options) {
        Path out = folder.resolve("out");
        Stream<String> target = command.equals("rbac") ? Stream.of(command) : Stream.of(command, out.toString());
        return Cli.run(Stream.of(target, Stream.of("--plugins", plugins.toString()), Stream.of(options))
                .flatMap(each -> each)
                .toArray(String[]::new));
    }

    @ParameterizedTest
    @ValueSource(strings = {"rbac", "manifests", "bundle"})
    void rulesWithWildcardsAreNotGrantedUnasked(String command) {
        Cli cli = run(command);

        assertThat(cli.code()).isEqualTo(1);
        assertThat(cli.err())
                .contains("refused: plugin greedy: PluginDescriptor.rbacRules[0].verbs has \"*\"")
                .contains("--allow-wide-rules=greedy");
        assertThat(cli.out()).isEmpty();
        assertThat(folder.resolve("out")).doesNotExist();
        assertThat(run(command, "--allow-wide-rules=greedy").code())
                .as("somebody trusts it")
                .isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"manifests", "bundle"})
    void aFileIsNoFolderToWriteTo(String command) throws IOException {
        Files.writeString(folder.resolve("out"), "mine");

        Cli cli = run(command, "--allow-wide-rules=greedy");

        assertThat(cli.code()).isEqualTo(2);
        assertThat(cli.err()).contains(folder.resolve("out") + ": is no directory; name another one");
        assertThat(folder.resolve("out")).hasContent("mine");
    }
}
