package dev.sro.core.slicing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.core.slicing.Decision.Granted;
import dev.sro.core.slicing.Decision.Reason;
import dev.sro.core.slicing.Decision.Refused;
import dev.sro.core.slicing.catalogue.DeviceModel;
import dev.sro.core.slicing.fixture.Models;
import dev.sro.core.slicing.fleet.ModelFleet;
import dev.sro.core.slicing.geometry.Geometry;
import dev.sro.core.slicing.policy.PlacementPolicy;
import dev.sro.core.slicing.policy.Policies;
import dev.sro.core.slicing.policy.PolicyTable;
import dev.sro.core.slicing.policy.Regime;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

class SliceAllocatorPropertyTest {
    private static final long[] OFTEN = {1, 2, 3};

    private static final DeviceModel A100 = Models.a100();
    private static final Geometry GEOMETRY = Geometry.of(A100);
    private static final List<String> PROFILES =
            A100.profiles().stream().map(profile -> profile.name()).toList();

    @Provide
    Arbitrary<PlacementPolicy> policies() {
        return Arbitraries.of(Policies.all());
    }

    private static SliceAllocator allocator(PlacementPolicy policy, int devices) {
        SliceAllocator allocator = SliceAllocator.create(policy);
        for (int i = 0; i < devices; i++) {
            allocator.addDevice(SliceDevice.of("gpu-" + i, A100, "node-" + i / 2));
        }
        return allocator;
    }

    /** Fills at random places, so that the fleet is fragmented whatever the policy. */
    private static void clutter(SliceAllocator allocator, int devices, List<Integer> places) {
        int n = 0;
        for (int place : places) {
            int placement = place % GEOMETRY.placements();
            try {
                allocator.adopt(SliceClaim.builder()
                        .id("old-" + n++)
                        .device("gpu-" + place / GEOMETRY.placements() % devices)
                        .profile(PROFILES.get(GEOMETRY.profileOf(placement)))
                        .start(GEOMETRY.startOf(placement))
                        .build());
            } catch (SliceException e) {
                assertThat(e.code()).isEqualTo(SliceException.Code.ILLEGAL_PLACEMENT);
            }
        }
    }

    private static int[] layouts(SliceAllocator allocator, int devices) {
        long[] bits = new long[devices];
        for (SliceClaim claim : allocator.claims()) {
            int device = Integer.parseInt(claim.device().substring(4));
            bits[device] |= 1L << GEOMETRY.placement(A100.indexOf(claim.profile()), claim.start());
        }
        return java.util.Arrays.stream(bits).mapToInt(GEOMETRY::layoutOf).toArray();
    }

    @Property(tries = 300, edgeCases = EdgeCasesMode.NONE)
    void findsAJointPlacementExactlyIfThereIsOne(
            @ForAll("policies") PlacementPolicy policy,
            @ForAll @IntRange(min = 1, max = 3) int devices,
            @ForAll @Size(max = 12) List<@IntRange(max = 10_000) Integer> clutter,
            @ForAll @Size(min = 1, max = 5) List<@IntRange(max = 5) Integer> gang,
            @ForAll Spread spread) {
        SliceAllocator allocator = allocator(policy, devices);
        clutter(allocator, devices, clutter);
        int[] before = layouts(allocator, devices);
        long hash = allocator.stateHash();
        List<SliceRequest> requests = IntStream.range(0, gang.size())
                .mapToObj(i -> SliceRequest.of("new-" + i, PROFILES.get(gang.get(i))))
                .toList();
        if (spread == Spread.SAME_TOPOLOGY_GROUP) {
            return;
        }
        Decision decision = allocator.allocateGang(requests, spread);

        boolean exists = exists(before, gang, 0, spread, new ArrayList<>());
        assertThat(decision.granted()).as("%s %s %s", clutter, gang, decision).isEqualTo(exists);
        if (decision instanceof Granted granted) {
            assertThat(granted.claims())
                    .extracting(SliceClaim::profile)
                    .containsExactlyElementsOf(gang.stream().map(PROFILES::get).toList());
            requests.forEach(request -> allocator.release(request.claim()));
        }
        assertThat(allocator.stateHash()).isEqualTo(hash);
    }

