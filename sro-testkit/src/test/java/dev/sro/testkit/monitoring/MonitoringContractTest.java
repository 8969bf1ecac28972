package dev.sro.testkit.monitoring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.sro.api.operation.AlertRule;
import dev.sro.api.operation.Monitoring;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MonitoringContractTest {

    private static final String SCENARIO = """
        - alert: AcmeDeviceHot
          series:
            acme_celsius{node="a",device="0"}: 70x9 95x19 70x9
          fires:
            - {at: 20m, labels: {node: a, device: "0"}, value: "95"}
          silent: [5m, 35m]
        """;

    private static AlertRule.Builder hot() {
        return AlertRule.builder()
                .name("AcmeDeviceHot")
                .expression("max by (node, device) (acme_celsius) > 90")
                .holdsFor(Duration.ofMinutes(5))
                .keepFiringFor(Duration.ofMinutes(2))
                .putLabels("team", "hardware")
                .summary("Device {{ $labels.device }} of {{$labels.node}} is at {{ printf \"%.0f\" $value }} °C.")
                .runbook("https://acme.example/hot");
    }

    /** What a vendor's tests look like. */
    private static class Acme extends MonitoringContract {

        private final AlertRule alert;
        private final String scenario;

        Acme(AlertRule alert, String scenario) {
            this.alert = alert;
            this.scenario = scenario;
        }

        @Override
        protected Monitoring monitoring() {
            return Monitoring.builder().addAlerts(alert).build();
        }

        @Override
        protected KnownMetrics metrics() {
            return KnownMetrics.none().and(List.of("acme_celsius"), "device");
        }

        @Override
        protected List<String> scenarios() {
            return List.of(scenario);
        }
    }

    @Nested
    class OfAGoodPlugin extends Acme {
        OfAGoodPlugin() {
            super(hot().build(), SCENARIO);
        }
    }

    @Test
    void findsAlertsThatAskForNothing() {
        Acme kelvin = new Acme(hot().expression("acme_kelvin > 363").build(), SCENARIO);
        assertThatThrownBy(kelvin::alertsAskForWhatIsThere).hasMessage("AcmeDeviceHot: nothing emits acme_kelvin");
    }

    @Test
    void findsAlertsWithoutScenarioOrRunbook() {
        Acme other = new Acme(hot().name("AcmeOther").runbook(Optional.empty()).build(), SCENARIO);
        assertThatThrownBy(other::alertsSayWhereToReadOn).hasMessage("AcmeOther has no runbook");
        assertThatThrownBy(other::alertsHaveScenariosThatBeginAndEnd)
                .hasMessageContaining("there is no alert AcmeDeviceHot")
                .hasMessageContaining("no scenario shows that AcmeOther fires and ends");
    }

    @Test
    void findsScenariosWithoutAnEnd() {
        Acme endless = new Acme(hot().build(), SCENARIO.replace("[5m, 35m]", "[5m]"));
        assertThatThrownBy(endless::alertsHaveScenariosThatBeginAndEnd)
                .hasMessage("no scenario shows that AcmeDeviceHot fires and ends");
    }

    @Test
    void findsTextsAboutLabelsThatAreNotThere() {
        Acme slot = new Acme(hot().summary("Slot {{ $labels.slot }} is hot.").build(), SCENARIO);
        assertThatThrownBy(slot::alertsSpeakOfLabelsThatTheyHave)
                .hasMessageStartingWith("AcmeDeviceHot speaks of a label slot");
    }

    @Test
    void scenariosSayWhatIsWrongWithThem() {
        assertThatThrownBy(() -> AlertScenario.read(SCENARIO.replace("20m", "20")))
                .hasMessageContaining("AcmeDeviceHot: \"20\" must be minutes");
        assertThatThrownBy(() -> AlertScenario.read(SCENARIO.replace("series:", "samples:")))
                .hasMessageContaining("AcmeDeviceHot.series: a map is missing");
    }

    /** An alert that does not fire, or says something else, is found by Prometheus itself. */
    @Test
    void prometheusFindsAlertsThatDoNotDoWhatIsExpected(@TempDir Path folder) throws IOException {
        Optional<Promtool> promtool = Promtool.find();
        assumeThat(promtool).as("no promtool here: run .ci/promtool/build.sh").isPresent();
        assertThat(run(promtool.orElseThrow(), hot().build(), SCENARIO, folder)).isEmpty();
        assertThat(run(promtool.orElseThrow(), hot().build(), SCENARIO.replace("95x19", "89x19"), folder))
                .isNotEmpty();
        assertThat(run(
                        promtool.orElseThrow(),
                        hot().build(),
                        SCENARIO.replace("value: \"95\"", "value: \"96\""),
                        folder))
                .isNotEmpty();
        Path broken = Files.writeString(
                folder.resolve("broken.json"),
                rules(hot().expression("max by (acme_celsius) >").build()));
        assertThat(promtool.orElseThrow().refusal(broken)).isNotEmpty();
    }

    private static String rules(AlertRule alert) {
        return RuleFiles.rules(Monitoring.builder().addAlerts(alert).build());
    }

    private static Optional<String> run(Promtool promtool, AlertRule alert, String scenario, Path folder)
            throws IOException {
        Path rules = Files.writeString(folder.resolve("rules.json"), rules(alert));
        Object test = RuleFiles.test("a", AlertScenario.read(scenario).get(0), alert);
        return promtool.failures(
                Files.writeString(folder.resolve("tests.json"), RuleFiles.tests(rules.toString(), List.of(test))));
    }
}
