package dev.sro.benchmarks;

import dev.sro.testkit.EmbeddedCluster;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/** The embedded cluster through the real client, on one thread. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(1)
public class ClusterBenchmark {

    private EmbeddedCluster cluster = EmbeddedCluster.create();
    private KubernetesClient client = cluster.client();
    private int next;

    /** A new cluster for each iteration, so that none measures a fuller store than the others. */
    @Setup(Level.Iteration)
    public void fresh() {
        cluster.close();
        cluster = EmbeddedCluster.create();
        client = cluster.client();
    }

    /** Ends the last cluster. */
    @TearDown
    public void close() {
        cluster.close();
    }

    /** Creates a ConfigMap with a label. */
    @Benchmark
    public ConfigMap create() {
        String name = "cm-" + next++;
        return client.resource(new ConfigMapBuilder()
                        .withNewMetadata()
                        .withName(name)
                        .withNamespace("default")
                        .addToLabels("idx", name)
                        .endMetadata()
                        .addToData("k", "v")
                        .build())
                .create();
    }
}
