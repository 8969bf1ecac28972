package dev.sro.testkit;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Draws when each event reaches its watch: before the answer to the request that caused it, when the cluster works, or later.
 * Equal seeds and equal requests give equal deliveries. Thread-safe; runs deliveries on the caller's thread, without a lock.
 */
final class RandomDelivery {
    /** Of so many events one is late, when its watch was not behind already. */
    private static final int LATE = 4;

    private static final int EARLY = 3;

    /** Keeps the draws apart from those of the cluster's faults and ids. */
    private static final long SALT = 0x2545F4914F6CDD1DL;

    private record Event(Runnable delivery, Instant due, boolean early) {}

    private final VirtualClock clock;
    private final SplittableRandom random;
    private final long longestMillis;
    /** Channels that have something to deliver. */
    private final Set<Channel> waiting = new LinkedHashSet<>();

    RandomDelivery(VirtualClock clock, long seed, Duration longest) {
        this.clock = clock;
        this.random = new SplittableRandom(seed ^ SALT);
        this.longestMillis = longest.toMillis();
    }

    /** One watch. Guarded by the delivery. */
    private final class Channel implements Executor {
        private final ArrayDeque<Event> events = new ArrayDeque<>();

        @Override
        public void execute(Runnable delivery) {
            add(this, delivery);
        }
    }

    /** The way to a new watch. */
    Executor channel() {
        return new Channel();
    }

    private synchronized void add(Channel channel, Runnable delivery) {
        Instant due = clock.instant();
        boolean early = random.nextInt(EARLY) == 0;
        if (!early && longestMillis > 0 && random.nextInt(LATE) == 0) {
            due = due.plusMillis(1 + random.nextLong(longestMillis));
            clock.schedule(due, () -> {});
        }
        channel.events.add(new Event(delivery, due, early));
        waiting.add(channel);
    }

    /** Delivers what is faster than the answer to the request that is over. */
    void beforeAnswer() {
        deliver(true);
    }

    /** Delivers what is due, over and over until nothing is. Returns whether there was anything. */
    boolean deliverDue() {
        boolean any = false;
        while (deliver(false)) {
            any = true;
        }
        return any;
    }

    private boolean deliver(boolean earlyOnly) {
        boolean any = false;
        for (Channel channel : inAnyOrder()) {
            Runnable next = next(channel, earlyOnly);
            while (next != null) {
                any = true;
                next.run();
                next = next(channel, earlyOnly);
            }
        }
        return any;
    }

    private synchronized List<Channel> inAnyOrder() {
        List<Channel> order = new ArrayList<>(waiting);
        for (int i = order.size() - 1; i > 0; i--) {
            int other = random.nextInt(i + 1);
            Channel swapped = order.get(i);
            order.set(i, order.get(other));
            order.set(other, swapped);
        }
        return order;
    }

    private synchronized @Nullable Runnable next(Channel channel, boolean earlyOnly) {
        Event head = channel.events.peek();
        if (head == null || head.due().isAfter(clock.instant()) || (earlyOnly && !head.early())) {
            return null;
        }
        channel.events.poll();
        if (channel.events.isEmpty()) {
            waiting.remove(channel);
        }
        return head.delivery();
    }

    /** Makes everything due that waits. */
    synchronized void hurry() {
        for (Channel channel : waiting) {
            List<Event> now = channel.events.stream()
                    .map(event -> new Event(event.delivery(), Instant.MIN, true))
                    .toList();
            channel.events.clear();
            channel.events.addAll(now);
        }
    }
}
