package dev.sro.core.monitoring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.api.ClusterFacts;
import dev.sro.api.RecipeContext;
import dev.sro.api.operation.AlertRule;
import dev.sro.api.operation.Monitoring;
import dev.sro.api.resource.SpecialResource;
import dev.sro.core.model.KubeObject;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MonitoringObjectsTest {

    private static final ClusterFacts VANILLA = ClusterFacts.builder().build();

    private static final ClusterFacts OPENSHIFT = ClusterFacts.builder()
            .addServedKinds("config.openshift.io/v1/ClusterVersion")
            .build();

    private static RecipeContext context(String name, ClusterFacts cluster) {
        SpecialResource resource = new SpecialResource();
        resource.setMetadata(new ObjectMetaBuilder().withName(name).build());
        return new RecipeContext(resource, cluster);
    }

    private static List<KubeObject> of(Monitoring.Builder monitoring) {
        return MonitoringObjects.render(context("gpu", VANILLA), monitoring.build());
    }

    private static KubeObject one(String kind, List<KubeObject> objects) {
        return objects.stream()
                .filter(object -> object.ref().kind().equals(kind))
                .findFirst()
                .orElseThrow();
    }

    private static AlertRule.Builder alert() {
        return AlertRule.builder()
                .name("AcmeHot")
                .expression("acme_celsius > 90")
                .summary("too hot");
    }

    @Test
    void nothingToWatchIsNoObjects() {
        assertThat(of(Monitoring.builder())).isEmpty();
    }

    @Test
    void theServiceIsFoundByItsNameAmongThoseOfTheSpecialResource() {
        KubeObject monitor = one(
                "ServiceMonitor",
                of(Monitoring.builder()
                        .service("exporter")
                        .port("gpu-metrics")
                        .path("/m")
                        .interval(Duration.ofSeconds(90))
                        .putLabels("release", "kube-prometheus-stack")));

        assertThat(monitor.ref().name()).isEqualTo("gpu-exporter");
        assertThat(monitor.label("release")).hasValue("kube-prometheus-stack");
        assertThat(monitor.map("spec", "selector", "matchLabels")).isEqualTo(Map.of("sro.dev/special-resource", "gpu"));
        assertThat(monitor.maps("spec", "endpoints"))
                .singleElement()
                .satisfies(endpoint -> assertThat(endpoint)
                        .containsEntry("port", "gpu-metrics")
                        .containsEntry("path", "/m")
                        .containsEntry("interval", "1m30s")
                        .containsEntry(
                                "relabelings",
                                List.of(
                                        Map.of(
                                                "sourceLabels", List.of("__meta_kubernetes_service_name"),
                                                "regex", "exporter",
                                                "action", "keep"),
                                        Map.of(
                                                "sourceLabels", List.of("__meta_kubernetes_pod_node_name"),
                                                "targetLabel", "node",
                                                "action", "replace"))));
    }

    @Test
    void alertsHaveWhatACalledPersonNeeds() {
        KubeObject rule = one(
                "PrometheusRule",
                of(Monitoring.builder()
                        .addAlerts(alert().severity(AlertRule.Severity.CRITICAL)
                                .holdsFor(Duration.ofMinutes(90))
                                .keepFiringFor(Duration.ofMinutes(5))
                                .putLabels("team", "hardware")
                                .description("cool it")
                                .runbook("https://acme.example/hot")
                                .build())));

        assertThat(rule.maps("spec", "groups")).singleElement().satisfies(group -> {
            assertThat(group).containsEntry("name", "gpu-alerts");
            assertThat(group.get("rules"))
                    .isEqualTo(List.of(Map.of(
                            "alert",
                            "AcmeHot",
                            "expr",
                            "acme_celsius > 90",
                            "for",
                            "1h30m",
                            "keep_firing_for",
                            "5m",
                            "labels",
                            Map.of("severity", "critical", "team", "hardware"),
                            "annotations",
                            Map.of(
                                    "summary",
                                    "too hot",
                                    "description",
                                    "cool it",
                                    "runbook_url",
                                    "https://acme.example/hot"))));
        });
    }

    @Test
    void whatIsNotSaidIsNotThere() {
        KubeObject rule = one(
                "PrometheusRule",
                of(Monitoring.builder()
                        .addAlerts(alert().holdsFor(Duration.ZERO).build())));

        assertThat(rule.maps("spec", "groups").get(0).get("rules"))
                .isEqualTo(List.of(Map.of(
                        "alert",
                        "AcmeHot",
                        "expr",
                        "acme_celsius > 90",
                        "labels",
                        Map.of("severity", "warning"),
                        "annotations",
                        Map.of("summary", "too hot"))));
    }

    @Test
    void theVendorsMetricsAreThereUnderTheNamesOfAllDevices() {
        KubeObject rule = one(
                "PrometheusRule",
                of(Monitoring.builder().putMetricNames("device_temperature_celsius", "acme_celsius")));

        assertThat(rule.maps("spec", "groups").get(0).get("rules"))
                .isEqualTo(List.of(Map.of(
                        "record",
                        "device_temperature_celsius",
                        "expr",
                        "acme_celsius",
                        "labels",
                        Map.of("special_resource", "gpu"))));
    }

    @Test
    void aDashboardIsForTheSidecarAndForTheOperator() {
        List<KubeObject> objects = of(Monitoring.builder().putDashboards("fleet", "{\"panels\": []}"));

        KubeObject map = one("ConfigMap", objects);
        assertThat(map.ref().name()).isEqualTo("gpu-fleet");
        assertThat(map.label("grafana_dashboard")).hasValue("1");
        assertThat(map.map("data")).isEqualTo(Map.of("fleet.json", "{\"panels\": []}"));
        KubeObject dashboard = one("GrafanaDashboard", objects);
        assertThat(dashboard.ref().name()).isEqualTo("gpu-fleet");
        assertThat(dashboard.map("spec", "instanceSelector", "matchLabels")).isEqualTo(Map.of("dashboards", "grafana"));
        assertThat(dashboard.map("spec")).containsEntry("json", "{\"panels\": []}");
    }

    @Test
    void anotherSelectorIsAnotherDashboardAsItsSelectorCannotChange() {
        KubeObject dashboard = one(
                "GrafanaDashboard",
                of(Monitoring.builder().putDashboards("fleet", "{}").grafanaSelector(Map.of("team", "a"))));

        assertThat(dashboard.ref().name()).matches("gpu-fleet-[0-9a-f]{8}");
    }

    @Test
    void namesAreNoLongerThanALabel() {
        RecipeContext context = context("n".repeat(63), VANILLA);
        Monitoring monitoring = Monitoring.builder()
                .service("exporter")
                .addAlerts(alert().build())
                .putDashboards("d".repeat(63), "{}")
                .putDashboards("d".repeat(62), "{}")
                .build();

        assertThat(MonitoringObjects.render(context, monitoring))
                .hasSize(6)
                .extracting(object -> object.ref().name())
                .allSatisfy(name -> assertThat(name).hasSizeLessThanOrEqualTo(63));
        assertThat(MonitoringObjects.render(context, monitoring))
                .extracting(KubeObject::ref)
                .doesNotHaveDuplicates();
    }

    @Test
    void nothingWaitsForAnyOfThem() {
        assertThat(of(Monitoring.builder()
                        .service("exporter")
                        .addAlerts(alert().build())
                        .putDashboards("fleet", "{}")))
                .hasSize(4)
                .allSatisfy(object -> assertThat(object.annotation("specialresource.openshift.io/wait"))
                        .hasValue("false"));
    }

    @Test
    void onlyOpenShiftsPrometheusIsLetInAndOnlyWhereItIsAskedFor() {
        Monitoring asked = Monitoring.builder().clusterMonitoring(true).build();

        assertThat(MonitoringObjects.render(context("gpu", VANILLA), asked)).isEmpty();
        assertThat(MonitoringObjects.render(
                        context("gpu", OPENSHIFT), Monitoring.builder().build()))
                .isEmpty();
        assertThat(MonitoringObjects.render(context("gpu", OPENSHIFT), asked))
                .extracting(object -> object.ref().kind())
                .containsExactly("Role", "RoleBinding");
    }

    @ParameterizedTest
    @CsvSource({"PT0S, 0s", "PT30S, 30s", "PT5M, 5m", "PT90M, 1h30m", "P1D, 1d", "PT0.25S, 250ms"})
    void durationsAreWrittenAsPrometheusReadsThem(Duration duration, String text) {
        assertThat(PrometheusRules.duration(duration)).isEqualTo(text);
    }
}
