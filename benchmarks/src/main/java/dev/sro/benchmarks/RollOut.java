package dev.sro.benchmarks;

import dev.sro.core.apply.WriteThreads;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/**
 * How much of the allowed rate of requests a roll-out uses up: the engine on its real caches labels all nodes for the first time,
 * through the limit of a rate and with a fixed time for each answer, on elapsed time. A machine that is busy makes it slower, and
 * never faster. Prints one line.
 *
 * <p>Arguments: nodes, requests a second, milliseconds for an answer, writes at once.
 */
public final class RollOut {

    private static final double MILLIS = 1_000_000.0;

    private final long interval;
    private final long answer;
    private long first;
    private long next;
    private int requests;

    private RollOut(int perSecond, int answerMillis) {
        this.interval = TimeUnit.SECONDS.toNanos(1) / perSecond;
        this.answer = TimeUnit.MILLISECONDS.toNanos(answerMillis);
    }

    /** Rolls out once. */
    public static void main(String[] args) {
        int nodes = Integer.parseInt(args[0]);
        int perSecond = Integer.parseInt(args[1]);
        int atOnce = Integer.parseInt(args[3]);
        RollOut limit = new RollOut(perSecond, Integer.parseInt(args[2]));
        ExecutorService writes = Executors.newFixedThreadPool(atOnce);
        Fleet fleet = new Fleet(nodes, 3, 1, new WriteThreads(writes, atOnce), name -> {});
        fleet.onRequest(limit::request);
        long begin = System.nanoTime();
        fleet.engine().reconcile(Fleet.NAME);
        long end = System.nanoTime();
        writes.shutdown();
        System.out.printf(
                "%d nodes, %d requests a second, %s ms for an answer, %d at once: %d requests in %.1f s, %.1f %% of"
                        + " the rate%n",
                nodes,
                perSecond,
                args[2],
                atOnce,
                limit.requests,
                (end - begin) / MILLIS / 1_000,
                100.0 * limit.requests * limit.interval / (end - limit.first));
    }

    /** Waits for its turn, as the operator's client does, and then for the answer. */
    private void request() {
        try {
            TimeUnit.NANOSECONDS.sleep(turn() - System.nanoTime());
            TimeUnit.NANOSECONDS.sleep(answer);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The operator's rule, with its default burst of two seconds' requests; none are saved up at the beginning. */
    private synchronized long turn() {
        if (requests++ == 0) {
            first = System.nanoTime();
            next = first;
        }
        next = Math.max(next, System.nanoTime() - TimeUnit.SECONDS.toNanos(2)) + interval;
        return next;
    }
}
