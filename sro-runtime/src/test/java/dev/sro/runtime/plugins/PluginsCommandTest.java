package dev.sro.runtime.plugins;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sro.core.runtimehook.RuntimeState;
import dev.sro.core.yaml.Yaml;
import dev.sro.runtime.Cli;
import dev.sro.runtime.VendorJar;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
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
                        .addOperandResources("daemonsets.apps", "gadgets.needy.example")
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

    @Test
    void saysWhatAPluginNeeds() {
        VendorJar.write(directory, "Needy", NEEDY);

        Cli cli = Cli.run("plugins", "--plugins", directory.toString());

        assertThat(cli.code()).isZero();
        assertThat(withoutDigest(cli.out())).isEqualToNormalizingNewlines("""
            needy 2.1 (needy.jar) by Needy Inc.
              keeps objects of:
                daemonsets.apps
                gadgets.needy.example (optional: skipped where the cluster does not serve it)
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
    void saysItToProgramsToo() throws IOException {
        VendorJar.write(directory, "Needy", NEEDY);
        Files.writeString(directory.resolve("broken.jar"), "no jar");

        Cli json = Cli.run("plugins", "--plugins", directory.toString(), "-o", "json");
        Cli yaml = Cli.run("plugins", "--plugins", directory.toString(), "-o", "yaml");

        assertThat(json.code()).as("one is rejected").isEqualTo(1);
        JsonNode tree = new ObjectMapper().readTree(json.out());
        assertThat(new ObjectMapper()
                        .valueToTree(Yaml.documents("out", yaml.out()).get(0))
                        .toString())
                .isEqualTo(tree.toString());
        JsonNode needy = tree.at("/plugins/0");
        assertThat(needy.at("/sha256").asText()).matches("[0-9a-f]{64}");
        assertThat(needy.at("/requiredCrds/0").asText()).isEqualTo("widgets.needy.example");
        assertThat(needy.at("/images/0").asText()).isEqualTo("registry.example/needy:2.1");
        assertThat(needy.at("/rules/0").toString()).isEqualTo("""
            {"apiGroups":["needy.example"],"resources":["widgets"],"resourceNames":["one"],"verbs":["get","list"]}\
            """);
        assertThat(tree.at("/rejected/0/message").asText()).contains("broken.jar");
        assertThat(json.err())
                .contains("rejected: " + tree.at("/rejected/0/code").asText());
    }

    @Test
    void listsForShaAndMirrorsHaveOneFormAlone() {
        Cli cli = Cli.run("plugins", "--plugins", directory.toString(), "--images", "-o", "json");

        assertThat(cli.code()).isEqualTo(2);
        assertThat(cli.err()).contains("-o", "leave it out");
    }

    @Test
    void listsTheImagesToMirrorAndNothingElse() {
        VendorJar.write(directory, "Needy", NEEDY);

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
