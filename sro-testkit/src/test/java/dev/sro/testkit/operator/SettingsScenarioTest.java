package dev.sro.testkit.operator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.api.AcceleratorPlugin;
import dev.sro.api.ManifestTemplate;
import dev.sro.api.PluginDescriptor;
import dev.sro.api.RecipeContext;
import dev.sro.api.Setting;
import dev.sro.api.State;
import dev.sro.api.StateGraph;
import dev.sro.testkit.sim.NodeProfile;
import dev.sro.testkit.sim.OsRelease;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Settings that a plugin names are looked at before it is asked anything. */
class SettingsScenarioTest {

    private static final Setting<Integer> TIMEOUT =
            Setting.number("timeout", 30).between(0, 3600);

    private final AcceleratorPlugin plugin = new AcceleratorPlugin() {
        @Override
        public PluginDescriptor descriptor() {
            return PluginDescriptor.builder()
                    .name("acme")
                    .version("1.0.0")
                    .vendor("Acme")
                    .addSettings(TIMEOUT)
                    .putDefaultConfig("free", "")
                    .build();
        }

        @Override
        public StateGraph states(RecipeContext context) {
            return StateGraph.chain(State.builder()
                    .id("1000-settings")
                    .addManifests(ManifestTemplate.text("settings.yaml", """
                            apiVersion: v1
                            kind: ConfigMap
                            metadata: {name: settings}
                            data: {timeout: "${seconds} s"}
                            """))
                    .putVariables("seconds", TIMEOUT.in(context))
                    .build());
        }
    };

    private static String resource(String config) {
        return """
                apiVersion: sro.openshift.io/v1beta1
                kind: SpecialResource
                metadata: {name: acme}
                spec: {namespace: acme, plugin: {name: acme, config: %s}}
                """.formatted(config);
    }

    @Test
    void wrongOnesAndUnknownOnesAreTheUsersAndWhatExistsStays() {
        try (SroSandbox sandbox = SroSandbox.create(plugin)) {
            sandbox.nodes().create("a", NodeProfile.of(OsRelease.RHEL_9));
            sandbox.apply(resource("{free: [1]}"));
            sandbox.awaitReady("acme", Duration.ofMinutes(1));
            assertThat(timeout(sandbox)).isEqualTo("30 s");

            sandbox.apply(resource("{timeout: soon}"));
            sandbox.settle();
            assertThat(sandbox.state("acme"))
                    .isEqualTo("Errored: spec.plugin.config.timeout: \"soon\" must be a whole number from 0 to 3600");
            assertThat(timeout(sandbox)).isEqualTo("30 s");

            sandbox.apply(resource("{timeuot: 5}"));
            sandbox.settle();
            assertThat(sandbox.explain("acme"))
                    .contains("spec.plugin.config.timeuot: plugin acme has no such setting; did you mean timeout?");

            sandbox.apply(resource("{colour: 5}"));
            sandbox.settle();
            assertThat(sandbox.explain("acme"))
                    .contains("spec.plugin.config.colour: plugin acme has no such setting; it has free, timeout");

            sandbox.apply(resource("{timeout: 5}"));
            sandbox.awaitReady("acme", Duration.ofMinutes(1));
            assertThat(timeout(sandbox)).isEqualTo("5 s");
        }
    }

    private static String timeout(SroSandbox sandbox) {
        return String.valueOf(sandbox.client()
                .configMaps()
                .inNamespace("acme")
                .withName("settings")
                .get()
                .getData()
                .get("timeout"));
    }
}
