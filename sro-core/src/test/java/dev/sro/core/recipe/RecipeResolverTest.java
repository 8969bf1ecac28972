package dev.sro.core.recipe;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.api.AcceleratorPlugin;
import dev.sro.api.ClusterFacts;
import dev.sro.api.ConfigConverter;
import dev.sro.api.ConflictRule;
import dev.sro.api.InvalidRecipeException;
import dev.sro.api.LifecycleHook;
import dev.sro.api.NodeFacts;
import dev.sro.api.PluginDescriptor;
import dev.sro.api.Problem;
import dev.sro.api.ReadinessRule;
import dev.sro.api.RecipeContext;
import dev.sro.api.State;
import dev.sro.api.StateGraph;
import dev.sro.api.ValidationLimits;
import dev.sro.api.operation.NodeTaint;
import dev.sro.api.operation.Scheduling;
import dev.sro.api.operation.SchedulingPolicy;
import dev.sro.api.resource.SpecialResource;
import dev.sro.core.fixture.Resources;
import dev.sro.core.plugin.LoadedPlugin;
import dev.sro.core.plugin.PluginRejection;
import dev.sro.core.plugin.Plugins;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What the descriptor and the optional interfaces mean for a special resource before anything is rendered. */
class RecipeResolverTest {

    private static class Plain implements AcceleratorPlugin {
        final List<RecipeContext> asked = new ArrayList<>();
        State state = State.of("1000-x");

        @Override
        public PluginDescriptor descriptor() {
            return PluginDescriptor.builder()
                    .name("plain")
                    .version("1.0")
                    .vendor("Test")
                    .putDefaultConfig("mode", "fast")
                    .putDefaultConfig("level", 1)
                    .addRequiredCrds("widgets.vendor.example")
                    .build();
        }

        @Override
        public StateGraph states(RecipeContext context) {
            asked.add(context);
            return StateGraph.chain(state);
        }
    }

    private static final class Converting extends Plain implements ConfigConverter {
        @Override
        public Map<String, Object> convertConfig(Map<String, Object> config) {
            if (!config.containsKey("speed")) {
                return config;
            }
            if (!(config.get("speed") instanceof Number)) {
                throw new InvalidRecipeException("spec.plugin.config.speed: must be a number");
            }
            Map<String, Object> converted = new HashMap<>(config);
            converted.put("mode", "speed-" + converted.remove("speed"));
            return converted;
        }
    }

    private static final class Ambitious extends Plain implements LifecycleHook, ConflictRule, SchedulingPolicy {
        Ambitious() {
            state = State.builder()
                    .id("1000-x")
                    .addReadiness(ReadinessRule.allocatable("vendor.example/x", 1))
                    .limits(ValidationLimits.builder().retries(2).build())
                    .build();
        }

        @Override
        public Optional<Problem> conflict(RecipeContext mine, RecipeContext other, NodeFacts node) {
            return Optional.empty();
        }

        @Override
        public Scheduling scheduling(RecipeContext context) {
            return Scheduling.builder()
                    .addTaints(new NodeTaint("vendor.example/device", "", NodeTaint.Effect.NO_SCHEDULE))
                    .putPriorityClasses("device-high", 1000)
                    .build();
        }
    }

    private static final ClusterFacts SERVES_WIDGETS =
            ClusterFacts.builder().addServedResources("widgets.vendor.example").build();

    private static RecipeResolver.Resolution resolve(
            AcceleratorPlugin plugin, ClusterFacts cluster, Map<String, Object> config) {
        SpecialResource resource = Resources.resource("plain", "plain", Map.of());
        Objects.requireNonNull(Resources.spec(resource).getPlugin()).setConfig(config);
        return new RecipeResolver(Plugins.of(plugin), PluginGuard.direct())
                .resolve(new RecipeContext(resource, cluster));
    }

    @Test
    void aPluginThatWasRejectedIsForItsVendorToMend() {
        PluginRejection rejection = new PluginRejection(
                "plain-2.0.jar", "PluginClassMissing", "plain-2.0.jar: a class is missing. Fix: bundle it.");
        Plugins plugins = new Plugins() {
            @Override
            public Optional<LoadedPlugin> find(String name) {
                return Optional.empty();
            }

            @Override
            public List<String> names() {
                return List.of("other");
            }

            @Override
            public List<PluginRejection> rejections() {
                return List.of(rejection);
            }
        };

        RecipeContext context = new RecipeContext(Resources.resource("plain", "plain", Map.of()), SERVES_WIDGETS);
        assertThat(new RecipeResolver(plugins, PluginGuard.direct())
                        .resolve(context)
                        .problems())
                .singleElement()
                .satisfies(problem -> {
                    assertThat(problem.code()).isEqualTo("PluginRejected");
                    assertThat(problem.owner()).isEqualTo(Problem.Owner.VENDOR);
                    assertThat(problem.message())
                            .isEqualTo(
                                    "plugin plain is not loaded: PluginClassMissing: plain-2.0.jar: a class is missing."
                                            + " Fix: bundle it. Known names: [other].");
                });
    }

    @Test
    void namesTheCustomResourceThatIsMissing() {
        Plain plugin = new Plain();

        RecipeResolver.Resolution resolution =
                resolve(plugin, ClusterFacts.builder().build(), Map.of());

        assertThat(resolution.recipe()).isNull();
        assertThat(resolution.problems()).singleElement().satisfies(problem -> {
            assertThat(problem.code()).isEqualTo("RequiredCrdMissing");
            assertThat(problem.message()).contains("widgets.vendor.example", "install");
            assertThat(problem.owner()).isEqualTo(Problem.Owner.PLATFORM);
            assertThat(problem.retryable()).isTrue();
        });
        assertThat(plugin.asked).as("calls into the plugin").isEmpty();
    }

    @Test
    void settingsOfTheUserWinOverDefaults() {
        Plain plugin = new Plain();

        resolve(plugin, SERVES_WIDGETS, Map.of("mode", "safe"));

        assertThat(plugin.asked)
                .singleElement()
                .satisfies(context -> assertThat(context.config())
                        .containsExactlyInAnyOrderEntriesOf(Map.of("mode", "safe", "level", 1)));
    }

    @Test
    void aContextIsNeverWithoutSpecSettingsAndValues() {
        RecipeContext context = new RecipeContext(new SpecialResource(), SERVES_WIDGETS);

        assertThat(context.spec().getNamespace()).isEmpty();
        assertThat(context.config()).isEmpty();
        assertThat(context.set()).isEmpty();
    }

    @Test
    void settingsOfAnEarlierVersionAreConvertedFirst() {
        Converting plugin = new Converting();

        resolve(plugin, SERVES_WIDGETS, Map.of("speed", 3));

        assertThat(plugin.asked)
                .singleElement()
                .satisfies(context -> assertThat(context.config())
                        .containsEntry("mode", "speed-3")
                        .doesNotContainKey("speed"));
    }

    @Test
    void settingsThatCannotBeConvertedAreTheUsers() {
        assertThat(resolve(new Converting(), SERVES_WIDGETS, Map.of("speed", "high"))
                        .problems())
                .singleElement()
                .satisfies(problem -> {
                    assertThat(problem.code()).isEqualTo("InvalidRecipe");
                    assertThat(problem.message()).contains("spec.plugin.config.speed");
                });
    }

    @Test
    void saysNothingOfAPluginThatUsesWhatWorks() {
        assertThat(Objects.requireNonNull(resolve(new Ambitious(), SERVES_WIDGETS, Map.of())
                                .recipe())
                        .notActedOn())
                .isEmpty();
    }
}
