package dev.sro.testkit.server;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The objects of one type, their recent history and who watches them. Guarded by the store's lock. */
final class Table {
    final Gvr type;
    final NavigableMap<Key, Stored> objects = new TreeMap<>();
    final Set<Watcher> watchers = new LinkedHashSet<>();
    private final Deque<StoreEvent> history = new ArrayDeque<>();
    private final int window;
    private long forgotten;

    Table(Gvr type, int window) {
        this.type = type;
        this.window = window;
    }

    void remember(StoreEvent event) {
        history.addLast(event);
        if (history.size() > window) {
            forgotten = history.removeFirst().version();
        }
    }

    /** Drops the whole history: watches from versions up to {@code version} get 410. */
    void forget(long version) {
        history.clear();
        forgotten = version;
    }

    /** The version after which the history is complete. */
    long oldest() {
        return forgotten;
    }

    /** The events after a version, oldest first; null if some of them are forgotten. */
    @Nullable List<StoreEvent> since(long version) {
        if (version < forgotten) {
            return null;
        }
        List<StoreEvent> events = new ArrayList<>();
        var newestFirst = history.descendingIterator();
        while (newestFirst.hasNext()) {
            StoreEvent event = newestFirst.next();
            if (event.version() <= version) {
                break;
            }
            events.add(event);
        }
        Collections.reverse(events);
        return events;
    }

    /** The objects of a namespace (null: all), in order. */
    Collection<Stored> in(@Nullable String namespace) {
        return objectsIn(namespace).values();
    }

    NavigableMap<Key, Stored> objectsIn(@Nullable String namespace) {
        return in(objects, namespace);
    }

    static NavigableMap<Key, Stored> in(NavigableMap<Key, Stored> objects, @Nullable String namespace) {
        return namespace == null
                ? objects
                : objects.subMap(new Key(namespace, ""), true, new Key(namespace, "\uffff"), true);
    }

    /** The objects as they were at an earlier version; null if the history does not reach back. */
    @Nullable NavigableMap<Key, Stored> at(long version) {
        List<StoreEvent> later = since(version);
        if (later == null) {
            return null;
        }
        NavigableMap<Key, Stored> then = new TreeMap<>(objects);
        for (int i = later.size() - 1; i >= 0; i--) {
            StoreEvent event = later.get(i);
            if (event.before == null) {
                then.remove(event.key);
            } else {
                then.put(event.key, event.before);
            }
        }
        return then;
    }
}
