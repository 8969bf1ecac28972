package dev.sro.core.client.informer;

import dev.sro.api.Outcome;
import dev.sro.api.Problem;
import dev.sro.core.client.discovery.KindCatalog;
import dev.sro.core.client.watch.KindWatch;
import dev.sro.core.client.watch.WatchSweep;
import dev.sro.core.engine.port.Timers;
import dev.sro.core.model.Code;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * The watches of the kinds of operands, each from when a plan asks for it. Which are still needed is told by the plans alone: when a
 * special resource comes, changes or goes, every one of them is reconciled, and what none has asked for some time afterwards is closed.
 * Thread-safe.
 */
final class OperandWatches implements AutoCloseable {

    private static final class Asked {
        private final KindWatch watch;
        private long at;

        Asked(KindWatch watch, long at) {
            this.watch = watch;
            this.at = at;
        }
    }

    private final Function<String, Optional<KindWatch>> start;
    private final Consumer<String> closed;
    private final Map<String, Asked> watches = new HashMap<>();

    private final WatchSweep sweep;
    private boolean ended;

    /**
     * @param start starts to watch a kind, without waiting; empty if it is not served
     * @param closed told of each kind that is watched no more
     */
    OperandWatches(Function<String, Optional<KindWatch>> start, Consumer<String> closed, Timers timers) {
        this.sweep = new WatchSweep(timers, since -> close(asked -> asked.at < since));
        this.start = start;
        this.closed = closed;
    }

    /** Watches a kind that a plan needs; returns why its objects cannot be seen now, if they cannot. */
    Optional<Outcome> watch(String kind, KindCatalog catalog, Instant now) {
        Optional<KindWatch> known = find(kind);
        if (known.isPresent()) {
            return known.get().obstacle(now);
        }
        if (catalog.kinds().find(kind).isPresent()) {
            open(kind);
            return Optional.of(Outcome.waiting("CacheFilling", now, "the cache of " + kind + " fills"));
        }
        return Optional.of(
                catalog.isInDoubt(kind)
                        ? Outcome.waiting("CacheFilling", now, "the API server is asked whether it serves " + kind)
                        : Outcome.failed(Problem.platform(
                                Code.KIND_NOT_SERVED.text(),
                                "the cluster does not serve " + kind + "; install what provides it")));
    }

    private synchronized Optional<KindWatch> find(String kind) {
        Asked known = watches.get(kind);
        if (known != null) {
            known.at = sweep.now();
        }
        return Optional.ofNullable(known).map(asked -> asked.watch);
    }

    private synchronized void open(String kind) {
        if (!ended && !watches.containsKey(kind)) {
            start.apply(kind).ifPresent(watch -> watches.put(kind, new Asked(watch, sweep.now())));
        }
    }

    /** Everybody is reconciled now, and says again what is needed. */
    void doubt() {
        sweep.doubt();
    }

    /** Looks after all of them, see {@link KindWatch#check}. */
    void check(Duration silence) {
        all().forEach(watch -> watch.check(silence));
    }

    /** Closes those of kinds that are not served any more. */
    void retain(Predicate<String> served) {
        List<String> left;
        synchronized (this) {
            left = watches.keySet().stream().filter(served.negate()).toList();
        }
        for (String kind : left) {
            Asked known;
            synchronized (this) {
                known = watches.remove(kind);
            }
            if (known != null) {
                known.watch.close();
                closed.accept(kind);
            }
        }
    }

    private void close(Predicate<Asked> unneeded) {
        Map<String, KindWatch> left = new HashMap<>();
        synchronized (this) {
            watches.forEach((kind, asked) -> {
                if (unneeded.test(asked)) {
                    left.put(kind, asked.watch);
                }
            });
            watches.keySet().removeAll(left.keySet());
        }
        left.forEach((kind, watch) -> {
            watch.close();
            closed.accept(kind);
        });
    }

    /** All that are open. */
    synchronized Collection<KindWatch> all() {
        List<KindWatch> all = new ArrayList<>();
        watches.values().forEach(asked -> all.add(asked.watch));
        return all;
    }

    @Override
    public void close() {
        synchronized (this) {
            ended = true;
        }
        sweep.close();
        all().forEach(KindWatch::close);
    }
}
