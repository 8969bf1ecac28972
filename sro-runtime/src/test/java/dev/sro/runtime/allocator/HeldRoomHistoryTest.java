package dev.sro.runtime.allocator;

import static dev.sro.runtime.allocator.AllocatorObjects.byTemplate;
import static dev.sro.runtime.allocator.AllocatorObjects.gang;
import static dev.sro.runtime.allocator.AllocatorObjects.pod;
import static dev.sro.runtime.allocator.AllocatorWorld.NAMESPACE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.core.allocation.Allocations;
import dev.sro.core.dra.DraOptions;
import dev.sro.testkit.server.Gvr;
import io.fabric8.kubernetes.api.model.PodBuilder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Small pods come without end, each of which lives for a minute at most, and fill every gap. A large pod or a gang that comes at some time has its slices
 * after the time that it has to wait and the lives of those who were served before it, of a gang all pods or none; a new allocator may begin anew.
 * {@code -Dsro.holding.histories=N} plays more, {@code -Dsro.holding.first=N} others.
 */
class HeldRoomHistoryTest {
    private static final int FEW = 6;
    private static final int SLOW = 20;

    /** Steps of five seconds: how long a pod lives at most, and after which time room is held. */
    private static final int LIFE = 12;

    private static final Duration AFTER = Duration.ofSeconds(30);
    private static final List<String> SMALL = List.of("t1-1g-5gb", "t1-2g-10gb", "t2-1g-5gb", "t1-3g-20gb");
    private static final List<String> LARGE = List.of("t1-7g-40gb", "t2-3g-20gb", "t1-4g-20gb");

    @Test
    void someHistories() {
        play(FEW);
    }

    @Test
    @Tag("slow")
    void manyHistories() {
        play(Integer.getInteger("sro.holding.histories", SLOW));
    }

    private static void play(int count) {
        Long only = Long.getLong("sro.holding.seed");
        long first = only == null ? Long.getLong("sro.holding.first", 1) : only;
        for (long seed = first; seed < first + (only == null ? count : 1); seed++) {
            try {
                new History(seed).play();
            } catch (AssertionError | RuntimeException e) {
                throw new AssertionError("history " + seed + ": " + e.getMessage(), e);
            }
        }
    }

    private static final class History {
        private final SplittableRandom random;
        private final int gpus;
        private final AllocatorWorld world;
        private final Map<String, Integer> ends = new LinkedHashMap<>();
        private final List<String> waiting = new ArrayList<>();
        private final List<String> large = new ArrayList<>();
        private ClaimAllocator allocator;
        private int number;
        private int starts;

        History(long seed) {
            random = new SplittableRandom(seed);
            int nodes = 1 + random.nextInt(3);
            int each = 1 + random.nextInt(2);
            gpus = nodes * each;
            world = new AllocatorWorld(nodes, each, builder -> builder.seed(seed));
            allocator = start();
        }

        private ClaimAllocator start() {
            return world.allocator(
                    world.cluster.newClient("allocator-" + starts++),
                    new AllocatorOptions(DraOptions.DRIVER, false, MakeRoom.NEVER, Optional.of(AFTER)),
                    () -> true);
        }

        void play() {
            try (world) {
                for (int step = 0; step < LIFE; step++) {
                    step(step, true);
                }
                List<String> before = List.copyOf(waiting);
                comes();
                int step = LIFE;
                int anew = step;
                while (!large.stream().allMatch(world::runs)) {
                    step(step, false);
                    assertThat(world.twice())
                            .as("step %d: places had twice", step)
                            .isEmpty();
                    allOrNone(step);
                    if (random.nextInt(20) == 0 && starts < 3) {
                        world.kill(allocator);
                        allocator = start();
                        anew = step;
                    }
                    if (waiting.stream().anyMatch(before::contains)) {
                        // They have waited longer, and are served first.
                        anew = step;
                    }
                    step++;
                    assertThat(step)
                            .as("steps until %s run, after %d starts", large, starts)
                            .isLessThan(anew + LIFE + (int) AFTER.toSeconds() / 5 + 8);
                }
                assertThat(world.refused).isEmpty();
            }
        }

        /** One of a gang runs when all have their devices. */
        private void allOrNone(int step) {
            if (large.stream().anyMatch(world::runs)) {
                for (String name : large) {
                    assertThat(world.claims(name))
                            .as("step %d: claims of %s, as one of %s runs", step, name, large)
                            .isNotEmpty()
                            .allMatch(Allocations::allocated);
                }
            }
        }

        private void comes() {
            // What cannot be on an empty fleet is no matter of who passes whom.
            int pods = 1 + random.nextInt(Math.min(3, gpus));
            for (int i = 0; i < pods; i++) {
                String name = "large-" + i;
                PodBuilder pod = byTemplate(pod(NAMESPACE, name), LARGE.get(random.nextInt(LARGE.size())));
                world.client
                        .resource((pods > 1 ? gang(pod, "large", pods) : pod).build())
                        .create();
                large.add(name);
            }
        }

        private void step(int step, boolean calm) {
            ends.entrySet().removeIf(entry -> {
                if (entry.getValue() <= step) {
                    world.delete(entry.getKey());
                    return true;
                }
                return false;
            });
            while (waiting.size() < 8) {
                String name = "small-" + number++;
                world.client
                        .resource(byTemplate(pod(NAMESPACE, name), SMALL.get(random.nextInt(SMALL.size())))
                                .build())
                        .create();
                waiting.add(name);
            }
            if (!calm) {
                faults();
            }
            world.rounds(1);
            waiting.removeIf(name -> {
                if (world.runs(name)) {
                    ends.put(name, step + 1 + random.nextInt(LIFE));
                    return true;
                }
                return false;
            });
        }

        private void faults() {
            world.cluster.faults().clear();
            switch (random.nextInt(6)) {
                case 0 -> world.cluster.dropWatches(random.nextBoolean() ? Gvr.PODS : Gvr.RESOURCECLAIMS);
                case 1 ->
                    world.cluster
                            .faults()
                            .rule()
                            .writes()
                            .when(request -> request.userAgent().startsWith("allocator"))
                            .after(random.nextInt(4))
                            .times(1)
                            .conflict();
                default -> {
                    // All is well.
                }
            }
        }
    }
}
