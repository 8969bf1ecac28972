package dev.sro.core.slicing.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.sro.core.slicing.fixture.Models;
import dev.sro.core.slicing.fixture.OtherModels;
import dev.sro.core.slicing.fixture.Peers;
import dev.sro.core.slicing.geometry.Geometry;
import dev.sro.core.slicing.policy.PlacementPolicy;
import dev.sro.core.slicing.policy.Policies;
import dev.sro.core.slicing.policy.PolicyTable;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

/**
 * What holds of a fleet whatever happened to it: docs/slicing/mathematics.md lists the invariants. A failure prints a call of
 * {@link #fleet} that can be pasted into a test; jqwik has made its list as short as it can.
 */
class FleetInvariantsTest {
    private static final List<Geometry> MODELS = List.of(
            Geometry.of(Models.a100()),
            Geometry.of(Models.a100WithMedia()),
            Geometry.of(OtherModels.a30()),
            Geometry.of(OtherModels.rtxPro6000()),
            Geometry.of(Models.moded()));

    /** Policies that place by the fleet as it is and not by what it was asked before. */
    private static final List<PlacementPolicy> POLICIES = List.of(
            Policies.firstFit(),
            Policies.bestFit(),
            Policies.bestFitBestIndex(),
            Policies.worstFitBestIndex(),
            Policies.longestRun(),
            Policies.minimumFragmentation(),
            Peers.hami());

    /** A fleet to which each number did something: an even one allocates a profile, an odd one releases what is held. */
    private static ModelFleet fleet(int model, int policy, int devices, List<Integer> events) {
        ModelFleet fleet = new ModelFleet(PolicyTable.of(MODELS.get(model), POLICIES.get(policy)), devices);
        List<Long> live = new ArrayList<>();
        for (int event : events) {
            if (event % 2 == 0) {
                long slot = fleet.allocate(event / 2 % MODELS.get(model).profiles());
                if (slot != ModelFleet.NO_SLOT) {
                    live.add(slot);
                }
            } else if (!live.isEmpty()) {
                fleet.release(live.remove(event / 2 % live.size()));
            }
        }
        return fleet;
    }

    private static String paste(int model, int policy, int devices, List<Integer> events) {
        return "fleet(" + model + ", " + policy + ", " + devices + ", List.of("
                + events.toString().replaceAll("[\\[\\]]", "") + "))";
    }

    /** All that can be seen of a fleet: what is where, and what it would do next. */
    private static List<Long> seen(ModelFleet fleet) {
        List<Long> all = new ArrayList<>();
        for (int device = 0; device < fleet.devices(); device++) {
            all.add((long) fleet.layoutOf(device));
        }
        for (int layout = 0; layout < fleet.geometry().layouts(); layout++) {
            all.add((long) fleet.count(layout));
            all.add((long) fleet.next(layout, 0));
        }
        for (int profile = 0; profile < fleet.geometry().profiles(); profile++) {
            all.add(fleet.live(profile));
            all.add(fleet.decide(profile));
        }
        return all;
    }

    @Example
    void theMaskOfALayoutIsTheUnionOfItsWindows() {
        for (Geometry geometry : MODELS) {
            for (int layout = 0; layout < geometry.layouts(); layout++) {
                int mask = 0;
                for (long rest = geometry.placementsOf(layout); rest != 0; rest &= rest - 1) {
                    int window = geometry.windowOf(Long.numberOfTrailingZeros(rest));
                    assertThat(mask & window).isZero();
                    mask |= window;
                }
                assertThat(geometry.maskOf(geometry.occupancyOf(layout))).isEqualTo(mask);
            }
        }
    }

    @Property(tries = 200, edgeCases = EdgeCasesMode.NONE)
    void releasingWhatWasJustTakenRestoresEverything(
            @ForAll @IntRange(max = 4) int model,
            @ForAll @IntRange(max = 6) int policy,
            @ForAll @IntRange(min = 1, max = 40) int devices,
            @ForAll @Size(max = 150) List<@IntRange(max = 1000) Integer> events,
            @ForAll @Size(min = 1, max = 20) List<@IntRange(max = 10) Integer> taken) {
        ModelFleet fleet = fleet(model, policy, devices, events);
        List<Long> before = seen(fleet);
        List<Long> slots = new ArrayList<>();
        for (int profile : taken) {
            long slot = fleet.allocate(profile % MODELS.get(model).profiles());
            if (slot != ModelFleet.NO_SLOT) {
                slots.add(slot);
            }
        }
        Collections.reverse(slots);
        slots.forEach(slot -> assertThat(fleet.release(slot)).isTrue());
        assertThat(seen(fleet))
                .as("%s, then %s", paste(model, policy, devices, events), taken)
                .isEqualTo(before);
    }

