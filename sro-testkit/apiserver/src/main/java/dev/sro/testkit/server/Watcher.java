package dev.sro.testkit.server;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sro.testkit.merge.ManagedFields;
import java.util.Collection;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** One watch: filters the events of a table and passes on what its client is to see. Guarded by the store's lock. */
final class Watcher {
    /** What a watch asks for. */
    record Filter(@Nullable String namespace, LabelSelector labels, FieldSelector fields) {
        boolean matches(Key key, ObjectNode object) {
            return (namespace == null || namespace.equals(key.namespace()))
                    && labels.matchesObject(object)
                    && fields.matches(object);
        }

        boolean everything() {
            return namespace == null && labels.requirements().isEmpty() && fields.isEverything();
        }
    }

    private final ResourceType type;
    private final Filter filter;
    private final boolean bookmarks;
    private final @Nullable Function<Stored, byte[]> form;
    private final WatchSink sink;
    private boolean ended;

    Watcher(
            ResourceType type,
            Filter filter,
            boolean bookmarks,
            @Nullable Function<Stored, byte[]> form,
            WatchSink sink) {
        this.type = type;
        this.filter = filter;
        this.bookmarks = bookmarks;
        this.form = form;
        this.sink = sink;
    }

    ResourceType type() {
        return type;
    }

    @Nullable String namespace() {
        return filter.namespace();
    }

    void offer(StoreEvent event) {
        if (ended) {
            return;
        }
        boolean isIn = event.kind != Change.Kind.DELETED && filter.matches(event.key, event.after.object());
        boolean wasIn = event.before != null && filter.matches(event.key, event.before.object());
        if (isIn && wasIn) {
            send("MODIFIED", event);
        } else if (isIn) {
            send("ADDED", event);
        } else if (wasIn && event.kind == Change.Kind.DELETED) {
            send("DELETED", event);
        } else if (wasIn) {
            sendLeft(event);
        }
    }

    private void send(String kind, StoreEvent event) {
        if (form == null && kind.equals(event.kind.name())) {
            sink.event(event::bytes);
        } else {
            sink.event(() -> Render.event(kind, rendered(event.after)));
        }
    }

    /** The object left the selector: the client sees it go as it was, under the version of the write. */
    private void sendLeft(StoreEvent event) {
        Stored before = event.before;
        if (before == null) {
            return;
        }
        sink.event(() -> {
            ObjectNode last = Json.shallow(before.object());
            ObjectNode metadata = Json.shallow(Json.metadata(last));
            metadata.put("resourceVersion", Long.toString(event.version()));
            last.set("metadata", metadata);
            return Render.event("DELETED", rendered(new Stored(last, before.fields(), event.version())));
        });
    }

    void sendInitial(Collection<Stored> objects) {
        for (Stored object : objects) {
            Key key = Key.of(Json.namespace(object.object()), Json.name(object.object()));
            if (filter.matches(key, object.object())) {
                sink.event(() -> Render.event("ADDED", rendered(object)));
            }
        }
    }

    private byte[] rendered(Stored stored) {
        return form == null ? Render.object(stored) : form.apply(stored);
    }

    void bookmark(long version, boolean endOfInitialEvents) {
        if (ended || !bookmarks) {
            return;
        }
        ObjectNode mark = Json.object().put("kind", type.kind()).put("apiVersion", type.apiVersion());
        ObjectNode metadata = mark.putObject("metadata");
        metadata.put("resourceVersion", Long.toString(version));
        if (endOfInitialEvents) {
            metadata.putObject("annotations").put("k8s.io/initial-events-end", "true");
        }
        Stored stored = new Stored(mark, ManagedFields.NONE, version);
        sink.event(() -> Render.event("BOOKMARK", rendered(stored)));
    }

    void error(ApiException error) {
        byte[] status = Json.bytes(error.status());
        sink.event(() -> Render.event("ERROR", status));
    }

    void end() {
        if (!ended) {
            ended = true;
            sink.end();
        }
    }

    boolean ended() {
        return ended;
    }

    /** The client went away: nothing more is sent. */
    void abandon() {
        ended = true;
    }
}
