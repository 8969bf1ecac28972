package dev.sro.runtime.operator;

import dev.sro.api.Outcome;
import dev.sro.api.resource.VerificationStatus;
import dev.sro.core.engine.port.Metrics;
import dev.sro.core.plan.Operand;
import dev.sro.core.plan.Plan;
import dev.sro.core.plan.StateReport;
import dev.sro.core.upgrade.machine.RolloutPlan;
import dev.sro.core.upgrade.machine.UpgradePhase;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Supplier;

/** What the operator measures, in the text format of Prometheus. The names are a contract: docs/reference/metrics.md. Thread-safe. */
final class OperatorMetrics implements Metrics, AutoCloseable {

    private static final String SPECIAL_RESOURCE = "special_resource";
    private static final String OUTCOME = "outcome";

    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final JvmGcMetrics collections = new JvmGcMetrics();
    private final Map<String, Plan> plans = new ConcurrentSkipListMap<>();
    private final UpgradeAlerts alerts = new UpgradeAlerts();
    private final MultiGauge ready =
            gauge("sro.special.resource.ready", "1 when all states of a special resource are ready");
    private final MultiGauge pools = gauge("sro.pools", "Pools of a special resource");
    private final MultiGauge nodes = gauge("sro.nodes", "Nodes that a special resource serves");
    private final MultiGauge states = gauge("sro.states", "States of a special resource by outcome");

    private final MultiGauge upgradeNodes = gauge("sro.upgrade.nodes", "Nodes in each phase of an upgrade of a driver");
    private final MultiGauge upgradeStuck =
            gauge("sro.upgrade.stuck.nodes", "Nodes whose upgrade does not go on, at most 20, by reason");
    private final MultiGauge upgradeHalted = gauge("sro.upgrade.halted", "1 when too many nodes failed");

    OperatorMetrics(String version) {
        new JvmMemoryMetrics().bindTo(registry);
        new JvmThreadMetrics().bindTo(registry);
        new ProcessorMetrics().bindTo(registry);
        new UptimeMetrics().bindTo(registry);
        collections.bindTo(registry);
        gauge("sro.build.info", "Version of SRO").register(List.of(MultiGauge.Row.of(Tags.of("version", version), 1)));
    }

    PrometheusMeterRegistry registry() {
        return registry;
    }

    /**
     * Has what is known of the process; each is asked for when it is read.
     *
     * @param leader 1 while this replica leads
     * @param unseen how many kinds cannot be listed and watched
     * @param rejected how many files are no plugins
     */
    void ofProcess(Supplier<Number> leader, Supplier<Number> unseen, Supplier<Number> rejected) {
        watch("sro.leader", "1 while this replica leads", leader);
        watch("sro.unseen.kinds", "Kinds that cannot be listed and watched", unseen);
        watch("sro.plugins.rejected", "Files in the folder of plugins that are none", rejected);
    }

    private void watch(String name, String description, Supplier<Number> value) {
        Gauge.builder(name, value)
                .description(description)
                .strongReference(true)
                .register(registry);
    }

    private MultiGauge gauge(String name, String description) {
        return MultiGauge.builder(name).description(description).register(registry);
    }

    @Override
    public void reconciled(String specialResource, Plan plan, int writes, int failures, Duration took) {
        Timer.builder("sro.reconcile")
                .description("How long reconciles of a special resource took")
                .tag(SPECIAL_RESOURCE, specialResource)
                .register(registry)
                .record(took);
        writes(specialResource, "made").increment(writes);
        writes(specialResource, "refused").increment(failures);
        plans.put(specialResource, plan);
        publish();
    }

    private Counter writes(String specialResource, String result) {
        return Counter.builder("sro.writes")
                .description("Writes for a special resource, by whether the API server took them")
                .tag(SPECIAL_RESOURCE, specialResource)
                .tag("result", result)
                .register(registry);
    }

    @Override
    public void gone(String specialResource) {
        plans.remove(specialResource);
        List<Meter> stale = registry.getMeters().stream()
                .filter(meter -> specialResource.equals(meter.getId().getTag(SPECIAL_RESOURCE)))
                .toList();
        publish();
        stale.forEach(registry::remove);
    }

    @Override
    public void preflight(String preflight, Map<String, VerificationStatus> verdicts) {
        alerts.judged(preflight, verdicts);
    }

    private synchronized void publish() {
        List<MultiGauge.Row<?>> readyRows = new ArrayList<>();
        List<MultiGauge.Row<?>> poolRows = new ArrayList<>();
        List<MultiGauge.Row<?>> nodeRows = new ArrayList<>();
        List<MultiGauge.Row<?>> stateRows = new ArrayList<>();
        plans.forEach((name, plan) -> {
            Tags tags = Tags.of(SPECIAL_RESOURCE, name);
            readyRows.add(MultiGauge.Row.of(tags, isReady(plan) ? 1 : 0));
            poolRows.add(MultiGauge.Row.of(tags, plan.pools().size()));
            nodeRows.add(MultiGauge.Row.of(
                    tags,
                    plan.pools().stream().mapToInt(pool -> pool.nodes().size()).sum()));
            for (String outcome : List.of("ready", "waiting", "failed")) {
                long count = plan.states().stream()
                        .filter(state -> outcome(state).equals(outcome))
                        .count();
                stateRows.add(MultiGauge.Row.of(tags.and(OUTCOME, outcome), count));
            }
        });
        publishUpgrades();
        ready.register(readyRows, true);
        pools.register(poolRows, true);
        nodes.register(nodeRows, true);
        states.register(stateRows, true);
    }

