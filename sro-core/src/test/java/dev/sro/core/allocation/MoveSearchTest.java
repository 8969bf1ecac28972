package dev.sro.core.allocation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.core.slicing.Spread;
import dev.sro.core.slicing.catalogue.Catalogue;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Which pods move for one that waits, held against trying all sets of them. */
class MoveSearchTest {
    private static final List<String> PROFILES = List.of("1g.5gb", "2g.10gb", "3g.20gb", "4g.20gb");

    /** Nodes have enough of everything else. */
    private static final VacatableRoom ENDLESS = new VacatableRoom() {
        @Override
        public boolean take(String pod, String node) {
            return true;
        }

        @Override
        public void giveBack(String pod, String node) {}

        @Override
        public Object left(String node) {
            return "";
        }

        @Override
        public void vacate(MovablePod pod) {}

        @Override
        public void restore(MovablePod pod) {}
    };

    private final AllocationFleet fleet = new AllocationFleet(PublishedNodes.OPTIONS.driver(), Catalogue.builtin());
    private final List<MovablePod> pods = new ArrayList<>();
    private final List<String> nodes = new ArrayList<>();

    /** Nodes with one GPU each. */
    private void nodes(int count) {
        for (int i = 0; i < count; i++) {
            String node = "n" + i;
            nodes.add(node);
            assertThat(fleet.pool(
                            PublishedNodes.PUBLISHER.pool(node), PublishedNodes.slices(node, PublishedNodes.gpu(0))))
                    .isEmpty();
        }
    }

    private PodDemand pod(String uid, List<String> where, String profile) {
        return new PodDemand(
                uid,
                "ns/" + uid,
                List.of(PublishedNodes.wants("claim-" + uid, profile)),
                List.of(),
                Spread.ANYWHERE,
                where);
    }

    /** Has a pod of a place, if it is free. */
    private boolean hold(String node, String profile, int start, List<String> where) {
        Optional<String> device = PublishedNodes.PUBLISHER.deviceName(PublishedNodes.gpu(0), profile, start);
        String uid = "p" + pods.size();
        if (device.isEmpty()) {
            return false;
        }
        PlacedDevice place = new PlacedDevice(
                "claim-" + uid, "r", node, node, PublishedNodes.PUBLISHER.pool(node), device.get(), List.of());
        if (!fleet.canHave("", List.of(place), Set.of())) {
            return false;
        }
        fleet.reserve(List.of(place));
        pods.add(new MovablePod(pod(uid, where, profile), node, Set.of("claim-" + uid), 1));
        return true;
    }

    private Optional<RoomPlan> find(PodDemand waiting) {
        return new MoveSearch(fleet, "", ENDLESS, List.of(waiting), pods, Set.of(), 4).find();
    }

    @Test
    void onePodMovesWhereThatIsEnough() {
        nodes(2);
        assertThat(hold("n0", "3g.20gb", 4, nodes)).isTrue();
        assertThat(hold("n1", "4g.20gb", 0, nodes)).isTrue();

        RoomPlan plan = find(pod("w", nodes, "7g.40gb")).orElseThrow();

        assertThat(plan.slices()).isEqualTo(1);
        assertThat(plan.fewest()).isTrue();
        assertThat(plan.moves()).singleElement().satisfies(move -> {
            assertThat(move.node()).isNotEqualTo(plan.nodes().get(0));
            assertThat(move.pod().node()).isEqualTo(plan.nodes().get(0));
        });
    }

    @Test
    void severalMoveWhereNoSingleOneIsEnough() {
        nodes(3);
        assertThat(hold("n0", "1g.5gb", 0, nodes)).isTrue();
        assertThat(hold("n0", "1g.5gb", 1, nodes)).isTrue();
        for (String node : List.of("n1", "n2")) {
            assertThat(hold(node, "4g.20gb", 0, nodes)).isTrue();
            assertThat(hold(node, "2g.10gb", 4, nodes)).isTrue();
        }

        RoomPlan plan = find(pod("w", nodes, "7g.40gb")).orElseThrow();

        assertThat(plan.nodes()).containsExactly("n0");
        assertThat(plan.slices()).isEqualTo(2);
        assertThat(plan.fewest()).isTrue();
        assertThat(plan.moves()).extracting(RoomPlan.PodMove::node).containsExactlyInAnyOrder("n1", "n2");
    }

