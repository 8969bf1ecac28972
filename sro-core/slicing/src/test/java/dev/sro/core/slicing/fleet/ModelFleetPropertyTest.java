package dev.sro.core.slicing.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.core.slicing.fixture.Models;
import dev.sro.core.slicing.fixture.NaiveFleet;
import dev.sro.core.slicing.geometry.Geometry;
import dev.sro.core.slicing.policy.PlacementPolicy;
import dev.sro.core.slicing.policy.Policies;
import dev.sro.core.slicing.policy.PolicyTable;
import dev.sro.core.slicing.policy.Regime;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.From;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

/** The indexed fleet against its definition, step for step, on every policy and on models with and without engines. */
class ModelFleetPropertyTest {
    private static final List<Geometry> GEOMETRIES =
            List.of(Geometry.of(Models.a100()), Geometry.of(Models.a100WithMedia()), Geometry.of(Models.moded()));

    /** What is done to a fleet; {@code a} and {@code b} choose profile, device or slot, modulo what there is. */
    record Step(String kind, int a, int b) {}

    @Provide
    Arbitrary<Step> steps() {
        Arbitrary<String> kinds = Arbitraries.frequency(
                net.jqwik.api.Tuple.of(10, "allocate"),
                net.jqwik.api.Tuple.of(6, "release"),
                net.jqwik.api.Tuple.of(1, "releaseWrong"),
                net.jqwik.api.Tuple.of(1, "occupy"),
                net.jqwik.api.Tuple.of(1, "cordon"),
                net.jqwik.api.Tuple.of(1, "uncordon"));
        Arbitrary<Integer> numbers = Arbitraries.integers().between(0, 10_000);
        return net.jqwik.api.Combinators.combine(kinds, numbers, numbers).as(Step::new);
    }

    @Provide
    Arbitrary<PlacementPolicy> policies() {
        return Arbitraries.of(Policies.all())
                .flatMap(policy -> Arbitraries.of(Regime.values())
                        .map(regime -> policy.specialise(GEOMETRIES.get(0), Regime.FILLING) == policy
                                ? policy
                                : new Fixed(policy, regime)));
    }

    /** A policy that differs by regime, held in one. */
    record Fixed(PlacementPolicy policy, Regime regime) implements PlacementPolicy {
        @Override
        public String name() {
            return policy.name() + " in " + regime;
        }

        @Override
        public double cost(Geometry geometry, int before, int placement, int after) {
            return KNOWN.computeIfAbsent(Map.entry(geometry, regime), key -> policy.specialise(geometry, regime))
                    .cost(geometry, before, placement, after);
        }
    }

    private static final Map<Map.Entry<Geometry, Regime>, PlacementPolicy> KNOWN = new ConcurrentHashMap<>();

    @Property(tries = 400, edgeCases = EdgeCasesMode.NONE)
    void doesWhatItsDefinitionDoes(
            @ForAll("policies") PlacementPolicy policy,
            @ForAll @IntRange(min = 0, max = 2) int model,
            @ForAll @IntRange(min = 1, max = 70) int devices,
            @ForAll @Size(max = 300) List<@From("steps") Step> steps) {
        Geometry geometry = GEOMETRIES.get(model);
        ModelFleet fleet = new ModelFleet(PolicyTable.of(geometry, policy), devices);
        NaiveFleet naive = new NaiveFleet(geometry, policy, devices);
        List<Long> slots = new ArrayList<>();
        for (Step step : steps) {
            apply(step, geometry, fleet, naive, slots);
        }
        agree(geometry, fleet, naive, devices);
    }

    private static void apply(Step step, Geometry geometry, ModelFleet fleet, NaiveFleet naive, List<Long> slots) {
        int device = step.a() % fleet.devices();
        int placement = step.b() % geometry.placements();
        switch (step.kind()) {
            case "allocate" -> {
                int profile = step.a() % geometry.profiles();
                long decided = fleet.decide(profile);
                long slot = fleet.allocate(profile);
                assertThat(slot).isEqualTo(decided).isEqualTo(naive.allocate(profile));
                if (slot != ModelFleet.NO_SLOT) {
                    slots.add(slot);
                }
            }
            case "release" -> {
                if (!slots.isEmpty()) {
                    long slot = slots.remove(step.a() % slots.size());
                    assertThat(fleet.release(slot)).isTrue();
                    assertThat(naive.release(slot)).isTrue();
                    assertThat(fleet.release(slot)).isFalse();
                }
            }
            case "releaseWrong" -> {
                long slot = ModelFleet.slot(device, placement);
                boolean there = naive.release(slot);
                assertThat(fleet.release(slot)).isEqualTo(there);
                slots.remove(slot);
            }
            case "occupy" -> {
                boolean done = naive.occupy(device, placement);
                assertThat(fleet.occupy(device, placement)).isEqualTo(done);
                if (done) {
                    slots.add(ModelFleet.slot(device, placement));
                }
            }
            default -> {
                fleet.cordon(device, step.kind().equals("cordon"));
                naive.cordon(device, step.kind().equals("cordon"));
            }
        }
    }