    @Property(tries = 200, edgeCases = EdgeCasesMode.NONE)
    void theOrderOfReleasesDoesNotMatter(
            @ForAll @IntRange(max = 4) int model,
            @ForAll @IntRange(max = 6) int policy,
            @ForAll @IntRange(min = 1, max = 40) int devices,
            @ForAll @Size(max = 150) List<@IntRange(max = 1000) Integer> events,
            @ForAll long seed) {
        ModelFleet fleet = fleet(model, policy, devices, events);
        List<Long> slots = new ArrayList<>();
        for (int device = 0; device < devices; device++) {
            for (long rest = MODELS.get(model).placementsOf(fleet.layoutOf(device)); rest != 0; rest &= rest - 1) {
                slots.add(ModelFleet.slot(device, Long.numberOfTrailingZeros(rest)));
            }
        }
        Random random = new Random(seed);
        slots.removeIf(slot -> random.nextBoolean());
        ModelFleet other = fleet.copy();
        slots.forEach(fleet::release);
        Collections.shuffle(slots, random);
        slots.forEach(other::release);
        assertThat(seen(other)).as(paste(model, policy, devices, events)).isEqualTo(seen(fleet));
    }

    @Property(tries = 200, edgeCases = EdgeCasesMode.NONE)
    void renumberedDevicesGetEquallyGoodPlaces(
            @ForAll @IntRange(max = 4) int model,
            @ForAll @IntRange(max = 6) int policy,
            @ForAll @IntRange(min = 1, max = 40) int devices,
            @ForAll @Size(max = 150) List<@IntRange(max = 1000) Integer> events,
            @ForAll long seed) {
        Geometry geometry = MODELS.get(model);
        ModelFleet fleet = fleet(model, policy, devices, events);
        List<Integer> number =
                new ArrayList<>(IntStream.range(0, devices).boxed().toList());
        Collections.shuffle(number, new Random(seed));
        ModelFleet renumbered = new ModelFleet(PolicyTable.of(geometry, POLICIES.get(policy)), devices);
        for (int device = 0; device < devices; device++) {
            for (long rest = geometry.placementsOf(fleet.layoutOf(device)); rest != 0; rest &= rest - 1) {
                renumbered.occupy(number.get(device), Long.numberOfTrailingZeros(rest));
            }
        }
        for (int profile = 0; profile < geometry.profiles(); profile++) {
            long one = fleet.decide(profile);
            long two = renumbered.decide(profile);
            String paste = paste(model, policy, devices, events) + " profile " + profile;
            assertThat(two == ModelFleet.NO_SLOT).as(paste).isEqualTo(one == ModelFleet.NO_SLOT);
            if (one != ModelFleet.NO_SLOT) {
                assertThat(cost(renumbered, policy, two))
                        .as(paste)
                        .isCloseTo(cost(fleet, policy, one), within(2 * PlacementPolicy.TOLERANCE));
            }
        }
    }

    private static double cost(ModelFleet fleet, int policy, long slot) {
        int before = fleet.occupancyOf(ModelFleet.device(slot));
        int placement = ModelFleet.placement(slot);
        Geometry geometry = fleet.geometry();
        return POLICIES.get(policy).cost(geometry, before, placement, geometry.add(before, placement));
    }

    @Property(tries = 200, edgeCases = EdgeCasesMode.NONE)
    void unitsAreNeitherMadeNorLost(
            @ForAll @IntRange(max = 4) int model,
            @ForAll @IntRange(max = 6) int policy,
            @ForAll @IntRange(min = 1, max = 40) int devices,
            @ForAll @Size(max = 150) List<@IntRange(max = 1000) Integer> events) {
        Geometry geometry = MODELS.get(model);
        ModelFleet fleet = fleet(model, policy, devices, events);
        long taken = 0;
        long free = 0;
        for (int profile = 0; profile < geometry.profiles(); profile++) {
            taken += fleet.live(profile) * geometry.sizeOf(profile);
        }
        for (int device = 0; device < devices; device++) {
            free += geometry.freeUnits(fleet.occupancyOf(device));
        }
        assertThat(taken + free).as(paste(model, policy, devices, events)).isEqualTo((long) devices * geometry.units());
    }

    @Property(tries = 200, edgeCases = EdgeCasesMode.NONE)
    void anEmptyDeviceMoreRefusesNothingThatWasGranted(
            @ForAll @IntRange(max = 4) int model,
            @ForAll @IntRange(max = 6) int policy,
            @ForAll @IntRange(min = 1, max = 40) int devices,
            @ForAll @Size(max = 150) List<@IntRange(max = 1000) Integer> events) {
        Geometry geometry = MODELS.get(model);
        ModelFleet fleet = fleet(model, policy, devices, events);
        ModelFleet larger = new ModelFleet(PolicyTable.of(geometry, POLICIES.get(policy)), devices + 1);
        for (int device = 0; device < devices; device++) {
            for (long rest = geometry.placementsOf(fleet.layoutOf(device)); rest != 0; rest &= rest - 1) {
                larger.occupy(device, Long.numberOfTrailingZeros(rest));
            }
        }
        for (int profile = 0; profile < geometry.profiles(); profile++) {
            // An empty device takes every profile, so the larger fleet even grants everything.
            assertThat(larger.decide(profile))
                    .as("%s profile %s", paste(model, policy, devices, events), profile)
                    .isNotEqualTo(ModelFleet.NO_SLOT);
        }
    }
}
