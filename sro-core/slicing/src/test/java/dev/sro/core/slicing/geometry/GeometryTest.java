package dev.sro.core.slicing.geometry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.core.slicing.fixture.Models;
import dev.sro.core.slicing.fixture.OtherModels;
import dev.sro.core.slicing.fixture.Peers;
import dev.sro.core.slicing.policy.Fragmentation;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class GeometryTest {
    @Test
    void countsTheStatesOfAnA100() {
        assertThat(Geometry.of(Models.a100Classic()).layouts()).isEqualTo(298);
        assertThat(Geometry.of(Models.a100Classic()).occupancies()).isEqualTo(144);
        assertThat(Geometry.of(Models.a100()).layouts()).isEqualTo(723);
        assertThat(Geometry.of(Models.a100()).occupancies()).isEqualTo(192);
        assertThat(Geometry.of(Models.a100WithMedia()).layouts()).isEqualTo(2319);
    }

    @Test
    void countsTheStatesOfDevicesWithEngines() {
        assertThat(Geometry.of(OtherModels.a30()).layouts()).isEqualTo(76);
        assertThat(Geometry.of(OtherModels.rtxPro6000()).layouts()).isEqualTo(717);
    }

    @Test
    void everyStepOfALayoutIsAStepOfItsOccupancy() {
        Geometry geometry = Geometry.of(Models.a100WithMedia());
        int steps = 0;
        for (int layout = 0; layout < geometry.layouts(); layout++) {
            int occupancy = geometry.occupancyOf(layout);
            for (int placement = 0; placement < geometry.placements(); placement++) {
                int after = geometry.toggle(layout, placement);
                if (geometry.holds(layout, placement)) {
                    assertThat(geometry.toggle(after, placement)).isEqualTo(layout);
                } else if (after == Geometry.ILLEGAL) {
                    assertThat(geometry.add(occupancy, placement)).isEqualTo(Geometry.ILLEGAL);
                    assertThat(geometry.addable(occupancy) >>> placement & 1).isZero();
                } else {
                    assertThat(geometry.add(occupancy, placement)).isEqualTo(geometry.occupancyOf(after));
                    assertThat(geometry.addable(occupancy) >>> placement & 1).isOne();
                    steps++;
                }
            }
        }
        assertThat(steps).isGreaterThan(geometry.layouts());
    }

    @Test
    void knowsOfEveryMaskWhatStillFits() {
        Geometry geometry = Geometry.of(Models.a100());
        Map<Integer, Integer> occupancyOf = new HashMap<>();
        for (int occupancy = 0; occupancy < geometry.occupancies(); occupancy++) {
            occupancyOf.put(geometry.maskOf(occupancy), occupancy);
        }
        List<String> lines = Peers.lines("masks.csv");
        for (String line : lines) {
            int[] fields = Arrays.stream(line.split(",", -1))
                    .mapToInt(Integer::parseInt)
                    .toArray();
            int occupancy = occupancyOf.getOrDefault(fields[0], -1);
            assertThat(geometry.freeUnits(occupancy)).as(line).isEqualTo(fields[1]);
            assertThat(Long.bitCount(geometry.addable(occupancy))).as(line).isEqualTo(fields[2]);
            assertThat(Fragmentation.measure(geometry, occupancy)).as(line).isEqualTo(fields[3]);
            for (int profile = 0; profile < geometry.profiles(); profile++) {
                assertThat(more(geometry, occupancy, profile)).as(line).isEqualTo(fields[4 + profile]);
            }
        }
        assertThat(lines).hasSize(geometry.occupancies());
    }

    private static int more(Geometry geometry, int occupancy, int profile) {
        int most = 0;
        for (int k = geometry.firstPlacement(profile); k < geometry.firstPlacement(profile + 1); k++) {
            int after = geometry.add(occupancy, k);
            most = after == Geometry.ILLEGAL ? most : Math.max(most, 1 + more(geometry, after, profile));
        }
        return most;
    }
}
