package dev.sro.benchmarks;

import com.sun.management.ThreadMXBean;
import dev.sro.core.engine.Controller;
import dev.sro.core.engine.Timers;
import io.fabric8.kubernetes.api.model.Node;
import java.lang.management.ManagementFactory;
import java.time.Clock;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
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

    /** Pods become ready and unready while nodes change labels that do not matter: how long until the node is labelled. */
    private void latency() throws InterruptedException {
        Map<String, Long> waiting = new ConcurrentHashMap<>();
        ConcurrentLinkedQueue<Long> took = new ConcurrentLinkedQueue<>();
        fleet.onLabelled(node -> {
            Long since = waiting.remove(node);
            if (since != null) {
                took.add(System.nanoTime() - since);
            }
        });
        ExecutorService worker = Executors.newSingleThreadExecutor();
        ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
        Controller controller = new Controller(
                name -> {
                    reconciled.incrementAndGet();
                    return fleet.engine().reconcile(name).wakeUp();
                },
                worker,
                Timers.of(timer),
                Clock.systemUTC());
        request = () -> controller.request(Fleet.NAME);
        int events = PER_SECOND * SECONDS;
        List<Node> background = fleet.nodes(events, events, "y");
        fleet.takeWrites();
        long begin = System.nanoTime();
        for (int i = 0; i < events; i++) {
            long due = begin + TimeUnit.SECONDS.toNanos(1) / PER_SECOND * i;
            TimeUnit.NANOSECONDS.sleep(Math.max(0, due - System.nanoTime()));
            if (i % TRACKED == 0) {
                int node = i % (events / 2) / TRACKED;
                waiting.put("node-" + node, System.nanoTime());
                fleet.pod(0, node, i >= events / 2);
            } else {
                fleet.caches().nodeSeen(background.get(i));
            }
        }
        Thread.sleep(2_000);
        long[] times = took.stream().mapToLong(Long::longValue).toArray();
        print(
                "event to write, " + PER_SECOND + " events a second",
                times,
                "; " + times.length + " events, " + waiting.size() + " open, " + reconciled.get()
                        + " reconciles, writes " + fleet.takeWrites());
        storm();
        controller.close();
        worker.shutdown();
        timer.shutdown();
    }

    private void storm() throws InterruptedException {
        List<Node> all = fleet.nodes(0, STORM, "z");
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
