package dev.sro.core.slicing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.core.slicing.Decision.Granted;
import dev.sro.core.slicing.catalogue.DeviceModel;
import dev.sro.core.slicing.fixture.Models;
import dev.sro.core.slicing.policy.Policies;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

/** What several threads see of one allocator is what one thread could have seen. */
class SliceAllocatorHistoryTest {
    private static final DeviceModel A100 = Models.a100();
    private static final int THREADS = 3;

    /** One call: who named which claim, when it began and ended by a common counter, and what it answered. */
    private record Call(String claim, int profile, long began, long ended, String answer) {}

    private static SliceAllocator allocator(int devices) {
        SliceAllocator allocator = SliceAllocator.create(Policies.minimumFragmentation());
        for (int i = 0; i < devices; i++) {
            allocator.addDevice(SliceDevice.of("gpu-" + i, A100, "node-1"));
        }
        return allocator;
    }

    /** A profile below zero stands for a release. */
    private static String call(SliceAllocator allocator, String claim, int profile) {
        if (profile < 0) {
            try {
                return "released " + allocator.release(claim).start();
            } catch (SliceException e) {
                return String.valueOf(e.code());
            }
        }
        Decision decision = allocator.allocate(
                SliceRequest.of(claim, A100.profiles().get(profile).name()));
        return decision instanceof Granted granted
                ? granted.claim().device() + ":" + granted.claim().start()
                : "refused";
    }

    @Property(tries = 60, edgeCases = EdgeCasesMode.NONE)
    void everyHistoryIsThatOfSomeOrderOfItsCalls(@ForAll @IntRange(min = 1, max = 2) int devices, @ForAll long seed)
            throws Exception {
        SliceAllocator allocator = allocator(devices);
        AtomicLong time = new AtomicLong();
        CyclicBarrier start = new CyclicBarrier(THREADS);
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        List<Call> history = new ArrayList<>();
        try {
            List<Future<List<Call>>> futures = new ArrayList<>();
            for (int t = 0; t < THREADS; t++) {
                futures.add(threads.submit(thread(allocator, time, start, t, seed)));
            }
            for (Future<List<Call>> future : futures) {
                history.addAll(future.get());
            }
        } finally {
            threads.shutdownNow();
        }
        assertThat(explained(allocator(devices), history, allocator.stateHash()))
                .as("%s", history)
                .isTrue();
    }

    private static Callable<List<Call>> thread(
            SliceAllocator allocator, AtomicLong time, CyclicBarrier start, int thread, long seed) {
        return () -> {
            Random random = new Random(seed + thread);
            List<Call> calls = new ArrayList<>();
            start.await();
            for (int i = 0; i < 6; i++) {
                // Others' claims too, so that a release may come before, between or after.
                boolean release = i > 0 && random.nextInt(3) == 0;
                int owner = release ? random.nextInt(THREADS) : thread;
                String claim = owner + "-" + (release ? random.nextInt(i) : i);
                int profile = release ? -1 : random.nextInt(6);
                long began = time.incrementAndGet();
                String answer = call(allocator, claim, profile);
                calls.add(new Call(claim, profile, began, time.incrementAndGet(), answer));
            }
            return calls;
        };
    }

    /** Looks for an order in which one thread gets the same answers; no call may come before one that ended first. */
    private static boolean explained(SliceAllocator at, List<Call> rest, long hash) {
        if (rest.isEmpty()) {
            return at.stateHash() == hash;
        }
        long firstEnd = rest.stream().mapToLong(Call::ended).min().orElseThrow();
        for (Call next : rest) {
            if (next.began() > firstEnd) {
                continue;
            }
            SliceAllocator copy = at.whatIf();
            if (call(copy, next.claim(), next.profile()).equals(next.answer())) {
                List<Call> others = new ArrayList<>(rest);
                others.remove(next);
                if (explained(copy, others, hash)) {
                    return true;
                }
            }
        }
        return false;
    }

    @Property(tries = 30, edgeCases = EdgeCasesMode.NONE)
    void equalCallsGiveEqualAnswersInEveryThread(
            @ForAll @IntRange(min = 1, max = 6) int devices,
            @ForAll @Size(max = 200) List<@IntRange(min = -1, max = 5) Integer> events)
            throws Exception {
        List<String> expected = run(devices, events);
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        try {
            List<Future<List<String>>> futures = new ArrayList<>();
            for (int t = 0; t < THREADS; t++) {
                futures.add(threads.submit(() -> run(devices, events)));
            }
            for (Future<List<String>> future : futures) {
                assertThat(future.get())
                        .as("run(%s, List.of(%s))", devices, events)
                        .isEqualTo(expected);
            }
        } finally {
            threads.shutdownNow();
        }
    }

    private static List<String> run(int devices, List<Integer> events) {
        SliceAllocator allocator = allocator(devices);
        List<String> answers = new ArrayList<>();
        for (int i = 0; i < events.size(); i++) {
            answers.add(call(allocator, "c" + (events.get(i) < 0 ? i / 2 : i), events.get(i)));
            answers.add(Long.toHexString(allocator.stateHash()));
        }
        return answers;
    }
}
