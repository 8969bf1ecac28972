package dev.sro.runtime.allocator;

import static dev.sro.runtime.allocator.AllocatorObjects.byTemplate;
import static dev.sro.runtime.allocator.AllocatorObjects.pod;
import static dev.sro.runtime.allocator.AllocatorWorld.NAMESPACE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.core.dra.DraOptions;
import dev.sro.runtime.allocator.MakeRoom.Mode;
import dev.sro.testkit.sim.Behavior;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicBoolean;

/** One random history with moves: halves of GPUs that may move, and pods and gangs that need all of one. Not thread-safe. */
final class MoveHistory {
    private static final int NODES = 3;
    /** Clocks differ from the one of the API server by so much, either way. */
    private static final int SKEW_SECONDS = 30;

    private static final List<String> SMALL = List.of("1g.5gb", "2g.10gb", "3g.20gb");

    private final SplittableRandom random;
    private final AllocatorWorld world;
    private final MoveJudge judge;
    private final int perHour;
    private final int cycles;
    private final boolean twoLead;
    private final List<String> sets = new ArrayList<>();
    private final List<String> bare = new ArrayList<>();
    private final Set<String> movable = new HashSet<>();
    private final List<Leader> leaders = new ArrayList<>();
    private int number;
    private boolean between;
    private boolean lasting;

    /** Who leads, or has been told so. */
    private record Leader(ClaimAllocator allocator, AtomicBoolean leads) {}

    /**
     * One.
     *
     * @param cycles how often all is scattered anew
     * @param twoLead whether two believe to lead now and then
     */
    MoveHistory(long seed, int cycles, boolean twoLead) {
        this.cycles = cycles;
        this.twoLead = twoLead;
        random = new SplittableRandom(seed);
        perHour = (twoLead ? 2 : 1) + random.nextInt(4);
        boolean late = twoLead && random.nextInt(3) == 0;
        Duration behind = Duration.ofMillis(1 + random.nextInt(3_000));
        world = new AllocatorWorld(NODES, 1, builder -> {
            builder.seed(seed);
            if (late) {
                builder.randomDelivery(behind);
            }
        });
        judge = new MoveJudge(
                world, perHour, Duration.ofSeconds(2 * SKEW_SECONDS), made -> movable.contains(nameOfSet(made)));
        judge.listen();
        start();
        if (twoLead && random.nextBoolean()) {
            start();
        }
    }

    private static String nameOfSet(Pod pod) {
        return pod.getMetadata().getLabels() == null
                ? ""
                : pod.getMetadata().getLabels().getOrDefault("name", "");
    }

    private void start() {
        Clock clock = world.cluster.clock();
        if (twoLead) {
            clock = Clock.offset(clock, Duration.ofSeconds(random.nextInt(-SKEW_SECONDS, SKEW_SECONDS + 1)));
        }
        AtomicBoolean leads = new AtomicBoolean(true);
        ClaimAllocator allocator = world.allocator(
                world.cluster.newClient("allocator-" + number++),
                new AllocatorOptions(
                        DraOptions.DRIVER,
                        false,
                        new MakeRoom(Mode.EVICT, Duration.ofSeconds(twoLead ? 15 : 60), perHour),
                        Optional.empty()),
                () -> {
                    others(leads);
                    return leads.get();
                },
                clock);
        leaders.add(new Leader(allocator, leads));
    }

    /** Who is about to write is held up meanwhile. */
    private void others(AtomicBoolean held) {
        if (!between && leaders.size() > 1 && random.nextInt(3) == 0) {
            between = true;
            leaders.stream()
                    .filter(other -> other.leads() != held)
                    .forEach(other -> other.allocator().tick());
            between = false;
        }
    }

    /** How many were moved. */
    int play() {
        try (world) {
            for (int cycle = 0; cycle < cycles; cycle++) {
                scatter("cycle " + cycle);
                for (int step = 0; step < (twoLead ? 7 : 12); step++) {
                    faults();
                    disturb();
                    world.rounds(1 + random.nextInt(4));
                    check("cycle " + cycle + ", step " + step);
                    minutes("cycle " + cycle + ", step " + step);
                }
            }
            calm();
            while (leaders.size() > 1) {
                end(random.nextInt(leaders.size()));
            }
            for (int i = 0; i < 12; i++) {
                world.cluster.advance(Duration.ofMinutes(1));
                world.rounds(1);
                check("in the end, " + i);
            }
            world.rounds(8);
            check("in the end");
            judge.end(leaders.stream().map(Leader::allocator).toList());
            return judge.moved();
        }
    }

    /** What fails for long is seen after minutes, and after more than a plan may take. */
    private void minutes(String when) {
        for (int i = lasting ? 1 + random.nextInt(14) : 0; i > 0; i--) {
            world.cluster.advance(Duration.ofMinutes(1));
            world.rounds(1);
            check(when + ", for minutes");
        }
        lasting = false;
    }

    private void calm() {
        world.cluster.faults().clear();
        judge.listen();
    }

    /** Events are what is asked in the end, so they are not lost. */
    private void faults() {
        calm();
        var rule = world.cluster
                .faults()
                .rule()
                .writes()
                .when(request -> request.userAgent().startsWith("allocator")
                        && !request.path().contains("/events"))
                .after(random.nextInt(4))
                .times(1 + random.nextInt(2));
        switch (random.nextInt(9)) {
            case 0 -> rule.internalError();
            case 1 -> rule.conflict();
            case 2 -> rule.unavailable();
            case 3 -> rule.loseAnswer();
            case 4 -> rule.tooManyRequests(Duration.ofSeconds(1));
            default -> rule.remove();
        }
        if (twoLead && random.nextInt(4) > 0) {
            movesFail();
        }
    }

