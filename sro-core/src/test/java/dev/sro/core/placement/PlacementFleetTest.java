package dev.sro.core.placement;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.core.placement.NodeChoice.Refused;
import dev.sro.core.slicing.PreferenceBasis;
import dev.sro.core.slicing.SliceAllocator;
import dev.sro.core.slicing.SliceDevice;
import dev.sro.core.slicing.SliceRequest;
import dev.sro.core.slicing.Spread;
import dev.sro.core.slicing.catalogue.Catalogue;
import dev.sro.core.slicing.catalogue.DeviceModel;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class PlacementFleetTest {
    private static final DeviceModel A100 = Catalogue.builtin().model("A100-40GB");
    private static final Instant NOW = Instant.parse("2026-11-26T10:00:00Z");
    private static final Instant LATER = NOW.plus(Duration.ofSeconds(30));

    private static PlacementFleet fleet(int nodes, int gpus) {
        PlacementFleet fleet = new PlacementFleet(SliceAllocator.create());
        for (int node = 0; node < nodes; node++) {
            fleet.node("n" + node, gpus("n" + node, gpus));
        }
        return fleet;
    }

    private static List<SliceDevice> gpus(String node, int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> SliceDevice.of("GPU-" + node + "-" + i, A100, node))
                .toList();
    }

    private static SliceDemand demand(String pod, Spread spread, String... profiles) {
        return SliceDemand.of("uid-" + pod, "ml", pod, "main", List.of(profiles), spread);
    }

    private static SliceDemand demand(String pod, String... profiles) {
        return demand(pod, Spread.ANYWHERE, profiles);
    }

    @Test
    void saysWhichNodesHaveRoomAndChangesNothing() {
        PlacementFleet fleet = fleet(2, 1);
        fleet.decide(demand("big", "7g.40gb"), List.of("n0"), LATER);

        NodeChoice choice = fleet.choose(demand("a", "1g.5gb"), List.of("n0", "n1", "other"));

        assertThat(choice.fitting()).containsExactly("n1");
        assertThat(choice.full()).extracting(Refused::node).containsExactly("n0");
        assertThat(choice.unsuited()).extracting(Refused::node).containsExactly("other");
        assertThat(fleet.held()).hasSize(1);
        assertThat(fleet.choose(demand("a", "1g.6gb"), List.of("n1")).unsuited())
                .containsExactly(new Refused("n1", "no GPU with [1g.6gb]"));
    }

    @Test
    void scoresAreThoseOfTheStateNowWhateverWasAskedBefore() {
        SplittableRandom random = new SplittableRandom(5);
        String[] profiles = {"1g.5gb", "2g.10gb", "3g.20gb", "4g.20gb"};
        PlacementFleet asked = fleet(12, 2);
        PlacementFleet fresh = fleet(12, 2);
        for (int i = 0; i < 300; i++) {
            SliceDemand demand = demand("p" + i, profiles[random.nextInt(profiles.length)]);
            List<String> names = new ArrayList<>(asked.nodes());
            List<String> fitting = new ArrayList<>(asked.choose(demand, names).fitting());
            if (random.nextInt(3) == 0) {
                // Others than the scheduler was told, in another order.
                fitting.removeIf(name -> random.nextInt(4) == 0);
                Collections.shuffle(fitting, new Random(i));
                fitting.add("n" + random.nextInt(12));
            }
            if (random.nextInt(3) == 0) {
                String pod = "q" + i;
                asked.decide(demand(pod, "1g.5gb"), names, LATER);
                fresh.decide(demand(pod, "1g.5gb"), names, LATER);
            }
            if (random.nextInt(2) == 0 && !asked.held().isEmpty()) {
                String gone =
                        asked.held().get(random.nextInt(asked.held().size())).id();
                assertThat(asked.drop(gone)).isEqualTo(fresh.drop(gone));
            }

            assertThat(asked.score(demand, fitting)).isEqualTo(fresh.score(demand, fitting));

            assertThat(asked.decide(demand, names, LATER)).isEqualTo(fresh.decide(demand, names, LATER));
        }
    }

    @Test
    void scoresFollowWhatThePolicyLearnsAndWhichModelIsFullest() {
        SplittableRandom random = new SplittableRandom(6);
        SliceAllocator allocator = SliceAllocator.create();
        PlacementFleet fleet = new PlacementFleet(allocator);
        for (int node = 0; node < 12; node++) {
            DeviceModel model = node % 3 == 0 ? Catalogue.builtin().model("A100-80GB") : A100;
            String name = "n" + node;
            fleet.node(
                    name, List.of(SliceDevice.of("a-" + name, model, name), SliceDevice.of("b-" + name, model, name)));
        }
        Set<PreferenceBasis> seen = new HashSet<>();
        for (int i = 0; i < 3_000; i++) {
            // Small ones first, then large ones.
            String profile = random.nextInt(3_000) < i ? "3g.40gb" : "1g.10gb";
            SliceDemand demand = demand("p" + i, profile);
            fleet.decide(demand, fleet.nodes(), LATER);
            while (fleet.held().size() > 24) {
                fleet.drop(fleet.held().get(0).id());
            }
            int[] scores = fleet.score(demand, fleet.nodes());
            int[] fresh = fleet.nodes().stream()
                    .mapToInt(name -> allocator
                            .preference(SliceRequest.builder()
                                    .claim("?")
                                    .profile(profile)
                                    .node(name)
                                    .build())
                            .orElse(-1))
                    .toArray();
            assertThat(scores).isEqualTo(RankedAnswers.scores(fresh, 10));
            seen.add(allocator.preferenceBasis("1g.10gb"));
        }

        assertThat(seen).as("tables of the policy and orders of models").hasSizeGreaterThan(3);
    }

    @Test
    void threeAndFourFitOnOneEmptyGpuInAnyOrder() {
        for (String[] order : new String[][] {{"3g.20gb", "4g.20gb"}, {"4g.20gb", "3g.20gb"}}) {
            PlacementFleet fleet = fleet(1, 1);
            Placement placement = fleet.decide(demand("p", order), List.of("n0"), LATER);
            assertThat(placement.slices()).extracting(PlacedSlice::start).containsExactlyInAnyOrder(0, 4);
        }
    }

    @Test
    void slicesOfOnePodLieAsItsAnnotationSays() {
        PlacementFleet fleet = fleet(1, 2);
        Placement together = fleet.decide(demand("t", Spread.SAME_DEVICE, "3g.20gb", "3g.20gb"), List.of("n0"), LATER);
        assertThat(together.slices())
                .extracting(PlacedSlice::gpu)
                .hasSize(2)
                .containsOnly(together.slices().get(0).gpu());

        fleet = fleet(1, 2);
        Placement apart = fleet.decide(demand("d", Spread.DIFFERENT_DEVICES, "1g.5gb", "1g.5gb"), List.of("n0"), LATER);
        assertThat(apart.slices()).extracting(PlacedSlice::gpu).doesNotHaveDuplicates();
        assertThat(fleet.choose(demand("x", Spread.DIFFERENT_DEVICES, "1g.5gb", "1g.5gb", "1g.5gb"), List.of("n0"))
                        .full())
                .extracting(Refused::node)
                .containsExactly("n0");
        assertThat(fleet.choose(demand("y", Spread.SAME_DEVICE, "4g.20gb", "4g.20gb"), List.of("n0"))
                        .full())
                .extracting(Refused::node)
                .containsExactly("n0");
    }

    @Test
    void aReservationLapsesUnlessItsClaimIsSeen() {
        PlacementFleet fleet = fleet(1, 1);
        PlacedSlice seen = fleet.decide(demand("a", "4g.20gb"), List.of("n0"), LATER)
                .slices()
                .get(0);
        fleet.decide(demand("b", "3g.20gb"), List.of("n0"), LATER);
        assertThat(fleet.hold(seen)).isEqualTo(PlacementFleet.Seen.KNOWN);

        assertThat(fleet.expire(LATER.minusMillis(1))).isEmpty();
        assertThat(fleet.expire(LATER)).hasSize(1);

        assertThat(fleet.held()).containsExactly(seen);
        assertThat(fleet.choose(demand("c", "3g.20gb"), List.of("n0")).fitting())
                .containsExactly("n0");
    }

    @Test
    void askingAgainForTheSamePodGivesTheSamePlaces() {
        PlacementFleet fleet = fleet(2, 1);
        Placement first = fleet.decide(demand("a", "1g.5gb", "1g.5gb"), List.of("n0"), LATER);

        assertThat(fleet.decide(demand("a", "1g.5gb", "1g.5gb"), List.of("n0"), LATER)
                        .slices())
                .containsExactlyInAnyOrderElementsOf(first.slices());
        // The scheduler chose anew, and nothing was written for the first choice.
        assertThat(fleet.decide(demand("a", "1g.5gb", "1g.5gb"), List.of("n1"), LATER)
                        .node())
                .isEqualTo("n1");
        assertThat(fleet.held()).hasSize(2);

        fleet.held().forEach(fleet::hold);
        assertThat(fleet.decide(demand("a", "1g.5gb", "1g.5gb"), List.of("n0"), LATER)
                        .refusal())
                .contains("has its slices on node n1");
        assertThat(fleet.choose(demand("a", "1g.5gb", "1g.5gb"), List.of("n0", "n1"))
                        .fitting())
                .containsExactly("n1");
    }

    @Test
    void aClaimOnAPlaceThatIsTakenWaitsForIt() {
        PlacementFleet fleet = fleet(1, 1);
        PlacedSlice one = new PlacedSlice("ml", "one", "one", "u1", "main", "n0", "GPU-n0-0", "3g.20gb", 4, 4);
        PlacedSlice two = new PlacedSlice("ml", "two", "two", "u2", "main", "n0", "GPU-n0-0", "7g.40gb", 0, 8);
        assertThat(fleet.hold(one)).isEqualTo(PlacementFleet.Seen.TAKEN);
        assertThat(fleet.hold(two)).isEqualTo(PlacementFleet.Seen.MISFIT);
        assertThat(fleet.misfits()).containsExactly(two);

        assertThat(fleet.drop(one.id())).hasValue("n0");

        assertThat(fleet.held()).containsExactly(two);
        assertThat(fleet.misfits()).isEmpty();
    }

    @Test
    void claimsThatAreSeenBeforeTheirNodeGetTheirPlaceWithIt() {
        PlacementFleet fleet = fleet(0, 0);
        PlacedSlice early = new PlacedSlice("ml", "one", "one", "u1", "main", "n0", "GPU-n0-0", "7g.40gb", 0, 8);
        assertThat(fleet.hold(early)).isEqualTo(PlacementFleet.Seen.MISFIT);

        fleet.node("n0", gpus("n0", 1));

        assertThat(fleet.held()).containsExactly(early);
        assertThat(fleet.choose(demand("a", "1g.5gb"), List.of("n0")).fitting()).isEmpty();
    }

    @Test
    void aGpuThatIsGoneKeepsItsClaimsAndTakesNothingNew() {
        PlacementFleet fleet = fleet(1, 2);
        PlacedSlice slice = fleet.decide(demand("a", "1g.5gb"), List.of("n0"), LATER)
                .slices()
                .get(0);
        fleet.hold(slice);

        fleet.node("n0", List.of());

        assertThat(fleet.held()).containsExactly(slice);
        assertThat(fleet.choose(demand("b", "1g.5gb"), List.of("n0")).fitting()).isEmpty();
        fleet.node("n0", gpus("n0", 2));
        assertThat(fleet.choose(demand("b", "1g.5gb"), List.of("n0")).fitting()).containsExactly("n0");
    }

    @Test
    void aGangGetsAllOfItsPodsOrNone() {
        PlacementFleet fleet = fleet(2, 1);
        List<SliceDemand> three = List.of(demand("a", "4g.20gb"), demand("b", "4g.20gb"), demand("c", "4g.20gb"));
        List<List<String>> anywhere = List.of(List.of("n0", "n1"), List.of("n0", "n1"), List.of("n0", "n1"));

        assertThat(fleet.decideAll(three, anywhere, LATER)).singleElement().matches(placement -> !placement.granted());
        assertThat(fleet.held()).isEmpty();
        assertThat(fleet.decideAll(three.subList(0, 2), anywhere, LATER))
                .extracting(Placement::node)
                .containsExactlyInAnyOrder("n0", "n1");
    }

    @Test
    void sixteenPodsInFlightFitOnAnEmptyNodeOfEight() {
        for (int nodes : new int[] {1, 4}) {
            PlacementFleet fleet = fleet(nodes, 8);
            // All are filtered before the first is bound.
            for (int pod = 0; pod < 16; pod++) {
                assertThat(fleet.choose(demand("p" + pod, "1g.5gb"), fleet.nodes())
                                .fitting())
                        .hasSize(nodes);
            }
            for (int pod = 0; pod < 16; pod++) {
                assertThat(fleet.decide(demand("p" + pod, "1g.5gb"), fleet.nodes(), LATER)
                                .granted())
                        .isTrue();
            }
        }
    }

    @Test
    void noPlaceIsTakenTwiceAndNoneIsLostInAnyHistory() {
        for (long seed = 1; seed <= 8; seed++) {
            history(seed, 150);
        }
    }

    @Test
    @Tag("slow")
    void noPlaceIsTakenTwiceAndNoneIsLostInManyHistories() {
        int many = Integer.getInteger("sro.placements.histories", 80);
        for (long seed = 100; seed < 100 + many; seed++) {
            history(seed, 150);
        }
    }

    /** What comes and goes, in the order and with the mistakes of a network. */
    private static void history(long seed, int steps) {
        SplittableRandom random = new SplittableRandom(seed);
        PlacementFleet fleet = fleet(3, 2);
        Map<String, PlacedSlice> api = new HashMap<>();
        List<String> profiles = List.of("1g.5gb", "1g.5gb+me", "1g.10gb", "2g.10gb", "3g.20gb", "4g.20gb", "7g.40gb");
        Instant now = NOW;
        for (int step = 0; step < steps; step++) {
            now = now.plusSeconds(random.nextInt(4));
            fleet.expire(now);
            switch (random.nextInt(6)) {
                case 0, 1, 2 -> {
                    String[] wanted = random.ints(1 + random.nextInt(3), 0, profiles.size())
                            .mapToObj(profiles::get)
                            .toArray(String[]::new);
                    Spread spread = List.of(Spread.ANYWHERE, Spread.SAME_DEVICE, Spread.DIFFERENT_DEVICES)
                            .get(random.nextInt(3));
                    SliceDemand demand = demand("p" + step, spread, wanted);
                    List<String> fitting = fleet.choose(demand, fleet.nodes()).fitting();
                    Placement placement = fleet.decide(demand, fleet.nodes(), now.plusSeconds(8));
                    assertThat(placement.granted())
                            .as("seed %d step %d: %s", seed, step, placement.refusal())
                            .isEqualTo(!fitting.isEmpty());
                    if (placement.granted()) {
                        assertThat(fitting).contains(placement.node());
                        boolean written = random.nextInt(4) > 0;
                        for (PlacedSlice slice : written ? placement.slices() : List.<PlacedSlice>of()) {
                            api.put(slice.id(), slice);
                            fleet.hold(slice);
                        }
                        if (!written && random.nextBoolean()) {
                            fleet.unreserve(demand.uid());
                        }
                    }
                }
                case 3 ->
                    api.keySet().stream()
                            .sorted()
                            .skip(random.nextInt(api.size() + 1))
                            .findFirst()
                            .ifPresent(id -> {
                                api.remove(id);
                                fleet.drop(id);
                            });
                case 4 -> api.values().forEach(fleet::hold);
                default -> {
                    String node = "n" + random.nextInt(3);
                    fleet.node(node, gpus(node, random.nextInt(3)));
                    fleet.node(node, gpus(node, 2));
                }
            }
            check(fleet, api, seed, step);
        }
        // Another process that starts now sees the same.
        fleet.expire(now.plusSeconds(60));
        PlacementFleet fresh = fleet(3, 2);
        api.values().forEach(fresh::hold);
        assertThat(fresh.held()).containsExactlyInAnyOrderElementsOf(fleet.held());
        assertThat(fresh.misfits()).isEmpty();
    }

    private static void check(PlacementFleet fleet, Map<String, PlacedSlice> api, long seed, int step) {
        Map<String, Integer> taken = new HashMap<>();
        for (PlacedSlice slice : fleet.held()) {
            int window = ((1 << slice.size()) - 1) << slice.start();
            int before = taken.merge(slice.gpu(), 0, Integer::sum);
            assertThat(before & window)
                    .as("seed %d step %d: %s is taken twice", seed, step, slice)
                    .isZero();
            taken.put(slice.gpu(), before | window);
        }
        assertThat(fleet.held()).as("seed %d step %d", seed, step).containsAll(new ArrayList<>(api.values()));
    }
}
