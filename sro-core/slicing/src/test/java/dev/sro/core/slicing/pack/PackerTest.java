package dev.sro.core.slicing.pack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.sro.core.slicing.catalogue.DeviceModel;
import dev.sro.core.slicing.fixture.Models;
import dev.sro.core.slicing.fixture.OtherModels;
import dev.sro.core.slicing.geometry.Geometry;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class PackerTest {
    static Stream<DeviceModel> exactModels() {
        return FeasibilityTest.exactModels();
    }

    @ParameterizedTest
    @MethodSource("exactModels")
    void packsAnyMultisetOnTheFewestDevices(DeviceModel model) {
        Feasibility feasibility = Feasibility.of(Geometry.of(model));
        Packer packer = Packer.of(feasibility);
        Random random = new Random(7);
        for (int trial = 0; trial < 500; trial++) {
            long[] counts = new long[model.profiles().size()];
            int scale = 1 << random.nextInt(22);
            Arrays.setAll(counts, p -> random.nextInt(3) == 0 ? 0 : random.nextInt(scale + 1));
            Packing packing = packer.pack(counts);
            assertThat(packing.placed()).as("%s", Arrays.toString(counts)).isEqualTo(counts);
            assertThat(packing.devices()).isEqualTo(feasibility.minDevices(counts));
            assertThat(packing.gap()).isZero();
            assertThat(packing.complete()).isTrue();
            assertThat(packing.groups().size()).isLessThan(100);
        }
    }

    @Test
    void saysHowFarFromTheBoundItIsWhereInequalitiesDoNotSuffice() {
        Packer packer = Packer.of(Feasibility.of(Geometry.of(OtherModels.gap())));
        Packing packing = packer.pack(1, 2, 4);
        assertThat(packing.devices()).isEqualTo(3);
        assertThat(packing.gap()).isZero();
        assertThat(packing.placed()).containsExactly(1, 2, 4);
        Packing large = packer.pack(1001, 1502, 2504);
        assertThat(large.placed()).containsExactly(1001, 1502, 2504);
        assertThat(large.gap()).isBetween(0L, 1L);
        assertThat(large.lowerBound()).isEqualTo((1001 * 15 + 15020 + 2504 * 6 + 29) / 30);
    }

    @Test
    void leavesOverTheNarrowOnesWhereDevicesDoNotSuffice() {
        Packer packer = Packer.of(Feasibility.of(Geometry.of(Models.a100())));
        Packing packing = packer.packInto(3, 10, 0, 2, 1, 2, 1);
        assertThat(packing.leftOver()).containsExactly(9L, 0L, 1L, 0L, 0L, 0L);
        assertThat(packing.placed()).containsExactly(1, 0, 1, 1, 2, 1);
        assertThat(packing.devices()).isEqualTo(3);
        assertThat(packer.packInto(0, 1, 0, 0, 0, 0, 0).leftOver()).startsWith(1L);
        assertThat(packer.packInto(5, 1, 0, 0, 0, 0, 0).devices()).isOne();
        Packing gap = Packer.of(Feasibility.of(Geometry.of(OtherModels.gap()))).packInto(2, 1, 2, 4);
        assertThat(gap.devices()).isEqualTo(2);
        assertThat(gap.complete()).isFalse();
    }

    @Test
    void numbersDevicesThroughTheGroups() {
        Packing packing = Packer.of(Feasibility.of(Geometry.of(Models.a100()))).pack(0, 0, 0, 3, 1, 2);
        long[] counts = new long[6];
        for (int device = 0; device < packing.devices(); device++) {
            int[] each = Multisets.countsOf(packing.geometry(), packing.layoutOf(device));
            Arrays.setAll(counts, p -> counts[p] + each[p]);
        }
        assertThat(counts).isEqualTo(packing.placed()).containsExactly(0, 0, 0, 3, 1, 2);
        assertThat(packing.layoutOf(packing.devices())).isZero();
        assertThatIllegalArgumentException().isThrownBy(() -> packing.layoutOf(-1));
    }

    @Test
    void everyPrefixOfTheCreationOrderIsLegal() {
        Geometry geometry = Geometry.of(Models.a100WithMedia());
        for (int layout = 0; layout < geometry.layouts(); layout++) {
            List<Integer> order = CreationOrder.find(geometry, layout);
            int at = 0;
            int width = geometry.units();
            for (int placement : order) {
                assertThat(geometry.sizeOf(geometry.profileOf(placement))).isLessThanOrEqualTo(width);
                width = geometry.sizeOf(geometry.profileOf(placement));
                at = geometry.toggle(at, placement);
                assertThat(at).isNotEqualTo(Geometry.ILLEGAL);
            }
            assertThat(at).isEqualTo(layout);
        }
    }

    @Test
    void refusesCountsThatCanNotBe() {
        Packer packer = Packer.of(Feasibility.of(Geometry.of(Models.a100())));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> packer.pack(1, 2))
                .withMessage("2 counts for the 6 profiles of A100-40GB");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> packer.pack(1, 2, -1, 0, 0, 0))
                .withMessage("count of 2g.10gb is negative");
        assertThatIllegalArgumentException().isThrownBy(() -> packer.packInto(-1, 0, 0, 0, 0, 0, 0));
    }
}
