package dev.sro.plugins.nvidia.monitoring;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sro.api.operation.Monitoring;
import dev.sro.testkit.monitoring.PromQuery;
import java.io.IOException;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class CountersTest {

    @Test
    void areInTheFormatOfTheExporter() {
        assertThat(Counters.types()).hasSizeGreaterThan(30).allSatisfy((field, type) -> {
            assertThat(field).matches("DCGM_(FI|EXP)_[A-Z0-9_]+");
            assertThat(type).isIn("gauge", "counter", "label");
        });
    }

    /** One that it does not know keeps the exporter from starting, and with it everything goes dark. */
    @Test
    void areAllKnownToTheExporter() {
        assertThat(Resources.text("exporter-fields.txt").lines().toList())
                .containsAll(Counters.types().keySet());
        assertThat(NvidiaMonitoring.counters())
                .as("its reader takes quotes for quoting")
                .doesNotContain("\"");
    }

    /** Series that nobody looks at cost memory in Prometheus all the same: one per field and GPU. */
    @Test
    void areAllLookedAt() throws IOException {
        Monitoring monitoring = NvidiaMonitoring.create(Contexts.with(Map.of("vgpuGuests", true)));
        Set<String> looked = new TreeSet<>();
        monitoring.alerts().forEach(alert -> add(looked, alert.expression()));
        for (String dashboard : monitoring.dashboards().values()) {
            new ObjectMapper()
                    .readTree(dashboard)
                    .findValuesAsText("expr")
                    .forEach(expression -> add(looked, expression.replaceAll("\\$__\\w+", "5m")));
        }
        assertThat(looked).containsAll(Counters.metrics());
    }

    private static void add(Set<String> looked, String expression) {
        PromQuery.of(expression).uses().forEach(use -> looked.add(use.metric()));
    }
}
