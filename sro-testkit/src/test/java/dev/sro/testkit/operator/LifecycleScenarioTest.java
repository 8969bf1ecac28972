package dev.sro.testkit.operator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.api.AcceleratorPlugin;
import dev.sro.api.LifecycleHook;
import dev.sro.api.ManifestTemplate;
import dev.sro.api.Outcome;
import dev.sro.api.PluginDescriptor;
import dev.sro.api.Problem;
import dev.sro.api.RecipeContext;
import dev.sro.api.State;
import dev.sro.api.StateGraph;
import dev.sro.api.resource.SpecialResource;
import dev.sro.testkit.sim.NodeProfile;
import dev.sro.testkit.sim.OsRelease;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import org.junit.jupiter.api.Test;

/** A plugin has a say after an object was applied and before one is deleted, whatever becomes of operator and recipe. */
class LifecycleScenarioTest {

    private static final Duration LONG = Duration.ofMinutes(10);

    private static String resource(String config) {
        return """
            apiVersion: sro.openshift.io/v1beta1
            kind: SpecialResource
            metadata: {name: card}
            spec: {namespace: card, plugin: {name: card, config: %s}}
            """.formatted(config);
    }

    /** Two states with a ConfigMap each; what an annotation of them says is what the plugin says. */
    private static final class CardPlugin implements AcceleratorPlugin, LifecycleHook {
        private final Set<String> asked = new ConcurrentSkipListSet<>();

        @Override
        public PluginDescriptor descriptor() {
            return PluginDescriptor.builder()
                    .name("card")
                    .version("1")
                    .vendor("Vendor")
                    .addOperandResources("configmaps")
                    .build();
        }

        @Override
        public StateGraph states(RecipeContext context) {
            State first = State.of("1000-first", ManifestTemplate.text("a.yaml", map("first")));
            State second = State.of("2000-second", ManifestTemplate.text("b.yaml", map("second")));
            return context.config().containsKey("one") ? StateGraph.chain(first) : StateGraph.chain(first, second);
        }

        private static String map(String name) {
            return "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: " + name + "}\n";
        }

        @Override
        public Outcome afterApply(GenericKubernetesResource live, Place place, Instant now) {
            return said(live, "after", place, now);
        }

        @Override
        public Outcome beforeDelete(GenericKubernetesResource live, Place place, Instant now) {
            return said(live, "before", place, now);
        }

        private Outcome said(GenericKubernetesResource live, String when, Place place, Instant now) {
            String name = live.getMetadata().getName();
            asked.add(when + " " + name + " " + place.state() + " " + place.pool()
                    + place.recipe().name());
            return switch (live.getMetadata().getAnnotations().getOrDefault(when, "")) {
                case "wait" -> Outcome.waiting("CardInUse", now, "ConfigMap " + name + " is in use");
                case "fail" -> Outcome.failed(Problem.vendor("CardStuck", "ConfigMap " + name + " is stuck"));
                case "throw" -> throw new IllegalStateException("broken");
                default -> Outcome.ready();
            };
        }
    }

    private static SroSandbox sandbox(CardPlugin plugin) {
        SroSandbox sandbox = SroSandbox.create(plugin);
        sandbox.nodes().create("one", NodeProfile.of(OsRelease.RHEL_9));
        sandbox.run(Duration.ofMinutes(2));
        return sandbox;
    }

    private static void getReady(SroSandbox sandbox) {
        assertThat(sandbox.runUntil(LONG, () -> sandbox.isReady("card")))
                .as(() -> sandbox.state("card"))
                .isTrue();
    }

    private static void say(SroSandbox sandbox, String name, String when, String what) {
        sandbox.client().configMaps().inNamespace("card").withName(name).edit(map -> {
            ConfigMap copy = map;
            copy.getMetadata().getAnnotations().put(when, what);
            return copy;
        });
    }

    private static List<String> maps(SroSandbox sandbox) {
        return sandbox.client().configMaps().inNamespace("card").list().getItems().stream()
                .map(map -> map.getMetadata().getName())
                .filter(name -> !name.startsWith("kube-"))
                .sorted()
                .toList();
    }

    private static void delete(SroSandbox sandbox) {
        sandbox.client().resources(SpecialResource.class).withName("card").delete();
    }

