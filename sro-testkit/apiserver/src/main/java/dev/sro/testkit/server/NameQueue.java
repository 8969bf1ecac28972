package dev.sro.testkit.server;

import dev.sro.testkit.VirtualClock;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;

/** Names of objects that a controller has to look at; each once, however often it was added. Thread-safe. */
final class NameQueue {
    private static final Duration RETRY = Duration.ofSeconds(1);

    private final ConcurrentLinkedQueue<String> names = new ConcurrentLinkedQueue<>();
    private final VirtualClock clock;

    NameQueue(VirtualClock clock) {
        this.clock = clock;
    }

    void add(String name) {
        names.add(name);
    }

    /**
     * Handles what has been added so far; what a webhook or a policy refuses is tried again a second later. Returns whether there was
     * anything.
     */
    boolean drain(Consumer<String> handler) {
        Set<String> waiting = new LinkedHashSet<>();
        String name = names.poll();
        while (name != null) {
            waiting.add(name);
            name = names.poll();
        }
        for (String each : waiting) {
            try {
                handler.accept(each);
            } catch (ApiException refused) {
                clock.after(RETRY, () -> add(each));
            }
        }
        return !waiting.isEmpty();
    }
}
