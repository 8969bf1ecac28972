package dev.sro.core.engine;

import dev.sro.core.driver.ImageResolution.Known;
import dev.sro.core.driver.RegistryProbe.Finding;
import dev.sro.core.driver.RegistryProbe.Kind;
import dev.sro.core.driver.RegistryProbe.Query;
import dev.sro.core.image.RegistrySettings;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * What is known of the images that one special resource waits for. One that was found is not looked for again; one that was not is,
 * after a while, which grows, and at once when the build that makes it got further. What nobody asks for any more is forgotten.
 *
 * <p>Thread-safe: findings come from other threads.
 */
final class DriverBook {

    private static final Duration FIRST_RETRY = Duration.ofSeconds(15);
    private static final Duration LAST_RETRY = Duration.ofMinutes(5);

    /** A registry that does not delete does not begin to soon. */
    static final Duration RETRY_REMOVAL = Duration.ofHours(6);

    /** Doublings after which {@link #LAST_RETRY} is exceeded. */
    private static final int MAX_DOUBLINGS = 5;

    private static final class Entry {
        private final Instant since;
        private Optional<Duration> every = Optional.empty();
        private Optional<Duration> refresh = Optional.empty();
        private String build = "";
        private Finding finding = Finding.UNREAD;
        private int looks;
        private Instant due = Instant.MIN;
        private boolean asked = true;
        private boolean looking;
        private boolean told;
        private @Nullable Set<String> staying;

        Entry(Instant since) {
            this.since = since;
        }

        boolean found() {
            return finding.kind() == Kind.FOUND;
        }
    }

    private record Logins(String namespace, List<String> pullSecrets) {}

    private final ImageAccess access;
    private final String specialResource;
    private final Map<Query, Entry> entries = new HashMap<>();
    private final Map<String, Entry> removals = new HashMap<>();
    private final Map<Logins, RegistrySettings> settings = new HashMap<>();
    private final Deque<Map.Entry<Query, Entry>> queue = new ArrayDeque<>();

    /** Whether there is a task: never two, however long a look may take. */
    private boolean working;

    DriverBook(ImageAccess access, String specialResource) {
        this.access = access;
        this.specialResource = specialResource;
    }

    /**
     * What is known of an image.
     *
     * @param every how often it is looked for while it is missing; less and less often where it is empty
     * @param build how far the build is that makes it: a change is a reason to look
     */
    synchronized Known of(Query query, Optional<Duration> every, String build, Instant now) {
        Entry entry = entries.computeIfAbsent(query, unused -> new Entry(now));
        entry.asked = true;
        entry.every = every;
        if (!entry.build.equals(build)) {
            entry.build = build;
            entry.looks = 0;
            entry.due = Instant.MIN;
        }
        return new Known(entry.finding, entry.since);
    }

    /**
     * The same of an image that a build takes in: one that was found is looked for again after a while, as its tag may move. While
     * that look fails, what was found before counts.
     *
     * @param refresh after how long; never where it is empty
     */
    synchronized Known ofInput(Query query, Optional<Duration> refresh, Instant now) {
        Known known = of(query, Optional.empty(), "", now);
        Entry entry = entries.get(query);
        if (entry != null && !entry.refresh.equals(refresh)) {
            entry.refresh = refresh;
            if (entry.found()) {
                entry.due = refresh.map(now::plus).orElse(Instant.MAX);
            }
        }
        return known;
    }

    /**
     * Has an image deleted that nobody needs. One that could not be is tried again after {@link #RETRY_REMOVAL}.
     *
     * @param staying images that must not go with it
     * @return {@link Kind#UNREAD} while it goes on, {@link Kind#MISSING} when it is gone, or why it is not
     */
    synchronized Finding remove(Query query, Set<String> staying, Instant now) {
        Entry entry = removals.computeIfAbsent(query.image(), unused -> new Entry(now));
        entry.staying = Set.copyOf(staying);
        entry.asked = true;
        if (!entry.looking && entry.finding.kind() != Kind.MISSING && !entry.due.isAfter(now)) {
            entry.looking = true;
            queue.add(Map.entry(query, entry));
        }
        return entry.finding;
    }

    /** What came of deletions, by image; those that are over are forgotten when they were told of once. */
    synchronized Map<String, Finding> removals() {
        Map<String, Finding> told = new HashMap<>();
        removals.forEach((image, entry) -> told.put(image, entry.finding));
        removals.values().removeIf(entry -> entry.finding.kind() == Kind.MISSING && entry.told);
        removals.values().forEach(entry -> entry.told = entry.finding.kind() == Kind.MISSING);
        return told;
    }

