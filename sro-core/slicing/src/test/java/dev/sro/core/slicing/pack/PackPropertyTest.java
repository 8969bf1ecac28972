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
import net.jqwik.api.ForAll;
import net.jqwik.api.Label;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.Size;

class PackPropertyTest {
    private static final List<DeviceModel> MODELS = List.of(
            Models.a100(),
            Models.a100WithMedia(),
            OtherModels.a30(),
            OtherModels.rtxPro6000(),
            OtherModels.modes(),
            OtherModels.gap());
    private static final List<Feasibility> CERTIFICATES =
            MODELS.stream().map(model -> Feasibility.of(Geometry.of(model))).toList();

    @Property(tries = 500)
    @Label("infeasible is never said of what an exhaustive search packs, and feasible only of that where exact")
    void certificateAgreesWithExhaustiveSearch(
            @ForAll @IntRange(max = 5) int model,
            @ForAll @IntRange(max = 3) int devices,
            @ForAll @Size(max = 10) List<@IntRange(max = 10) Integer> instances) {
        Feasibility certificate = CERTIFICATES.get(model);
        long[] counts = counts(certificate, instances);
        boolean packs = packs(certificate.geometry(), counts, devices);
        String paste = "counts " + Arrays.toString(counts) + " on " + devices + " of "
                + MODELS.get(model).key();
        if (packs || certificate.exact()) {
            assertThat(certificate.feasible(counts, devices)).as(paste).isEqualTo(packs);
            assertThat(certificate.explain(counts, devices).isEmpty()).as(paste).isEqualTo(packs);
        }
        if (packs) {
            assertThat(certificate.minDevices(counts)).as(paste).isLessThanOrEqualTo(devices);
        }
        Packing packing = Packer.of(certificate).pack(counts);
        assertThat(packing.placed()).as(paste).isEqualTo(counts);
        assertThat(packing.devices() <= devices).as(paste).isEqualTo(packs);
        if (packing.lowerBound() <= 3) {
            assertThat(packs(certificate.geometry(), counts, (int) packing.lowerBound() - 1))
                    .as("%s: %s is a lower bound", paste, packing.lowerBound())
                    .isFalse();
        }
    }

    @Property(tries = 1000)
    void certificateIsWhatItsInequalitiesSayAtAnySize(
            @ForAll @IntRange(max = 5) int model,
            @ForAll @Size(max = 11) List<@LongRange(max = 1L << 39) Long> amounts,
            @ForAll @IntRange(max = 39) int smaller,
            @ForAll @LongRange(min = -2, max = 2) long margin) {
        Feasibility certificate = CERTIFICATES.get(model);
        long[] counts = new long[certificate.geometry().profiles()];
        for (int i = 0; i < amounts.size(); i++) {
            counts[i % counts.length] += amounts.get(i) >> smaller;
        }
        String paste = Arrays.toString(counts) + " of " + MODELS.get(model).key();
        for (int profile = -1; profile < counts.length; profile++) {
            long[] all = counts.clone();
            if (profile >= 0) {
                all[profile]++;
            }
            long needed = 0;
            for (List<Inequality> block : certificate.inequalities()) {
                needed += block.stream()
                        .mapToLong(each -> -Math.floorDiv(-each.load(all), each.perDevice()))
                        .max()
                        .orElse(0);
            }
            long devices = Math.max(0, needed + margin);
            boolean fits = profile < 0
                    ? certificate.feasible(counts, devices)
                    : certificate.feasibleWithOneMore(counts, profile, devices);
            assertThat(fits).as("%s and %s on %s", paste, profile, devices).isEqualTo(needed <= devices);
            assertThat(certificate.minDevices(all)).as(paste).isEqualTo(needed);
        }
    }

