package dev.sro.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sro.api.AcceleratorPlugin;
import dev.sro.api.InvalidRecipeException;
import dev.sro.api.ManifestTemplate;
import dev.sro.api.NodeClassifier;
import dev.sro.api.NodeFacts;
import dev.sro.api.PluginDescriptor;
import dev.sro.api.Pool;
import dev.sro.api.PoolKeyProvider;
import dev.sro.api.Reach;
import dev.sro.api.RecipeContext;
import dev.sro.api.State;
import dev.sro.api.StateGraph;
import dev.sro.api.device.Decoration;
import dev.sro.api.device.RuntimeConfiguration;
import dev.sro.api.device.RuntimeHook;
import dev.sro.api.driver.ImageCandidate;
import dev.sro.api.driver.ImageCandidates;
import dev.sro.api.driver.ImageResolver;
import dev.sro.api.driver.KernelModule;
import dev.sro.api.driver.LoadPlan;
import dev.sro.api.driver.LoadPlanner;
import dev.sro.api.driver.TaggedImages;
import dev.sro.api.operation.DeviceResets;
import dev.sro.api.operation.Monitoring;
import dev.sro.api.operation.Observability;
import dev.sro.api.operation.PodUse;
import dev.sro.api.operation.UpgradePolicy;
import dev.sro.api.operation.UpgradeStrategy;
import dev.sro.testkit.EmbeddedCluster;
import dev.sro.testkit.operator.SroSandbox;
import dev.sro.testkit.sim.NodeProfile;
import dev.sro.testkit.sim.OsRelease;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Each test of the kit finds the plugin that it is there to find. */
class AcceleratorPluginContractTest {

    private static class Plain implements AcceleratorPlugin {
        private final String manifest;

        Plain(String manifest) {
            this.manifest = manifest;
        }

        @Override
        public PluginDescriptor descriptor() {
            return PluginDescriptor.builder()
                    .name("plain")
                    .version("1.0")
                    .vendor("Example")
                    .addOperandResources("configmaps")
                    .build();
        }

        @Override
        public StateGraph states(RecipeContext context) {
            return StateGraph.chain(State.of("1000-x", ManifestTemplate.text("x.yaml", manifest)));
        }
    }

    private static class Kit extends AcceleratorPluginContract {
        private final Supplier<AcceleratorPlugin> plugin;

        Kit(Supplier<AcceleratorPlugin> plugin) {
            this.plugin = plugin;
        }

        @Override
        protected AcceleratorPlugin plugin() {
            return plugin.get();
        }

        @Override
        protected String specialResource() {
            return """
                apiVersion: sro.openshift.io/v1beta1
                kind: SpecialResource
                metadata: {name: plain}
                spec: {namespace: plain, plugin: {name: plain}}
                """;
        }

        @Override
        protected Map<String, NodeProfile> nodes() {
            return Map.of("a", NodeProfile.of(OsRelease.RHEL_9));
        }
    }

    private static final String CONFIG_MAP = """
        apiVersion: v1
        kind: ConfigMap
        metadata: {name: "${name}"}
        """;

    private static Kit kit(String manifest) {
        return new Kit(() -> new Plain(manifest));
    }

    private static String daemonSet(String account, String image) {
        return """
            apiVersion: apps/v1
            kind: DaemonSet
            metadata: {name: "${name}", annotations: {specialresource.openshift.io/kernel-affine: "true"}}
            spec: {template: {spec: {serviceAccountName: "%s", containers: [{name: c, image: "%s"}]}}}
            """.formatted(account, image);
    }

    @Test
    void aGoodPluginPassesAll() {
        Kit kit = kit(CONFIG_MAP);

        assertThatCode(() -> {
                    kit.describesItselfTheSameWayEachTime();
                    kit.equalInputGivesEqualOutput();
                    kit.noNodeMakesItThrow();
                    kit.saysThatANameIsTooLongBeforeAnythingIsWritten();
                    kit.manifestsDecodeForEveryPoolAndAskForNoMoreThanNeeded();
                    kit.declaresTheRightsThatItUsesAndNoOthers();
                    kit.getsReadyAndThenRests();
                    kit.leavesNothingBehind();
                })
                .doesNotThrowAnyException();
    }

    /** Has modules for one system, and no name for the Service of a special resource with a long one. */
    private static final class Choosy extends Plain implements LoadPlanner, ImageResolver, Observability {
        Choosy() {
            super(CONFIG_MAP);
        }

