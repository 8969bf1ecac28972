package dev.sro.testkit.server;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Reads objects: get, list with paging and versions. Every method must be called with the store's lock held. */
final class Reader {
    /** A page of a list. */
    record Page(List<Stored> items, long version, @Nullable String continueToken, long remaining) {}

    /** The query parameters of a list. */
    record Query(
            Watcher.Filter filter,
            long limit,
            @Nullable String continueToken,
            String resourceVersion,
            String resourceVersionMatch) {}

    private final Store store;

    Reader(Store store) {
        this.store = store;
    }

    Stored get(ResourceType type, @Nullable String namespace, String name, @Nullable String resourceVersion) {
        if (type.storage().plural().equals("events") && resourceVersion != null) {
            // They are in no cache, and what reads without one says it in the words of lists.
            checkNumber(resourceVersion);
        }
        checkNotFuture(resourceVersion);
        Stored stored = store.get(type.storage(), Key.of(type.namespaced() ? namespace : null, name));
        if (stored == null) {
            throw Errors.notFound(type.gvr(), name);
        }
        return stored;
    }

    /** Lists say it in another way than gets and watches. */
    private static void checkNumber(String version) {
        try {
            if (!version.isEmpty()) {
                Versions.parse(version);
            }
        } catch (ApiException e) {
            throw Errors.badRequest("invalid resource version: " + e.getMessage());
        }
    }

    private long checkNotFuture(@Nullable String resourceVersion) {
        if (resourceVersion == null || resourceVersion.isEmpty()) {
            return 0;
        }
        long wanted = Versions.parse(resourceVersion);
        if (Long.compareUnsigned(wanted, store.version()) > 0) {
            throw Errors.tooLargeVersion(wanted, store.version());
        }
        return wanted;
    }

    Page list(ResourceType type, Query query) {
        Continue from = Continue.decode(query.continueToken());
        if (from == null) {
            checkNumber(query.resourceVersion());
        }
        if (from != null
                && !query.resourceVersion().isEmpty()
                && !query.resourceVersion().equals("0")) {
            throw Errors.badRequest("specifying resource version is not allowed when using continue");
        }
        long wanted = from == null ? checkNotFuture(query.resourceVersion()) : from.version();
        Table table = store.table(type.storage());
        boolean exact = from != null
                || query.resourceVersionMatch().equals("Exact")
                || (query.limit() > 0
                        && wanted > 0
                        && query.resourceVersionMatch().isEmpty());
        boolean unpaged = query.resourceVersion().equals("0") && from == null;
        long version = exact && wanted > 0 ? wanted : store.version();
        if (version == store.version() || unpaged) {
            return page(candidates(table, query.filter(), type.namespaced()), query, from, store.version(), unpaged);
        }
        NavigableMap<Key, Stored> then = table.at(version);
        if (then == null) {
            throw Errors.expired(
                    from == null
                            ? "The resourceVersion for the provided list is too old."
                            : "The provided continue parameter is too old to display a consistent list result. You can"
                                    + " start a new list without the continue parameter.");
        }
        return page(Table.in(then, query.filter().namespace()), query, from, version, false);
    }

    /** The objects that can match at all, by the indexes there are. */
    private NavigableMap<Key, Stored> candidates(Table table, Watcher.Filter filter, boolean namespaced) {
        String node = table.type.equals(Gvr.PODS) ? filter.fields().nodeName() : null;
        if (node != null) {
            NavigableMap<Key, Stored> pods = new TreeMap<>();
            for (Key key : store.podsOn(node)) {
                Stored pod = table.objects.get(key);
                if (pod != null) {
                    pods.put(key, pod);
                }
            }
            return pods;
        }
        String name = filter.fields().name();
        if (name != null && (filter.namespace() != null || !namespaced)) {
            NavigableMap<Key, Stored> one = new TreeMap<>();
            Key key = Key.of(filter.namespace(), name);
            Stored stored = table.objects.get(key);
            if (stored != null) {
                one.put(key, stored);
            }
            return one;
        }
        return table.objectsIn(filter.namespace());
    }

    /** What comes after a key, which may be outside of what there is. */
    private static NavigableMap<Key, Stored> after(NavigableMap<Key, Stored> objects, Key last) {
        if (objects.isEmpty() || last.compareTo(objects.firstKey()) < 0) {
            return objects;
        }
        return last.compareTo(objects.lastKey()) >= 0 ? new TreeMap<>() : objects.tailMap(last, false);
    }

    private static Page page(
            NavigableMap<Key, Stored> objects, Query query, @Nullable Continue from, long version, boolean unpaged) {
        NavigableMap<Key, Stored> rest = from == null ? objects : after(objects, from.after());
        long limit = unpaged || query.limit() <= 0 ? Long.MAX_VALUE : query.limit();
        if (limit == Long.MAX_VALUE && query.filter().everything()) {
            return new Page(new ArrayList<>(rest.values()), version, null, 0);
        }
        List<Stored> items = new ArrayList<>();
        Key last = null;
        boolean more = false;
        long seen = 0;
        for (var entry : rest.entrySet()) {
            if (items.size() >= limit) {
                // Whether what is left matches is not looked at: the last page may be empty.
                more = true;
                break;
            }
            boolean matches =
                    query.filter().matches(entry.getKey(), entry.getValue().object());
            seen++;
            if (matches) {
                items.add(entry.getValue());
                last = entry.getKey();
            }
        }
        if (!more || last == null) {
            return new Page(items, version, null, 0);
        }
        Watcher.Filter filter = query.filter();
        boolean selected =
                !filter.labels().requirements().isEmpty() || !filter.fields().isEverything();
        long remaining = selected ? 0 : rest.size() - seen;
        return new Page(items, version, new Continue(version, last).encode(), remaining);
    }

    /** All objects that match, unpaged. */
    List<Stored> all(ResourceType type, Watcher.Filter filter) {
        Collection<Stored> candidates = candidates(store.table(type.storage()), filter, type.namespaced())
                .values();
        List<Stored> matching = new ArrayList<>();
        for (Stored stored : candidates) {
            Key key = Key.of(Json.namespace(stored.object()), Json.name(stored.object()));
            if (filter.matches(key, stored.object())) {
                matching.add(stored);
            }
        }
        return matching;
    }
}
