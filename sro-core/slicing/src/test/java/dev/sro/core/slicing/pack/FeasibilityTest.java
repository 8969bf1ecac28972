package dev.sro.core.slicing.pack;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.core.slicing.catalogue.DeviceModel;
import dev.sro.core.slicing.fixture.Models;
import dev.sro.core.slicing.fixture.OtherModels;
import dev.sro.core.slicing.geometry.Geometry;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class FeasibilityTest {
    // Coefficients in profile order, right side last.
    static Stream<Arguments> facets() {
        return Stream.of(
                Arguments.of(
                        Models.a100Classic(),
                        new long[][] {{0, 0, 0, 1, 1, 1}, {0, 1, 1, 2, 3, 3}, {1, 2, 3, 4, 7, 7}, {1, 2, 4, 4, 8, 8}}),
                Arguments.of(Models.a100(), new long[][] {
                    {0, 0, 0, 0, 1, 1, 1},
                    {0, 0, 1, 1, 2, 3, 3},
                    {1, 1, 2, 3, 4, 7, 7},
                    {1, 2, 2, 4, 4, 8, 8}
                }),
                Arguments.of(Models.a100WithMedia(), new long[][] {
                    {0, 0, 0, 0, 0, 1, 1, 1},
                    {0, 0, 0, 0, 1, 1, 0, 1},
                    {0, 0, 0, 1, 1, 2, 1, 2},
                    {0, 0, 1, 1, 2, 3, 0, 3},
                    {0, 1, 1, 2, 2, 4, 1, 4},
                    {1, 1, 2, 3, 4, 7, 1, 7},
                    {1, 2, 2, 4, 4, 8, 1, 8}
                }),
                Arguments.of(
                        OtherModels.a30(), new long[][] {{0, 1, 0, 1, 1, 1}, {0, 1, 1, 1, 2, 2}, {1, 1, 2, 2, 4, 4}}),
                Arguments.of(OtherModels.rtxPro6000(), new long[][] {
                    {0, 1, 0, 1, 0, 0, 0, 1, 0, 1, 1, 1},
                    {0, 1, 0, 2, 0, 1, 1, 2, 0, 2, 2, 2},
                    {0, 1, 0, 1, 0, 1, 1, 1, 1, 2, 2, 2},
                    {1, 1, 1, 4, 0, 2, 2, 4, 0, 4, 4, 4},
                    {1, 1, 1, 2, 0, 2, 2, 2, 2, 4, 4, 4},
                    {1, 1, 1, 1, 1, 2, 2, 2, 2, 4, 4, 4}
                }),
                Arguments.of(OtherModels.gap(), new long[][] {{15, 10, 6, 30}}));
    }

    @ParameterizedTest
    @MethodSource("facets")
    void findsTheFacetsOfTheOneDevicePolytope(DeviceModel model, long[][] expected) {
        Feasibility feasibility = Feasibility.of(Geometry.of(model));
        assertThat(feasibility.inequalities()).hasSize(1);
        Set<List<Long>> rows = new HashSet<>();
        for (Inequality inequality : feasibility.inequalities().get(0)) {
            List<Long> row = new ArrayList<>(inequality.coefficients());
            row.add(inequality.perDevice());
            rows.add(row);
        }
        assertThat(rows)
                .isEqualTo(new HashSet<>(Arrays.stream(expected)
                        .map(row -> Arrays.stream(row).boxed().toList())
                        .toList()));
    }

    static Stream<DeviceModel> exactModels() {
        return Stream.of(
                Models.a100Classic(),
                Models.a100(),
                Models.a100WithMedia(),
                OtherModels.a30(),
                OtherModels.rtxPro6000(),
                OtherModels.modes());
    }

    @ParameterizedTest
    @MethodSource("exactModels")
    void provesThatTheInequalitiesSuffice(DeviceModel model) {
        assertThat(Feasibility.of(Geometry.of(model)).exact()).isTrue();
    }

    @Test
    void knowsWhereTheInequalitiesDoNotSuffice() {
        Feasibility feasibility = Feasibility.of(Geometry.of(OtherModels.gap()));
        assertThat(feasibility.exact()).isFalse();
        assertThat(feasibility.feasible(new long[] {1, 2, 4}, 2)).isTrue();
    }

    @ParameterizedTest
    @MethodSource("exactModels")
    void agreesWithExhaustiveSearchOnOneAndTwoDevices(DeviceModel model) {
        Feasibility feasibility = Feasibility.of(Geometry.of(model));
        int[][] one = feasibility.multisets().counts;
        Set<List<Integer>> two = new HashSet<>();
        for (int[] a : one) {
            for (int[] b : one) {
                two.add(Arrays.asList(sum(a, b)));
            }
        }
        Set<List<Integer>> single = new HashSet<>();
        for (int[] a : one) {
            single.add(Arrays.asList(sum(a, new int[a.length])));
        }
        int[] most = new int[model.profiles().size()];
        two.forEach(set -> Arrays.setAll(most, p -> Math.max(most[p], set.get(p))));
        assertThat(compare(feasibility, most, new long[most.length], 0, single, two))
                .isEqualTo(two.size());
    }

    // Every count vector that two devices could carry by the count of one profile alone; returns how many are feasible.
    private static int compare(
            Feasibility feasibility,
            int[] most,
            long[] counts,
            int at,
            Set<List<Integer>> single,
            Set<List<Integer>> two) {
        // A vector that is infeasible on two devices stays so with more instances: the oracle knows it too.
        if (at == most.length) {
            List<Integer> key = Arrays.stream(counts).mapToObj(n -> (int) n).toList();
            assertThat(feasibility.feasible(counts, 2)).as("%s on 2", key).isEqualTo(two.contains(key));
            assertThat(feasibility.feasible(counts, 1)).as("%s on 1", key).isEqualTo(single.contains(key));
            long least = key.stream().allMatch(n -> n == 0) ? 0 : single.contains(key) ? 1 : two.contains(key) ? 2 : 3;
            assertThat(Math.min(3, feasibility.minDevices(counts))).isEqualTo(least);
            return least <= 2 ? 1 : 0;
        }
        int found = 0;
        for (int n = 0; n <= most[at] + 1; n++) {
            counts[at] = n;
            boolean last =
                    !two.contains(Arrays.stream(counts).mapToObj(c -> (int) c).toList());
            found += compare(feasibility, most, counts, at + 1, single, two);
            if (last) {
                break;
            }
        }
        counts[at] = 0;
        return found;
    }

    private static Integer[] sum(int[] a, int[] b) {
        Integer[] sum = new Integer[a.length];
        Arrays.setAll(sum, i -> a[i] + b[i]);
        return sum;
    }

    @Test
    void oneMoreIsTheSameAsCountingIt() {
        for (DeviceModel model : exactModels().toList()) {
            Feasibility feasibility = Feasibility.of(Geometry.of(model));
            long[] counts = new long[model.profiles().size()];
            for (int step = 0; step < 60; step++) {
                int profile = step * 7 % counts.length;
                boolean fits = feasibility.feasibleWithOneMore(counts, profile, 9);
                counts[profile]++;
                assertThat(feasibility.feasible(counts, 9)).isEqualTo(fits);
                counts[profile] -= fits ? 0 : 1;
            }
            assertThat(counts).isNotEqualTo(new long[counts.length]);
        }
    }

    @Test
    void countsABillionDevices() {
        Feasibility feasibility = Feasibility.of(Geometry.of(Models.a100()));
        long[] counts = {0, 4_000_000_000L, 0, 0, 0, 0};
        assertThat(feasibility.minDevices(counts)).isEqualTo(1_000_000_000L);
        assertThat(feasibility.feasible(counts, 1_000_000_000L)).isTrue();
        assertThat(feasibility.feasible(counts, 999_999_999L)).isFalse();
        assertThat(feasibility.feasibleWithOneMore(counts, 1, 1_000_000_000L)).isFalse();
        assertThat(feasibility.minDevices(new long[] {7_000_000_000L, 0, 0, 0, 0, 0}))
                .isEqualTo(1_000_000_000L);
    }

    @Test
    void saysWhichLimitIsExceeded() {
        Feasibility a100 = Feasibility.of(Geometry.of(Models.a100()));
        assertThat(a100.explain(new long[] {0, 0, 0, 0, 0, 100}, 100)).isEmpty();
        assertThat(a100.explain(new long[] {212, 0, 250, 0, 0, 0}, 100))
                .hasValue("7 compute slices per device: needs 712, the fleet has 700");
        assertThat(a100.explain(new long[] {0, 300, 0, 51, 0, 0}, 100))
                .hasValue("8 memory units per device: needs 804, the fleet has 800");
        assertThat(a100.explain(new long[] {0, 0, 0, 0, 3, 1}, 3))
                .hasValue("at most 1 of 4g.20gb, 7g.40gb per device: needs 4, the fleet has 3");
        assertThat(a100.explain(new long[] {0, 0, 2, 0, 1, 0}, 1))
                .hasValue("at most 3 of the sum 2g.10gb + 3g.20gb + 2 x 4g.20gb + 3 x 7g.40gb per device: needs 4, "
                        + "the fleet has 3");
        Feasibility modes = Feasibility.of(Geometry.of(OtherModels.modes()));
        assertThat(modes.explain(new long[] {1, 3, 9}, 4))
                .hasValue("profiles that never share a device need 3 devices (at most 2 of the sum 2 x spx + dpx per "
                        + "device, needs 5) and 2 devices (at most 8 of cpx per device, needs 9): 5 together, "
                        + "the fleet has 4");
    }
}