    private void publishUpgrades() {
        List<MultiGauge.Row<?>> phaseRows = new ArrayList<>();
        List<MultiGauge.Row<?>> stuckRows = new ArrayList<>();
        List<MultiGauge.Row<?>> haltedRows = new ArrayList<>();
        plans.forEach((name, plan) -> plan.upgrade().ifPresent(upgrade -> {
            Tags tags = Tags.of(SPECIAL_RESOURCE, name);
            for (UpgradePhase phase : UpgradePhase.values()) {
                String word = phase == UpgradePhase.UNKNOWN ? "unknown" : phase.label();
                phaseRows.add(MultiGauge.Row.of(
                        tags.and("phase", word), upgrade.counts().getOrDefault(phase, 0)));
            }
            Map<String, Integer> reasons = new TreeMap<>();
            upgrade.samples().forEach(sample -> reasons.merge(sample.block().code(), 1, Integer::sum));
            reasons.forEach((reason, count) -> stuckRows.add(MultiGauge.Row.of(tags.and("reason", reason), count)));
            haltedRows.add(MultiGauge.Row.of(tags, upgrade.state() == RolloutPlan.State.HALTED ? 1 : 0));
        }));
        upgradeNodes.register(phaseRows, true);
        upgradeStuck.register(stuckRows, true);
        upgradeHalted.register(haltedRows, true);
    }

    private static boolean isReady(Plan plan) {
        return plan.problems().isEmpty()
                && plan.nodeProblems().isEmpty()
                && plan.states().stream().allMatch(state -> state.outcome().isReady());
    }

    private static String outcome(StateReport state) {
        if (state.outcome().isReady()) {
            return "ready";
        }
        return state.outcome() instanceof Outcome.Failed ? "failed" : "waiting";
    }

    /** All of it, as Prometheus reads it. */
    String scrape() {
        return registry.scrape() + ofTheOriginals();
    }

    /** Metrics of the original operator, under names that the Prometheus library keeps for other types. */
    private String ofTheOriginals() {
        StringBuilder text =
                new StringBuilder("# HELP sro_managed_resources_total Special resources that are reconciled\n"
                        + "# TYPE sro_managed_resources_total gauge\nsro_managed_resources_total " + plans.size() + "\n"
                        + "# HELP sro_states_completed_info 1 when a state is ready, 0 when it is not\n"
                        + "# TYPE sro_states_completed_info gauge\n");
        // Names and ids of states are DNS labels: there is nothing to escape.
        plans.forEach((name, plan) -> plan.states()
                .forEach(state -> text.append("sro_states_completed_info{specialresource=\"")
                        .append(name)
                        .append("\",state=\"")
                        .append(state.state())
                        .append("\"} ")
                        .append(state.outcome().isReady() ? 1 : 0)
                        .append('\n')));
        text.append("""
            # HELP sro_kind_completed_info 1 when an object of a recipe is there and ready, 0 when it is not
            # TYPE sro_kind_completed_info gauge
            """);
        plans.forEach((name, plan) -> plan.operands()
                .forEach(operand -> series(text, "sro_kind_completed_info", "specialresource", name, operand)
                        .append(operand.ready() ? 1 : 0)
                        .append('\n')));
        text.append("# HELP sro_used_nodes Nodes with a pod of a DaemonSet\n# TYPE sro_used_nodes gauge\n");
        plans.forEach((name, plan) -> plan.operands().stream()
                .filter(operand -> operand.ref().kind().equals("DaemonSet"))
                .forEach(operand -> series(text, "sro_used_nodes", "cr", name, operand)
                        .append(operand.nodes())
                        .append('\n')));
        text.append(
                "# HELP sro_upgrade_alert 1 when a preflight says that a special resource is not ready for the kernel"
                        + " to come\n"
                        + "# TYPE sro_upgrade_alert gauge\n");
        plans.keySet()
                .forEach(name -> text.append("sro_upgrade_alert{cr=\"")
                        .append(name)
                        .append("\"} ")
                        .append(alerts.isSet(name) ? 1 : 0)
                        .append('\n'));
        return text.toString();
    }

    /** Kinds and names of objects are of letters, digits, dashes, dots and colons: nothing to escape here either. */
    private static StringBuilder series(
            StringBuilder text, String metric, String owner, String specialResource, Operand operand) {
        return text.append(metric)
                .append('{')
                .append(owner)
                .append("=\"")
                .append(specialResource)
                .append("\",kind=\"")
                .append(operand.ref().kind())
                .append("\",name=\"")
                .append(operand.ref().name())
                .append("\",namespace=\"")
                .append(operand.ref().namespace())
                .append("\"} ");
    }

    @Override
    public void close() {
        collections.close();
        registry.close();
    }
}
