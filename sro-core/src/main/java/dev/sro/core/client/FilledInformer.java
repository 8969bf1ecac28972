package dev.sro.core.client;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * An informer that knows when its handlers have seen the whole first list. fabric8 calls an informer synced when its
 * store is filled, while the handlers may still be behind; to plan on a half-filled cache would be to delete what is only
 * not seen yet. Thread-safe.
 */
final class FilledInformer<T extends HasMetadata> implements AutoCloseable {

    private final SharedIndexInformer<T> informer;
    private final CompletableFuture<Void> filled = new CompletableFuture<>();
    private final Set<String> seen = new HashSet<>();
    private @Nullable Set<String> missing;

    private FilledInformer(SharedIndexInformer<T> informer) {
        this.informer = informer;
    }

    /**
     * Starts an informer without waiting for it; it tries again for ever.
     *
     * @param informer not started yet
     * @param seen called for each object that is there, and again when it changes
     * @param gone called when an object is gone
     * @param failed called with each failure of the list or watch, and whether the informer was running before
     */
    static <T extends HasMetadata> FilledInformer<T> start(
            SharedIndexInformer<T> informer,
            Consumer<T> seen,
            Consumer<T> gone,
            BiConsumer<Boolean, Throwable> failed) {
        FilledInformer<T> result = new FilledInformer<>(informer);
        informer.addEventHandler(new ResourceEventHandler<>() {
            @Override
            public void onAdd(T object) {
                seen.accept(object);
                result.mark(object);
            }

            @Override
            public void onUpdate(T before, T object) {
                seen.accept(object);
                result.mark(object);
            }

            @Override
            public void onDelete(T object, boolean unknownState) {
                gone.accept(object);
                result.mark(object);
            }
        });
        informer.exceptionHandler((running, error) -> {
            failed.accept(running, error);
            return true;
        });
        var unused = informer.start().thenRun(result::listed);
        return result;
    }

    /** Whether the handlers have seen the whole first list. */
    boolean isFilled() {
        return filled.isDone();
    }

    /** Calls back when the handlers have seen the whole first list: now, if they have. */
    @SuppressWarnings("FutureReturnValueIgnored")
    void whenFilled(Runnable callback) {
        filled.thenRun(callback);
    }

    private void listed() {
        boolean done;
        synchronized (seen) {
            Set<String> keys = new HashSet<>();
            informer.getStore()
                    .list()
                    .forEach(object -> keys.add(object.getMetadata().getUid()));
            keys.removeAll(seen);
            missing = keys;
            done = keys.isEmpty();
        }
        if (done) {
            finish();
        }
    }

    private void mark(T object) {
        if (filled.isDone()) {
            return;
        }
        boolean done;
        synchronized (seen) {
            seen.add(object.getMetadata().getUid());
            Set<String> left = missing;
            if (left != null) {
                left.remove(object.getMetadata().getUid());
            }
            done = left != null && left.isEmpty();
        }
        if (done) {
            finish();
        }
    }

    private void finish() {
        filled.complete(null);
        synchronized (seen) {
            seen.clear();
        }
    }

    @Override
    public void close() {
        informer.close();
    }
}
