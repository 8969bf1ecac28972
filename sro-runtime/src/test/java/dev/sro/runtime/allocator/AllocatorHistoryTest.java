package dev.sro.runtime.allocator;

import static dev.sro.runtime.allocator.AllocatorObjects.byTemplate;
import static dev.sro.runtime.allocator.AllocatorObjects.gang;
import static dev.sro.runtime.allocator.AllocatorObjects.pod;
import static dev.sro.runtime.allocator.AllocatorWorld.NAMESPACE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.core.allocation.Allocations;
import dev.sro.core.dra.DraOptions;
import dev.sro.core.placement.PodSlices;
import dev.sro.testkit.server.Gvr;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.api.model.scheduling.v1.PriorityClass;
import io.fabric8.kubernetes.api.model.scheduling.v1.PriorityClassBuilder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Random histories: pods and gangs come and go, writes fail before and after they took effect, watches are behind, end or fall silent, allocators are
 * killed and started, for a while two lead; in some of them pods preempt others, or room is held for who has waited. No driver is ever asked for a place that it has given away, no claim of a pod that runs loses its devices,
 * and in the end every pod for which there is room runs and nothing is left over.
 *
 * <p>{@code -Dsro.allocator.histories=N} plays so many, {@code -Dsro.allocator.first=N} others, {@code -Dsro.allocator.seed=N} one.
 */
class AllocatorHistoryTest {
    private static final int FAST = 3;
    private static final int SLOW = 8;
    private static final List<PriorityClass> PRIORITIES = Stream.of(10, 100)
            .map(value -> new PriorityClassBuilder()
                    .withNewMetadata()
                    .withName("p" + value)
                    .endMetadata()
                    .withValue(value)
                    .build())
            .toList();
    private static final List<String> PROFILES = List.of("1g.5gb", "2g.10gb", "3g.20gb", "4g.20gb", "7g.40gb");

    @Test
    void someHistories() {
        play(Integer.getInteger("sro.allocator.histories", FAST));
    }

    @Test
    @Tag("slow")
    void manyHistories() {
        play(Integer.getInteger("sro.allocator.histories", SLOW));
    }

