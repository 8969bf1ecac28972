package dev.sro.core.recipe.chart;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HelmMemoryTest {

    private static final long MIB = 1L << 20;

    @ParameterizedTest
    @CsvSource({"1024, 410, 422", "2048, 819, 768", "65536, 16384, 768", "768, 307, 269", "512, 205, 128"})
    void whatBothMayHaveAddsUp(int container, int heap, int helm) {
        assertThat(HelmMemory.fitting(container * MIB, heap * MIB)).isEqualTo(helm);
        if (helm > HelmMemory.LEAST) {
            assertThat(heap + HelmMemory.BESIDE_HEAP + helm).isLessThanOrEqualTo(container);
        }
    }
}