    private static boolean exists(int[] layouts, List<Integer> gang, int at, Spread spread, List<Integer> used) {
        if (at == gang.size()) {
            return true;
        }
        for (int device = 0; device < layouts.length; device++) {
            int candidate = device;
            boolean allowed = used.stream().allMatch(other -> switch (spread) {
                case SAME_DEVICE -> other == candidate;
                case DIFFERENT_DEVICES -> other != candidate;
                case SAME_NODE -> other / 2 == candidate / 2;
                default -> true;
            });
            for (int placement = GEOMETRY.firstPlacement(gang.get(at));
                    allowed && placement < GEOMETRY.firstPlacement(gang.get(at) + 1);
                    placement++) {
                int layout = layouts[device];
                int after = GEOMETRY.toggle(layout, placement);
                if (GEOMETRY.holds(layout, placement) || after == Geometry.ILLEGAL) {
                    continue;
                }
                layouts[device] = after;
                used.add(device);
                boolean found = exists(layouts, gang, at + 1, spread, used);
                used.remove(used.size() - 1);
                layouts[device] = layout;
                if (found) {
                    return true;
                }
            }
        }
        return false;
    }

    @Property(tries = 200, edgeCases = EdgeCasesMode.NONE)
    void refusesOnlyWhatFitsNowhereAndSaysInfeasibleOnlyWithProof(
            @ForAll("policies") PlacementPolicy policy,
            @ForAll @IntRange(min = 1, max = 2) int devices,
            @ForAll @Size(max = 20) List<@IntRange(max = 10_000) Integer> clutter,
            @ForAll @IntRange(max = 5) int profile) {
        SliceAllocator allocator = allocator(policy, devices);
        clutter(allocator, devices, clutter);
        int[] before = layouts(allocator, devices);
        Decision decision = allocator.allocate(SliceRequest.of("new", PROFILES.get(profile)));
        assertThat(decision.granted())
                .isEqualTo(exists(before, List.of(profile), 0, Spread.ANYWHERE, new ArrayList<>()));
        if (decision instanceof Refused refused) {
            List<Integer> all = new ArrayList<>(List.of(profile));
            for (int layout : before) {
                for (long rest = GEOMETRY.placementsOf(layout); rest != 0; rest &= rest - 1) {
                    all.add(GEOMETRY.profileOf(Long.numberOfTrailingZeros(rest)));
                }
            }
            all.sort(Collections.reverseOrder());
            boolean repacked = exists(new int[devices], all, 0, Spread.ANYWHERE, new ArrayList<>());
            assertThat(refused.reason()).isEqualTo(repacked ? Reason.FRAGMENTED : Reason.INFEASIBLE);
            refused.plan().ifPresent(plan -> {
                List<SliceClaim> untouched = new ArrayList<>(allocator.claims());
                untouched.removeIf(claim ->
                        plan.moves().stream().anyMatch(move -> move.claim().equals(claim.id())));
                allocator.apply(plan);
                assertThat(allocator.claims()).containsAll(untouched);
                assertThat(allocator
                                .allocate(SliceRequest.of("new", PROFILES.get(profile)))
                                .granted())
                        .isTrue();
            });
        }
    }

