package ${package};

import dev.sro.api.ClusterFacts;
import dev.sro.api.RecipeContext;
import dev.sro.api.operation.Monitoring;
import dev.sro.api.resource.SpecialResource;
import dev.sro.testkit.monitoring.KnownMetrics;
import dev.sro.testkit.monitoring.MonitoringContract;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.List;

/** The alert is there when it should be, and goes. With promtool (SRO_PROMTOOL) the rules are run, too. */
class ${vendor}MonitoringTest extends MonitoringContract {
    @Override
    protected Monitoring monitoring() {
        SpecialResource resource =
                Serialization.unmarshal(${vendor}PluginTest.file("special-resource.yaml"), SpecialResource.class);
        return new ${vendor}Plugin()
                .monitoring(new RecipeContext(resource, ClusterFacts.builder().build()));
    }

    @Override
    protected KnownMetrics metrics() {
        return KnownMetrics.none().and(List.of("device_celsius"), "device");
    }

    @Override
    protected List<String> scenarios() {
        return List.of("""
                - alert: ${vendor}DeviceHot
                  series:
                    device_celsius{node="a",device="0"}: 70x9 95x19 70x9
                  fires:
                    - {at: 20m, labels: {node: a, device: "0"}, value: "95"}
                  silent: [5m, 35m]
                """);
    }
}
