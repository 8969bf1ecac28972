package dev.sro.testkit.sim;

import dev.sro.testkit.VirtualClock;
import dev.sro.testkit.server.ApiException;
import dev.sro.testkit.server.Change;
import dev.sro.testkit.server.ClusterApi;
import dev.sro.testkit.server.Controller;
import dev.sro.testkit.server.Gvr;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/**
 * One queue of keys for all simulated controllers, and timers that put keys into it. Equal keys are merged, and so are timers of
 * one instant, so a thousand pods that start together cost their DaemonSet one reconcile. Keys of machines and pods go before
 * those of workloads, and these before those of workloads made of workloads; inside a rank the order is that of arrival.
 */
final class SimLoop implements Controller {
    /** Something that brings one object to where it should be; called again whenever something it depends on changed. */
    interface Reconciler {
        /** Notes what a change means for this reconciler, by adding keys to the loop. */
        void observe(Change change);

        void reconcile(String key);

        /** 0 for machines and pods, 1 for workloads, 2 for workloads of workloads. */
        int rank();
    }

    private record Item(Reconciler who, String key) {}

    private static final int RANKS = 3;
    private static final Duration FIRST_RETRY = Duration.ofSeconds(1);
    private static final Duration LAST_RETRY = Duration.ofMinutes(5);

    private final ClusterApi api;
    private final VirtualClock clock;
    private final ConcurrentLinkedQueue<Change> changes = new ConcurrentLinkedQueue<>();
    private final ConcurrentLinkedQueue<Instant> due = new ConcurrentLinkedQueue<>();
    private final ConcurrentLinkedQueue<Runnable> commands = new ConcurrentLinkedQueue<>();
    private final Map<Instant, Set<Item>> timers = new HashMap<>();
    private final List<Set<Item>> ready = new ArrayList<>();
    private final List<Reconciler> reconcilers = new ArrayList<>();
    private final Map<Item, Integer> failures = new HashMap<>();
    private boolean failed;

    SimLoop(ClusterApi api, VirtualClock clock) {
        this.api = api;
        this.clock = clock;
        for (int i = 0; i < RANKS; i++) {
            ready.add(new LinkedHashSet<>());
        }
    }

    void add(Reconciler reconciler) {
        reconcilers.add(reconciler);
    }

    /** Begins to listen, and takes in the objects that are there already. */
    @SuppressWarnings("resource") // the registration lives as long as the cluster
    void start(Set<Gvr> types) {
        api.subscribe(null, change -> {
            if (types.contains(change.type())) {
                changes.add(change);
            }
        });
        for (Gvr type : types) {
            try {
                api.list(type).forEach(o -> changes.add(new Change(type, Change.Kind.ADDED, null, o, 0)));
            } catch (ApiException notServed) {
                Pods.ignoreMissing(notServed);
            }
        }
    }

    /** Runs a command on the thread that does the work, after the changes that were made before it. Safe from any thread. */
    void post(Runnable command) {
        commands.add(command);
        clock.schedule(now(), () -> {}); // wakes a cluster that runs in real time
    }

    Instant now() {
        return clock.instant();
    }

    void enqueue(Reconciler who, String key) {
        ready.get(who.rank()).add(new Item(who, key));
    }

    void after(Duration delay, Reconciler who, String key) {
        if (delay.isZero() || delay.isNegative()) {
            enqueue(who, key);
        } else {
            at(now().plus(delay), who, key);
        }
    }

    void at(Instant when, Reconciler who, String key) {
        Instant rounded = roundUp(when);
        Set<Item> bucket = timers.get(rounded);
        if (bucket == null) {
            bucket = new LinkedHashSet<>();
            timers.put(rounded, bucket);
            clock.schedule(rounded, () -> due.add(rounded));
        }
        bucket.add(new Item(who, key));
    }

    @Override
    public boolean work() {
        boolean any = false;
        boolean more = true;
        while (more) {
            takeIn();
            Item next = poll();
            more = next != null;
            if (next != null) {
                any = true;
                run(next);
            }
        }
        return any;
    }

    private void run(Item item) {
        failed = false;
        try {
            item.who().reconcile(item.key());
        } catch (ApiException refused) {
            // A webhook, a quota or an invalid template: the other objects must not suffer from it.
            retry(item.who(), item.key());
        }
        if (!failed) {
            failures.remove(item);
        }
    }

    /**
     * Tries the key that is being reconciled again later because the API refused something; later each time, until a reconcile
     * goes through. Several refusals in one reconcile count once.
     */
    void retry(Reconciler who, String key) {
        if (failed) {
            return;
        }
        failed = true;
        int count = failures.merge(new Item(who, key), 1, Integer::sum);
        at(now().plus(SimTimings.backoff(FIRST_RETRY, LAST_RETRY, count)), who, key);
    }

    private void takeIn() {
        for (Instant at = due.poll(); at != null; at = due.poll()) {
            Set<Item> bucket = timers.remove(at);
            if (bucket != null) {
                bucket.forEach(i -> ready.get(i.who().rank()).add(i));
            }
        }
        for (Change change = changes.poll(); change != null; change = changes.poll()) {
            for (Reconciler r : reconcilers) {
                r.observe(change);
            }
        }
        for (Runnable command = commands.poll(); command != null; command = commands.poll()) {
            command.run();
        }
    }

    private @Nullable Item poll() {
        for (Set<Item> rank : ready) {
            var it = rank.iterator();
            if (it.hasNext()) {
                Item item = it.next();
                it.remove();
                return item;
            }
        }
        return null;
    }

    /** Timers meet on whole milliseconds, so that those of one moment are merged on a real-time clock too. */
    private static Instant roundUp(Instant when) {
        Instant floor = when.truncatedTo(ChronoUnit.MILLIS);
        return floor.equals(when) ? when : floor.plusMillis(1);
    }
}