    private static void play(int count) {
        Long only = Long.getLong("sro.allocator.seed");
        long first = only == null ? Long.getLong("sro.allocator.first", 1) : only;
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
        private final AllocatorWorld world;
        private final List<String> alive = new ArrayList<>();
        private final List<ClaimAllocator> allocators = new ArrayList<>();
        private final boolean twoLead;
        private final boolean late;
        private final boolean preempts;
        private Optional<Duration> holdAfter;
        private int number;

        History(long seed) {
            random = new SplittableRandom(seed);
            late = random.nextInt(3) == 0;
            twoLead = random.nextInt(3) == 0;
            preempts = random.nextInt(3) == 0;
            holdAfter = random.nextInt(3) == 0 ? Optional.of(Duration.ofSeconds(20)) : Optional.empty();
            Duration behind = Duration.ofMillis(random.nextInt(3_000));
            world = new AllocatorWorld(1 + random.nextInt(3), 1 + random.nextInt(2), builder -> {
                builder.seed(seed);
                if (late) {
                    builder.randomDelivery(behind);
                }
            });
        }

        void play() {
            try (world) {
                PRIORITIES.forEach(priority -> world.client.resource(priority).create());
                start();
                for (int step = 0; step < 25; step++) {
                    faults();
                    step();
                    if (!twoLead) {
                        assertThat(world.twice())
                                .as("step %d: places had twice", step)
                                .isEmpty();
                    }
                    running(step);
                }
                end();
            }
        }

        private void start() {
            int number = allocators.size();
            allocators.add(world.allocator(
                    world.cluster.newClient("allocator-" + number),
                    new AllocatorOptions(DraOptions.DRIVER, preempts, MakeRoom.NEVER, holdAfter),
                    () -> true));
        }

        private void faults() {
            world.cluster.faults().clear();
            var rule = world.cluster
                    .faults()
                    .rule()
                    .writes()
                    .when(request -> request.userAgent().startsWith("allocator"))
                    .after(random.nextInt(4))
                    .times(1 + random.nextInt(3));
            switch (random.nextInt(8)) {
                case 0 -> rule.internalError();
                case 1 -> rule.loseAnswer();
                case 2 -> rule.conflict();
                case 3 -> rule.tooManyRequests(Duration.ofSeconds(1));
                case 4 -> {
                    rule.unavailable();
                    world.cluster
                            .faults()
                            .rule()
                            .verbs("get")
                            .when(request -> request.userAgent().startsWith("allocator"))
                            .times(2)
                            .unavailable();
                }
                default -> {
                    // All is well.
                }
            }
        }

        private void step() {
            switch (random.nextInt(14)) {
                case 0, 1, 2, 3, 4 -> create(1);
                case 5 -> create(2 + random.nextInt(2));
                case 6, 7, 8 -> {
                    if (!alive.isEmpty()) {
                        String gone = alive.remove(random.nextInt(alive.size()));
                        world.client
                                .pods()
                                .inNamespace(NAMESPACE)
                                .withName(gone)
                                .delete();
                    }
                }
                case 9 -> restart();
                case 10 -> world.cluster.dropWatches(random.nextBoolean() ? Gvr.PODS : Gvr.RESOURCECLAIMS);
                case 11 -> clear();
                default -> world.rounds(1);
            }
            if (random.nextInt(3) > 0) {
                world.cluster.settle();
            }
            if (random.nextInt(3) == 0) {
                world.rounds(1);
            }
        }

        private void create(int pods) {
            String gang = "gang-" + number;
            for (int i = 0; i < pods; i++) {
                String name = "p" + number++;
                int claims = 1 + random.nextInt(2);
                String[] templates = new String[claims];
                for (int c = 0; c < claims; c++) {
                    String profile = PROFILES.get(random.nextInt(PROFILES.size()));
                    int most = profile.startsWith("1g") ? 2 : 1;
                    templates[c] = AllocatorObjects.templateName(profile, 1 + random.nextInt(most));
                }
                PodBuilder pod = byTemplate(pod(NAMESPACE, name), templates);
                if (pods > 1) {
                    pod = gang(pod, gang, pods);
                }
                if (random.nextInt(4) == 0) {
                    pod = pod.editMetadata()
                            .addToAnnotations(
                                    PodSlices.SPREAD,
                                    random.nextBoolean() ? PodSlices.SAME_GPU : PodSlices.DIFFERENT_GPUS)
                            .endMetadata();
                }
                if (random.nextInt(6) == 0) {
                    pod = pod.editSpec().withSchedulingGates().endSpec();
                }
                if (preempts && random.nextBoolean()) {
                    pod = pod.editSpec()
                            .withPriorityClassName(PRIORITIES
                                    .get(random.nextInt(PRIORITIES.size()))
                                    .getMetadata()
                                    .getName())
                            .endSpec();
                }
                world.client.resource(pod.build()).create();
                alive.add(name);
            }
        }

        /** One ends in the middle of whatever it does; for a while there may be two that believe to lead. */
        private void restart() {
            if (twoLead && allocators.size() == 1) {
                start();
                return;
            }
            world.kill(allocators.remove(random.nextInt(allocators.size())));
            if (allocators.isEmpty()) {
                start();
            }
        }

        /** As a scheduler does with a pod that it cannot bind. */
        private void clear() {
            for (ResourceClaim claim : world.claims()) {
                boolean bound = AllocationMarks.consumers(claim).stream().anyMatch(consumer -> {
                    Pod pod = world.pod(consumer.getName());
                    return pod == null || !AllocationMarks.node(pod).isEmpty();
                });
                if (Allocations.allocated(claim) && !bound) {
                    world.client
                            .resources(ResourceClaim.class)
                            .inNamespace(NAMESPACE)
                            .withName(claim.getMetadata().getName())
                            .editStatus(live -> {
                                live.setStatus(null);
                                return live;
                            });
                    return;
                }
            }
        }

        private void running(int step) {
            if (preempts) {
                alive.removeIf(name -> world.pod(name) == null);
            }
            for (String name : alive) {
                if (world.runs(name)) {
                    assertThat(world.claims(name))
                            .as("step %d: claims of %s, which runs", step, name)
                            .allMatch(Allocations::allocated);
                }
            }
        }

        private void end() {
            world.cluster.faults().clear();
            while (allocators.size() > 1) {
                world.kill(allocators.remove(0));
            }
            world.cluster.dropWatches(null);
            // Nodes that a scheduler refused are left out for ten minutes at most.
            for (int i = 0; i < 12; i++) {
                world.cluster.advance(Duration.ofMinutes(1));
                world.rounds(1);
            }
            if (twoLead && !world.twice().isEmpty()) {
                // Both were bound before anybody saw it: the agent has refused one of them, and people are told to
                // delete it.
                for (String name : List.copyOf(alive)) {
                    if (!world.nodeOf(name).isEmpty() && !world.runs(name)) {
                        world.delete(name);
                        alive.remove(name);
                    }
                }
                world.rounds(3);
            }
            assertThat(world.twice()).as("places had twice in the end").isEmpty();
            if (!twoLead) {
                assertThat(world.refused)
                        .as("drivers were asked for what they had given")
                        .isEmpty();
            }
            holdAfter = Optional.empty();
            anew();
            running(100);
            nobodyWaitsThatHasRoom();
            for (String name : List.copyOf(alive)) {
                world.delete(name);
                alive.remove(name);
            }
            world.rounds(15);
            assertThat(world.allocated()).as("left over").isEmpty();
            assertThat(world.prepared()).as("left on nodes").isEmpty();
        }

        private void anew() {
            world.kill(allocators.remove(0));
            start();
            world.rounds(3);
        }

        /** What another allocator, which starts now and knows nothing, could place is placed already. */
        private void nobodyWaitsThatHasRoom() {
            Set<String> before = world.allocated();
            anew();
            assertThat(world.allocated()).as("what waited for a restart").isEqualTo(before);
            for (String name : alive) {
                Pod pod = world.pod(name);
                boolean has = !world.claims(name).isEmpty()
                        && world.claims(name).stream().allMatch(Allocations::allocated);
                assertThat(world.runs(name))
                        .as("%s runs if it has its devices: %s", name, pod == null ? "" : pod.getStatus())
                        .isEqualTo(has);
            }
        }
    }
}