        @Override
        public LoadPlan loadPlan(RecipeContext context, Pool pool) {
            if (!pool.os().id().equals("rhel")) {
                throw new InvalidRecipeException("there is no driver for " + pool.os());
            }
            return LoadPlan.of(KernelModule.of("plain"));
        }

        @Override
        public ImageCandidates images(RecipeContext context, Pool pool) {
            return ImageCandidates.tagged(
                    TaggedImages.of("registry.example/plain", "Nvidia", "1.0", ImageCandidate.Kind.PREBUILT));
        }

        @Override
        public Monitoring monitoring(RecipeContext context) {
            return Monitoring.builder().service(context.name() + "-exporter").build();
        }
    }

    @Test
    void toRefuseAPoolIsAnAnswerAndALongNameIsTheUsers() {
        Kit kit = new Kit(Choosy::new);

        assertThatCode(() -> {
                    kit.equalInputGivesEqualOutput();
                    kit.noNodeMakesItThrow();
                    kit.saysThatANameIsTooLongBeforeAnythingIsWritten();
                })
                .doesNotThrowAnyException();
    }

    @Test
    void findsADescriptorThatChanges() {
        AtomicInteger calls = new AtomicInteger();
        Kit kit = new Kit(() -> new Plain(CONFIG_MAP) {
            @Override
            public PluginDescriptor descriptor() {
                return PluginDescriptor.of("plain", "1." + calls.incrementAndGet(), "Example");
            }
        });

        assertThatThrownBy(kit::describesItselfTheSameWayEachTime).isInstanceOf(AssertionError.class);
    }

    @Test
    void findsKindsThatThePluginDoesNotSayItWrites() {
        String account = "apiVersion: v1\nkind: ServiceAccount\nmetadata: {name: x}\n";

        assertThatThrownBy(new Kit(() -> new Plain(account))::manifestsDecodeForEveryPoolAndAskForNoMoreThanNeeded)
                .hasMessageContaining("PluginDescriptor.operandResources lacks \"serviceaccounts\"");
        assertThatThrownBy(new Kit(() -> new Plain(account))::declaresTheRightsThatItUsesAndNoOthers)
                .hasMessageContaining("all that the descriptor has to name: .addOperandResources(\"serviceaccounts\")");
    }

    private static final class Silent extends Plain implements RuntimeHook {
        Silent() {
            super(CONFIG_MAP);
        }

        @Override
        public RuntimeConfiguration runtime(NodeFacts node, RecipeContext context) {
            return RuntimeConfiguration.builder()
                    .putRuntimeClasses("plain", "plain")
                    .addDecorations(Decoration.builder()
                            .kind("vendor.example/plain")
                            .addDevices("/dev/plain")
                            .build())
                    .build();
        }
    }

    @Test
    void findsKindsThatSroMakesOfAnAnswerAndThePluginDoesNotSay() {
        assertThatThrownBy(new Kit(Silent::new)::equalInputGivesEqualOutput)
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining(
                        "PluginDescriptor.operandResources lacks [daemonsets.apps, runtimeclasses.node.k8s.io,"
                                + " serviceaccounts], of which SRO makes objects for what runtime() says");
    }

    @Test
    void findsRightsThatARoleGrantsAndThePluginDoesNotAskFor() {
        String role = """
            apiVersion: rbac.authorization.k8s.io/v1
            kind: Role
            metadata: {name: x}
            rules: [{apiGroups: [""], resources: [pods], verbs: [get]}]
            """;

        assertThatThrownBy(new Kit(() -> new Plain(role))::manifestsDecodeForEveryPoolAndAskForNoMoreThanNeeded)
                .hasMessageContaining("grants [get] on [pods] in []")
                .hasMessageContaining("nobody may grant what they do not have");
    }

    @Test
    void findsStatesThatDependOnMoreThanTheirInput() {
        AtomicInteger calls = new AtomicInteger();
        Kit kit = new Kit(() -> new Plain(CONFIG_MAP) {
            @Override
            public StateGraph states(RecipeContext context) {
                return StateGraph.chain(State.of("1000-x" + calls.incrementAndGet()));
            }
        });

        assertThatThrownBy(kit::equalInputGivesEqualOutput).isInstanceOf(AssertionError.class);
    }

    private static final class Fragile extends Plain implements PoolKeyProvider {
        Fragile() {
            super(CONFIG_MAP);
        }

