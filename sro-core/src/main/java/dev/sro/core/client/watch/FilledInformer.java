package dev.sro.core.client.watch;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.time.Clock;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * An informer that knows when its handlers have seen the whole first list, remembers no more than metadata, and can be made
 * to list anew. fabric8 calls an informer synced when its store is filled, while the handlers may still be behind; to plan on
 * a half-filled cache would be to delete what is only not seen yet. Thread-safe.
 */
final class FilledInformer<T extends HasMetadata> implements AutoCloseable {

    /** What is told about an informer. Called on its threads; must not block. */
    interface Listener<T> {
        /** An object is there, or changed. */
        void seen(T object);

        /** An object is gone; of one that vanished unseen there is metadata only. */
        void gone(T object);

        /** The handlers have seen all that a list had, which was of this resourceVersion. */
        void listed(String resourceVersion);

        /** A list or watch failed; it is tried again. */
        void failed(Throwable error);
    }

    private final Supplier<SharedIndexInformer<T>> informers;
    private final Function<T, T> empty;
    private final Listener<T> listener;
    private final Clock clock;
    private final Optional<T> mark;
    private volatile Run current;
    private volatile boolean filled;
    private volatile Instant lastSign;

    /** One informer and what it remembers. */
    private final class Run implements ResourceEventHandler<T> {
        final SharedIndexInformer<T> informer = informers.get();
        final MetadataStore<T> store = new MetadataStore<>(empty, mark);
        private volatile String version = "";

        void start() {
            informer.itemStore(store).addEventHandler(this).exceptionHandler((running, error) -> {
                listener.failed(error);
                return true;
            });
            var unused = informer.start();
        }

        @Override
        public void onAdd(T object) {
            tell(listener::seen, object);
        }

        @Override
        public void onUpdate(T before, T object) {
            tell(listener::seen, object);
        }

        @Override
        public void onDelete(T object, boolean unknownState) {
            if (EndOfList.isMark(object)) {
                // May be that of the list before, for a moment: what is older than this one is not taken for gone then.
                String version = informer.lastSyncResourceVersion();
                onList(version == null ? "" : version, false);
            } else {
                tell(listener::gone, object);
            }
        }

        /** What is still under way of an informer that was replaced is told by the one that lists after it. */
        private void tell(Consumer<T> what, T object) {
            if (current == this && !EndOfList.isMark(object)) {
                lastSign = clock.instant();
                what.accept(object);
            }
        }

        @Override
        public void onList(String resourceVersion, boolean remainedEmpty) {
            if (current == this) {
                filled = true;
                lastSign = clock.instant();
                listener.listed(resourceVersion);
            }
        }

        /** Whether a bookmark or an event came since it was asked before. */
        boolean moved() {
            String now = String.valueOf(informer.lastSyncResourceVersion());
            boolean moved = !now.equals(version);
            version = now;
            return moved;
        }
    }

    /**
     * Makes one that is not started.
     *
     * @param informers makes a fabric8 informer that is not started
     * @param empty an object of the same kind without content
     * @param told whether the client tells the end of a list: see {@link EndOfList}
     */
    @SuppressWarnings("unchecked") // the mark is told here alone, as something that has metadata
    FilledInformer(
            Supplier<SharedIndexInformer<T>> informers,
            Function<T, T> empty,
            Listener<T> listener,
            Clock clock,
            boolean told) {
        this.informers = informers;
        this.empty = empty;
        this.listener = listener;
        this.clock = clock;
        this.mark = told ? Optional.empty() : Optional.of((T) EndOfList.mark());
        this.lastSign = clock.instant();
        this.current = new Run();
    }

    /** Starts without waiting; it tries again for ever. */
    void start() {
        current.start();
    }

    /** Whether the handlers have seen the whole first list. */
    boolean isFilled() {
        return filled;
    }

    /** Whether a watch is open; a refused one is tried again by fabric8 without a word. */
    boolean isWatching() {
        return current.informer.isWatching();
    }

    /** When anything was heard of the API server for the last time: an object, a list, a bookmark. */
    Instant lastSign() {
        if (current.moved()) {
            lastSign = clock.instant();
        }
        return lastSign;
    }

    /** Lists anew, and tells of every object that there is and of every one that is not any more. */
    synchronized void relist() {
        Run before = current;
        before.informer.stop();
        Run next = new Run();
        next.informer.initialState(before.store.outdated());
        lastSign = clock.instant();
        current = next;
        next.start();
    }

    @Override
    public synchronized void close() {
        current.informer.close();
    }
}