    private static void agree(Geometry geometry, ModelFleet fleet, NaiveFleet naive, int devices) {
        int[] census = new int[geometry.layouts()];
        long[] live = new long[geometry.profiles()];
        int usable = 0;
        for (int device = 0; device < devices; device++) {
            long bits = naive.layoutBits(device);
            int layout = fleet.layoutOf(device);
            assertThat(geometry.placementsOf(layout)).isEqualTo(bits);
            if (!fleet.cordoned(device)) {
                usable++;
                census[layout]++;
                for (long rest = bits; rest != 0; rest &= rest - 1) {
                    live[geometry.profileOf(Long.numberOfTrailingZeros(rest))]++;
                }
            }
        }
        assertThat(fleet.usableDevices()).isEqualTo(usable);
        for (int layout = 0; layout < census.length; layout++) {
            assertThat(fleet.count(layout)).isEqualTo(census[layout]);
        }
        for (int profile = 0; profile < live.length; profile++) {
            assertThat(fleet.live(profile)).isEqualTo(live[profile]);
        }
        for (int device = 0; device < devices; device++) {
            if (!fleet.cordoned(device)) {
                int first = fleet.next(fleet.layoutOf(device), 0);
                assertThat(first).isBetween(0, device);
                assertThat(fleet.next(fleet.layoutOf(device), device)).isEqualTo(device);
            }
        }
    }

    @Property(tries = 100, edgeCases = EdgeCasesMode.NONE)
    void releasesInAnyOrderLeaveAnEmptyFleet(
            @ForAll("policies") PlacementPolicy policy,
            @ForAll @IntRange(min = 1, max = 5000) int devices,
            @ForAll @Size(min = 1, max = 200) List<@IntRange(min = 0, max = 5) Integer> requests,
            @ForAll long seed) {
        PolicyTable table = PolicyTable.of(GEOMETRIES.get(0), policy);
        ModelFleet fleet = new ModelFleet(table, devices);
        List<Long> slots = new ArrayList<>();
        for (int profile : requests) {
            long slot = fleet.allocate(profile);
            if (slot != ModelFleet.NO_SLOT) {
                slots.add(slot);
            }
        }
        Collections.shuffle(slots, new Random(seed));
        slots.forEach(fleet::release);
        assertThat(fleet.count(0)).isEqualTo(devices);
        ModelFleet fresh = new ModelFleet(table, devices);
        for (int profile : requests) {
            assertThat(fleet.allocate(profile)).isEqualTo(fresh.allocate(profile));
        }
    }

    @Property(tries = 100, edgeCases = EdgeCasesMode.NONE)
    void aCopyGoesItsOwnWayAndAnotherPolicySeesTheSameFleet(
            @ForAll("policies") PlacementPolicy policy,
            @ForAll("policies") PlacementPolicy other,
            @ForAll @IntRange(min = 1, max = 50) int devices,
            @ForAll @Size(max = 100) List<@IntRange(min = 0, max = 5) Integer> before,
            @ForAll @Size(max = 100) List<@IntRange(min = 0, max = 5) Integer> after) {
        PolicyTable table = PolicyTable.of(GEOMETRIES.get(0), policy);
        ModelFleet fleet = new ModelFleet(table, devices);
        NaiveFleet naive = new NaiveFleet(GEOMETRIES.get(0), other, devices);
        before.forEach(profile -> {
            long slot = fleet.allocate(profile);
            if (slot != ModelFleet.NO_SLOT) {
                naive.occupy(ModelFleet.device(slot), ModelFleet.placement(slot));
            }
        });
        ModelFleet copy = fleet.copy(PolicyTable.of(GEOMETRIES.get(0), other));
        int[] layouts = new int[devices];
        for (int device = 0; device < devices; device++) {
            layouts[device] = fleet.layoutOf(device);
        }
        after.forEach(profile -> assertThat(copy.allocate(profile)).isEqualTo(naive.allocate(profile)));
        for (int device = 0; device < devices; device++) {
            assertThat(fleet.layoutOf(device)).isEqualTo(layouts[device]);
        }
    }
}
