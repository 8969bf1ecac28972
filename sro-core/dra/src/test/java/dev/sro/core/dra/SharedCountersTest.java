package dev.sro.core.dra;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.core.slicing.catalogue.Catalogue;
import dev.sro.core.slicing.catalogue.DeviceModel;
import dev.sro.core.slicing.geometry.Geometry;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class SharedCountersTest {
    static List<DeviceModel> models() {
        return Catalogue.builtin().models();
    }

    /** Every set of placements that first-fit could reach by counters alone, against every layout of the geometry. */
    @ParameterizedTest
    @MethodSource("models")
    void countersAdmitExactlyTheLegalLayoutsOfEveryModel(DeviceModel model) {
        Geometry geometry = Geometry.of(model);
        SharedCounters counters = SharedCounters.of(geometry);
        assertThat(counters.difference()).isEmpty();
        assertThat(counters.exact()).isTrue();
        assertThat(admitted(geometry, counters)).isEqualTo(geometry.layouts());
    }

    /** Counts by itself, without the shortcut of the class: depth first over placements, in exact numbers. */
    private static int admitted(Geometry geometry, SharedCounters counters) {
        return count(geometry, counters, 0, 0L, new HashMap<>(counters.capacity()));
    }

    private static int count(Geometry geometry, SharedCounters counters, int from, long set, Map<String, Long> left) {
        assertThat(geometry.layoutOf(set)).as("%x", set).isNotNegative();
        int count = 1;
        for (int placement = from; placement < geometry.placements(); placement++) {
            Map<String, Long> use = counters.use(placement);
            if (use.entrySet().stream().allMatch(one -> one.getValue() <= left.getOrDefault(one.getKey(), 0L))) {
                Map<String, Long> rest = new HashMap<>(left);
                use.forEach((name, amount) -> rest.merge(name, -amount, Long::sum));
                count += count(geometry, counters, placement + 1, set | 1L << placement, rest);
            }
        }
        return count;
    }

    @Test
    void whatWouldExcludeALegalLayoutIsLeftOutAndSaid() {
        SharedCounters thor = counters("Thor-iGPU");
        assertThat(thor.capacity()).doesNotContainKey("copy-engines").containsKeys("class-compute", "class-gfx");
        assertThat(thor.notes())
                .contains("counter copy-engines is left out: its 1 would exclude 1g.0gb+me at 1, 1g.0gb+gfx at 0");
        SharedCounters b200 = counters("B200-180GB");
        assertThat(b200.capacity()).containsEntry("memory", 180L * 1024).doesNotContainKey("multiprocessors");
        assertThat(b200.notes())
                .anyMatch(note -> note.startsWith("counter multiprocessors is left out: it is not known for"));
    }

    @Test
    void theCountersOfNvidiaAreAllThereWhereTheyAreKnown() {
        assertThat(counters("A100-40GB").capacity())
                .containsEntry("multiprocessors", 98L)
                .containsEntry("copy-engines", 7L)
                .containsEntry("decoders", 5L)
                .containsEntry("jpeg-engines", 1L)
                .containsEntry("ofa-engines", 1L)
                .containsEntry("memory", 40192L)
                .containsEntry("memory-slice-7", 1L)
                .hasSize(14);
    }

    private static SharedCounters counters(String model) {
        return SharedCounters.of(Geometry.of(Catalogue.builtin().model(model)));
    }
}
