package dev.sro.testkit.server;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sro.testkit.merge.ManagedFields;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * All objects of a cluster with their indexes, one version counter over all types, and a bounded history per type.
 * Every method but {@link #locked} must be called with the lock held.
 */
final class Store {
    /** An object's place in the whole store. */
    record Place(Gvr type, Key key) implements Comparable<Place> {
        @Override
        public int compareTo(Place other) {
            int c = type.compareTo(other.type);
            return c == 0 ? key.compareTo(other.key) : c;
        }
    }

    /** A registration; equal only to itself. */
    private static final class Subscriber {
        private final @Nullable Gvr type;
        private final Consumer<Change> consumer;

        Subscriber(@Nullable Gvr type, Consumer<Change> consumer) {
            this.type = type;
            this.consumer = consumer;
        }
    }

    private final ReentrantLock lock = new ReentrantLock();
    private final Map<Gvr, Table> tables = new TreeMap<>();
    private final Map<String, NavigableSet<Place>> byOwner = new HashMap<>();
    private final Map<String, NavigableSet<Key>> podsByNode = new HashMap<>();
    private final Map<String, Place> byUid = new HashMap<>();
    private final int window;
    private List<Subscriber> subscribers = List.of();
    private long version;

    Store(int window) {
        this.window = window;
    }

    <T extends @Nullable Object> T locked(Supplier<T> work) {
        lock.lock();
        try {
            return work.get();
        } finally {
            lock.unlock();
        }
    }

    /** Does some work without the lock, however often the caller holds it; afterwards he holds it as before. */
    void unlocked(Runnable work) {
        int holds = lock.getHoldCount();
        for (int i = 0; i < holds; i++) {
            lock.unlock();
        }
        try {
            work.run();
        } finally {
            for (int i = 0; i < holds; i++) {
                lock.lock();
            }
        }
    }

    Table table(Gvr storage) {
        return tables.computeIfAbsent(storage, t -> new Table(t, window));
    }

    Collection<Table> tables() {
        return tables.values();
    }

    long version() {
        return version;
    }

    @Nullable Stored get(Gvr storage, Key key) {
        Table table = tables.get(storage);
        return table == null ? null : table.objects.get(key);
    }

    /** Where the object with this uid lies. */
    @Nullable Place find(String uid) {
        return byUid.get(uid);
    }

    List<Place> ownedBy(String uid) {
        NavigableSet<Place> places = byOwner.get(uid);
        return places == null ? List.of() : new ArrayList<>(places);
    }

    List<Key> podsOn(String node) {
        NavigableSet<Key> pods = podsByNode.get(node);
        return pods == null ? List.of() : new ArrayList<>(pods);
    }

    /** Writes an object under the next version, which is set in its metadata. The tree belongs to the store from now on. */
    Stored put(Gvr storage, Key key, ObjectNode object, ManagedFields fields) {
        Table table = table(storage);
        version++;
        Json.metadata(object).put("resourceVersion", Long.toString(version));
        Stored stored = new Stored(object, fields, version);
        Stored before = table.objects.put(key, stored);
        if (before != null) {
            unindex(storage, key, before.object());
        }
        index(storage, key, object);
        publish(table, new StoreEvent(before == null ? Change.Kind.ADDED : Change.Kind.MODIFIED, key, before, stored));
        return stored;
    }

    /** Removes an object. The event, and what is returned, is {@code last} or the stored state under the next version. */
    Stored remove(Gvr storage, Key key, @Nullable ObjectNode last) {
        Table table = table(storage);
        Stored before = table.objects.remove(key);
        if (before == null) {
            throw new IllegalStateException("not there: " + storage + " " + key);
        }
        unindex(storage, key, before.object());
        version++;
        ObjectNode object = Json.shallow(last == null ? before.object() : last);
        ObjectNode metadata = Json.shallow(Json.metadata(object));
        metadata.put("resourceVersion", Long.toString(version));
        object.set("metadata", metadata);
        Stored gone = new Stored(object, before.fields(), version);
        publish(table, new StoreEvent(Change.Kind.DELETED, key, before, gone));
        return gone;
    }

    private void publish(Table table, StoreEvent event) {
        table.remember(event);
        for (Watcher watcher : table.watchers) {
            watcher.offer(event);
        }
        Change change = null;
        for (Subscriber subscriber : subscribers) {
            if (subscriber.type == null || subscriber.type.equals(table.type)) {
                if (change == null) {
                    ObjectNode before = event.before == null ? null : event.before.object();
                    change = new Change(table.type, event.kind, before, event.after.object(), event.version());
                }
                subscriber.consumer.accept(change);
            }
        }
    }

    ClusterApi.Subscription subscribe(@Nullable Gvr storage, Consumer<Change> consumer) {
        Subscriber subscriber = new Subscriber(storage, consumer);
        List<Subscriber> more = new ArrayList<>(subscribers);
        more.add(subscriber);
        subscribers = more;
        return () -> locked(() -> {
            List<Subscriber> fewer = new ArrayList<>(subscribers);
            fewer.remove(subscriber);
            subscribers = fewer;
            return true;
        });
    }

    private void index(Gvr storage, Key key, JsonNode object) {
        JsonNode metadata = object.path("metadata");
        Place place = new Place(storage, key);
        byUid.put(metadata.path("uid").asText(), place);
        for (JsonNode owner : metadata.path("ownerReferences")) {
            byOwner.computeIfAbsent(owner.path("uid").asText(), u -> new TreeSet<>())
                    .add(place);
        }
        if (storage.equals(Gvr.PODS) && object.path("spec").hasNonNull("nodeName")) {
            podsByNode
                    .computeIfAbsent(object.path("spec").path("nodeName").asText(), n -> new TreeSet<>())
                    .add(key);
        }
    }

    private void unindex(Gvr storage, Key key, JsonNode object) {
        JsonNode metadata = object.path("metadata");
        Place place = new Place(storage, key);
        byUid.remove(metadata.path("uid").asText(), place);
        for (JsonNode owner : metadata.path("ownerReferences")) {
            removeFrom(byOwner, owner.path("uid").asText(), place);
        }
        if (storage.equals(Gvr.PODS) && object.path("spec").hasNonNull("nodeName")) {
            removeFrom(podsByNode, object.path("spec").path("nodeName").asText(), key);
        }
    }

    private static <T> void removeFrom(Map<String, NavigableSet<T>> index, String at, T value) {
        NavigableSet<T> values = index.get(at);
        if (values != null && values.remove(value) && values.isEmpty()) {
            index.remove(at);
        }
    }
}
