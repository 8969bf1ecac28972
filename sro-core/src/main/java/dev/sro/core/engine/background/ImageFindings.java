package dev.sro.core.engine.background;

import dev.sro.core.driver.ImageResolution.DatedFinding;
import dev.sro.core.driver.RegistryProbe.Finding;
import dev.sro.core.driver.RegistryProbe.Kind;
import dev.sro.core.driver.RegistryProbe.Query;
import dev.sro.core.image.RegistrySettings;
import dev.sro.core.lookup.BackgroundLookups;
import dev.sro.core.lookup.Lookup;
import dev.sro.core.lookup.LookupOptions;
import dev.sro.core.lookup.LookupPace;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Function;

/**
 * What is known of the images that one special resource waits for. One that was found is not looked for again; one that was not is,
 * after a while, which grows, and at once when the build that makes it got further. What nobody asks for any more is forgotten.
 *
 * <p>Thread-safe: findings come from other threads.
 */
public final class ImageFindings {

    /** A registry that does not delete does not begin to soon. */
    public static final Duration RETRY_REMOVAL = Duration.ofHours(6);

    /** Images whose modules are read are large; connections have shorter limits of their own. */
    private static final LookupPace PACE = new LookupPace(
            Duration.ofSeconds(15), Duration.ofMinutes(5), Duration.ofMinutes(10), 1, 1, Duration.ofDays(1));

    private static final LookupOptions REMOVAL = new LookupOptions(Optional.of(RETRY_REMOVAL), Optional.empty(), "");

    /** For how long settings serve all looks: shorter than any retry, so that each try knows what was mended before it. */
    private static final Duration FRESH = Duration.ofSeconds(10);

    /** What is looked for; each case says all that is special about it. */
    private interface Question {
        /** Looks. */
        Finding look(ImageFindings findings);

        /** What was looked for, when it is found. */
        default Kind sought() {
            return Kind.FOUND;
        }

        /** @param asked whether somebody asked for it in the trip that ends */
        default boolean isKept(ImageFindings findings, boolean asked) {
            return asked;
        }
    }

    private record Wanted(Query query) implements Question {
        @Override
        public Finding look(ImageFindings findings) {
            return findings.look(query, used -> findings.access.looks().look(query, used));
        }
    }

    private record Input(Query query) implements Question {
        @Override
        public Finding look(ImageFindings findings) {
            return findings.look(query, used -> findings.access.looks().look(query, used));
        }
    }

    private record Doomed(String image) implements Question {
        @Override
        public Finding look(ImageFindings findings) {
            Removal removal = findings.removals.get(image);
            return removal == null
                    ? Finding.UNREAD
                    : findings.look(
                            removal.query,
                            used -> findings.access.looks().remove(removal.query, removal.staying, used));
        }

        @Override
        public Kind sought() {
            return Kind.MISSING;
        }

        @Override
        public boolean isKept(ImageFindings findings, boolean asked) {
            return findings.removals.containsKey(image);
        }
    }

    /** An image that is to be deleted. */
    private static final class Removal {
        private final Query query;
        private volatile Set<String> staying = Set.of();
        private boolean told;

        Removal(Query query) {
            this.query = query;
        }
    }

    private record Logins(String namespace, List<String> pullSecrets) {}

    private record CachedSettings(RegistrySettings settings, Instant at) {}

    private final ImageAccess access;
    private final String specialResource;
    private final BackgroundLookups<Question, Finding> lookups;
    private final Map<String, Removal> removals = new ConcurrentHashMap<>();
    private final Map<Logins, CachedSettings> settings = new ConcurrentHashMap<>();

    public ImageFindings(ImageAccess access, String specialResource) {
        this.access = access;
        this.specialResource = specialResource;
        this.lookups =
                new BackgroundLookups<>(new Looking(), access.executor(), PACE, access.clock(), access.changed());
    }

