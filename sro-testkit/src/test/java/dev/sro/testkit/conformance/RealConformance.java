package dev.sro.testkit.conformance;

import dev.sro.testkit.controlplane.Feature;
import dev.sro.testkit.controlplane.RealCluster;
import dev.sro.testkit.controlplane.RealControlPlane;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** The same cases on a real API server: what the embedded one is held to must be true. Definitions take it long, so they are apart. */
@RealControlPlane(needs = Feature.CONTROLLERS)
abstract class RealConformance extends ConformanceSuite {

    /** What needs a new definition in most cases. */
    private static final Set<String> OF_DEFINITIONS =
            Set.of("custom", "schemas", "definitions", "expressions", "deletion", "garbage", "cluster");

    private static @Nullable KubernetesClient client;

    private final boolean definitions;

    RealConformance(boolean definitions) {
        this.definitions = definitions;
    }

    @BeforeAll
    static void connect(RealCluster cluster) {
        Config config = new ConfigBuilder(cluster.config())
                .withRequestRetryBackoffLimit(0)
                .build();
        client = new KubernetesClientBuilder().withConfig(config).build();
    }

    @Override
    protected boolean runs(String topic) {
        return OF_DEFINITIONS.contains(topic) == definitions;
    }

    @Override
    protected HttpCaller caller() {
        return new ClientCaller(Objects.requireNonNull(client));
    }

    @AfterAll
    static void close() {
        Objects.requireNonNull(client).close();
    }
}
