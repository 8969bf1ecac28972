package dev.sro.runtime.install;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.api.AcceleratorPlugin;
import dev.sro.api.PluginDescriptor;
import dev.sro.api.Pool;
import dev.sro.api.RecipeContext;
import dev.sro.api.StateGraph;
import dev.sro.api.driver.BuildPlan;
import dev.sro.api.driver.BuildPlanner;
import dev.sro.api.driver.ImageCandidate;
import dev.sro.core.client.rights.Grant;
import dev.sro.core.plugin.LoadedPlugin;
import io.fabric8.kubernetes.api.model.rbac.PolicyRule;
import io.fabric8.kubernetes.api.model.rbac.PolicyRuleBuilder;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class GrantTest {

    private static class Plain implements AcceleratorPlugin {
        @Override
        public PluginDescriptor descriptor() {
            return PluginDescriptor.of("acme", "1.0.0", "Acme");
        }

        @Override
        public StateGraph states(RecipeContext context) {
            return StateGraph.of(List.of());
        }
    }

    private static final class Building extends Plain implements BuildPlanner {
        @Override
        public Optional<BuildPlan> buildPlan(RecipeContext context, Pool pool, ImageCandidate candidate) {
            return Optional.empty();
        }
    }

    private static final class Greedy extends Plain {
        private final PolicyRule rule;

        Greedy(PolicyRule rule) {
            this.rule = rule;
        }

        @Override
        public PluginDescriptor descriptor() {
            return PluginDescriptor.builder()
                    .name("greedy")
                    .version("1.0.0")
                    .vendor("Acme")
                    .addRbacRules(rule)
                    .build();
        }
    }

    private static List<String> refusals(PolicyRule rule, String... trusted) {
        AcceleratorPlugin plugin = new Greedy(rule);
        Options options = new Options();
        new CommandLine(options).parseArgs(trusted);
        return options.granting.refusals(List.of(new LoadedPlugin(plugin.descriptor(), plugin, Optional.empty())));
    }

    @CommandLine.Command
    private static final class Options {
        @CommandLine.Mixin
        private GrantOptions granting = new GrantOptions();
    }

    private static PolicyRule rule(String group, String resource, String verb) {
        return new PolicyRuleBuilder()
                .withApiGroups(group)
                .withResources(resource)
                .withVerbs(verb)
                .build();
    }

    @Test
    void aRuleForEverythingIsNotGrantedUnasked() {
        assertThat(refusals(rule("*", "pods", "get")))
                .containsExactly("refused: plugin greedy: PluginDescriptor.rbacRules[0].apiGroups has \"*\"; name each"
                        + " one that is needed, or pass --allow-wide-rules=greedy if you trust the plugin with the"
                        + " cluster");
        assertThat(refusals(rule("", "pods/*", "get")))
                .singleElement()
                .asString()
                .contains(".resources has \"pods/*\"");
        assertThat(refusals(rule("", "pods", "*"))).singleElement().asString().contains(".verbs has \"*\"");
        assertThat(refusals(new PolicyRuleBuilder()
                        .withNonResourceURLs("/metrics/*")
                        .withVerbs("get")
                        .build()))
                .singleElement()
                .asString()
                .contains(".nonResourceURLs has \"/metrics/*\"");
        assertThat(refusals(rule("", "pods", "get"))).isEmpty();
    }

    @Test
    void aVerbThatGivesAllOthersIsNotGrantedUnasked() {
        for (String verb : List.of("escalate", "bind", "impersonate")) {
            assertThat(refusals(rule("rbac.authorization.k8s.io", "clusterroles", verb)))
                    .singleElement()
                    .asString()
                    .contains(".verbs has " + verb + " on [clusterroles], with which any other right can be had");
        }
        PolicyRule bind = rule("rbac.authorization.k8s.io", "clusterroles", "bind");
        assertThat(refusals(bind, "--allow-wide-rules=other")).hasSize(1);
        assertThat(refusals(bind, "--allow-wide-rules=other", "--allow-wide-rules=greedy"))
                .isEmpty();
    }

    private static List<String> askedBy(AcceleratorPlugin plugin, boolean builds) {
        LoadedPlugin loaded = new LoadedPlugin(plugin.descriptor(), plugin, Optional.empty());
        return Grant.all("here", List.of(loaded), new Grant.Further(builds, false)).stream()
                .filter(grant -> grant.name().endsWith("-builds"))
                .map(Grant::askedBy)
                .toList();
    }

    @Test
    void aPluginThatBuildsNeedsTheRightsToBuild() {
        assertThat(askedBy(new Building(), false)).containsExactly("builds of plugin acme");
    }

    @Test
    void whoeverInstallsMayGrantThemForSpecialResources() {
        assertThat(askedBy(new Plain(), true)).containsExactly("SRO");
        assertThat(askedBy(new Building(), true)).containsExactly("SRO");
        assertThat(askedBy(new Plain(), false)).isEmpty();
    }
}
