package dev.sro.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sro.api.AcceleratorPlugin;
import dev.sro.api.ClusterFacts;
import dev.sro.api.KernelVersion;
import dev.sro.api.ManifestTemplate;
import dev.sro.api.NodeFacts;
import dev.sro.api.OsRelease;
import dev.sro.api.PluginDescriptor;
import dev.sro.api.RecipeContext;
import dev.sro.api.State;
import dev.sro.api.StateGraph;
import dev.sro.api.resource.PluginReference;
import dev.sro.api.resource.SpecialResource;
import dev.sro.api.resource.SpecialResourceSpec;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import java.util.List;
import org.junit.jupiter.api.Test;

class RenderedPluginTest {
    private static final NodeFacts NODE = NodeFacts.builder()
            .name("a")
            .kernel(new KernelVersion("5.14.0-427.50.1.el9_4.x86_64"))
            .os(new OsRelease("rhel", "9.4"))
            .architecture("amd64")
            .ready(true)
            .unschedulable(false)
            .bootId("")
            .build();

    @Test
    void rendersTheStatesInOrderWithTheirNamespace() {
        RenderedPlugin rendered = render("acme", "kind: ConfigMap\nmetadata: {name: settings}\n", resource("acme"));

        assertThat(rendered.problems()).isEmpty();
        assertThat(rendered.names()).containsSubsequence("ConfigMap settings", "ServiceAccount last");
        assertThat(rendered.get("ConfigMap", "settings").getMetadata().getNamespace())
                .isEqualTo("acme-drivers");
        assertThatThrownBy(() -> rendered.get("ConfigMap", "setting"))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("ConfigMap setting is there 0 times")
                .hasMessageContaining("ConfigMap settings");
    }

    @Test
    void saysWhatKeepsAnObjectFromBeingMade() {
        RenderedPlugin rendered = render("acme", "kind: ConfigMap\nmetadata: {}\n", resource("acme"));

        assertThat(rendered.names()).contains("ServiceAccount last");
        assertThat(rendered.problems())
                .singleElement()
                .satisfies(problem -> assertThat(problem.message()).contains("name"));
    }

    @Test
    void hasNoObjectsWhereThePluginIsNotTheOneAskedFor() {
        RenderedPlugin rendered =
                render("acme", "kind: ConfigMap\nmetadata: {name: settings}\n", resource("somebody-else"));

        assertThat(rendered.objects()).isEmpty();
        assertThat(rendered.problems())
                .singleElement()
                .satisfies(problem -> assertThat(problem.message()).contains("somebody-else"));
    }

    @Test
    void leavesTheSpecialResourceAsItIs() {
        SpecialResource resource = resource("acme");
        render("acme", "kind: ConfigMap\nmetadata: {name: settings}\n", resource);

        assertThat(resource).isEqualTo(resource("acme"));
    }

    private static RenderedPlugin render(String name, String manifest, SpecialResource resource) {
        AcceleratorPlugin plugin = new AcceleratorPlugin() {
            @Override
            public PluginDescriptor descriptor() {
                return PluginDescriptor.of(name, "1.0", "Example");
            }

            @Override
            public StateGraph states(RecipeContext context) {
                return StateGraph.chain(
                        State.of("0000-first", ManifestTemplate.text("first.yaml", "apiVersion: v1\n" + manifest)),
                        State.of(
                                "1000-last",
                                ManifestTemplate.text(
                                        "last.yaml",
                                        "apiVersion: v1\nkind: ServiceAccount\nmetadata: {name: last}\n")));
            }
        };
        return RenderedPlugin.of(plugin, resource, ClusterFacts.builder().build(), List.of(NODE));
    }

    private static SpecialResource resource(String plugin) {
        PluginReference reference = new PluginReference();
        reference.setName(plugin);
        SpecialResourceSpec spec = new SpecialResourceSpec();
        spec.setNamespace("acme-drivers");
        spec.setPlugin(reference);
        SpecialResource resource = new SpecialResource();
        resource.setMetadata(new ObjectMetaBuilder().withName("acme").build());
        resource.setSpec(spec);
        return resource;
    }
}