    /** Few of all requests are those that matter here; some fail so long that a plan is over by its time. */
    private void movesFail() {
        boolean ledger = random.nextBoolean();
        lasting = random.nextInt(3) == 0;
        String end = ledger ? "/leases/" + AllocatorWorld.LEASE : "/eviction";
        var rule = world.cluster
                .faults()
                .rule()
                .when(request -> request.userAgent().startsWith("allocator")
                        && request.path().endsWith(end)
                        && !MoveJudge.isTrial(request))
                .after(ledger ? random.nextInt(6) : 0)
                .times(lasting ? 1_000 : 1 + random.nextInt(3));
        switch (random.nextInt(3)) {
            case 0 -> rule.internalError();
            case 1 -> rule.tooManyRequests(Duration.ofSeconds(1));
            default -> rule.loseAnswer();
        }
    }

    /** How many of them for gangs. */
    int movedForGangs() {
        return judge.movedForGangs();
    }

    /** Halves that may move, most of them, with nothing beside them, and one that needs all of a GPU. */
    private void scatter(String when) {
        calm();
        while (sets.size() > (twoLead ? 0 : 1)) {
            deleteSet(sets.get(random.nextInt(sets.size())));
        }
        List.copyOf(bare).forEach(this::deleteBare);
        world.rounds(3);
        for (int i = 0; i < NODES; i++) {
            single("4g.20gb");
            fill();
            world.rounds(1);
        }
        String kept = bare.get(random.nextInt(bare.size()));
        List.copyOf(bare).stream()
                .filter(name -> !name.equals(kept) || random.nextBoolean())
                .forEach(this::deleteBare);
        world.rounds(2);
        check(when);
        if (random.nextInt(3) == 0) {
            gang();
        } else {
            single("7g.40gb");
        }
    }

    /** One that needs all of a GPU, and most of another one. */
    private void gang() {
        String gang = "gang-" + number++;
        for (String profile : List.of("7g.40gb", random.nextBoolean() ? "4g.20gb" : "3g.20gb")) {
            String name = "p" + number++;
            world.create(AllocatorObjects.gang(
                    byTemplate(pod(NAMESPACE, name), AllocatorObjects.templateName(profile, 1)), gang, 2));
            bare.add(name);
        }
    }

    private void disturb() {
        if (twoLead && random.nextInt(3) == 0) {
            restart();
        }
        switch (random.nextInt(8)) {
            case 0 -> single(SMALL.get(random.nextInt(2)));
            case 1 -> {
                if (!bare.isEmpty()) {
                    deleteBare(bare.get(random.nextInt(bare.size())));
                }
            }
            case 2, 3 -> restart();
            default -> world.rounds(twoLead ? 1 : 4);
        }
    }

    /** One is killed, comes to lead beside another, or learns that it does not lead. */
    private void restart() {
        if (twoLead && leaders.size() == 1) {
            start();
            return;
        }
        int one = random.nextInt(leaders.size());
        if (twoLead && random.nextBoolean()) {
            AtomicBoolean leads = leaders.get(one).leads();
            boolean other = leaders.stream()
                    .anyMatch(each -> each.leads() != leads && each.leads().get());
            leads.set(!leads.get() || !other);
            return;
        }
        end(one);
    }

    private void end(int one) {
        world.kill(leaders.remove(one).allocator());
        if (leaders.isEmpty()) {
            start();
        }
        if (leaders.stream().noneMatch(each -> each.leads().get())) {
            leaders.get(0).leads().set(true);
        }
    }

    private void deleteBare(String name) {
        bare.remove(name);
        world.delete(name);
    }

    private void deleteSet(String name) {
        sets.remove(name);
        judge.look("before " + name + " is deleted");
        judge.forgive(ControlledPods.of(world, name));
        world.client.apps().replicaSets().inNamespace(NAMESPACE).withName(name).delete();
        world.cluster.settle();
    }

    /** What is beside a large one; of two leaders there are to be plans in most histories. */
    private void fill() {
        if (!twoLead) {
            create(SMALL.get(random.nextInt(SMALL.size())), 5, 4);
        } else if (random.nextInt(3) > 0) {
            create("3g.20gb", 12, 12);
        } else {
            create("2g.10gb", 12, 12);
            create("1g.5gb", 12, 12);
        }
    }

    /** One of so many has a budget, and one of so many may not move. */
    private void create(String profile, int budgets, int stay) {
        String name = "set-" + number++;
        PodBuilder made = byTemplate(pod(NAMESPACE, name), AllocatorObjects.templateName(profile, 1));
        boolean kept = random.nextInt(budgets) == 0;
        boolean may = random.nextInt(stay) > 0;
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
        if (twoLead && random.nextInt(3) == 0) {
            world.simulation().behaviors().add(Behavior.ignoresTermination().workload(name));
            made = made.editSpec()
                    .withTerminationGracePeriodSeconds(5L + random.nextInt(120))
                    .endSpec();
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

    private void check(String when) {
        if (!twoLead) {
            assertThat(world.twice()).as("%s: places had twice", when).isEmpty();
            assertThat(world.refused).as("%s: what drivers refused", when).isEmpty();
        }
        for (String name : bare) {
            assertThat(world.pod(name))
                    .as("%s: %s, which may not move", when, name)
                    .isNotNull();
        }
        judge.look(when);
    }
}
