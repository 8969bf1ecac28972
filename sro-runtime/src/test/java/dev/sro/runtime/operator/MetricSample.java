package dev.sro.runtime.operator;

import dev.sro.api.Outcome;
import dev.sro.core.model.ObjectRef;
import dev.sro.core.plan.Operand;
import dev.sro.core.plan.Plan;
import dev.sro.core.plan.StateReport;
import dev.sro.core.upgrade.machine.Journal;
import dev.sro.core.upgrade.machine.RolloutPlan;
import dev.sro.core.upgrade.machine.StepBlock;
import dev.sro.core.upgrade.machine.UpgradePhase;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** The operator's metrics with a value of each, for the page that is written from them. Stateless. */
public final class MetricSample {
    private MetricSample() {}

    /** All of them, in the text format of Prometheus. */
    public static String text() {
        try (OperatorMetrics metrics = new OperatorMetrics("1.0.0")) {
            metrics.ofProcess(() -> 1, () -> 0, () -> 0);
            metrics.reconciled("acme", plan(), 1, 1, Duration.ofSeconds(1));
            ApiTraffic.throttled(metrics.registry()).record(Duration.ofSeconds(1));
            ApiTraffic.requests(metrics.registry(), new ApiCall("get", "nodes"), "200")
                    .increment();
            return metrics.scrape();
        }
    }

    /** The metrics of the table for administrators, with their labels. */
    public static Map<String, List<String>> documented() {
        Map<String, List<String>> documented = new TreeMap<>();
        DocumentedMetric.all().forEach(metric -> documented.put(metric.name(), metric.labels()));
        return documented;
    }

    private static Plan plan() {
        return Plan.builder()
                .addStates(new StateReport("1000-driver", true, Outcome.ready(), new TreeMap<>()))
                .addOperands(new Operand(new ObjectRef("apps/v1", "DaemonSet", "acme", "acme-driver"), true, 1))
                .upgrade(upgrade())
                .build();
    }

    private static RolloutPlan upgrade() {
        StepBlock block = new StepBlock("DriverNotReady", "its driver is not ready", Instant.EPOCH, List.of());
        return new RolloutPlan(
                "driver",
                List.of(),
                Journal.EMPTY,
                false,
                Map.of(UpgradePhase.FAILED, 1),
                new RolloutPlan.Slots(1, 0, 0, 1, 1),
                RolloutPlan.State.RUNNING,
                "",
                List.of(new RolloutPlan.Sample("worker-1", UpgradePhase.FAILED, 1, block)),
                List.of(),
                Optional.empty());
    }
}
