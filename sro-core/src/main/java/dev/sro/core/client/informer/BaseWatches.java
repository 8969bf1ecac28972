package dev.sro.core.client.informer;

import dev.sro.api.Outcome;
import dev.sro.core.client.watch.KindWatch;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;

/** Watches of what every special resource needs, which stay open. Thread-safe. */
final class BaseWatches implements AutoCloseable {

    private final List<KindWatch> watches = new CopyOnWriteArrayList<>();

    /** Opens the watch of a kind, unless there is one. */
    synchronized void open(String kind, Supplier<KindWatch> opening) {
        if (watches.stream().noneMatch(watch -> watch.kind().equals(kind))) {
            watches.add(opening.get());
        }
    }

    List<KindWatch> all() {
        return watches;
    }

    /** Why one of them cannot be seen now; the last, if several cannot. */
    Optional<Outcome> obstacle(Instant now) {
        return watches.stream().flatMap(watch -> watch.obstacle(now).stream()).reduce((first, second) -> second);
    }

    /** Looks after all of them; see {@link KindWatch#check}. */
    void check(Duration silence) {
        watches.forEach(watch -> watch.check(silence));
    }

    @Override
    public void close() {
        watches.forEach(KindWatch::close);
    }
}
