package dev.sro.core.slicing.geometry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.core.slicing.fixture.Models;
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
}
