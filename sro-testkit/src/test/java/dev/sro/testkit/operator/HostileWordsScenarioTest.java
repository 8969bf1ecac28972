package dev.sro.testkit.operator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.api.AcceleratorPlugin;
import dev.sro.api.ManifestTemplate;
import dev.sro.api.PluginDescriptor;
import dev.sro.api.Reach;
import dev.sro.api.RecipeContext;
import dev.sro.api.State;
import dev.sro.api.StateGraph;
import dev.sro.testkit.sim.Behavior;
import dev.sro.testkit.sim.NodeProfile;
import dev.sro.testkit.sim.OsRelease;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** What a container says before it ends is quoted to people, who read it on terminals. */
final class HostileWordsScenarioTest {

    private static final String HOSTILE =
            "\u001b[2J\u001b]0;all is well\u0007\u202eydaer\u009b31m {{ .Boom }} ${boom} %s";

    @Test
    void theLastWordsOfADriverAreNoOrdersToATerminal() {
        try (SroSandbox sandbox = SroSandbox.create(new TalkingDriver())) {
            sandbox.simulation().behaviors().add(Behavior.crashLoop().saying(HOSTILE));
            sandbox.nodes().create("n", NodeProfile.of(OsRelease.RHEL_9).withLabel("example.com/device", "true"));
            sandbox.apply(KmodPlugin.RESOURCE);
            sandbox.run(Duration.ofMinutes(10));

            String status = sandbox.client()
                    .getKubernetesSerialization()
                    .asJson(sandbox.get("kmod").orElseThrow().getStatus());
            assertThat(status)
                    .contains("all is well", "{{ .Boom }} ${boom} %s")
                    .doesNotContain("\\u001b", "\\u001B", "\\u0007", "\u202e", "\u009b");
        }
    }

    private static final class TalkingDriver implements AcceleratorPlugin {

        @Override
        public PluginDescriptor descriptor() {
            return PluginDescriptor.of("kmod", "1.0.0", "Example");
        }

        @Override
        public StateGraph states(RecipeContext context) {
            return StateGraph.chain(State.builder()
                    .id("1000-driver")
                    .reach(Reach.nodeByNode())
                    .addManifests(ManifestTemplate.text("driver.yaml", """
                        apiVersion: apps/v1
                        kind: DaemonSet
                        metadata: {name: driver, annotations: {specialresource.openshift.io/kernel-affine: "true"}}
                        spec:
                          template:
                            spec:
                              containers:
                              - name: driver
                                image: registry.example/driver:1
                                terminationMessagePolicy: FallbackToLogsOnError
                        """))
                    .build());
        }
    }
}
