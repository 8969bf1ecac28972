package dev.sro.plugins.nvidia.monitoring;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class XidsTest {

    private static final Xids XIDS = Xids.load();

    /** The ones that everybody meets, by NVIDIA's catalogue. */
    @Test
    void sayWhatToDoFirst() {
        assertThat(XIDS.of(Xids.Kind.APPLICATION)).contains(13, 31, 45, 69, 94);
        assertThat(XIDS.of(Xids.Kind.RESET)).contains(46, 48, 62, 64, 95, 109, 119, 120, 140);
        assertThat(XIDS.of(Xids.Kind.HARDWARE)).contains(54, 74, 79, 145);
        assertThat(XIDS.of(Xids.Kind.NOTE)).contains(43, 63, 92, 154);
    }

    @Test
    void areOfOneKindEach() {
        Set<Integer> seen = new HashSet<>();
        for (Xids.Kind kind : Xids.Kind.values()) {
            assertThat(XIDS.of(kind)).isNotEmpty().allMatch(seen::add);
        }
        assertThat(Set.of(XIDS.known().split("\\|"))).hasSize(seen.size() + 1).contains("0", "79");
    }

    /** A regular expression of Prometheus is anchored: 7 is not 79. */
    @Test
    void areMatchedAsAWhole() {
        assertThat("7".matches(XIDS.pattern(Xids.Kind.HARDWARE))).isFalse();
        assertThat("79".matches(XIDS.pattern(Xids.Kind.HARDWARE))).isTrue();
    }
}
