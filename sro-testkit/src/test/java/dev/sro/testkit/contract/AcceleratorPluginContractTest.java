package dev.sro.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sro.api.InvalidRecipeException;
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
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Each test of the kit finds the plugin that it is there to find. */
class AcceleratorPluginContractTest {

    @Test
    void aGoodPluginPassesAll() {
        PlainKit kit = PlainKit.of(PlainPlugin.CONFIG_MAP);

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
    private static final class Choosy extends PlainPlugin implements LoadPlanner, ImageResolver, Observability {
        Choosy() {
            super(PlainPlugin.CONFIG_MAP);
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
        PlainKit kit = new PlainKit(Choosy::new);

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
        PlainKit kit = new PlainKit(() -> new PlainPlugin(PlainPlugin.CONFIG_MAP) {
            @Override
            public PluginDescriptor descriptor() {
                return PluginDescriptor.of("plain", "1." + calls.incrementAndGet(), "Example");
            }
        });

        assertThatThrownBy(kit::describesItselfTheSameWayEachTime).isInstanceOf(AssertionError.class);
    }

    private static final class Silent extends PlainPlugin implements RuntimeHook {
        Silent() {
            super(PlainPlugin.CONFIG_MAP);
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
        assertThatThrownBy(new PlainKit(Silent::new)::equalInputGivesEqualOutput)
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining(
                        "PluginDescriptor.operandResources lacks [daemonsets.apps, runtimeclasses.node.k8s.io,"
                                + " serviceaccounts], of which SRO makes objects for what runtime() says");
    }

    @Test
    void findsStatesThatDependOnMoreThanTheirInput() {
        AtomicInteger calls = new AtomicInteger();
        PlainKit kit = new PlainKit(() -> new PlainPlugin(PlainPlugin.CONFIG_MAP) {
            @Override
            public StateGraph states(RecipeContext context) {
                return StateGraph.chain(State.of("1000-x" + calls.incrementAndGet()));
            }
        });

        assertThatThrownBy(kit::equalInputGivesEqualOutput).isInstanceOf(AssertionError.class);
    }

    private static final class Fragile extends PlainPlugin implements PoolKeyProvider {
        Fragile() {
            super(PlainPlugin.CONFIG_MAP);
        }

        @Override
        public Map<String, String> poolKey(NodeFacts node, RecipeContext context) {
            return Map.of("minor", node.os().version().split("\\.", -1)[1]);
        }
    }

    @Test
    void findsAPluginThatANodeMakesThrow() {
        assertThatThrownBy(new PlainKit(Fragile::new)::noNodeMakesItThrow)
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("poolKey() on node nothing-known threw");
    }

    private static final class BadLabels extends PlainPlugin implements NodeClassifier {
        BadLabels() {
            super(PlainPlugin.CONFIG_MAP);
        }

        @Override
        public Map<String, String> nodeLabels(NodeFacts node, RecipeContext context) {
            return Map.of("mode", "fast");
        }
    }

    @Test
    void findsALabelThatIsNobodys() {
        assertThatThrownBy(new PlainKit(BadLabels::new)::equalInputGivesEqualOutput)
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("must begin with the vendor's domain");
    }

    /** Has devices reset by a state that is not there, or is reached by labels. */
    private static final class Resetting extends PlainPlugin implements UpgradePolicy {
        private final String by;

        Resetting(String by) {
            super(PlainPlugin.CONFIG_MAP);
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
        assertThatThrownBy(new PlainKit(() -> new Resetting("2000-agnet"))::equalInputGivesEqualOutput)
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("DeviceResets.by: \"2000-agnet\" is no state of the plugin")
                .hasMessageContaining("[1000-driver, 2000-agent]");
        assertThatThrownBy(new PlainKit(() -> new Resetting("1000-driver"))::equalInputGivesEqualOutput)
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("DeviceResets.by: state \"1000-driver\" would leave the node")
                .hasMessageContaining("give it Reach.ownBarrier()");
        assertThatCode(new PlainKit(() -> new Resetting("2000-agent"))::equalInputGivesEqualOutput)
                .doesNotThrowAnyException();
    }

    @Test
    void controllersOfTheAuthorTakePart() {
        AtomicInteger made = new AtomicInteger();
        PlainKit kit = new PlainKit(() -> new PlainPlugin(PlainPlugin.CONFIG_MAP)) {
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

        assertThatThrownBy(PlainKit.of(job)::getsReadyAndThenRests).hasMessageContaining("not Ready after an hour");
    }
}