    /**
     * What is known of an image.
     *
     * @param every how often it is looked for while it is missing; less and less often where it is empty
     * @param build how far the build is that makes it: a change is a reason to look
     */
    public DatedFinding of(Query query, Optional<Duration> every, String build) {
        return known(new Wanted(query), new LookupOptions(every, Optional.empty(), build));
    }

    /**
     * The same of an image that a build takes in: one that was found is looked for again after a while, as its tag may move. While
     * that look fails, what was found before counts.
     *
     * @param refresh after how long; never where it is empty
     */
    public DatedFinding ofInput(Query query, Optional<Duration> refresh) {
        return known(new Input(query), new LookupOptions(Optional.empty(), refresh, ""));
    }

    private DatedFinding known(Question question, LookupOptions terms) {
        BackgroundLookups.Known<Finding> known = lookups.ask(question, specialResource, terms);
        return new DatedFinding(known.answer().orElse(Finding.UNREAD), known.since());
    }

    /**
     * Has an image deleted that nobody needs. One that could not be is tried again after {@link #RETRY_REMOVAL}.
     *
     * @param staying images that must not go with it
     * @return {@link Kind#UNREAD} while it goes on, {@link Kind#MISSING} when it is gone, or why it is not
     */
    public Finding remove(Query query, Set<String> staying) {
        removals.computeIfAbsent(query.image(), unused -> new Removal(query)).staying = Set.copyOf(staying);
        return lookups.ask(new Doomed(query.image()), specialResource, REMOVAL)
                .answer()
                .orElse(Finding.UNREAD);
    }

    /** What came of deletions, by image; those that are over are forgotten when they were told of once. */
    public Map<String, Finding> removals() {
        Map<String, Finding> told = new HashMap<>();
        removals.forEach((image, removal) ->
                told.put(image, lookups.peek(new Doomed(image)).orElse(Finding.UNREAD)));
        removals.entrySet().removeIf(removal -> {
            boolean over = Objects.requireNonNull(told.get(removal.getKey())).kind() == Kind.MISSING;
            boolean before = removal.getValue().told;
            removal.getValue().told = over;
            return over && before;
        });
        return told;
    }

    /**
     * Ends a trip: forgets images that were not asked for, and has those looked for that are due.
     *
     * @return when to look again; {@link Instant#MAX} when there is no need to
     */
    public Instant settle() {
        lookups.retain((question, asked) -> question.isKept(this, asked));
        return lookups.settle(specialResource, question -> true);
    }

    /** Looks for one, or deletes it. */
    private final class Looking implements Lookup<Question, Finding> {

        @Override
        public Finding look(Question question) {
            return question.look(ImageFindings.this);
        }

        @Override
        public Finding failed(Question question, Throwable cause) {
            String why = cause instanceof RejectedExecutionException
                    ? "SRO is stopping"
                    : cause instanceof Error ? cause.toString() : String.valueOf(cause.getMessage());
            return Finding.of(Kind.UNREACHABLE, why);
        }

        @Override
        public boolean isSuccess(Question question, Finding finding) {
            return finding.kind() == question.sought();
        }
    }

    private Finding look(Query query, Function<RegistrySettings, Finding> looks) {
        Logins logins = new Logins(query.namespace(), query.pullSecrets());
        try {
            Finding finding = looks.apply(settings(logins));
            if (finding.kind() == Kind.DENIED) {
                // Somebody may mend the Secret.
                settings.remove(logins);
            }
            return finding;
        } catch (IOException e) {
            return Finding.of(Kind.DENIED, String.valueOf(e.getMessage()));
        } catch (RuntimeException e) {
            return Finding.of(Kind.UNREACHABLE, String.valueOf(e.getMessage()));
        }
    }

    private RegistrySettings settings(Logins logins) throws IOException {
        Instant now = access.clock().instant();
        settings.values().removeIf(kept -> !kept.at().plus(FRESH).isAfter(now));
        CachedSettings known = settings.get(logins);
        if (known != null) {
            return known.settings();
        }
        RegistrySettings read = access.looks().settings(logins.namespace(), logins.pullSecrets());
        settings.put(logins, new CachedSettings(read, now));
        return read;
    }
}
