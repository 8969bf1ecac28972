package dev.sro.runtime.scheduler;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Objects that a process follows by watches. Each is told when it is seen, anew or changed, and when it is gone; one that was made anew under the name of
 * another is told as gone and seen. A watch that fails is tried again for ever, and said. Thread-safe; tells are calls of the client's threads, of one kind
 * one at a time.
 */
public final class ObjectWatches implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ObjectWatches.class);

    private final List<SharedIndexInformer<?>> informers = new CopyOnWriteArrayList<>();
    private final Runnable changed;
    private volatile boolean started;

    /** @param changed called after each object that was told */
    public ObjectWatches(Runnable changed) {
        this.changed = changed;
    }

    /** Follows what an informer sees, from {@link #start} on. */
    public <T extends HasMetadata> void follow(SharedIndexInformer<T> informer, Consumer<T> seen, Consumer<T> gone) {
        informer.addEventHandler(new ResourceEventHandler<T>() {
            @Override
            public void onAdd(T added) {
                seen.accept(added);
                changed.run();
            }

            @Override
            public void onUpdate(T before, T after) {
                if (!before.getMetadata().getUid().equals(after.getMetadata().getUid())) {
                    gone.accept(before);
                }
                seen.accept(after);
                changed.run();
            }

            @Override
            public void onDelete(T deleted, boolean unknown) {
                gone.accept(deleted);
                changed.run();
            }
        });
        informer.exceptionHandler((started, failure) -> {
            LOG.atWarn().log("cannot be watched: {}", failure.getMessage());
            return true;
        });
        informers.add(informer);
    }

    /** Watches from now on. */
    public void start() {
        informers.forEach(informer -> {
            var unusedStage = informer.start();
        });
        started = true;
    }

    /** Whether all that is followed was seen once: not before all of it is watched. */
    public boolean isFilled() {
        return started && informers.stream().allMatch(SharedIndexInformer::hasSynced);
    }

    @Override
    public void close() {
        informers.forEach(SharedIndexInformer::close);
    }
}
