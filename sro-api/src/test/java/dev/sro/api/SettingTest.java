package dev.sro.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sro.api.resource.PluginReference;
import dev.sro.api.resource.SpecialResource;
import dev.sro.api.resource.SpecialResourceSpec;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class SettingTest {

    private static final Setting<Integer> TIMEOUT =
            Setting.number("timeout", 30).between(0, 3600);
    private static final Setting<String> REGISTRY =
            Setting.text("registry", "registry.example/acme").matching("[a-z./]+", "a registry with a folder");
    private static final Setting<Boolean> FAST = Setting.flag("fast", false);
    private static final Setting<String> MODE = Setting.choice("mode", "safe", "quick");
    private static final Setting<Object> LABELS = Setting.any("labels", Map.of());

    private static RecipeContext context(String name, @Nullable Object value) {
        Map<String, Object> config = new HashMap<>();
        config.put(name, value);
        PluginReference plugin = new PluginReference();
        plugin.setConfig(config);
        SpecialResourceSpec spec = new SpecialResourceSpec();
        spec.setPlugin(plugin);
        SpecialResource resource = new SpecialResource();
        resource.setSpec(spec);
        return new RecipeContext(resource, ClusterFacts.builder().build());
    }

    private static String wrong(Setting<?> setting, Object value) {
        Problem problem =
                setting.problem(context(setting.name(), value), "AcmeWrong").orElseThrow();
        assertThat(problem.code()).isEqualTo("AcmeWrong");
        assertThat(problem.owner()).isEqualTo(Problem.Owner.USER);
        return problem.message();
    }

    @Test
    void isWhatTheUserSaysOrTheDefault() {
        assertThat(TIMEOUT.in(context("timeout", 5))).isEqualTo(5);
        assertThat(TIMEOUT.in(context("other", 5))).isEqualTo(30);
        assertThat(TIMEOUT.in(context("timeout", null)))
                .as("a key without a value")
                .isEqualTo(30);
        assertThat(REGISTRY.in(context("registry", "a.b/c"))).isEqualTo("a.b/c");
        assertThat(FAST.in(context("fast", true))).isTrue();
        assertThat(MODE.in(context("mode", "quick"))).isEqualTo("quick");
        assertThat(LABELS.in(context("labels", List.of(1)))).isEqualTo(List.of(1));
        assertThat(LABELS.problem(context("labels", "a"), "AcmeWrong")).isEmpty();
    }

    @Test
    void saysWhatItMustBe() {
        assertThat(wrong(TIMEOUT, "soon"))
                .isEqualTo("spec.plugin.config.timeout: \"soon\" must be a whole number from 0 to 3600");
        assertThat(wrong(TIMEOUT, 3601)).contains("3601 must be a whole number from 0 to 3600");
        assertThat(wrong(TIMEOUT, 1.5)).contains("1.5 must be");
        assertThat(wrong(TIMEOUT, 5_000_000_000L)).contains("5000000000 must be");
        assertThat(wrong(REGISTRY, "///!")).contains("\"///!\" must be a registry with a folder");
        assertThat(wrong(REGISTRY, 1.22)).as("YAML reads a version as a number").endsWith("; quote it: \"1.22\"");
        assertThat(wrong(FAST, "yes")).contains("\"yes\" must be true or false");
        assertThat(wrong(MODE, "slow")).contains("\"slow\" must be one of safe, quick");
    }

    @Test
    void isNoValueWhereItIsWrong() {
        assertThatThrownBy(() -> TIMEOUT.in(context("timeout", "soon")))
                .isInstanceOf(InvalidRecipeException.class)
                .hasMessage("spec.plugin.config.timeout: \"soon\" must be a whole number from 0 to 3600");
    }

    @Test
    void aDefaultThatItMayNotBeIsTheVendorsMistake() {
        assertThatThrownBy(() -> Setting.number("timeout", 5).between(10, 20))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("Setting timeout: its default \"5\" must be a whole number from 10 to 20");
        assertThatThrownBy(() -> Setting.text("a b", "")).hasMessageContaining("Setting.name");
        assertThatThrownBy(() -> Setting.text("name", "").between(1, 2)).hasMessageContaining("whole number");
        assertThatThrownBy(() -> PluginDescriptor.builder()
                        .name("acme")
                        .version("1")
                        .vendor("Acme")
                        .addSettings(FAST, Setting.flag("fast", true))
                        .build())
                .hasMessageContaining("PluginDescriptor.settings: \"fast\" is there twice");
    }

    @Test
    void oneThatSaysTheSameIsTheSame() {
        assertThat(Setting.number("timeout", 30).between(0, 3600))
                .isEqualTo(TIMEOUT)
                .hasSameHashCodeAs(TIMEOUT);
        assertThat(TIMEOUT)
                .isNotEqualTo(Setting.number("timeout", 30))
                .hasToString("timeout: a whole number from 0 to 3600; 30 unless set");
    }

    @Test
    void aUnitTestMergesTheDefaultsAsSroDoes() {
        PluginDescriptor plugin = PluginDescriptor.builder()
                .name("acme")
                .version("1")
                .vendor("Acme")
                .addSettings(TIMEOUT, FAST)
                .putDefaultConfig("free", "text")
                .build();

        assertThat(context("timeout", 5).withDefaults(plugin).config())
                .containsExactly(Map.entry("timeout", 5), Map.entry("fast", false), Map.entry("free", "text"));
    }
}
