package dev.sro.runtime.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.core.das.AllocationClaim;
import io.fabric8.kubernetes.api.model.Pod;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Pods that come and go, faults and restarts: what the extender has given holds. */
class SliceSchedulerHistoryTest {
    private static final List<String> PROFILES =
            List.of("1g.5gb", "1g.5gb-plus-me", "1g.10gb", "2g.10gb", "3g.20gb", "4g.20gb");

    private final PlayedScheduler on = new PlayedScheduler();
    private final List<Pod> alive = new ArrayList<>();

    @AfterEach
    void close() {
        on.close();
    }

    @Test
    void noSliceIsHadTwiceAndNoneIsLostInAnyHistory() {
        on.fleet(2, 2);
        SplittableRandom random = new SplittableRandom(7);
        SliceScheduler scheduler = on.scheduler(false);
        for (int step = 0; step < 60; step++) {
            on.now = on.now.plusSeconds(2);
            on.cluster.faults().clear();
            fault(random);
            int what = random.nextInt(10);
            if (what < 6) {
                arrive(step, random, scheduler);
            } else if (what < 9 && !alive.isEmpty()) {
                on.cluster.faults().clear();
                on.delete(alive.remove(random.nextInt(alive.size())));
            } else {
                scheduler.close();
                scheduler = on.scheduler(false);
            }
            check(step);
        }
        on.cluster.faults().clear();
        // What was left behind is given back.
        scheduler.tick();
        on.now = on.now.plus(SliceScheduler.GRACE);
        scheduler.tick();
        on.cluster.settle();
        on.now = on.now.plus(SliceScheduler.GRACE);
        scheduler.tick();
        on.cluster.settle();
        check(-1);
        Map<String, String> bound = new HashMap<>();
        on.client.pods().inNamespace("default").list().getItems().stream()
                .filter(pod -> pod.getSpec().getNodeName() != null)
                .forEach(pod ->
                        bound.put(pod.getMetadata().getUid(), pod.getSpec().getNodeName()));
        assertThat(on.world.claims())
                .allMatch(claim -> claim.node().equals(bound.get(claim.pod().uid())));
        assertThat(scheduler.fleet().held()).hasSameSizeAs(on.world.claims());
    }

    /** What goes wrong in the next step, or nothing. */
    private void fault(SplittableRandom random) {
        switch (random.nextInt(8)) {
            case 0 -> on.cluster.faults().rule().writes().times(1).internalError();
            case 1 ->
                on.cluster
                        .faults()
                        .rule()
                        .writes()
                        .after(random.nextInt(2))
                        .times(1)
                        .loseAnswer();
            case 2 -> on.cluster.faults().rule().writes().times(2).conflict();
            case 3 -> on.cluster.faults().rule().writes().times(1).tooManyRequests(Duration.ofSeconds(1));
            default -> {}
        }
    }

    private void arrive(int step, SplittableRandom random, SliceScheduler scheduler) {
        on.cluster.faults().clear();
        Pod pod = on.world.create(SliceWorld.pod(
                "default",
                "p" + step,
                "mig.das.com/" + PROFILES.get(random.nextInt(PROFILES.size())),
                1 + random.nextInt(2)));
        alive.add(pod);
        if (random.nextBoolean()) {
            on.cluster.settle();
        }
        if (random.nextInt(3) == 0) {
            on.cluster
                    .faults()
                    .rule()
                    .writes()
                    .after(random.nextInt(3))
                    .times(1)
                    .loseAnswer();
        }
        on.schedule(scheduler.extender(), pod);
        if (random.nextInt(4) == 0) {
            on.cluster.faults().clear();
            on.schedule(scheduler.extender(), pod);
        }
    }

    private void check(int step) {
        List<AllocationClaim> claims = on.world.claims();
        for (AllocationClaim one : claims) {
            assertThat(claims.stream()
                            .filter(other -> !other.reference().equals(one.reference()) && one.overlaps(other)))
                    .as("step %d: %s is taken twice", step, one.place())
                    .isEmpty();
        }
        for (Pod pod : alive) {
            Pod live = on.now(pod);
            if (live != null && live.getSpec().getNodeName() != null) {
                long wanted = live.getSpec().getContainers().get(0).getResources().getLimits().values().stream()
                        .mapToLong(amount -> amount.getNumericalAmount().longValue())
                        .sum();
                assertThat(claims.stream()
                                .filter(claim -> claim.pod()
                                        .uid()
                                        .equals(live.getMetadata().getUid())))
                        .as(
                                "step %d: the slices of %s",
                                step, live.getMetadata().getName())
                        .hasSize((int) wanted)
                        .allMatch(claim -> claim.node().equals(live.getSpec().getNodeName()));
            }
        }
    }
}
