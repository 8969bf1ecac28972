package dev.sro.runtime.allocator;

import static dev.sro.runtime.allocator.AllocatorObjects.byTemplate;
import static dev.sro.runtime.allocator.AllocatorObjects.pod;
import static dev.sro.runtime.allocator.AllocatorWorld.NAMESPACE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.core.dra.DraOptions;
import dev.sro.runtime.allocator.MakeRoom.Mode;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Random histories with moves: pods with and without a controller, with and without leave to move and budgets, come and go, writes fail, allocators are
 * killed and started. No place is had twice, no more pods go in an hour than may, nobody goes who may not, and each eviction led to the start of the pod
 * that waited or was said to have failed.
 *
 * <p>{@code -Dsro.moves.histories=N} plays so many, {@code -Dsro.moves.seed=N} one.
 */
class MakeRoomHistoryTest {
    private static final int NODES = 3;
    private static final int FAST = 2;
    private static final int SLOW = 12;
    private static final List<String> SMALL = List.of("1g.5gb", "2g.10gb", "3g.20gb");
    private static final Pattern FOR = Pattern.compile("make room for pod default/([^;]+);");

    @Test
    void someHistories() {
        play(Integer.getInteger("sro.moves.histories", FAST));
    }

    @Test
    @Tag("slow")
    void manyHistories() {
        play(Integer.getInteger("sro.moves.histories", SLOW));
    }

    private static void play(int count) {
        Long only = Long.getLong("sro.moves.seed");
        int moved = 0;
        for (long seed = only == null ? 1 : only; seed <= (only == null ? count : only); seed++) {
            try {
                moved += new History(seed).play();
            } catch (AssertionError | RuntimeException e) {
                throw new AssertionError("history " + seed + ": " + e.getMessage(), e);
            }
        }
        assertThat(moved).as("pods that were moved").isPositive();
    }

    private static final class History {
        private final SplittableRandom random;
        private final AllocatorWorld world;
        private final int perHour;
        private final List<String> sets = new ArrayList<>();
        private final List<String> bare = new ArrayList<>();
        private final Set<String> movable = new HashSet<>();
        private final Set<String> deleted = new HashSet<>();
        private final Set<String> started = new HashSet<>();
        /** The pod of each set, by UID, and when pods went that nobody here deleted. */
        private final Map<String, String> current = new HashMap<>();

        private final List<Instant> went = new ArrayList<>();
        private ClaimAllocator allocator;
        private int number;

        History(long seed) {
            random = new SplittableRandom(seed);
            perHour = 1 + random.nextInt(4);
            world = new AllocatorWorld(NODES, 1, builder -> builder.seed(seed));
            allocator = start();
        }

        private ClaimAllocator start() {
            return world.allocator(
                    world.cluster.newClient("allocator"),
                    new AllocatorOptions(
                            DraOptions.DRIVER,
                            false,
                            new MakeRoom(Mode.EVICT, Duration.ofMinutes(1), perHour),
                            Optional.empty()),
                    () -> true);
        }

        int play() {
            try (world) {
                for (int cycle = 0; cycle < 3; cycle++) {
                    scatter(cycle);
                    for (int step = 0; step < 12; step++) {
                        faults();
                        disturb();
                        world.rounds(1 + random.nextInt(4));
                        check(cycle * 100 + step);
                    }
                }
                world.cluster.faults().clear();
                for (int i = 0; i < 15; i++) {
                    world.cluster.advance(Duration.ofMinutes(1));
                    world.rounds(1);
                    check(1000 + i);
                }
                eachMoveHadItsReason();
                return went.size();
            }
        }

        /** Events are what is asked in the end, so they are not lost. */
        private void faults() {
            world.cluster.faults().clear();
            var rule = world.cluster
                    .faults()
                    .rule()
                    .writes()
                    .when(request -> request.userAgent().startsWith("allocator")
                            && !request.path().contains("/events"))
                    .after(random.nextInt(4))
                    .times(1 + random.nextInt(2));
            switch (random.nextInt(8)) {
                case 0 -> rule.internalError();
                case 1 -> rule.conflict();
                case 2 -> rule.unavailable();
                case 3 -> rule.loseAnswer();
                default -> rule.remove();
            }
        }

