package dev.sro.api.operation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.time.Duration;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Values of the contract about operation refuse what makes no sense, with the object, the field and the fix. */
class OperationValuesTest {

    private static Arguments refused(String message, ThrowingCallable what) {
        return arguments(message, what);
    }

    private static AlertRule.Builder alert() {
        return AlertRule.builder()
                .name("AcmeHot")
                .expression("acme_celsius > 90")
                .summary("too hot");
    }

    static Stream<Arguments> values() {
        return Stream.of(
                refused(
                        "Monitoring.labels",
                        () -> Monitoring.builder().putLabels("not a label", "x").build()),
                refused(
                        "Monitoring.service: \"Acme_Exporter\" must be the name of a Service",
                        () -> Monitoring.builder().service("Acme_Exporter").build()),
                refused(
                        "UpgradeStrategy.maxUnavailable: \"120%\"",
                        () -> UpgradeStrategy.builder().maxUnavailable("120%").build()),
                refused(
                        "UpgradeStrategy.delegateTo: \"NodeMaintenance\" must be group/version/Kind",
                        () -> UpgradeStrategy.builder()
                                .delegateTo("NodeMaintenance")
                                .build()),
                refused(
                        "AlertRule.name: \"gpu hot\" must be one CamelCase word",
                        () -> AlertRule.builder()
                                .name("gpu hot")
                                .expression("x")
                                .summary("x")
                                .build()),
                refused(
                        "AlertRule.labels of AcmeHot: \"severity\" is set by SRO",
                        () -> alert().putLabels("severity", "page").build()),
                refused(
                        "AlertRule.labels of AcmeHot: \"my-team\" must be the name of a Prometheus label",
                        () -> alert().putLabels("my-team", "a").build()),
                refused(
                        "AlertRule.keepFiringFor of AcmeHot: must not be negative",
                        () -> alert().keepFiringFor(Duration.ofMinutes(-1)).build()),
                refused(
                        "Monitoring.metricNames: \"a b\"",
                        () -> Monitoring.builder().putMetricNames("a", "a b").build()),
                refused(
                        "NodeTaint.key: \"gpu\" must begin with",
                        () -> new NodeTaint("gpu", "", NodeTaint.Effect.NO_SCHEDULE)),
                refused(
                        "Scheduling.readyState: a readiness taint and the state",
                        () -> Scheduling.builder().readyState("2000-x").build()),
                refused(
                        "Scheduling.priorityClasses: \"system-gpu\" must not begin",
                        () -> Scheduling.builder()
                                .putPriorityClasses("system-gpu", 1)
                                .build()));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("values")
    void refusesWhatMakesNoSense(String message, ThrowingCallable what) {
        assertThatIllegalArgumentException().isThrownBy(what).withMessageStartingWith(message);
    }

    @Test
    void oneWrongSettingOfSchedulingIsNamed() {
        NodeTaint taint = new NodeTaint("vendor.example/not-ready", "", NodeTaint.Effect.NO_SCHEDULE);
        Scheduling scheduling = Scheduling.builder()
                .readinessTaint(taint)
                .readyState("2000-validation")
                .build();
        assertThat(scheduling.readinessTaint().orElseThrow().effect().word()).isEqualTo("NoSchedule");
    }

    @Test
    void resetsAreSaidByThreeAnnotationsThatAreKept() {
        DeviceResets resets =
                new DeviceResets("a.example/reset-needed", "a.example/reset", "a.example/reset-failed", "2000-agent");
        assertThat(UpgradeStrategy.builder().deviceResets(resets).build().deviceResets())
                .contains(resets);
        assertThat(UpgradeStrategy.builder().build().deviceResets()).isEmpty();
        assertThatThrownBy(() -> new DeviceResets("a.example/needed", "a.example/reset", "a.example/reset-failed", "x"))
                .hasMessageContaining("DeviceResets.needed")
                .hasMessageContaining("must have \"reset\" in its name");
        assertThatThrownBy(() -> new DeviceResets("a.example/reset", "a.example/reset", "a.example/reset-failed", "x"))
                .hasMessageContaining("DeviceResets.order");
        assertThatThrownBy(() -> new DeviceResets("reset-needed", "a.example/reset", "a.example/reset-failed", "x"))
                .hasMessageContaining("DeviceResets.needed");
        assertThatThrownBy(() ->
                        new DeviceResets("a.example/reset-needed", "a.example/reset", "a.example/reset-failed", " "))
                .hasMessageContaining("DeviceResets.by");
    }
}
