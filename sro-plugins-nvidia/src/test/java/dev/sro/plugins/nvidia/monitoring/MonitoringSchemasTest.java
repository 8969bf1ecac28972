package dev.sro.plugins.nvidia.monitoring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.api.RecipeContext;
import dev.sro.core.model.KubeObject;
import dev.sro.core.monitoring.MonitoringObjects;
import dev.sro.testkit.contract.ManifestSchemas;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;

/** What SRO makes of it, against the CRDs as the operators of Prometheus and Grafana publish them. */
class MonitoringSchemasTest {

    @Test
    @EnabledIfEnvironmentVariable(
            named = "SRO_CORPUS",
            matches = ".+",
            disabledReason = "the published CRDs are not here")
    void areKept() {
        RecipeContext context = Contexts.with(Map.of("vgpuGuests", true));
        KubernetesSerialization serialization = new KubernetesSerialization();
        List<GenericKubernetesResource> objects =
                MonitoringObjects.render(context, NvidiaMonitoring.create(context)).stream()
                        .map(KubeObject::tree)
                        .map(tree -> serialization.convertValue(tree, GenericKubernetesResource.class))
                        .peek(object -> object.getMetadata().setNamespace("gpu"))
                        .toList();

        assertThat(objects)
                .extracting(GenericKubernetesResource::getKind)
                .contains("ServiceMonitor", "PrometheusRule", "ConfigMap", "GrafanaDashboard")
                .hasSize(10);
        try (ManifestSchemas schemas = ManifestSchemas.of(
                Path.of(System.getenv("SRO_CORPUS"), "crds"), "monitoring.coreos.com", "grafana.integreatly.org")) {
            assertThat(schemas.checkAll(objects)).isEmpty();
        }
    }
}