    @Property(tries = 100, edgeCases = EdgeCasesMode.NONE)
    void anAllocatorRebuiltFromItsClaimsIsEqual(
            @ForAll("policies") PlacementPolicy policy,
            @ForAll @Size(max = 200) List<@IntRange(max = 5) Integer> requests,
            @ForAll long seed) {
        SliceAllocator allocator = allocator(policy, 9);
        Random random = new Random(seed);
        for (int i = 0; i < requests.size(); i++) {
            allocator.allocate(SliceRequest.of("c" + i, PROFILES.get(requests.get(i))));
            if (random.nextInt(3) == 0 && !allocator.claims().isEmpty()) {
                List<SliceClaim> claims = allocator.claims();
                allocator.release(claims.get(random.nextInt(claims.size())).id());
            }
        }
        SliceSnapshot snapshot = allocator.snapshot();
        List<SliceClaim> shuffled = new ArrayList<>(snapshot.claims());
        Collections.shuffle(shuffled, random);
        SliceAllocator rebuilt = SliceAllocator.restore(new SliceSnapshot(snapshot.devices(), shuffled), policy);
        assertThat(rebuilt.stateHash()).isEqualTo(allocator.stateHash());
        assertThat(rebuilt.snapshot()).isEqualTo(snapshot);
        for (String profile : PROFILES) {
            SliceRequest probe = SliceRequest.of("probe", profile);
            assertThat(rebuilt.fits(probe)).isEqualTo(allocator.fits(probe));
        }
    }

    @Property(tries = 8, edgeCases = EdgeCasesMode.NONE)
    void placesLikeItsFleetHoweverItIsUsed(@ForAll long seed) {
        // One policy alone would compare nothing of what is learnt.
        assertThat(policiesWhilePlacingAlike(seed)).hasSizeGreaterThan(1);
    }

    /** Most loads go through more than three policies, but not all: these are some that do, whatever else is drawn. */
    @Example
    void placesLikeItsFleetWhileThePolicyChangesOften() {
        for (long seed : OFTEN) {
            assertThat(policiesWhilePlacingAlike(seed)).as("seed %d", seed).hasSizeGreaterThan(3);
        }
    }

    /** Plays one load on an allocator and on a fleet, which have to place alike, and answers which policies the fleet had. */
    private static Set<PolicyTable> policiesWhilePlacingAlike(long seed) {
        int devices = 24;
        PolicyTable table = PolicyTable.of(Geometry.of(Models.a100()), Policies.standard());
        ModelFleet fleet = new ModelFleet(table, devices);
        SliceAllocator allocator = allocator(Policies.standard(), devices);
        Set<PolicyTable> seen = new HashSet<>();
        List<Long> held = new ArrayList<>();
        Random random = new Random(seed);
        // Fills, comes and goes, is overrun.
        double[] arriving = {1.0, 0.5, 0.95};
        for (int i = 0; i < 900; i++) {
            if (random.nextDouble() < arriving[i / 300] || held.isEmpty()) {
                int profile = random.nextInt(6);
                long slot = fleet.allocate(profile);
                String claim = slot == ModelFleet.NO_SLOT ? "refused-" + i : "" + slot;
                Decision decision = allocator.allocate(SliceRequest.of(claim, PROFILES.get(profile)));
                assertThat(decision instanceof Granted).isEqualTo(slot != ModelFleet.NO_SLOT);
                if (decision instanceof Granted granted) {
                    assertThat(granted.claim().device()).isEqualTo("gpu-" + ModelFleet.device(slot));
                    assertThat(granted.claim().start())
                            .isEqualTo(table.geometry().startOf(ModelFleet.placement(slot)));
                    held.add(slot);
                }
            } else {
                long gone = held.remove(random.nextInt(held.size()));
                fleet.release(gone);
                allocator.release("" + gone);
            }
            seen.add(fleet.policy());
        }
        return seen;
    }

