package dev.sro.testkit.operator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.api.AcceleratorPlugin;
import dev.sro.api.ManifestTemplate;
import dev.sro.api.PluginDescriptor;
import dev.sro.api.RecipeContext;
import dev.sro.api.State;
import dev.sro.api.StateGraph;
import dev.sro.api.operation.AlertRule;
import dev.sro.api.operation.Monitoring;
import dev.sro.api.operation.Observability;
import dev.sro.api.resource.OutcomeKind;
import dev.sro.api.resource.SpecialResource;
import dev.sro.core.plugin.Plugins;
import dev.sro.testkit.sim.Behavior;
import dev.sro.testkit.sim.NodeProfile;
import dev.sro.testkit.sim.OsRelease;
import io.fabric8.kubernetes.api.model.Condition;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A plugin that says how its device is monitored: what becomes of it on clusters with and without the operators for that. */
final class MonitoringScenarioTest {

    private static final String GROUP = "monitoring.coreos.com";

    private static final String MANIFESTS = """
        apiVersion: apps/v1
        kind: DaemonSet
        metadata: {name: exporter}
        spec:
          selector: {matchLabels: {app: exporter}}
          template:
            metadata: {labels: {app: exporter}}
            spec: {containers: [{name: exporter, image: "registry.example/exporter:1"}]}
        ---
        apiVersion: v1
        kind: Service
        metadata: {name: exporter}
        spec: {selector: {app: exporter}, ports: [{name: metrics, port: 9400}]}
        """;

    private static final class MonitoredPlugin implements AcceleratorPlugin, Observability {
        @Override
        public PluginDescriptor descriptor() {
            return PluginDescriptor.builder()
                    .name("kmod")
                    .version("1.0.0")
                    .vendor("Test Vendor")
                    .addOperandResources(
                            "servicemonitors.monitoring.coreos.com",
                            "prometheusrules.monitoring.coreos.com",
                            "grafanadashboards.grafana.integreatly.org")
                    .build();
        }

        @Override
        public StateGraph states(RecipeContext context) {
            return StateGraph.chain(State.of("0100-exporter", ManifestTemplate.text("exporter.yaml", MANIFESTS)));
        }

        @Override
        public Monitoring monitoring(RecipeContext context) {
            return Monitoring.builder()
                    .service("exporter")
                    .addAlerts(AlertRule.builder()
                            .name("AcmeHot")
                            .expression("acme_celsius > 90")
                            .summary("{{ $labels.node }} is too hot")
                            .build())
                    .putDashboards("fleet", "{\"title\": \"${name}\"}")
                    .clusterMonitoring(true)
                    .build();
        }
    }

    private SroSandbox sandbox = SroSandbox.create(new MonitoredPlugin());

    @AfterEach
    void close() {
        sandbox.close();
    }

    private void apply() {
        sandbox.nodes().create("n", NodeProfile.of(OsRelease.RHEL_9).withLabel("example.com/device", "true"));
        sandbox.apply(KmodPlugin.RESOURCE);
    }

    private void getReady() {
        apply();
        assertThat(sandbox.runUntil(Duration.ofMinutes(10), () -> sandbox.isReady("kmod")))
                .isTrue();
    }

    private void serveAll() {
        sandbox.serve(GROUP, "v1", "ServiceMonitor", "servicemonitors", true)
                .serve(GROUP, "v1", "PrometheusRule", "prometheusrules", true)
                .serve("grafana.integreatly.org", "v1beta1", "GrafanaDashboard", "grafanadashboards", true);
    }

    private List<String> names(String apiVersion, String kind) {
        return sandbox
                .client()
                .genericKubernetesResources(apiVersion, kind)
                .inNamespace("kmod")
                .list()
                .getItems()
                .stream()
                .map(object -> object.getMetadata().getName())
                .toList();
    }

    private List<String> all() {
        return List.of(
                String.join(",", names(GROUP + "/v1", "ServiceMonitor")),
                String.join(",", names(GROUP + "/v1", "PrometheusRule")),
                String.join(",", names("grafana.integreatly.org/v1beta1", "GrafanaDashboard")));
    }

    private Map<String, String> namespaceLabels() {
        return sandbox.client()
                .namespaces()
                .withName("kmod")
                .get()
                .getMetadata()
                .getLabels();
    }

    @Test
    void withoutTheOperatorsOnlyTheDashboardForTheSidecarIsThere() {
        getReady();

        assertThat(sandbox.client()
                        .configMaps()
                        .inNamespace("kmod")
                        .withLabel("grafana_dashboard", "1")
                        .list()
                        .getItems())
                .singleElement()
                .satisfies(map -> {
                    assertThat(map.getMetadata().getName()).isEqualTo("kmod-fleet");
                    assertThat(map.getData()).containsEntry("fleet.json", "{\"title\": \"${name}\"}");
                });
        assertThat(Objects.requireNonNull(sandbox.get("kmod").orElseThrow().getStatus())
                        .getConditions())
                .filteredOn(condition -> condition.getType().equals("OptionalObjectsSkipped"))
                .extracting(Condition::getMessage)
                .singleElement()
                .asString()
                .contains("ServiceMonitor", "PrometheusRule", "GrafanaDashboard", "9999-monitoring");
        assertThat(namespaceLabels()).doesNotContainKey("openshift.io/cluster-monitoring");
    }

    @Test
    void withTheOperatorsAllIsThereAndGoesWithTheSpecialResource() {
        serveAll();
        getReady();
        sandbox.run(Duration.ofMinutes(1));
        assertThat(all()).containsExactly("kmod-exporter", "kmod-alerts", "kmod-fleet");

        sandbox.client().resources(SpecialResource.class).withName("kmod").delete();

        assertThat(sandbox.runUntil(
                        Duration.ofMinutes(10), () -> sandbox.get("kmod").isEmpty()))
                .isTrue();
        assertThat(all()).containsExactly("", "", "");
    }

    @Test
    void anExporterThatDoesNotComeUpKeepsNoAlertAway() {
        serveAll();
        sandbox.simulation().behaviors().add(Behavior.neverReady().image("*exporter:1"));
        apply();
        sandbox.run(Duration.ofMinutes(5));

        assertThat(sandbox.isReady("kmod")).isFalse();
        assertThat(all()).containsExactly("kmod-exporter", "kmod-alerts", "kmod-fleet");
        assertThat(Objects.requireNonNull(sandbox.get("kmod").orElseThrow().getStatus())
                        .getStates())
                .last()
                .satisfies(state -> {
                    assertThat(state.getName()).isEqualTo("9999-monitoring");
                    assertThat(state.getOutcome()).isEqualTo(OutcomeKind.READY);
                });
    }

    @Test
    void openShiftsPrometheusIsLetIntoTheNamespaceOfTheOperands() {
        sandbox.close();
        sandbox = SroSandbox.create(true, Plugins.of(new MonitoredPlugin()));
        getReady();

        assertThat(namespaceLabels()).containsEntry("openshift.io/cluster-monitoring", "true");
        assertThat(sandbox.client()
                        .rbac()
                        .roleBindings()
                        .inNamespace("kmod")
                        .withName("kmod-prometheus")
                        .get()
                        .getSubjects())
                .singleElement()
                .satisfies(subject -> assertThat(subject.getNamespace()).isEqualTo("openshift-monitoring"));
    }
}
