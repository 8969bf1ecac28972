package dev.sro.core.client.discovery;

import dev.sro.core.build.Toolkits;
import dev.sro.core.engine.port.Timers;
import dev.sro.core.image.Image;
import dev.sro.core.image.Images;
import dev.sro.core.image.ToolkitRelease;
import dev.sro.core.lookup.BackgroundLookups;
import dev.sro.core.lookup.Lookup;
import dev.sro.core.lookup.LookupOptions;
import dev.sro.core.lookup.LookupPace;
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
public final class ToolkitReader {

    private static final Logger LOG = LoggerFactory.getLogger(ToolkitReader.class);

    /** What was read stays until its image is in the stream no more, whoever asks for it how seldom. */
    private static final LookupPace PACE = new LookupPace(
            Duration.ofMinutes(1),
            Duration.ofHours(1),
            Duration.ofMinutes(10),
            LookupPace.UNLIMITED,
            1,
            Duration.ofDays(36_500));

    /** All that ask are one: whoever depends on what the cluster has. */
    private static final String CLUSTER = "";

    /** An image of the stream, and the tag that it is or was behind. */
    record Tagged(String tag, String image) {}

    private record Key(String image, String architecture) {}

    /** What is in one; without a release, why. */
    private record Content(Optional<ToolkitRelease> release, String fault) {
        static final Content UNREAD = new Content(Optional.empty(), "");
    }

    private final Images images;
    private final PreflightReconciler.Settings settings;
    private final Clock clock;
    private final Timers timers;
    private final Runnable changed;
    private final BackgroundLookups<Key, Content> lookups;
    private Instant wakeUp = Instant.MAX;
    private Runnable cancel = () -> {};

    /**
     * @param executor runs the reads, which block; one task at a time for each image
     * @param timers wake up when one is to be tried again, as nobody else would
     * @param changed called when something was read, or is to be asked for again; must not block
     */
    public ToolkitReader(
            Images images,
            Executor executor,
            PreflightReconciler.Settings settings,
            Clock clock,
            Timers timers,
            Runnable changed) {
        this.images = images;
        this.settings = settings;
        this.clock = clock;
        this.timers = timers;
        this.changed = changed;
        this.lookups = new BackgroundLookups<>(new Reading(), executor, PACE, clock, cluster -> changed.run());
    }

    /** What is known of these images; has those read that are not. */
    List<Toolkits.ToolkitImage> known(Collection<Tagged> all, String architecture) {
        List<Toolkits.ToolkitImage> known = new ArrayList<>();
        for (Tagged tagged : new LinkedHashSet<>(all)) {
            Content content = lookups.ask(new Key(tagged.image(), architecture), CLUSTER, LookupOptions.ONCE)
                    .answer()
                    .orElse(Content.UNREAD);
            known.add(new Toolkits.ToolkitImage(tagged.tag(), tagged.image(), content.release(), content.fault()));
        }
        wakeUp(lookups.settle(CLUSTER, key -> true));
        return known;
    }

    private synchronized void wakeUp(Instant at) {
        if (at.isBefore(wakeUp)) {
            cancel.run();
            wakeUp = at;
            Duration delay = Duration.between(clock.instant(), at);
            cancel = timers.schedule(delay.isNegative() ? Duration.ZERO : delay, this::again);
        }
    }

    private void again() {
        synchronized (this) {
            wakeUp = Instant.MAX;
        }
        changed.run();
    }

    /** The images by the kernels that are in them; has those read that are not. Of two with one kernel the later tag counts. */
    SortedMap<String, String> kernels(Collection<Tagged> all, Collection<String> architectures) {
        SortedMap<String, String> kernels = new TreeMap<>();
        Map<String, String> tags = new HashMap<>();
        for (String architecture : architectures) {
            for (Toolkits.ToolkitImage known : known(all, architecture)) {
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
    void retain(Collection<Tagged> all) {
        Set<String> present = new HashSet<>();
        all.forEach(tagged -> present.add(tagged.image()));
        lookups.retain((key, asked) -> present.contains(key.image()));
    }

    /** Reads one, with the logins and mirrors that there are now. */
    private final class Reading implements Lookup<Key, Content> {

        @Override
        public Content look(Key key) throws IOException {
            try {
                Image image = images.open(key.image(), key.architecture(), settings.read(null));
                Optional<Image.Found> file = image.file(ToolkitRelease.PATH);
                return file.isEmpty()
                        ? new Content(Optional.empty(), "it has no /" + ToolkitRelease.PATH)
                        : new Content(Optional.of(ToolkitRelease.parse(file.get(), key.architecture())), "");
            } catch (RuntimeException e) {
                return failed(key, e);
            }
        }

        @Override
        public Content failed(Key key, Throwable cause) {
            LOG.atDebug().log("driver toolkit {}: {}", key.image(), cause.getMessage());
            String why = cause instanceof RejectedExecutionException
                    ? "SRO is stopping"
                    : cause instanceof Error ? cause.toString() : String.valueOf(cause.getMessage());
            return new Content(Optional.empty(), why);
        }

        @Override
        public boolean isSuccess(Key key, Content content) {
            return content.release().isPresent();
        }
    }
}
