package dev.sro.testkit.server;

import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;

/** Names of objects that a controller has to look at; each once, however often it was added. Thread-safe. */
final class NameQueue {
    private final ConcurrentLinkedQueue<String> names = new ConcurrentLinkedQueue<>();

    void add(String name) {
        names.add(name);
    }

    /** Handles what has been added so far. Returns whether there was anything. */
    boolean drain(Consumer<String> handler) {
        Set<String> waiting = new LinkedHashSet<>();
        String name = names.poll();
        while (name != null) {
            waiting.add(name);
            name = names.poll();
        }
        waiting.forEach(handler);
        return !waiting.isEmpty();
    }
}