    /**
     * Ends a trip: forgets images that were not asked for, and has those looked for that are due.
     *
     * @return when to look again; {@link Instant#MAX} when there is no need to
     */
    Instant settle(Instant now) {
        boolean start;
        Instant next = Instant.MAX;
        synchronized (this) {
            Iterator<Map.Entry<Query, Entry>> all = entries.entrySet().iterator();
            while (all.hasNext()) {
                Map.Entry<Query, Entry> one = all.next();
                Entry entry = one.getValue();
                if (!entry.asked) {
                    all.remove();
                    continue;
                }
                entry.asked = false;
                if (entry.looking || (entry.found() && entry.refresh.isEmpty())) {
                    continue;
                }
                if (!entry.due.isAfter(now)) {
                    entry.looking = true;
                    queue.add(Map.entry(one.getKey(), entry));
                } else if (entry.due.isBefore(next)) {
                    next = entry.due;
                }
            }
            if (entries.isEmpty() && removals.isEmpty()) {
                settings.clear();
            }
            start = !working && !queue.isEmpty();
            working |= start;
        }
        if (start) {
            later(now);
        }
        return next;
    }

    private void later(Instant now) {
        try {
            access.executor().execute(this::work);
        } catch (RejectedExecutionException e) {
            synchronized (this) {
                queue.forEach(one -> ended(one.getValue(), Finding.of(Kind.UNREACHABLE, "SRO is stopping"), now));
                queue.clear();
                working = false;
            }
        }
    }

    /** One look, so that what comes of it is acted on, and others get their turn. */
    private void work() {
        Map.Entry<Query, Entry> one;
        synchronized (this) {
            one = queue.poll();
            if (one == null) {
                working = false;
                return;
            }
        }
        Finding finding = look(one.getKey(), one.getValue());
        boolean more;
        synchronized (this) {
            ended(one.getValue(), finding, access.clock().instant());
            more = !queue.isEmpty();
            working = more;
        }
        if (more) {
            later(access.clock().instant());
        }
        access.changed().accept(specialResource);
    }

    private static void ended(Entry entry, Finding finding, Instant now) {
        entry.looking = false;
        if (entry.staying != null) {
            entry.finding = finding;
            entry.due = now.plus(RETRY_REMOVAL);
            return;
        }
        if (entry.found() && finding.kind() != Kind.FOUND && entry.refresh.isPresent()) {
            entry.due = now.plus(entry.refresh.get());
            return;
        }
        entry.finding = finding;
        if (entry.found() && entry.refresh.isPresent()) {
            entry.due = now.plus(entry.refresh.get());
            return;
        }
        Duration growing = FIRST_RETRY.multipliedBy(1L << Math.min(entry.looks, MAX_DOUBLINGS));
        Duration wait = entry.every.orElse(growing.compareTo(LAST_RETRY) > 0 ? LAST_RETRY : growing);
        entry.due = now.plus(wait);
        entry.looks++;
    }

    private Finding look(Query query, Entry entry) {
        Set<String> staying;
        synchronized (this) {
            staying = entry.staying;
        }
        Logins logins = new Logins(query.namespace(), query.pullSecrets());
        RegistrySettings known;
        synchronized (this) {
            known = settings.get(logins);
        }
        try {
            RegistrySettings used = known == null ? read(logins) : known;
            Finding finding = staying == null
                    ? access.looks().look(query, used)
                    : access.looks().remove(query, staying, used);
            if (finding.kind() == Kind.DENIED) {
                // Somebody may mend the Secret; there is no other reason to ask the API server for it again.
                keep(logins, null);
            }
            return finding;
        } catch (IOException e) {
            return Finding.of(Kind.DENIED, String.valueOf(e.getMessage()));
        } catch (RuntimeException e) {
            return Finding.of(Kind.UNREACHABLE, String.valueOf(e.getMessage()));
        }
    }

    private RegistrySettings read(Logins logins) throws IOException {
        RegistrySettings read = access.looks().settings(logins.namespace(), logins.pullSecrets());
        keep(logins, read);
        return Objects.requireNonNull(read);
    }

    private synchronized void keep(Logins logins, @Nullable RegistrySettings read) {
        if (read == null) {
            settings.remove(logins);
        } else {
            settings.put(logins, read);
        }
    }
}