        @Override
        public Map<String, String> poolKey(NodeFacts node, RecipeContext context) {
            return Map.of("minor", node.os().version().split("\\.", -1)[1]);
        }
    }

    @Test
    void findsAPluginThatANodeMakesThrow() {
        assertThatThrownBy(new Kit(Fragile::new)::noNodeMakesItThrow)
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("poolKey() on node nothing-known threw");
    }

    private static final class BadLabels extends Plain implements NodeClassifier {
        BadLabels() {
            super(CONFIG_MAP);
        }

        @Override
        public Map<String, String> nodeLabels(NodeFacts node, RecipeContext context) {
            return Map.of("mode", "fast");
        }
    }

    @Test
    void findsALabelThatIsNobodys() {
        assertThatThrownBy(new Kit(BadLabels::new)::equalInputGivesEqualOutput)
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("must begin with the vendor's domain");
    }

    /** Has devices reset by a state that is not there, or is reached by labels. */
    private static final class Resetting extends Plain implements UpgradePolicy {
        private final String by;

        Resetting(String by) {
            super(CONFIG_MAP);
            this.by = by;
        }

        @Override
        public StateGraph states(RecipeContext context) {
            return StateGraph.chain(
                    State.builder().id("1000-driver").reach(Reach.nodeByNode()).build(),
                    State.builder().id("2000-agent").reach(Reach.ownBarrier()).build());
        }

        @Override
        public UpgradeStrategy upgradeStrategy(RecipeContext context) {
            return UpgradeStrategy.builder()
                    .deviceResets(new DeviceResets(
                            "plain.example/reset-needed", "plain.example/reset", "plain.example/reset-failed", by))
                    .build();
        }

        @Override
        public boolean usesDevice(PodUse pod) {
            return false;
        }
    }

    @Test
    void findsResetsByAStateThatIsNotThereOrLeavesBefore() {
        assertThatThrownBy(new Kit(() -> new Resetting("2000-agnet"))::equalInputGivesEqualOutput)
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("DeviceResets.by: \"2000-agnet\" is no state of the plugin")
                .hasMessageContaining("[1000-driver, 2000-agent]");
        assertThatThrownBy(new Kit(() -> new Resetting("1000-driver"))::equalInputGivesEqualOutput)
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("DeviceResets.by: state \"1000-driver\" would leave the node")
                .hasMessageContaining("give it Reach.ownBarrier()");
        assertThatCode(new Kit(() -> new Resetting("2000-agent"))::equalInputGivesEqualOutput)
                .doesNotThrowAnyException();
    }

    @Test
    void findsManifestsThatDoNotDecode() {
        assertThatThrownBy(kit("kind: [")::manifestsDecodeForEveryPoolAndAskForNoMoreThanNeeded)
                .hasMessageContaining("InvalidManifest");
    }

    @Test
    void findsImagesWithoutATagAndAccountsThatNobodyMakes() {
        assertThatThrownBy(kit(daemonSet("admin", "busybox"))::manifestsDecodeForEveryPoolAndAskForNoMoreThanNeeded)
                .hasMessageContaining("serviceAccountName \"admin\" is in no state")
                .hasMessageContaining("must be an image with a tag");
    }

    @Test
    void findsRolesThatMayDoEverything() {
        String role = """
            apiVersion: rbac.authorization.k8s.io/v1
            kind: ClusterRole
            metadata: {name: all}
            rules: [{apiGroups: ["*"], resources: [pods], verbs: [get]}]
            """;

        assertThatThrownBy(kit(role)::manifestsDecodeForEveryPoolAndAskForNoMoreThanNeeded)
                .hasMessageContaining("rules with * in apiGroups");
    }

    private static final String MISSPELT_RULE = """
        apiVersion: nfd.example.com/v1
        kind: Rule
        metadata: {name: x}
        spec: {rulez: [{name: y}]}
        """;

    private static final String RULES = """
        apiVersion: apiextensions.k8s.io/v1
        kind: CustomResourceDefinition
        metadata: {name: rules.nfd.example.com}
        spec:
          group: nfd.example.com
          scope: Cluster
          names: {kind: Rule, plural: rules, singular: rule, listKind: RuleList}
          versions:
          - name: v1
            served: true
            storage: true
            schema:
              openAPIV3Schema:
                type: object
                properties:
                  spec: {type: object, properties: {rules: {type: array, items: {type: object}}}}
        """;

