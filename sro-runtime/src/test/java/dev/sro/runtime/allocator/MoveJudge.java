package dev.sro.runtime.allocator;

import static dev.sro.runtime.allocator.AllocatorWorld.NAMESPACE;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sro.runtime.allocator.MoveBook.Moved;
import dev.sro.runtime.allocator.MoveBook.Plan;
import dev.sro.testkit.server.ApiRequest;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Judges moves by what reaches the API server, whoever sends it: no more in an hour than may be, nobody who may not, each written down before, one plan at
 * a time and none twice, and each with its reason. Not thread-safe.
 */
final class MoveJudge {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final byte[] NOTHING = {};
    private static final Duration HOUR = Duration.ofHours(1);

    private final AllocatorWorld world;
    private final int perHour;
    /** By how much clocks differ. */
    private final Duration skew;
    /** Whether the set of a pod, or the pod, may be moved. */
    private final Predicate<Pod> may;

    private final Map<String, Attempt> attempts = new LinkedHashMap<>();
    private final List<Attempt> went = new ArrayList<>();
    private final Set<String> started = new HashSet<>();
    /** When plans were over, by the pod that waited. */
    private final Map<String, Instant> over = new HashMap<>();
    /** Under whose names rooms were kept. */
    private final Set<String> owners = new HashSet<>();

    private final List<String> wrong = new ArrayList<>();
    private Optional<Plan> current = Optional.empty();

    /** An eviction that was asked for. */
    private record Attempt(Instant at, String pod, String controller, String room, boolean gang) {}

    MoveJudge(AllocatorWorld world, int perHour, Duration skew, Predicate<Pod> may) {
        this.world = world;
        this.perHour = perHour;
        this.skew = skew;
        this.may = may;
    }

    /** Looks at all requests from now on, before they are done or fail. To be called after rules were cleared. */
    void listen() {
        world.cluster
                .faults()
                .rule()
                .writes()
                .when(request -> {
                    hear(request);
                    return false;
                })
                .internalError();
    }

    private void hear(ApiRequest request) {
        if (request.path().endsWith("/leases/" + AllocatorWorld.LEASE)) {
            book();
        } else if (request.path().endsWith("/eviction") && !isTrial(request)) {
            JsonNode body = body(request);
            attempt(
                    body.path("metadata").path("name").asText(),
                    body.path("deleteOptions").path("preconditions").path("uid").asText());
        }
    }

    /** Whether it is the dry run of an eviction. */
    static boolean isTrial(ApiRequest request) {
        return !body(request).path("deleteOptions").path("dryRun").isEmpty();
    }