    @Test
    void nobodyMovesWhoHasNowhereToGo() {
        nodes(2);
        assertThat(hold("n0", "3g.20gb", 4, List.of("n0"))).isTrue();
        assertThat(hold("n1", "4g.20gb", 0, List.of("n1"))).isTrue();

        assertThat(find(pod("w", nodes, "7g.40gb"))).isEmpty();
    }

    @Test
    void whatIsKeptForSomebodyIsNobodysNewPlace() {
        nodes(2);
        assertThat(hold("n0", "3g.20gb", 4, nodes)).isTrue();
        assertThat(hold("n1", "4g.20gb", 0, nodes)).isTrue();
        for (String node : nodes) {
            String device = PublishedNodes.PUBLISHER
                    .deviceName(PublishedNodes.gpu(0), "1g.5gb", node.equals("n0") ? 0 : 6)
                    .orElseThrow();
            fleet.keep(
                    "for " + node,
                    List.of(new PlacedDevice(
                            "c", "r", node, node, PublishedNodes.PUBLISHER.pool(node), device, List.of())));
        }
        assertThat(find(pod("w", nodes, "7g.40gb"))).isEmpty();

        fleet.letGo("for n0");
        fleet.letGo("for n1");
        assertThat(find(pod("w", nodes, "7g.40gb"))).isPresent();
    }

    @Test
    void aPlanCanBeMadeStepByStepAndNoneMovesFewerThanWhatIsProved() {
        SplittableRandom random = new SplittableRandom(7);
        int plans = 0;
        int several = 0;
        for (int round = 0; round < 60; round++) {
            MoveSearchTest world = new MoveSearchTest();
            world.nodes(4);
            for (int i = 0; i < 20; i++) {
                world.hold(
                        "n" + random.nextInt(4),
                        PROFILES.get(random.nextInt(PROFILES.size())),
                        random.nextInt(8),
                        world.nodes);
            }
            PodDemand waiting = world.pod("w", world.nodes, random.nextBoolean() ? "4g.20gb" : "7g.40gb");
            if (world.place(waiting, Set.of())) {
                continue;
            }
            Optional<RoomPlan> plan = world.find(waiting);
            if (plan.isPresent()) {
                plans++;
                several += plan.get().moves().size() > 1 ? 1 : 0;
                world.isLegal(plan.get());
                assertThat(plan.get().fewest()
                                && world.fewerDo(waiting, plan.get().moves().size()))
                        .as("round %d: fewer do than is proved", round)
                        .isFalse();
            }
        }
        assertThat(plans).isGreaterThan(5);
        assertThat(several).isPositive();
    }

    private boolean place(PodDemand waiting, Set<String> without) {
        return fleet.place(List.of(waiting), ENDLESS, without).granted();
    }

    /** Each goes to what is free by then, and the room is free in the end. */
    private void isLegal(RoomPlan plan) {
        Set<String> gone = new HashSet<>();
        for (RoomPlan.PodMove move : plan.moves()) {
            gone.addAll(move.pod().claims());
            assertThat(fleet.canHave("", move.to(), gone)).isTrue();
            fleet.keep(move.pod().uid(), move.to());
        }
        assertThat(fleet.canHave("", plan.seats().get(0).devices(), gone)).isTrue();
    }

    /** Whether some set with fewer pods leaves room for all, by any order of placing them. */
    private boolean fewerDo(PodDemand waiting, int moves) {
        pods.forEach(pod -> fleet.letGo(pod.uid()));
        for (int set = 1; set < 1 << pods.size(); set++) {
            if (Integer.bitCount(set) < moves) {
                List<PodDemand> all = new ArrayList<>(List.of(waiting));
                Set<String> without = new HashSet<>();
                for (int i = 0; i < pods.size(); i++) {
                    if ((set >>> i & 1) != 0) {
                        all.add(pods.get(i).next());
                        without.addAll(pods.get(i).claims());
                    }
                }
                if (fleet.placeInOrder("", all, ENDLESS, without).granted()) {
                    return true;
                }
            }
        }
        return false;
    }
}
