package dev.sro.core.allocation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.core.slicing.Spread;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Gangs over several nodes, held against trying all ways of placing them: nodes of one or two GPUs, some of them ill, some nodes with room for few pods,
 * and pods that ask for one or two slices, of one GPU alone, of different ones, or of the one that they name.
 *
 * <p>{@code -Dsro.gangs.fleets=N} plays so many, {@code -Dsro.gangs.seed=N} one.
 */
class GangOracleTest {
    private static final int FAST = 80;
    private static final int SLOW = 2_000;

    @Test
    void nodesWithTheSamePlacesFreeAreNotAlikeForAPodThatNamesItsGpu() {
        SmallFleet world = SmallFleet.ofOneGpuEach(2);
        PodDemand anywhere = world.pod("a", new SmallFleet.Wish("7g.40gb", 1, "", false), Spread.ANYWHERE, world.nodes);
        for (int gpu = 0; gpu < 2; gpu++) {
            String parent = world.gpu(gpu).gpu().pciAddress();
            PodDemand pinned =
                    world.pod("b", new SmallFleet.Wish("7g.40gb", 1, parent, false), Spread.ANYWHERE, world.nodes);

            AllocationSearch.Answer answer = world.fleet.place(List.of(anywhere, pinned), world.new Seats());

            assertThat(answer.granted()).as(parent).isTrue();
            assertThat(answer.nodeOf("b")).isEqualTo(world.gpu(gpu).node());
        }
    }

    @Test
    void aGangFindsItsNodesWhereverThereAreSome() {
        play(Integer.getInteger("sro.gangs.fleets", FAST));
    }

    @Test
    @Tag("slow")
    void manyGangsFindTheirNodesWhereverThereAreSome() {
        play(Integer.getInteger("sro.gangs.fleets", SLOW));
    }

    private static void play(int count) {
        Long only = Long.getLong("sro.gangs.seed");
        int granted = 0;
        int several = 0;
        int refused = 0;
        for (long seed = only == null ? 1 : only; seed <= (only == null ? count : only); seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            boolean odd = random.nextInt(4) > 0;
            SmallFleet world = new SmallFleet(random, 2 + random.nextInt(2), odd);
            scatter(world, random);
            List<PodDemand> gang = new ArrayList<>();
            int members = 2 + random.nextInt(3);
            for (int i = 0; i < members; i++) {
                gang.add(world.pod(random, "m" + i, odd));
            }
            SmallFleet.Seats seats = world.new Seats();

            AllocationSearch.Answer answer = world.fleet.place(gang, seats);

            assertThat(answer.granted())
                    .as("seed %d: %s", seed, answer.refusal())
                    .isEqualTo(world.canPlace(gang, List.of()));
            if (answer.granted()) {
                granted++;
                several += Set.copyOf(answer.nodes().values()).size() > 1 ? 1 : 0;
                isLegal(world, gang, answer, seed);
            } else {
                refused++;
                assertThat(seats.isUntouched()).as("seed %d", seed).isTrue();
            }
        }
        if (only == null) {
            assertThat(granted).as("granted").isGreaterThan(count / 8);
            assertThat(several).as("on several nodes").isGreaterThan(count / 10);
            assertThat(refused).as("refused").isGreaterThan(count / 8);
        }
    }

    private static void scatter(SmallFleet world, SplittableRandom random) {
        int tries = random.nextInt(8 * world.gpuCount());
        for (int i = 0; i < tries; i++) {
            String profile = SmallFleet.PROFILES.get(random.nextInt(5));
            PodDemand pod = world.pod("h" + i, new SmallFleet.Wish(profile, 1, "", true), Spread.ANYWHERE, world.nodes);
            world.hold(pod, random.nextInt(world.gpuCount()), profile, random.nextInt(8));
        }
    }

    private static void isLegal(SmallFleet world, List<PodDemand> gang, AllocationSearch.Answer answer, long seed) {
        List<PlacedDevice> all = new ArrayList<>();
        for (PodDemand pod : gang) {
            assertThat(pod.nodes()).as("seed %d", seed).contains(answer.nodeOf(pod.uid()));
            assertThat(answer.devicesOf(pod.uid()))
                    .as("seed %d", seed)
                    .isNotEmpty()
                    .allSatisfy(device -> assertThat(device.node()).isEqualTo(answer.nodeOf(pod.uid())));
            long gpus = answer.devicesOf(pod.uid()).stream()
                    .map(PlacedDevice::gpu)
                    .distinct()
                    .count();
            if (pod.spread() == Spread.SAME_DEVICE) {
                assertThat(gpus).as("seed %d", seed).isEqualTo(1);
            } else if (pod.spread() == Spread.DIFFERENT_DEVICES) {
                assertThat(gpus).as("seed %d", seed).isEqualTo(2);
            }
            all.addAll(answer.devicesOf(pod.uid()));
        }
        assertThat(world.fleet.canHave("", all, Set.of())).as("seed %d", seed).isTrue();
    }
}