        /** Halves that may move, most of them, with nothing beside them, and one that needs all of a GPU. */
        private void scatter(int cycle) {
            world.cluster.faults().clear();
            while (sets.size() > 1) {
                deleteSet(sets.get(random.nextInt(sets.size())));
            }
            List.copyOf(bare).forEach(this::deleteBare);
            world.rounds(3);
            for (int i = 0; i < NODES; i++) {
                single("4g.20gb");
                create();
                world.rounds(1);
            }
            String kept = bare.get(random.nextInt(bare.size()));
            List.copyOf(bare).stream()
                    .filter(name -> !name.equals(kept) || random.nextBoolean())
                    .forEach(this::deleteBare);
            world.rounds(2);
            check(cycle * 100);
            single("7g.40gb");
        }

        private void disturb() {
            switch (random.nextInt(8)) {
                case 0 -> single(SMALL.get(random.nextInt(2)));
                case 1 -> {
                    if (!bare.isEmpty()) {
                        deleteBare(bare.get(random.nextInt(bare.size())));
                    }
                }
                case 2, 3 -> {
                    world.kill(allocator);
                    allocator = start();
                }
                default -> world.rounds(4);
            }
        }

        private void deleteBare(String name) {
            bare.remove(name);
            deleted.add(name);
            world.delete(name);
        }

        private void deleteSet(String name) {
            sets.remove(name);
            current.values().removeIf(name::equals);
            world.client
                    .apps()
                    .replicaSets()
                    .inNamespace(NAMESPACE)
                    .withName(name)
                    .delete();
            world.cluster.settle();
        }

        private void create() {
            String name = "set-" + number++;
            PodBuilder made = byTemplate(
                    pod(NAMESPACE, name), AllocatorObjects.templateName(SMALL.get(random.nextInt(SMALL.size())), 1));
            boolean kept = random.nextInt(5) == 0;
            boolean may = random.nextInt(4) > 0;
            if (may) {
                made = made.editMetadata()
                        .addToAnnotations(MovablePods.MOVABLE, "true")
                        .endMetadata();
            }
            if (kept) {
                ControlledPods.budget(world, name);
            }
            if (may && !kept) {
                movable.add(name);
            }
            ControlledPods.create(world, name, made);
            sets.add(name);
            world.cluster.settle();
        }

        private void single(String profile) {
            String name = "p" + number++;
            world.create(name, AllocatorObjects.templateName(profile, 1));
            bare.add(name);
        }

        private void check(int step) {
            assertThat(world.twice()).as("step %d: places had twice", step).isEmpty();
            assertThat(world.refused).as("step %d: what drivers refused", step).isEmpty();
            for (String name : bare) {
                assertThat(world.pod(name))
                        .as("step %d: %s, which may not move", step, name)
                        .isNotNull();
                if (world.runs(name)) {
                    started.add(name);
                }
            }
            for (String name : sets) {
                for (Pod pod : ControlledPods.of(world, name)) {
                    boolean runs = pod.getStatus() != null
                            && "Running".equals(pod.getStatus().getPhase());
                    if (runs) {
                        started.add(pod.getMetadata().getName());
                    }
                    String uid = pod.getMetadata().getUid();
                    if (!current.containsKey(uid)) {
                        boolean moved = current.containsValue(name);
                        assertThat(!moved || movable.contains(name))
                                .as("step %d: the pod of %s was moved and may not", step, name)
                                .isTrue();
                        current.values().removeIf(name::equals);
                        current.put(uid, name);
                        if (moved) {
                            went.add(world.cluster.clock().instant());
                        }
                    }
                }
            }
            withinTheHour(step);
        }

        /** When they went is seen half a minute late. */
        private void withinTheHour(int step) {
            for (Instant end : went) {
                long within = went.stream()
                        .filter(one -> !one.isAfter(end) && one.isAfter(end.minus(Duration.ofMinutes(58))))
                        .count();
                assertThat(within).as("step %d: moved in an hour", step).isLessThanOrEqualTo(perHour);
            }
        }

        private void eachMoveHadItsReason() {
            Set<String> failed = new HashSet<>();
            ControlledPods.told(world, "SlicesNotMoved")
                    .forEach(event -> failed.add(event.getRegarding().getName()));
            ControlledPods.told(world, "SlicesMoved").forEach(event -> {
                Matcher waited = FOR.matcher(event.getNote());
                assertThat(waited.find()).isTrue();
                String name = waited.group(1);
                boolean ofSet = sets.stream().anyMatch(set -> name.startsWith(set + "-"));
                boolean gone = deleted.contains(name) || (!ofSet && !bare.contains(name));
                assertThat(started.contains(name) || failed.contains(name) || gone)
                        .as("%s runs, or was told that it does not: %s", name, event.getNote())
                        .isTrue();
            });
        }
    }
}