    @Test
    void whatItSaysAfterApplyCountsLikeTheObjectsOwnOutcome() {
        CardPlugin plugin = new CardPlugin();
        try (SroSandbox sandbox = sandbox(plugin)) {
            sandbox.apply(resource("{}"));
            getReady(sandbox);
            assertThat(plugin.asked).containsExactly("after first 1000-first card", "after second 2000-second card");

            say(sandbox, "first", "after", "wait");
            sandbox.run(Duration.ofMinutes(1));
            assertThat(sandbox.state("card")).isEqualTo("Progressing: 1000-first: ConfigMap first is in use");
            say(sandbox, "first", "after", "fail");
            sandbox.run(Duration.ofMinutes(1));
            assertThat(sandbox.state("card")).isEqualTo("Errored: 1000-first: ConfigMap first is stuck");
            say(sandbox, "first", "after", "throw");
            sandbox.run(Duration.ofMinutes(1));
            assertThat(sandbox.state("card")).contains("plugin card failed in afterApply", "broken");

            sandbox.cluster().recording().start();
            sandbox.run(Duration.ofHours(1));
            assertThat(sandbox.cluster()
                            .recording()
                            .entries(entry -> entry.userAgent().equals("sro")))
                    .as("the plugin is asked again, and the cluster is not")
                    .allMatch(entry -> entry.verb().equals("watch"));
            say(sandbox, "first", "after", "");
            getReady(sandbox);
        }
    }

    @Test
    void whatItDoesNotLetGoStaysWithAllThatCameBeforeAlsoWhenTheOperatorDies() {
        CardPlugin plugin = new CardPlugin();
        try (SroSandbox sandbox = sandbox(plugin)) {
            sandbox.apply(resource("{}"));
            getReady(sandbox);
            say(sandbox, "second", "before", "wait");
            delete(sandbox);
            sandbox.run(Duration.ofMinutes(5));
            sandbox.kill();
            sandbox.start();
            sandbox.run(Duration.ofMinutes(5));

            assertThat(maps(sandbox)).containsExactly("first", "second");
            assertThat(sandbox.state("card")).contains("left to remove; ConfigMap second is in use");
            assertThat(plugin.asked).contains("before second 2000-second card");
            assertThat(plugin.asked).as("not its turn").doesNotContain("before first 1000-first card");

            say(sandbox, "second", "before", "fail");
            sandbox.run(Duration.ofMinutes(5));
            assertThat(sandbox.state("card")).isEqualTo("Errored: ConfigMap second is stuck");

            say(sandbox, "second", "before", "");
            assertThat(sandbox.runUntil(LONG, () -> sandbox.get("card").isEmpty()))
                    .as(() -> sandbox.state("card"))
                    .isTrue();
            assertThat(plugin.asked).contains("before first 1000-first card");
        }
    }

    @Test
    void anAdministratorLetsEverythingGo() {
        try (SroSandbox sandbox = sandbox(new CardPlugin())) {
            sandbox.apply(resource("{}"));
            getReady(sandbox);
            say(sandbox, "second", "before", "throw");
            delete(sandbox);
            sandbox.run(Duration.ofMinutes(5));
            assertThat(sandbox.state("card")).contains("plugin card failed in beforeDelete");

            sandbox.client().resources(SpecialResource.class).withName("card").edit(card -> {
                card.getMetadata().setAnnotations(Map.of("sro.dev/skip-delete-hooks", "true"));
                return card;
            });
            assertThat(sandbox.runUntil(LONG, () -> sandbox.get("card").isEmpty()))
                    .isTrue();
        }
    }

    @Test
    void whatTheRecipeDoesNotWantAnyMoreStaysUntilItMayGo() {
        try (SroSandbox sandbox = sandbox(new CardPlugin())) {
            sandbox.apply(resource("{}"));
            getReady(sandbox);
            say(sandbox, "second", "before", "fail");
            sandbox.apply(resource("{one: true}"));
            sandbox.run(Duration.ofMinutes(5));
            assertThat(maps(sandbox)).containsExactly("first", "second");
            assertThat(sandbox.state("card")).isEqualTo("Errored: ConfigMap second is stuck");

            say(sandbox, "second", "before", "");
            getReady(sandbox);
            assertThat(sandbox.runUntil(LONG, () -> maps(sandbox).equals(List.of("first"))))
                    .isTrue();
        }
    }
}
