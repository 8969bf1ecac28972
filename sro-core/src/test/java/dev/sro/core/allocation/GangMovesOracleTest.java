package dev.sro.core.allocation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.core.slicing.Spread;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Moves for gangs, held against trying all sets of pods, and all ways of placing them and the gang.
 *
 * <p>{@code -Dsro.gangs.fleets=N} plays so many, {@code -Dsro.gangs.seed=N} one.
 */
class GangMovesOracleTest {
    private static final int FAST = 60;
    private static final int SLOW = 500;
    private static final int MOST_MOVES = 4;

    @Test
    void aGangHasTheFewestMovesWhereverThatIsProved() {
        play(Integer.getInteger("sro.gangs.fleets", FAST));
    }

    @Test
    @Tag("slow")
    void manyGangsHaveTheFewestMovesWhereverThatIsProved() {
        play(Integer.getInteger("sro.gangs.fleets", SLOW));
    }

    /** There are too many sets of six pods of 24 to try all of them. */
    @Test
    void thatTheFewestMoveIsProvedWhereNotAllSetsCanBeTried() {
        SmallFleet world = SmallFleet.ofOneGpuEach(12);
        List<MovablePod> movable = new ArrayList<>();
        for (int i = 0; i < 24; i++) {
            PodDemand pod =
                    world.pod("h" + i, new SmallFleet.Wish("1g.5gb", 1, "", false), Spread.ANYWHERE, world.nodes);
            assertThat(world.hold(pod, i / 2, "1g.5gb", i % 2)).isTrue();
            movable.add(new MovablePod(
                    pod, world.gpu(i / 2).node(), Set.of(pod.claims().get(0).uid()), 1));
        }
        List<PodDemand> gang = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            gang.add(world.pod("m" + i, new SmallFleet.Wish("7g.40gb", 1, "", false), Spread.ANYWHERE, world.nodes));
        }

        RoomPlan plan = new MoveSearch(world.fleet, "", world.new Seats(), gang, movable, Set.of(), 8)
                .find()
                .orElseThrow();

        assertThat(plan.slices()).isEqualTo(6);
        assertThat(plan.needed()).isEqualTo(6);
        assertThat(plan.nodes()).hasSize(3);
        assertThat(new MoveSearch(world.fleet, "", world.new Seats(), gang, movable, Set.of(), 5).find())
                .as("with five pods at most")
                .isEmpty();
    }

    private static void play(int count) {
        Long only = Long.getLong("sro.gangs.seed");
        int plans = 0;
        int several = 0;
        int proved = 0;
        for (long seed = only == null ? 1 : only; seed <= (only == null ? count : only); seed++) {
            Case one = new Case(seed);
            if (one.world.canPlace(one.gang, List.of())) {
                continue;
            }
            Optional<RoomPlan> plan = one.find();
            OptionalInt fewest = one.fewest();
            String at = "seed " + seed;
            assertThat(plan.isPresent()).as(at).isEqualTo(fewest.isPresent());
            if (plan.isPresent()) {
                plans++;
                several += plan.get().slices() > 1 ? 1 : 0;
                proved += plan.get().fewest() ? 1 : 0;
                one.isLegal(plan.get(), at);
                assertThat(plan.get().needed()).as(at).isLessThanOrEqualTo(fewest.orElse(0));
                assertThat(plan.get().slices()).as(at).isGreaterThanOrEqualTo(fewest.orElse(0));
            }
        }
        if (only == null) {
            assertThat(plans).as("plans").isGreaterThan(count / 8);
            assertThat(several).as("plans that move several").isGreaterThan(count / 20);
            assertThat(proved).as("plans that are proved").isGreaterThan(plans * 9 / 10);
        }
    }

    /** A fleet, pods that may move and a gang that waits. */
    private static final class Case {
        private final SmallFleet world;
        private final SplittableRandom random;
        private final boolean odd;
        private final List<MovablePod> movable = new ArrayList<>();
        private final List<PodDemand> gang = new ArrayList<>();

        Case(long seed) {
            random = new SplittableRandom(seed);
            odd = random.nextBoolean();
            world = new SmallFleet(random, 2 + random.nextInt(2), odd);
            int tries = 3 + random.nextInt(7 * world.gpuCount());
            for (int i = 0; i < tries && movable.size() < 9; i++) {
                String profile = SmallFleet.PROFILES.get(random.nextInt(5));
                PodDemand pod = world.pod(
                        "h" + i,
                        new SmallFleet.Wish(profile, 1, "", random.nextBoolean()),
                        Spread.ANYWHERE,
                        world.nodes);
                int gpu = random.nextInt(world.gpuCount());
                if (world.hold(pod, gpu, profile, random.nextInt(8)) && random.nextInt(8) > 0) {
                    movable.add(new MovablePod(
                            pod,
                            world.gpu(gpu).node(),
                            Set.of(pod.claims().get(0).uid()),
                            1));
                }
            }
            int members = 2 + random.nextInt(2);
            for (int i = 0; i < members; i++) {
                gang.add(world.pod(random, "m" + i, odd));
            }
        }

        private Optional<RoomPlan> find() {
            SmallFleet.Seats seats = world.new Seats();
            Optional<RoomPlan> plan =
                    new MoveSearch(world.fleet, "", seats, gang, movable, Set.of(), MOST_MOVES).find();
            assertThat(seats.isUntouched()).isTrue();
            return plan;
        }

        /** How many have to move at least, by trying all sets. */
        private OptionalInt fewest() {
            OptionalInt fewest = OptionalInt.empty();
            for (int set = 1; set < 1 << movable.size(); set++) {
                int size = Integer.bitCount(set);
                if (size > MOST_MOVES || size >= fewest.orElse(Integer.MAX_VALUE)) {
                    continue;
                }
                List<PodDemand> pods = new ArrayList<>(gang);
                List<MovablePod> gone = new ArrayList<>();
                for (int i = 0; i < movable.size(); i++) {
                    if ((set >>> i & 1) != 0) {
                        pods.add(movable.get(i).next());
                        gone.add(movable.get(i));
                    }
                }
                if (world.canPlace(pods, gone)) {
                    fewest = OptionalInt.of(size);
                }
            }
            return fewest;
        }

        /** Each goes to what is free by then, and the gang has its room in the end. */
        private void isLegal(RoomPlan plan, String at) {
            assertThat(plan.seats().stream().map(seat -> seat.pod().uid()).toList())
                    .as(at)
                    .isEqualTo(gang.stream().map(PodDemand::uid).toList());
            Set<String> gone = new HashSet<>();
            for (RoomPlan.PodMove move : plan.moves()) {
                gone.addAll(move.pod().claims());
                assertThat(world.fleet.canHave("", move.to(), gone)).as(at).isTrue();
                world.fleet.keep(move.pod().uid(), move.to());
            }
            List<PlacedDevice> room = plan.seats().stream()
                    .flatMap(seat -> seat.devices().stream())
                    .toList();
            assertThat(world.fleet.canHave("", room, gone)).as(at).isTrue();
            plan.moves().forEach(move -> world.fleet.letGo(move.pod().uid()));
            for (RoomPlan.Seat seat : plan.seats()) {
                assertThat(seat.pod().nodes()).as(at).contains(seat.node());
            }
        }
    }
}
