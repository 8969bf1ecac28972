package dev.sro.plugins.nvidia.monitoring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sro.api.InvalidRecipeException;
import dev.sro.api.Problem;
import dev.sro.api.RecipeContext;
import dev.sro.api.operation.AlertRule;
import dev.sro.api.operation.Monitoring;
import dev.sro.plugins.nvidia.monitoring.MonitoringSettings.Limit;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class MonitoringSettingsTest {

    private static AlertRule alert(RecipeContext context, String name) {
        return NvidiaMonitoring.create(context).alerts().stream()
                .filter(alert -> alert.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private static List<String> problems(Object settings) {
        return NvidiaMonitoring.problems(Contexts.with(settings)).stream()
                .map(Problem::message)
                .toList();
    }

    /** Whatever can be set is somewhere in the alerts. */
    @ParameterizedTest
    @EnumSource(Limit.class)
    void changeTheAlerts(Limit limit) {
        int other = limit == Limit.GPU_CELSIUS ? limit.fallback() - 1 : limit.fallback() + 1;
        RecipeContext changed = Contexts.with(Map.of(limit.key(), other));
        assertThat(NvidiaMonitoring.problems(changed)).isEmpty();
        assertThat(NvidiaMonitoring.create(changed).alerts())
                .isNotEqualTo(NvidiaMonitoring.create(Contexts.with(Map.of())).alerts());
    }

    @Test
    void setLimitsAndTimes() {
        RecipeContext context =
                Contexts.with(Map.of("gpuCelsius", 70, "notReadyMinutes", 5, "runbooks", "https://wiki.example/gpus"));
        assertThat(alert(context, "NvidiaGpuHot").expression()).endsWith("(DCGM_FI_DEV_GPU_TEMP) > 70");
        assertThat(alert(context, "NvidiaGpuHot").runbook()).contains("https://wiki.example/gpus#nvidiagpuhot");
        assertThat(alert(context, "NvidiaStateNotReady").holdsFor()).isEqualTo(Duration.ofMinutes(5));
        assertThat(alert(context, "NvidiaStateNotReady").expression())
                .as("that of this special resource")
                .contains("specialresource=\"gpu\"");
    }

    /** A GPU that is not virtual says that it has no licence: the alert would be there for each. */
    @Test
    void askForLicencesOnlyWhereGpusAreVirtual() {
        assertThat(NvidiaMonitoring.create(Contexts.with(Map.of())).alerts())
                .extracting(AlertRule::name)
                .doesNotContain("NvidiaVgpuUnlicensed");
        assertThat(NvidiaMonitoring.create(Contexts.with(Map.of("vgpuGuests", true)))
                        .alerts())
                .extracting(AlertRule::name)
                .contains("NvidiaVgpuUnlicensed");
    }

    @Test
    void sayAllThatIsWrong() {
        assertThat(problems(Map.of(
                        "gpuCelsius",
                        "hot",
                        "lostForHours",
                        1,
                        "vgpuGuests",
                        "yes",
                        "gpuFahrenheit",
                        200,
                        "runbooks",
                        "#")))
                .containsExactlyInAnyOrder(
                        "spec.plugin.config.monitoring.gpuCelsius: \"hot\" must be a whole number from 40 to 150",
                        "spec.plugin.config.monitoring.lostForHours: \"1\" must be a whole number from 2 to 168",
                        "spec.plugin.config.monitoring.vgpuGuests: \"yes\" must be true or false",
                        "spec.plugin.config.monitoring.gpuFahrenheit: there is no such setting; remove it",
                        "spec.plugin.config.monitoring.runbooks: \"#\" must be the address of a page, without #,"
                                + " for example https://wiki.example/gpu-alerts");
        assertThat(problems(Map.of("gpuCelsius", 95)))
                .containsExactly(
                        "spec.plugin.config.monitoring.gpuCriticalCelsius: must be more than gpuCelsius, which is 95");
        assertThat(problems("on")).containsExactly("spec.plugin.config.monitoring: must be a map of settings");
        assertThat(problems(Map.of("gpuCelsius", 80.5))).hasSize(1);
        assertThat(problems(Map.of())).isEmpty();
    }

    @Test
    void thatAreWrongMakeNoAlerts() {
        RecipeContext wrong = Contexts.with(Map.of("gpuCelsius", 0, "vgpuGuests", 1));
        assertThatThrownBy(() -> NvidiaMonitoring.create(wrong))
                .isInstanceOf(InvalidRecipeException.class)
                .hasMessageContaining("gpuCelsius")
                .hasMessageContaining("vgpuGuests");
    }

    @Test
    void sayWhoseObjectsTheyAre() {
        Monitoring monitoring = NvidiaMonitoring.create(Contexts.with(Map.of(
                "labels",
                Map.of("release", "prometheus"),
                "grafanaSelector",
                Map.of("grafana", "gpu"),
                "clusterMonitoring",
                true)));
        assertThat(monitoring.labels()).containsExactly(Map.entry("release", "prometheus"));
        assertThat(monitoring.grafanaSelector()).containsExactly(Map.entry("grafana", "gpu"));
        assertThat(monitoring.clusterMonitoring()).isTrue();
        Monitoring plain = NvidiaMonitoring.create(Contexts.with(Map.of()));
        assertThat(plain.labels()).isEmpty();
        assertThat(plain.grafanaSelector()).isEqualTo(Monitoring.DEFAULT_GRAFANA);
        assertThat(plain.clusterMonitoring()).isFalse();
        assertThat(problems(Map.of(
                        "labels", "release=a", "grafanaSelector", Map.of("a", "b c"), "clusterMonitoring", "yes")))
                .anyMatch(problem -> problem.equals("spec.plugin.config.monitoring.labels: must be a map of labels"))
                .anyMatch(problem -> problem.startsWith(
                        "spec.plugin.config.monitoring.grafanaSelector: value of a: \"b c\" must be"))
                .anyMatch(problem -> problem.equals(
                        "spec.plugin.config.monitoring.clusterMonitoring: \"yes\" must be true or false"))
                .hasSize(3);
    }

    @Test
    void areNotNeeded() {
        RecipeContext none = Contexts.with(Map.of()).withConfig(Map.of());
        assertThat(NvidiaMonitoring.create(none)).isEqualTo(NvidiaMonitoring.create(Contexts.with(Map.of())));
        assertThat(Objects.requireNonNull(
                        NvidiaMonitoring.create(none).dashboards().get("nvidia-gpu-fleet")))
                .contains("NVIDIA GPUs / Fleet");
    }
}
