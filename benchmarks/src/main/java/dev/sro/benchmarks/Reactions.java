package dev.sro.benchmarks;

import com.sun.management.ThreadMXBean;
import dev.sro.core.engine.Controller;
import dev.sro.core.engine.port.Timers;
import io.fabric8.kubernetes.api.model.Node;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * How soon and at what cost the operator reacts to events in a cluster of a given size, without the time of an API server: what
 * a plan costs, how long it takes from an event to the write that it brings about while other events come in, and what a storm of
 * events does. Prints one line each.
 *
 * <p>Arguments: nodes, kernels, states.
 */
public final class Reactions {

    private static final int PLANS = 60;
    private static final int PER_SECOND = 100;
    private static final int SECONDS = 20;
    /** Every so many events one that is to bring about a write. */
    private static final int TRACKED = 5;

    private static final int STORM = 10_000;
    private static final double MICROS = 1_000.0;
    private static final double MILLIS = 1_000_000.0;

    private final AtomicInteger asked = new AtomicInteger();
    private final AtomicInteger reconciled = new AtomicInteger();
    private final Fleet fleet;
    private volatile Runnable request = () -> {};

    private Reactions(int nodes, int kernels, int states) {
        this.fleet = new Fleet(nodes, kernels, states, name -> {
            asked.incrementAndGet();
            request.run();
        });
    }

    /** Runs all of them. */
    public static void main(String[] args) throws InterruptedException {
        Reactions run = new Reactions(Integer.parseInt(args[0]), Integer.parseInt(args[1]), Integer.parseInt(args[2]));
        long before = System.nanoTime();
        run.fleet.converge(true);
        System.out.printf("roll-out: %s, %.0f ms%n", run.fleet.takeWrites(), (System.nanoTime() - before) / MILLIS);
        run.plans();
        run.heartbeats();
        run.latency();
        run.storm();
    }

    /** Of this thread, so that a busy machine makes less of a difference. */
    private static long cpu() {
        return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    }

    private static long allocated() {
        return ((ThreadMXBean) ManagementFactory.getThreadMXBean())
                .getThreadAllocatedBytes(Thread.currentThread().getId());
    }

    /** A plan after an event on one node, when there is nothing to do. */
    private void plans() {
        List<Node> changed = fleet.nodes(0, PLANS, "x");
        long[] times = new long[PLANS];
        long bytes = 0;
        for (int i = 0; i < PLANS; i++) {
            fleet.caches().nodeSeen(changed.get(i));
            long start = cpu();
            long heap = allocated();
            fleet.engine().plan(Fleet.NAME);
            bytes = allocated() - heap;
            times[i] = cpu() - start;
        }
        print("plan after one node's event that asks for nothing", times, "; " + bytes / 1_000 + " kB the last one");
    }

    private void heartbeats() {
        Node heartbeat = fleet.nodes(0, 1, "x").get(0);
        fleet.caches().nodeSeen(heartbeat);
        asked.set(0);
        long heap = 0;
        long start = 0;
        for (int i = 0; i < 2 * STORM; i++) {
            if (i == STORM) {
                heap = allocated();
                start = cpu();
            }
            fleet.caches().nodeSeen(heartbeat);
        }
        System.out.printf(
                "heartbeat: %.1f us, %d bytes, %d reconciles asked for%n",
                (cpu() - start) / MICROS / STORM, (allocated() - heap) / STORM, asked.get());
    }

    /**
     * Pods become ready and unready while nodes change labels that do not matter: how long until the node is labelled. On a clock that
     * runs with the processor's time of the one thread that takes in events and reconciles, so that other work on the machine makes no
     * difference to what waits for what. What the garbage collector takes is not in it and is told beside it.
     */
    private void latency() {
        deliver("y");
        fleet.takeWrites();
        reconciled.set(0);
        // Once the compilers have seen it.
        long collections = collections();
        Deliveries events = deliver("z");
        long[] times = events.took.stream().mapToLong(Long::longValue).toArray();
        print(
                "event to write, " + PER_SECOND + " events a second",
                times,
                "; " + times.length + " events, " + events.waiting.size() + " open, " + reconciled.get()
                        + " reconciles, collections " + (collections() - collections) + " ms, writes "
                        + fleet.takeWrites());
    }