    private static final class Ruling extends Plain {
        Ruling() {
            super(MISSPELT_RULE);
        }

        @Override
        public PluginDescriptor descriptor() {
            return PluginDescriptor.builder()
                    .from(super.descriptor())
                    .addOptionalCrds("rules.nfd.example.com")
                    .build();
        }
    }

    @Test
    void findsKindsWhoseFieldsNobodyLooksAtUnlessTheAuthorAcceptsThem() {
        assertThatThrownBy(new Kit(Ruling::new)::manifestsFitTheSchemasOfTheirKinds)
                .hasMessageContaining("nfd.example.com/v1/Rule: give its CRD in the folder of crds(), or accept it in"
                        + " unchecked()");

        Kit accepting = new Kit(Ruling::new) {
            @Override
            protected Set<String> unchecked() {
                return Set.of("nfd.example.com/v1/Rule");
            }
        };
        assertThatCode(accepting::manifestsFitTheSchemasOfTheirKinds).doesNotThrowAnyException();
    }

    @Test
    void servesOptionalKindsAsTheirProjectsDefineThemAndFindsFieldsThatTheyDoNotHave(@TempDir Path crds)
            throws IOException {
        Files.writeString(crds.resolve("any-name.yaml"), RULES);
        AtomicInteger served = new AtomicInteger();
        Kit kit = new Kit(Ruling::new) {
            @Override
            protected Optional<Path> crds() {
                return Optional.of(crds);
            }

            @Override
            protected void prepare(SroSandbox sandbox) {
                served.set(sandbox.client()
                        .genericKubernetesResources("nfd.example.com/v1", "Rule")
                        .list()
                        .getItems()
                        .size());
                served.incrementAndGet();
            }
        };

        assertThatThrownBy(kit::manifestsFitTheSchemasOfTheirKinds).hasMessageContaining("spec.rulez");
        assertThat(served).hasValue(1);
    }

    private static final class Monitored extends Plain {
        Monitored(String endpoints) {
            super("""
                apiVersion: monitoring.coreos.com/v1
                kind: ServiceMonitor
                metadata: {name: a}
                spec:
                  selector: {matchLabels: {app: a}}
                  %s: [{port: metrics, interval: 30s}]
                """.formatted(endpoints));
        }

        @Override
        public PluginDescriptor descriptor() {
            return PluginDescriptor.builder()
                    .from(super.descriptor())
                    .addOptionalCrds("servicemonitors.monitoring.coreos.com")
                    .build();
        }
    }

    @Test
    void servesKindsThatMostPluginsUseAndFindsFieldsThatTheyDoNotHave() {
        Kit fits = new Kit(() -> new Monitored("endpoints"));
        assertThatCode(fits::manifestsFitTheSchemasOfTheirKinds).doesNotThrowAnyException();
        assertThatCode(fits::getsReadyAndThenRests).doesNotThrowAnyException();

        assertThatThrownBy(new Kit(() -> new Monitored("endpointz"))::manifestsFitTheSchemasOfTheirKinds)
                .hasMessageContaining("spec.endpointz");
        assertThatThrownBy(new Kit(() -> new Plain("""
            apiVersion: nfd.k8s-sigs.io/v1alpha1
            kind: NodeFeatureRule
            metadata: {name: a}
            spec: {rules: [{name: r, matchFeaturez: []}]}
            """))::manifestsFitTheSchemasOfTheirKinds)
                .as("also of a kind that the descriptor forgot")
                .hasMessageContaining("spec.rules[0].matchFeaturez");
    }

    @Test
    void controllersOfTheAuthorTakePart() {
        AtomicInteger made = new AtomicInteger();
        Kit kit = new Kit(() -> new Plain(CONFIG_MAP)) {
            @Override
            protected EmbeddedCluster.Builder cluster() {
                return EmbeddedCluster.builder().controller((api, clock) -> {
                    made.incrementAndGet();
                    return () -> false;
                });
            }
        };

        assertThatCode(kit::getsReadyAndThenRests).doesNotThrowAnyException();
        assertThat(made).hasValue(1);
    }

    @Test
    void findsARecipeThatIsNeverReady() {
        String job = """
            apiVersion: v1
            kind: PersistentVolumeClaim
            metadata: {name: never}
            spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}
            """;

        assertThatThrownBy(kit(job)::getsReadyAndThenRests).hasMessageContaining("not Ready after an hour");
    }
}
