package dev.sro.testkit.monitoring;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sro.api.operation.AlertRule;
import dev.sro.api.operation.Monitoring;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The contract of alerts and dashboards: they ask for what is there, they say where to read on, and each alert fires on the
 * series that it is for and ends with them. Extend it with what is monitored, with the metrics, and with a scenario for each
 * alert:
 *
 * <pre>{@code
 * - alert: AcmeDeviceHot
 *   series:
 *     acme_celsius{node="a",device="0"}: 70x9 95x19 70x9
 *   fires:
 *     - {at: 20m, labels: {node: a, device: "0"}, value: "95"}
 *   silent: [5m, 35m]
 * }</pre>
 *
 * <p>The rules are run by Prometheus' own {@code promtool}, found by the variable SRO_PROMTOOL; tests that need it are skipped
 * where there is none. Not thread-safe, as JUnit has it.
 */
public abstract class MonitoringContract {

    @TempDir
    private Path folder = Path.of("");

    /** For subclasses. */
    protected MonitoringContract() {}

    /** What is tested. */
    protected abstract Monitoring monitoring();

    /** All metrics that alerts and dashboards may ask for. */
    protected abstract KnownMetrics metrics();

    /** Scenarios, one YAML list or more. */
    protected abstract List<String> scenarios();

    /** Each alert asks for metrics and labels that there are. */
    @Test
    final void alertsAskForWhatIsThere() {
        List<String> problems = new ArrayList<>();
        for (AlertRule alert : monitoring().alerts()) {
            metrics().missing(alert.expression()).forEach(missing -> problems.add(alert.name() + ": " + missing));
        }
        none(problems);
    }

    /** Each alert has a runbook. */
    @Test
    final void alertsSayWhereToReadOn() {
        none(monitoring().alerts().stream()
                .filter(alert -> alert.runbook().isEmpty())
                .map(alert -> alert.name() + " has no runbook")
                .toList());
    }

    /** Each alert has a scenario in which it begins and ends, and none is for an alert that there is not. */
    @Test
    final void alertsHaveScenariosThatBeginAndEnd() {
        Map<String, AlertRule> alerts = alerts();
        List<String> problems = new ArrayList<>();
        Set<String> shown = new LinkedHashSet<>();
        for (AlertScenario scenario : all()) {
            if (!alerts.containsKey(scenario.alert())) {
                problems.add("there is no alert " + scenario.alert());
            }
            if (scenario.beginsAndEnds()) {
                shown.add(scenario.alert());
            }
        }
        alerts.keySet().stream()
                .filter(name -> !shown.contains(name))
                .forEach(name -> problems.add("no scenario shows that " + name + " fires and ends"));
        none(problems);
    }

    /** The texts of an alert mention labels that its scenarios have. */
    @Test
    final void alertsSpeakOfLabelsThatTheyHave() {
        Map<String, AlertRule> alerts = alerts();
        List<String> problems = new ArrayList<>();
        for (AlertScenario scenario : all()) {
            AlertRule alert = alerts.get(scenario.alert());
            if (alert == null) {
                continue;
            }
            for (AlertScenario.Firing firing : scenario.fires()) {
                RuleFiles.mentioned(alert).stream()
                        .filter(label -> !firing.labels().containsKey(label)
                                && !alert.labels().containsKey(label))
                        .forEach(label -> problems.add(alert.name() + " speaks of a label " + label));
            }
        }
        none(problems);
    }

    /** Prometheus takes the rules. */
    @Test
    final void prometheusAcceptsTheRules() throws IOException {
        promtool().refusal(rules()).ifPresent(MonitoringContract::fail);
    }

    /** Prometheus fires and ends each alert as its scenarios say. */
    @Test
    final void alertsFireAndEnd() throws IOException {
        Promtool promtool = promtool();
        Path rules = rules();
        Map<String, AlertRule> alerts = alerts();
        List<Object> tests = new ArrayList<>();
        for (AlertScenario scenario : all()) {
            AlertRule alert = alerts.get(scenario.alert());
            if (alert != null) {
                tests.add(RuleFiles.test("scenario " + tests.size() + ", " + scenario.alert(), scenario, alert));
            }
        }
        Path file = Files.writeString(folder.resolve("tests.json"), RuleFiles.tests(rules.toString(), tests));
        promtool.failures(file).ifPresent(MonitoringContract::fail);
    }

    /** Each dashboard is one that Grafana can show, of metrics that there are. */
    @Test
    final void dashboardsShowWhatIsThere() {
        List<String> problems = new ArrayList<>();
        Set<String> uids = new LinkedHashSet<>();
        monitoring().dashboards().forEach((name, json) -> {
            DashboardChecks.problems(json, metrics()).forEach(problem -> problems.add(name + " " + problem));
            if (!uids.add(DashboardChecks.uid(json))) {
                problems.add(name + " has the uid of another dashboard");
            }
        });
        none(problems);
    }

    private Map<String, AlertRule> alerts() {
        return monitoring().alerts().stream().collect(Collectors.toMap(AlertRule::name, Function.identity()));
    }

    private List<AlertScenario> all() {
        return scenarios().stream()
                .flatMap(yaml -> AlertScenario.read(yaml).stream())
                .toList();
    }

    private Path rules() throws IOException {
        return Files.writeString(folder.resolve("rules.json"), RuleFiles.rules(monitoring()));
    }

    private static Promtool promtool() {
        Optional<Promtool> found = Promtool.find();
        assumeTrue(
                found.isPresent(), "no promtool here: run .ci/promtool/build.sh, or set SRO_PROMTOOL to the command");
        return Objects.requireNonNull(found.orElse(null));
    }

    private static void none(List<String> problems) {
        if (!problems.isEmpty()) {
            fail(String.join("\n", problems));
        }
    }

    private static void fail(String message) {
        throw new AssertionError(message);
    }
}