    @Property(tries = 1000)
    void fewestDevicesIsMonotoneAndSubadditive(
            @ForAll @IntRange(max = 5) int model,
            @ForAll @Size(max = 11) List<@IntRange(max = 5000) Integer> first,
            @ForAll @Size(max = 11) List<@IntRange(max = 5000) Integer> second) {
        Feasibility certificate = CERTIFICATES.get(model);
        long[] one = spread(certificate, first);
        long[] two = spread(certificate, second);
        long[] sum = new long[one.length];
        Arrays.setAll(sum, p -> one[p] + two[p]);
        long together = certificate.minDevices(sum);
        String paste = Arrays.toString(one) + " and " + Arrays.toString(two);
        assertThat(together).as(paste).isLessThanOrEqualTo(certificate.minDevices(one) + certificate.minDevices(two));
        assertThat(together).as(paste).isGreaterThanOrEqualTo(certificate.minDevices(one));
        long units = 0;
        for (int p = 0; p < sum.length; p++) {
            units += sum[p] * certificate.geometry().sizeOf(p);
        }
        assertThat(together * certificate.geometry().units()).as(paste).isGreaterThanOrEqualTo(units);
        if (certificate.exact()) {
            long slices = 0;
            int most = 0;
            for (int p = 0; p < sum.length; p++) {
                slices += sum[p] * certificate.geometry().profile(p).computeSlices();
                most = Math.max(most, certificate.geometry().profile(p).computeSlices());
            }
            assertThat(together * most).as(paste).isGreaterThanOrEqualTo(slices);
        }
    }

    @Property(tries = 500)
    void packingHasExactlyWhatWasAskedForOnTheFewestDevices(
            @ForAll @IntRange(max = 4) int model,
            @ForAll @Size(max = 11) List<@IntRange(max = 200_000) Integer> amounts,
            @ForAll @IntRange(max = 100_000) int devices) {
        Feasibility certificate = CERTIFICATES.get(model);
        long[] counts = spread(certificate, amounts);
        Packing packing = Packer.of(certificate).pack(counts);
        assertThat(packing.placed()).isEqualTo(counts);
        assertThat(packing.devices()).isEqualTo(certificate.minDevices(counts));
        assertThat(packing.gap()).isZero();
        Packing part = Packer.of(certificate).packInto(devices, counts);
        assertThat(part.devices()).isLessThanOrEqualTo(devices);
        assertThat(part.complete()).isEqualTo(packing.devices() <= devices);
        long[] placed = part.placed();
        for (int p = 0; p < counts.length; p++) {
            assertThat(placed[p] + part.leftOver().get(p)).isEqualTo(counts[p]);
            assertThat(part.leftOver().get(p)).isNotNegative();
            // What is left over fits nowhere.
            if (part.leftOver().get(p) > 0) {
                assertThat(certificate.feasibleWithOneMore(placed, p, devices)).isFalse();
            }
        }
    }

    private static long[] counts(Feasibility certificate, List<Integer> instances) {
        long[] counts = new long[certificate.geometry().profiles()];
        instances.forEach(instance -> counts[instance % counts.length]++);
        return counts;
    }

    private static long[] spread(Feasibility certificate, List<Integer> amounts) {
        long[] counts = new long[certificate.geometry().profiles()];
        for (int i = 0; i < amounts.size(); i++) {
            counts[i % counts.length] += amounts.get(i);
        }
        return counts;
    }

    /** Instance by instance, on every placement of every device: nothing in common with what it checks. */
    private static boolean packs(Geometry geometry, long[] counts, int devices) {
        return devices >= 0 && packs(geometry, counts, new int[devices], geometry.profiles() - 1, new HashSet<>());
    }

    private static boolean packs(
            Geometry geometry, long[] counts, int[] occupancies, int profile, Set<List<Integer>> failed) {
        if (profile < 0) {
            return true;
        }
        if (counts[profile] == 0) {
            return packs(geometry, counts, occupancies, profile - 1, failed);
        }
        int[] sorted = occupancies.clone();
        Arrays.sort(sorted);
        List<Integer> key = new ArrayList<>(Arrays.stream(sorted).boxed().toList());
        key.add(profile);
        key.add((int) counts[profile]);
        if (!failed.add(key)) {
            return false;
        }
        counts[profile]--;
        for (int d = 0; d < sorted.length; d++) {
            int before = sorted[d];
            for (int k = geometry.firstPlacement(profile);
                    (d == 0 || sorted[d - 1] != before) && k < geometry.firstPlacement(profile + 1);
                    k++) {
                sorted[d] = geometry.add(before, k);
                if (sorted[d] != Geometry.ILLEGAL && packs(geometry, counts, sorted, profile, failed)) {
                    counts[profile]++;
                    return true;
                }
                sorted[d] = before;
            }
        }
        counts[profile]++;
        return false;
    }
}