    /** Claims that are refused ask again at each release, as pods do: the allocator takes that for work that waits, as its fleet does. */
    @Property(tries = 8, edgeCases = EdgeCasesMode.NONE)
    void placesLikeItsFleetWhereWorkWaits(@ForAll long seed) {
        int devices = 8;
        PolicyTable table = PolicyTable.of(Geometry.of(Models.a100()), Policies.standard());
        ModelFleet fleet = new ModelFleet(table, devices);
        SliceAllocator allocator = allocator(Policies.standard(), devices);
        Map<String, Long> held = new LinkedHashMap<>();
        Map<String, Integer> waiting = new LinkedHashMap<>();
        Random random = new Random(seed);
        for (int i = 0; i < 700; i++) {
            if (waiting.size() < 20) {
                waiting.put("claim-" + i, random.nextInt(6));
            }
            Set<String> arrived = Set.of("claim-" + i);
            for (String claim : List.copyOf(waiting.keySet())) {
                int profile = Objects.requireNonNull(waiting.get(claim));
                long slot = fleet.decide(profile);
                Decision decision = allocator.allocate(SliceRequest.of(claim, PROFILES.get(profile)));
                assertThat(decision instanceof Granted).as(claim).isEqualTo(slot != ModelFleet.NO_SLOT);
                if (decision instanceof Granted granted) {
                    assertThat(granted.claim().device()).isEqualTo("gpu-" + ModelFleet.device(slot));
                    assertThat(granted.claim().start())
                            .isEqualTo(table.geometry().startOf(ModelFleet.placement(slot)));
                    held.put(claim, fleet.allocate(profile));
                    if (!arrived.contains(claim)) {
                        fleet.countWaited();
                    }
                    waiting.remove(claim);
                } else if (arrived.contains(claim)) {
                    fleet.countRefusal(profile);
                } else {
                    fleet.countRefusedAgain();
                }
            }
            if (random.nextBoolean() && !held.isEmpty()) {
                String gone = List.copyOf(held.keySet()).get(random.nextInt(held.size()));
                fleet.release(Objects.requireNonNull(held.remove(gone)));
                allocator.release(gone);
            }
        }
        assertThat(fleet.policy()).isSameAs(table.in(Regime.SATURATED));
    }

    @Property(tries = 15, edgeCases = EdgeCasesMode.NONE)
    void threadsNeverShareAUnitAndNothingIsLost(@ForAll long seed) throws Exception {
        SliceAllocator allocator = allocator(Policies.standard(), 4);
        ConcurrentLinkedQueue<SliceClaim> granted = new ConcurrentLinkedQueue<>();
        ConcurrentLinkedQueue<String> released = new ConcurrentLinkedQueue<>();
        ExecutorService threads = Executors.newFixedThreadPool(4);
        try {
            List<Future<?>> futures = new ArrayList<>();
            for (int t = 0; t < 4; t++) {
                int thread = t;
                futures.add(threads.submit(() -> {
                    Random random = new Random(seed + thread);
                    List<String> own = new ArrayList<>();
                    for (int i = 0; i < 300; i++) {
                        String id = thread + "-" + i;
                        if (random.nextBoolean() && !own.isEmpty()) {
                            String gone = own.remove(random.nextInt(own.size()));
                            allocator.release(gone);
                            assertThat(allocator.claim(gone)).isEmpty();
                            released.add(gone);
                        } else if (allocator.allocateGang(
                                        List.of(
                                                SliceRequest.of(id, PROFILES.get(random.nextInt(6))),
                                                SliceRequest.of(id + "b", PROFILES.get(random.nextInt(3)))),
                                        Spread.ANYWHERE)
                                instanceof Granted done) {
                            granted.addAll(done.claims());
                            done.claims().forEach(claim -> {
                                assertThat(allocator.claim(claim.id())).contains(claim);
                                own.add(claim.id());
                            });
                        }
                        legal(allocator.claims());
                    }
                }));
            }
            for (Future<?> future : futures) {
                future.get();
            }
        } finally {
            threads.shutdownNow();
        }
        Set<String> left = new HashSet<>();
        granted.forEach(claim -> left.add(claim.id()));
        left.removeAll(released);
        assertThat(allocator.claims()).extracting(SliceClaim::id).containsExactlyInAnyOrderElementsOf(left);
    }

    /** Any set of claims that is ever seen is one that hardware could carry. */
    private static void legal(List<SliceClaim> claims) {
        long[] bits = new long[4];
        for (SliceClaim claim : claims) {
            int device = Integer.parseInt(claim.device().substring(4));
            long bit = 1L << GEOMETRY.placement(A100.indexOf(claim.profile()), claim.start());
            assertThat(bits[device] & bit).isZero();
            bits[device] |= bit;
        }
        for (long set : bits) {
            assertThat(GEOMETRY.layoutOf(set)).isNotNegative();
        }
    }
}
