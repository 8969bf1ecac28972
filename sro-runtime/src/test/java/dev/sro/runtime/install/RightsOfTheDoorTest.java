package dev.sro.runtime.install;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.core.embed.OperatorLease;
import dev.sro.core.embed.SpecialResourceOperator;
import dev.sro.core.embed.SpecialResourceOperatorBuilder;
import dev.sro.core.plugin.PluginHost;
import dev.sro.runtime.Cli;
import dev.sro.runtime.PluginDirectory;
import dev.sro.runtime.operator.OperatorCommand;
import io.fabric8.kubernetes.api.model.rbac.PolicyRule;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What an embedder prints of the rights that it needs, and what an administrator prints. */
class RightsOfTheDoorTest {

    private static final String NAMESPACE = "special-resource-operator";

    @TempDir
    private Path folder;

    private static SpecialResourceOperatorBuilder door(PluginHost plugins) {
        return SpecialResourceOperator.builder().loaded(plugins).namespace(NAMESPACE);
    }

    @Test
    void areThoseOfTheCommand() {
        Cli.plugins(folder);
        Cli.plugin(folder, "sro-plugins-nvidia", "nvidia-gpu");
        Cli cli = Cli.run("rbac", "--plugins", folder.toString(), "--namespace", NAMESPACE);

        try (PluginHost plugins = PluginDirectory.open(folder)) {
            assertThat(door(plugins)
                            .lease(OperatorLease.of(OperatorCommand.LEASE))
                            .rights())
                    .as("but for those to find out who asks for metrics, which only a process of its own serves")
                    .hasToString(cli.out()
                            .lines()
                            .filter(line -> !line.matches("(tokenreviews|subjectaccessreviews) in .*"))
                            .map(line -> line + "\n")
                            .collect(Collectors.joining()));
        }
    }

    @Test
    void areForTheLeaseThatThereIs() {
        Cli.plugins(folder);
        try (PluginHost plugins = PluginDirectory.open(folder)) {
            assertThat(door(plugins).rights().namespaced()).containsOnlyKeys("default");
            assertThat(door(plugins)
                            .lease(OperatorLease.of("mine"))
                            .rights()
                            .namespaced()
                            .get(NAMESPACE))
                    .flatExtracting(PolicyRule::getResourceNames)
                    .isEqualTo(List.of("mine"));
            assertThat(door(plugins).rights().cluster())
                    .flatExtracting(PolicyRule::getResources)
                    .contains("specialresources", "nodes", "daemonsets");
        }
    }
}