    private static JsonNode body(ApiRequest request) {
        try {
            return JSON.readTree(Objects.requireNonNullElse(request.body(), NOTHING));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Instant now() {
        return world.cluster.clock().instant();
    }

    private void expect(boolean right, String text) {
        if (!right) {
            wrong.add(now() + ": " + text);
        }
    }

    /** What is written down now. */
    MoveBook book() {
        Lease lease = world.client
                .leases()
                .inNamespace(NAMESPACE)
                .withName(AllocatorWorld.LEASE)
                .get();
        MoveBook book = AllocationMarks.annotation(lease, MoveLedger.MOVES)
                .map(text -> world.client.getKubernetesSerialization().unmarshal(text, MoveBook.class))
                .orElse(MoveBook.EMPTY);
        if (!current.map(book::has).orElse(book.plan().isEmpty())) {
            current.ifPresent(gone -> {
                expect(
                        book.plan().isEmpty(),
                        "a plan for %s took the place of another"
                                .formatted(gone.room().key()));
                over.put(gone.room().uid(), now());
            });
            book.plan().ifPresent(this::begins);
        }
        current = book.plan();
        return book;
    }

    private void begins(Plan plan) {
        Instant before = over.get(plan.room().uid());
        expect(
                before == null || !now().isBefore(before.plus(MoveBook.BACK_OFF).minus(skew)),
                "a plan for %s begins, and one was over at %s"
                        .formatted(plan.room().key(), before));
        owners.add(plan.owner());
        plan.steps().forEach(step -> owners.add(step.owner()));
    }

    private void attempt(String name, String uid) {
        MoveBook book = book();
        Pod pod = world.pod(name);
        if (pod == null || !pod.getMetadata().getUid().equals(uid)) {
            return;
        }
        expect(may.test(pod), "%s may not move".formatted(name));
        Optional<Moved> moved =
                book.moved().stream().filter(one -> one.uid().equals(uid)).findFirst();
        expect(moved.isPresent(), "the eviction of %s is not written down".formatted(name));
        moved.ifPresent(one -> expect(
                !one.when().isBefore(now().minus(skew).minusSeconds(10)),
                "the eviction of %s was written down long ago, at %s".formatted(name, one.at())));
        // It may have been ended by another one since this one made sure of it.
        Optional<Plan> plan = book.plan()
                .filter(one -> one.steps().stream().anyMatch(step -> step.uid().equals(uid)));
        String controller = KeptRooms.controller(pod).orElse("");
        String room = plan.map(one -> one.room().uid()).orElse("");
        for (Attempt before : attempts.values()) {
            expect(
                    !before.controller().equals(controller)
                            || before.pod().equals(uid)
                            || isThere(before.pod())
                            || before.at().plus(HOUR).isBefore(now()),
                    "%s came in the place of one that was moved".formatted(name));
        }
        plan.ifPresent(one -> {
            Pod waits = byUid().get(room);
            expect(waits == null || !AllocatorWorld.runs(waits), "%s moves for a pod that runs".formatted(name));
        });
        boolean gang = plan.filter(one -> !one.others().isEmpty()).isPresent();
        attempts.put(uid, new Attempt(now(), uid, controller, room, gang));
    }

    private Map<String, Pod> byUid() {
        Map<String, Pod> pods = new HashMap<>();
        world.client
                .pods()
                .inNamespace(NAMESPACE)
                .list()
                .getItems()
                .forEach(pod -> pods.put(pod.getMetadata().getUid(), pod));
        return pods;
    }

    private boolean isThere(String uid) {
        Pod pod = byUid().get(uid);
        return pod != null && pod.getMetadata().getDeletionTimestamp() == null;
    }

    /** To be called before somebody else deletes a pod, too: who is gone by then was moved. */
    void look(String when) {
        book();
        Map<String, Pod> pods = byUid();
        pods.values().stream()
                .filter(AllocatorWorld::runs)
                .forEach(pod -> started.add(pod.getMetadata().getUid()));
        for (Attempt attempt : attempts.values()) {
            Pod pod = pods.get(attempt.pod());
            boolean gone = pod == null || pod.getMetadata().getDeletionTimestamp() != null;
            if (gone && went.stream().noneMatch(one -> one.pod().equals(attempt.pod()))) {
                went.add(attempt);
            }
        }
        for (Attempt end : went) {
            long within = went.stream()
                    .filter(one -> !one.at().isAfter(end.at())
                            && one.at().isAfter(end.at().minus(HOUR)))
                    .count();
            expect(within <= perHour, "%d were moved in an hour, %d may be".formatted(within, perHour));
        }
        assertThat(world.twiceRunning())
                .as("%s: places had by two that run", when)
                .isEmpty();
        assertThat(wrong).as(when).isEmpty();
    }

    /** These go for another reason, if they have not gone yet. */
    void forgive(List<Pod> pods) {
        Set<String> gone = new HashSet<>();
        went.forEach(one -> gone.add(one.pod()));
        pods.stream()
                .map(pod -> pod.getMetadata().getUid())
                .filter(uid -> !gone.contains(uid))
                .forEach(attempts::remove);
    }

    /** How many were moved. */
    int moved() {
        return went.size();
    }

    /** How many of them for gangs. */
    int movedForGangs() {
        return (int) went.stream().filter(Attempt::gang).count();
    }

    /** What is to hold once there is peace. */
    void end(List<ClaimAllocator> allocators) {
        Set<String> failed = new HashSet<>();
        ControlledPods.told(world, "SlicesNotMoved")
                .forEach(event -> failed.add(event.getRegarding().getUid()));
        Map<String, Pod> pods = byUid();
        MoveBook book = book();
        Set<String> now = new HashSet<>();
        book.plan().ifPresent(plan -> {
            now.add(plan.owner());
            plan.steps().forEach(step -> now.add(step.owner()));
            assertThat(plan.end()).as("the plan that is under way").isAfter(now().minus(Duration.ofMinutes(2)));
        });
        for (Attempt attempt : went) {
            String room = attempt.room();
            assertThat(room.isEmpty()
                            || started.contains(room)
                            || failed.contains(room)
                            || !pods.containsKey(room)
                            || book.plan()
                                    .filter(plan -> plan.room().uid().equals(room))
                                    .isPresent())
                    .as("%s runs, or was told that it does not", room)
                    .isTrue();
        }
        for (ClaimAllocator allocator : allocators) {
            for (String owner : owners) {
                if (!now.contains(owner)) {
                    assertThat(allocator.fleet().kept(owner))
                            .as("kept for %s, which is in no plan", owner)
                            .isEmpty();
                }
            }
        }
    }
}
