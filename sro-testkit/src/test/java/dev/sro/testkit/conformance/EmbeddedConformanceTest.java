package dev.sro.testkit.conformance;

import dev.sro.testkit.EmbeddedCluster;
import dev.sro.testkit.sim.SimulationFactory;
import org.junit.jupiter.api.AfterAll;

class EmbeddedConformanceTest extends ConformanceSuite {
    private static final EmbeddedCluster CLUSTER =
            EmbeddedCluster.builder().controller(new SimulationFactory()).build();

    @Override
    protected HttpCaller caller() {
        return new EmbeddedCaller(CLUSTER);
    }

    @AfterAll
    static void close() {
        CLUSTER.close();
    }
}
