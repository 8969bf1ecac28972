package dev.sro.testkit.server;

import org.jspecify.annotations.Nullable;

/** One write, as the history keeps it for watches. Renders itself at most once, however many watches want it. */
final class StoreEvent {
    final Change.Kind kind;
    final Key key;
    final @Nullable Stored before;
    final Stored after;
    private byte @Nullable [] rendered;

    StoreEvent(Change.Kind kind, Key key, @Nullable Stored before, Stored after) {
        this.kind = kind;
        this.key = key;
        this.before = before;
        this.after = after;
    }

    long version() {
        return after.version();
    }

    /** The whole event for a watch whose selector the object did not enter or leave; in the form of the storage version. */
    synchronized byte[] bytes() {
        byte[] bytes = rendered;
        if (bytes == null) {
            bytes = Render.event(kind.name(), Render.object(after));
            rendered = bytes;
        }
        return bytes;
    }
}
