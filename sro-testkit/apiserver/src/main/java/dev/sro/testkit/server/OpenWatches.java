package dev.sro.testkit.server;

import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The watches that are open, and what becomes of all of a type at once. Thread-safe. */
final class OpenWatches {

    private final Store store;

    OpenWatches(Store store) {
        this.store = store;
    }

    /** How many of a type; null for all types. */
    int open(@Nullable Gvr type) {
        return store.locked(() -> store.tables().stream()
                .filter(table -> type == null || table.type.equals(type))
                .mapToInt(table -> table.watchers.size())
                .sum());
    }

    /** How many, by the group-qualified plural of their type. */
    SortedMap<String, Integer> openByType() {
        return store.locked(() -> store.tables().stream()
                .filter(table -> !table.watchers.isEmpty())
                .collect(Collectors.toMap(
                        table -> table.type.groupResource(),
                        table -> table.watchers.size(),
                        Integer::sum,
                        TreeMap::new)));
    }

    /** Ends those of a type; null for all types. */
    void end(@Nullable Gvr type) {
        each(type, OpenWatches::end);
    }

    /** Ends those of a type that is served no more, in all its versions. */
    void endOfDefinition(String groupResource) {
        store.locked(() -> {
            store.tables().stream()
                    .filter(table -> table.type.groupResource().equals(groupResource))
                    .forEach(OpenWatches::end);
            return true;
        });
    }

    /** Leaves those of a type open and sends nothing more; null for all types. */
    void silence(@Nullable Gvr type) {
        each(type, table -> table.watchers.clear());
    }

    /** Nobody can go on from an older version of a type; null for all types. */
    void forgetHistory(@Nullable Gvr type) {
        each(type, table -> table.forget(store.version()));
    }

    private static void end(Table table) {
        List<Watcher> all = List.copyOf(table.watchers);
        table.watchers.clear();
        all.forEach(Watcher::end);
    }

    private void each(@Nullable Gvr type, Consumer<Table> what) {
        store.locked(() -> {
            store.tables().stream()
                    .filter(table -> type == null || table.type.equals(type))
                    .forEach(what);
            return true;
        });
    }
}
