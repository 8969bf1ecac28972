package dev.sro.testkit.contract;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sro.api.AcceleratorPlugin;
import dev.sro.api.ManifestTemplate;
import dev.sro.api.NodeFacts;
import dev.sro.api.PluginDescriptor;
import dev.sro.api.Reach;
import dev.sro.api.RecipeContext;
import dev.sro.api.State;
import dev.sro.api.StateGraph;
import dev.sro.api.ValidationLimits;
import dev.sro.api.device.Decoration;
import dev.sro.api.device.RuntimeConfiguration;
import dev.sro.api.device.RuntimeHook;
import dev.sro.testkit.sim.NodeProfile;
import dev.sro.testkit.sim.OsRelease;
import io.fabric8.kubernetes.api.model.rbac.PolicyRule;
import io.fabric8.kubernetes.api.model.rbac.PolicyRuleBuilder;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The kit holds the rights that a plugin declares against those that it uses. */
class RightsOfPluginsTest {

    private static final String CONFIG_MAP = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n";

    private static final String ROLE = """
        apiVersion: rbac.authorization.k8s.io/v1
        kind: Role
        metadata: {name: a}
        rules:
        - {apiGroups: [""], resources: [pods], verbs: [get, list]}
        - {apiGroups: [""], resources: [configmaps], resourceNames: [mine], verbs: [get]}
        """;

    private static final Map<String, NodeProfile> NODES = Map.of("a", NodeProfile.of(OsRelease.RHEL_9));

    /** Writes one manifest, and another one where its setting {@code more} asks for it. */
    private static class Acme implements AcceleratorPlugin {
        private final PluginDescriptor descriptor;
        private final String usual;
        private final String more;

        Acme(PluginDescriptor descriptor, String usual, String more) {
            this.descriptor = descriptor;
            this.usual = usual;
            this.more = more;
        }

        @Override
        public PluginDescriptor descriptor() {
            return descriptor;
        }

        @Override
        public StateGraph states(RecipeContext context) {
            State.Builder state = State.builder().id("1000-a").addManifests(ManifestTemplate.text("a.yaml", usual));
            if (context.config().containsKey("more")) {
                state.addManifests(ManifestTemplate.text("more.yaml", more));
            }
            return StateGraph.chain(state.build());
        }
    }

    private static class Kit extends AcceleratorPluginContract {
        private final AcceleratorPlugin plugin;

        Kit(AcceleratorPlugin plugin) {
            this.plugin = plugin;
        }

        @Override
        protected AcceleratorPlugin plugin() {
            return plugin;
        }

        @Override
        protected String specialResource() {
            return resource("{}");
        }

        @Override
        protected Map<String, NodeProfile> nodes() {
            return NODES;
        }
    }

    private static final class WiderKit extends Kit {
        WiderKit(AcceleratorPlugin plugin) {
            super(plugin);
        }

        @Override
        protected List<ContractProfile> profiles() {
            return List.of(ContractProfile.of("more", resource("{more: true}"), NODES));
        }
    }

    private static String resource(String config) {
        return """
            apiVersion: sro.openshift.io/v1beta1
            kind: SpecialResource
            metadata: {name: acme}
            spec: {namespace: acme, plugin: {name: acme, config: %s}}
            """.formatted(config);
    }

    private static PluginDescriptor descriptor(List<String> resources, PolicyRule... rules) {
        return PluginDescriptor.builder()
                .name("acme")
                .version("1.0")
                .vendor("Acme")
                .addAllOperandResources(resources)
                .addRbacRules(rules)
                .build();
    }

    private static PolicyRule core(String resource, List<String> names, String... verbs) {
        return new PolicyRuleBuilder()
                .withApiGroups("")
                .withResources(resource)
                .withResourceNames(names)
                .withVerbs(verbs)
                .build();
    }

    private static final PolicyRule PODS = core("pods", List.of(), "get", "list");

    private static final PolicyRule MINE = core("configmaps", List.of("mine"), "get");

    private static final List<String> BOTH = List.of("configmaps", "roles.rbac.authorization.k8s.io");

    @Test
    void aKindThatNoManifestHasIsSuperfluous() {
        Kit kit = new Kit(new Acme(descriptor(List.of("configmaps", "jobs.batch")), CONFIG_MAP, ""));

        assertThatThrownBy(kit::declaresTheRightsThatItUsesAndNoOthers)
                .hasMessageContaining(
                        "PluginDescriptor.operandResources has \"jobs.batch\", of which there is an object in no"
                                + " profile of the kit; take it out, or add to profiles() the configuration that makes"
                                + " one");
    }

    @Test
    void aNodeConditionNeedsTheRightToWriteItAndNothingElseDoes() {
        State validation = State.builder()
                .id("1000-a")
                .reach(Reach.nodeByNode())
                .addManifests(ManifestTemplate.text("a.yaml", CONFIG_MAP))
                .limits(ValidationLimits.builder()
                        .nodeCondition("AcmeValidated")
                        .build())
                .build();
        List<String> resources = List.of("configmaps");
        PolicyRule status = core("nodes/status", List.of(), "patch");
        Acme lacking = new Acme(descriptor(resources), CONFIG_MAP, "") {
            @Override
            public StateGraph states(RecipeContext context) {
                return StateGraph.chain(validation);
            }
        };
        Acme complete = new Acme(descriptor(resources, status), CONFIG_MAP, "") {
            @Override
            public StateGraph states(RecipeContext context) {
                return StateGraph.chain(validation);
            }
        };

        assertThatThrownBy(new Kit(lacking)::declaresTheRightsThatItUsesAndNoOthers)
                .hasMessageContaining("PluginDescriptor.rbacRules lacks patch on nodes/status, without which SRO cannot"
                        + " write the node condition AcmeValidated of state 1000-a");
        assertThatCode(new Kit(complete)::declaresTheRightsThatItUsesAndNoOthers)
                .doesNotThrowAnyException();
        assertThatThrownBy(
                        new Kit(new Acme(descriptor(resources, status), CONFIG_MAP, ""))
                                ::declaresTheRightsThatItUsesAndNoOthers)
                .hasMessageContaining("PluginDescriptor.rbacRules has patch on nodes/status");
    }