    private Deliveries deliver(String note) {
        Deliveries events = new Deliveries(PER_SECOND * SECONDS, note);
        fleet.onLabelled(events::written);
        fleet.onPlan(events::deliver);
        request = () -> events.requested = true;
        events.run();
        request = () -> {};
        fleet.onPlan(() -> {});
        return events;
    }

    /** Events that come one after the other at their times, and what they bring about. */
    private final class Deliveries {
        private final List<Node> background;
        private final int size;
        private final Map<String, Long> waiting = new HashMap<>();
        private final List<Long> took = new ArrayList<>();
        private final long begin = cpu();
        /** What the clock was put forward while there was nothing to do. */
        private long idle;

        private int next;
        private boolean requested;

        Deliveries(int size, String note) {
            this.size = size;
            this.background = fleet.nodes(size, size, note);
        }

        private long now() {
            return cpu() - begin + idle;
        }

        private long due(int event) {
            return TimeUnit.SECONDS.toNanos(1) / PER_SECOND * event;
        }

        void run() {
            while (next < size || requested) {
                if (!requested) {
                    idle += Math.max(0, due(next) - now());
                    deliver();
                } else {
                    requested = false;
                    reconciled.incrementAndGet();
                    fleet.engine().reconcile(Fleet.NAME);
                }
            }
        }

        /** All that are due. */
        void deliver() {
            while (next < size && due(next) <= now()) {
                int event = next++;
                if (event % TRACKED == 0) {
                    int node = event % (size / 2) / TRACKED;
                    waiting.put("node-" + node, due(event));
                    fleet.pod(0, node, event >= size / 2);
                } else {
                    fleet.caches().nodeSeen(background.get(event));
                }
            }
        }

        void written(String node) {
            Long since = waiting.remove(node);
            if (since != null) {
                took.add(now() - since);
            }
        }
    }

    private static long collections() {
        return ManagementFactory.getGarbageCollectorMXBeans().stream()
                .mapToLong(GarbageCollectorMXBean::getCollectionTime)
                .sum();
    }

    private void storm() throws InterruptedException {
        ExecutorService worker = Executors.newSingleThreadExecutor();
        ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
        Controller controller = new Controller(
                (name, looking) -> {
                    reconciled.incrementAndGet();
                    return fleet.engine().reconcile(name).wakeUp();
                },
                worker,
                Timers.of(timer),
                Clock.systemUTC());
        request = () -> controller.request(Fleet.NAME);
        List<Node> all = fleet.nodes(0, STORM, "storm");
        Thread.sleep(1_000);
        reconciled.set(0);
        long heap = used();
        long start = System.nanoTime();
        for (Node node : all) {
            fleet.caches().nodeSeen(node);
        }
        double elapsed = (System.nanoTime() - start) / MILLIS;
        Thread.sleep(2_000);
        System.out.printf(
                "storm of %d node events in %.0f ms: %d reconciles, heap %+d kB%n",
                STORM, elapsed, reconciled.get(), (used() - heap) / 1_000);
        controller.close();
        worker.shutdown();
        timer.shutdown();
    }

    static long used() throws InterruptedException {
        for (int i = 0; i < 4; i++) {
            System.gc();
            Thread.sleep(100);
        }
        Runtime runtime = Runtime.getRuntime();
        return runtime.totalMemory() - runtime.freeMemory();
    }

    private static void print(String what, long[] nanos, String more) {
        Arrays.sort(nanos);
        System.out.printf(
                "%s: p50 %.1f ms, p99 %.1f ms, most %.1f ms%s%n",
                what,
                nanos[nanos.length / 2] / MILLIS,
                nanos[nanos.length * 99 / 100] / MILLIS,
                nanos[nanos.length - 1] / MILLIS,
                more);
    }
}
