package dev.sro.core.client;

import dev.sro.core.build.Toolkits;
import dev.sro.core.image.Image;
import dev.sro.core.image.Images;
import dev.sro.core.image.ToolkitRelease;
import dev.sro.core.preflight.PreflightReconciler;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads for which kernels driver toolkits are, each image once for each architecture: they are named by digest, so what was read
 * never changes. One that cannot be read is tried again when it is asked for after a while, which grows. Thread-safe.
 */
final class ToolkitReader {

    private static final Logger LOG = LoggerFactory.getLogger(ToolkitReader.class);

    private static final Duration FIRST_RETRY = Duration.ofMinutes(1);
    private static final int MAX_DOUBLINGS = 6;

    /** An image of the stream, and the tag that it is or was behind. */
    record Tagged(String tag, String image) {}

    private record Key(String image, String architecture) {}

    private static final class Entry {
        private Optional<ToolkitRelease> release = Optional.empty();
        private String fault = "";
        private boolean reading;
        private int failures;
        private Instant due = Instant.MIN;
    }

    private final Images images;
    private final Executor executor;
    private final PreflightReconciler.Settings settings;
    private final Clock clock;
    private final Runnable changed;
    private final Map<Key, Entry> entries = new HashMap<>();

    /**
     * @param executor runs the reads, which block; one task at a time for each image
     * @param changed called when something was read; must not block
     */
    ToolkitReader(
            Images images, Executor executor, PreflightReconciler.Settings settings, Clock clock, Runnable changed) {
        this.images = images;
        this.executor = executor;
        this.settings = settings;
        this.clock = clock;
        this.changed = changed;
    }

    /** What is known of these images; has those read that are not. */
    List<Toolkits.Known> known(Collection<Tagged> all, String architecture) {
        Set<Tagged> distinct = new LinkedHashSet<>(all);
        List<Toolkits.Known> known = new ArrayList<>();
        List<Key> unread = new ArrayList<>();
        synchronized (this) {
            for (Tagged tagged : distinct) {
                Key key = new Key(tagged.image(), architecture);
                Entry entry = entries.computeIfAbsent(key, unused -> new Entry());
                if (entry.release.isEmpty()
                        && !entry.reading
                        && !clock.instant().isBefore(entry.due)) {
                    entry.reading = true;
                    unread.add(key);
                }
                known.add(new Toolkits.Known(tagged.tag(), tagged.image(), entry.release, entry.fault));
            }
        }
        unread.forEach(this::later);
        return known;
    }

    /** The images by the kernels that are in them; has those read that are not. Of two with one kernel the later tag counts. */
    SortedMap<String, String> kernels(Collection<Tagged> all, Collection<String> architectures) {
        SortedMap<String, String> kernels = new TreeMap<>();
        Map<String, String> tags = new HashMap<>();
        for (String architecture : architectures) {
            for (Toolkits.Known known : known(all, architecture)) {
                known.release().ifPresent(release -> {
                    Set<String> both = new HashSet<>(List.of(release.kernel(), release.realTimeKernel()));
                    both.remove("");
                    String tag = known.tag().equals("latest") ? "" : known.tag();
                    for (String kernel : both) {
                        if (!kernels.containsKey(kernel)
                                || tags.getOrDefault(kernel, "").compareTo(tag) < 0) {
                            kernels.put(kernel, known.image());
                            tags.put(kernel, tag);
                        }
                    }
                });
            }
        }
        return kernels;
    }

    /** Forgets images that are in the stream no more. */
    synchronized void retain(Collection<Tagged> all) {
        Set<String> present = new HashSet<>();
        all.forEach(tagged -> present.add(tagged.image()));
        entries.keySet().removeIf(key -> !present.contains(key.image()));
    }

    private void later(Key key) {
        try {
            executor.execute(() -> read(key));
        } catch (RejectedExecutionException e) {
            ended(key, Optional.empty(), "SRO is stopping");
        }
    }

    private void read(Key key) {
        try {
            Image image = images.open(key.image(), key.architecture(), settings.read(null));
            Optional<Image.Found> file = image.file(ToolkitRelease.PATH);
            if (file.isEmpty()) {
                ended(key, Optional.empty(), "it has no /" + ToolkitRelease.PATH);
            } else {
                ended(key, Optional.of(ToolkitRelease.parse(file.get(), key.architecture())), "");
            }
        } catch (IOException | RuntimeException e) {
            LOG.atDebug().log("driver toolkit {}: {}", key.image(), e.getMessage());
            ended(key, Optional.empty(), String.valueOf(e.getMessage()));
        }
        changed.run();
    }

    private synchronized void ended(Key key, Optional<ToolkitRelease> release, String fault) {
        Entry entry = entries.computeIfAbsent(key, unused -> new Entry());
        entry.reading = false;
        entry.release = release;
        entry.fault = fault;
        if (release.isEmpty()) {
            entry.due = clock.instant().plus(FIRST_RETRY.multipliedBy(1L << Math.min(entry.failures, MAX_DOUBLINGS)));
            entry.failures++;
        }
    }
}
