package dev.sro.runtime.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.core.model.ValueTrees;
import dev.sro.core.yaml.Yaml;
import dev.sro.runtime.Cli;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class SchedulerCommandsTest {
    @Test
    void theConfigurationNamesTheSlicesOfTheModelsUnderBothNames() {
        Cli run = Cli.run("slices", "scheduler-config", "--models", "A100-40GB", "--lease", "das/sro-slices");

        assertThat(run.code()).isZero();
        Map<String, Object> tree = Yaml.documents("out", run.out()).get(0);
        assertThat(tree).containsEntry("kind", "KubeSchedulerConfiguration");
        assertThat(ValueTrees.map(tree, "leaderElection"))
                .containsEntry("resourceName", "sro-slices")
                .containsEntry("resourceNamespace", "das");
        Map<String, Object> extender = ValueTrees.maps(tree, "extenders").get(0);
        assertThat(extender).containsEntry("nodeCacheCapable", true).containsEntry("bindVerb", "bind");
        assertThat(ValueTrees.maps(extender, "managedResources"))
                .extracting(resource -> resource.get("name"))
                .contains("nvidia.com/mig-1g.5gb.me", "mig.das.com/1g.5gb-plus-me", "mig.das.com/3g.20gb")
                .doesNotContain("nvidia.com/gpu")
                .doesNotHaveDuplicates();
    }

    @Test
    void whatCannotBeIsSaidWithItsOption() {
        for (List<String> wrong : List.of(
                List.of("scheduler-config", "--url", "10.0.0.1:8888"),
                List.of("scheduler-config", "--url", "https://extender:8888"),
                List.of("scheduler-config", "--lease", "name"),
                List.of("scheduler-config", "--models", "A1000"),
                List.of("scheduler"),
                List.of("scheduler", "--extender", "0.0.0.0:8888"),
                List.of("scheduler", "--extender", "8888"),
                List.of("scheduler", "--webhook", "0.0.0.0:9443"),
                List.of("scheduler", "--gates", "--lease", "name"),
                List.of("scheduler", "--das-operator", "name"))) {
            Cli run = Cli.run(Stream.concat(Stream.of("slices"), wrong.stream()).toArray(String[]::new));
            assertThat(run.code()).as("%s: %s", wrong, run.err()).isEqualTo(2);
            assertThat(run.err())
                    .as("%s", wrong)
                    .contains(wrong.size() == 1 ? "--extender" : wrong.get(wrong.size() - 2));
        }
    }

    @Test
    void aDasOperatorIsActedOnWhereItIsAskedForAlone() {
        assertThat(Cli.run("slices", "scheduler", "--das-operator=").err())
                .as("as the chart says it where it is off")
                .contains("has nothing to do");
        assertThat(Cli.run("slices", "scheduler", "--das-operator", "--kubeconfig", "/none")
                        .err())
                .as("the agents that are installed")
                .contains("--kubeconfig /none");
    }
}
