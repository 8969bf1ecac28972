package dev.sro.testkit.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * To ask what would be done does nothing: histories in which every special resource is previewed several times before and after each
 * step end as others do, with an operator that says and does what a fresh one would.
 */
final class PreviewTest {

    private static final int TIMES = 2;
    private static final int FEW = 2;
    private static final int MANY = Integer.getInteger("sro.previews", 5);

    @TempDir
    static Path folder;

    private static OracleCharts.Shelf shelf;

    private final KubernetesSerialization serialization = new KubernetesSerialization();

    @BeforeAll
    static void charts() throws IOException {
        shelf = new OracleCharts.Shelf(folder);
    }

    static LongStream few() {
        return LongStream.rangeClosed(1, FEW);
    }

    static LongStream many() {
        return LongStream.rangeClosed(FEW + 1, FEW + MANY);
    }

    @ParameterizedTest
    @MethodSource("few")
    void previewsChangeNothing(long seed) throws IOException {
        try (OracleRegistry registry = new OracleRegistry(Files.createDirectories(folder.resolve("registry-" + seed)));
                OracleHistory history = new OracleHistory(seed, Set.of(), shelf, registry, false, serialization)) {
            history.world().previewed(TIMES);
            history.live();
            history.calmDown();

            assertThat(new RestartOracle(history.world()).judge())
                    .as(String.join("\n", history.world().log))
                    .isEmpty();
            assertThat(history.world().previews()).isPositive();
        }
    }

    @Tag("slow")
    @ParameterizedTest
    @MethodSource("many")
    void manyPreviewsChangeNothing(long seed) throws IOException {
        previewsChangeNothing(seed);
    }
}