    @Test
    void eachVerbThatNoRoleGrantsIsSuperfluous() {
        PolicyRule wide = core("pods", List.of(), "get", "list", "delete");
        PolicyRule all = core("configmaps", List.of(), "get");
        Kit kit = new Kit(new Acme(descriptor(BOTH.subList(1, 2), wide, all), ROLE, ""));

        assertThatThrownBy(kit::declaresTheRightsThatItUsesAndNoOthers)
                .hasMessageContaining(
                        "PluginDescriptor.rbacRules has delete on pods, which a role grants in no profile")
                // The role grants one of them.
                .hasMessageContaining("PluginDescriptor.rbacRules has get on configmaps, which")
                .hasMessageNotContaining("list on pods");
    }

    @Test
    void whatOnlySomeSettingsUseIsCountedWhereTheKitKnowsThem() {
        Acme plugin = new Acme(descriptor(BOTH, PODS, MINE), CONFIG_MAP, ROLE);

        assertThatThrownBy(new Kit(plugin)::declaresTheRightsThatItUsesAndNoOthers)
                .hasMessageContaining("roles.rbac.authorization.k8s.io")
                .hasMessageContaining("get, list on pods");
        assertThatCode(new WiderKit(plugin)::declaresTheRightsThatItUsesAndNoOthers)
                .doesNotThrowAnyException();
    }

    @Test
    void whatOnlySomeSettingsNeedIsMissedThere() {
        Acme plugin = new Acme(descriptor(List.of("configmaps"), MINE), CONFIG_MAP, ROLE);

        assertThatThrownBy(new WiderKit(plugin)::declaresTheRightsThatItUsesAndNoOthers)
                .hasMessageContaining("PluginDescriptor.operandResources lacks \"roles.rbac.authorization.k8s.io\", of"
                        + " which there is an object in profile more")
                .hasMessageContaining("PluginDescriptor.rbacRules lacks get, list on pods, which a role of profile more"
                        + " grants; nobody may grant what they do not have")
                .hasMessageNotContaining("configmaps mine");
    }

    @Test
    void aKindThatTheClusterDoesNotServeCountsAllTheSame() {
        String policy = "apiVersion: net.example/v1\nkind: Policy\nmetadata: {name: a}\n";
        PluginDescriptor descriptor = PluginDescriptor.builder()
                .from(descriptor(List.of("policies.net.example")))
                .addOptionalCrds("policies.net.example")
                .build();

        assertThatCode(new Kit(new Acme(descriptor, policy, ""))::declaresTheRightsThatItUsesAndNoOthers)
                .doesNotThrowAnyException();
    }

    @Test
    void aRoleOfSomebodyElseIsBoundByWhoMayBindIt() {
        String binding = """
            apiVersion: rbac.authorization.k8s.io/v1
            kind: RoleBinding
            metadata: {name: a}
            roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: view}
            subjects: [{kind: ServiceAccount, name: a, namespace: acme}]
            """;
        PolicyRule bind = new PolicyRuleBuilder()
                .withApiGroups("rbac.authorization.k8s.io")
                .withResources("clusterroles")
                .withResourceNames("view")
                .withVerbs("bind")
                .build();
        List<String> bindings = List.of("rolebindings.rbac.authorization.k8s.io");
        Acme holds = new Acme(descriptor(bindings, PODS), binding, "");

        assertThatCode(
                        new Kit(new Acme(descriptor(bindings, bind), binding, ""))
                                ::declaresTheRightsThatItUsesAndNoOthers)
                .doesNotThrowAnyException();
        assertThatThrownBy(new Kit(holds)::declaresTheRightsThatItUsesAndNoOthers)
                .hasMessageContaining("get, list on pods");
        assertThatCode(new Kit(holds) {
                    @Override
                    protected List<PolicyRule> otherRights() {
                        return List.of(PODS);
                    }
                }::declaresTheRightsThatItUsesAndNoOthers)
                .doesNotThrowAnyException();
    }

    private static final class Decorating extends Acme implements RuntimeHook {
        Decorating(String... resources) {
            super(RightsOfPluginsTest.descriptor(List.of(resources)), CONFIG_MAP, "");
        }

        @Override
        public RuntimeConfiguration runtime(NodeFacts node, RecipeContext context) {
            return RuntimeConfiguration.builder()
                    .addDecorations(Decoration.builder()
                            .kind("acme.example/card")
                            .addDevices("/dev/acme")
                            .build())
                    .build();
        }
    }

    @Test
    void whatSroMakesOfAnAnswerCounts() {
        assertThatCode(
                        new Kit(new Decorating("configmaps", "daemonsets.apps", "serviceaccounts"))
                                ::declaresTheRightsThatItUsesAndNoOthers)
                .doesNotThrowAnyException();
        assertThatThrownBy(
                        new Kit(new Decorating("configmaps", "daemonsets.apps"))
                                ::declaresTheRightsThatItUsesAndNoOthers)
                .hasMessageContaining("operandResources lacks \"serviceaccounts\"");
    }
}
