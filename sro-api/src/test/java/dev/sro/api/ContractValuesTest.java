package dev.sro.api;

import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.time.Duration;
import java.util.Map;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Values of the contract about recipes refuse what makes no sense, with the object, the field and the fix. */
class ContractValuesTest {

    private static Arguments refused(String message, ThrowingCallable what) {
        return arguments(message, what);
    }

    static Stream<Arguments> values() {
        return Stream.of(
                refused(
                        "State.provides of 1000-a: \"network-driver\" needs a state that is reached node by node",
                        () -> State.builder()
                                .id("1000-a")
                                .addProvides("network-driver")
                                .build()),
                refused(
                        "State.afterCapabilities of 1000-a: \"Net\"",
                        () -> State.builder()
                                .id("1000-a")
                                .reach(Reach.nodeByNode())
                                .addAfterCapabilities("Net")
                                .build()),
                refused(
                        "State.provides of 1000-a: \"" + "n".repeat(53) + "\" may have 52 characters at most",
                        () -> State.builder()
                                .id("1000-a")
                                .reach(Reach.nodeByNode())
                                .addProvides("n".repeat(53))
                                .build()),
                refused(
                        "AllocatableResource.resource: \"a/b/c\" must be a name",
                        () -> ReadinessRule.allocatable("a/b/c", 1)),
                refused(
                        "AllocatableResource.atLeast: \"0\" must be from 1",
                        () -> ReadinessRule.allocatable("vendor.example/gpu", 0)),
                refused("NodeShare.percent: \"101\" must be from 1 to 100", () -> ReadinessRule.nodeShare(101)),
                refused(
                        "NodeLabel.failures: done is the value that is waited for",
                        () -> ReadinessRule.nodeLabel(
                                "vendor.example/state", "done", Map.of("done", Problem.user("Done", "x")))),
                refused(
                        "NodeLabelFailures.failures: name at least one",
                        () -> ReadinessRule.nodeLabelFailures("vendor.example/state", Map.of())),
                refused("LogPattern.pattern", () -> ReadinessRule.logPattern("driver", "")),
                refused(
                        "State.readiness of 1000-a: NodeShare needs a state that is reached node by node",
                        () -> State.builder()
                                .id("1000-a")
                                .addReadiness(ReadinessRule.nodeShare(50))
                                .build()),
                refused(
                        "ValidationLimits.timeout: PT0S must be longer",
                        () -> ValidationLimits.builder().timeout(Duration.ZERO).build()),
                refused(
                        "ValidationLimits.nodeCondition: \"is good\"",
                        () -> ValidationLimits.builder()
                                .nodeCondition("is good")
                                .build()),
                refused(
                        "ValidationLimits.nodeCondition: \"Ready\" is a condition of Kubernetes' own",
                        () -> ValidationLimits.builder().nodeCondition("Ready").build()),
                refused(
                        "ValidationLimits.repeatEvery: PT59S must be at least PT1M",
                        () -> ValidationLimits.builder()
                                .repeatEvery(Duration.ofSeconds(59))
                                .build()),
                refused(
                        "ValidationLimits.retries: \"-1\" must be from 0 to 100",
                        () -> ValidationLimits.builder().retries(-1).build()),
                refused(
                        "State.limits of 1000-a: nodeCondition needs a state that is reached node by node",
                        () -> State.builder()
                                .id("1000-a")
                                .limits(ValidationLimits.builder()
                                        .nodeCondition("Good")
                                        .build())
                                .build()),
                refused(
                        "State.limits of 1000-a: repeatEvery needs pods that stay",
                        () -> State.builder()
                                .id("1000-a")
                                .reach(Reach.nodeByNode().leavingWhenReady())
                                .limits(ValidationLimits.builder()
                                        .repeatEvery(Duration.ofHours(1))
                                        .build())
                                .build()),
                refused(
                        "PluginDescriptor.requiredCrds: \"foos\" must be the name of a CRD",
                        () -> descriptor().addRequiredCrds("foos").build()),
                refused(
                        "PluginDescriptor.relatedImages: \"driver\"",
                        () -> descriptor().addRelatedImages("driver").build()));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("values")
    void refusesWhatMakesNoSense(String message, ThrowingCallable what) {
        assertThatIllegalArgumentException().isThrownBy(what).withMessageStartingWith(message);
    }

    private static PluginDescriptor.Builder descriptor() {
        PluginDescriptor.Builder builder = PluginDescriptor.builder();
        builder.name("acme").version("1.0").vendor("Acme");
        return builder;
    }
}
