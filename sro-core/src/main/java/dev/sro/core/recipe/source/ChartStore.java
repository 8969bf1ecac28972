package dev.sro.core.recipe.source;

import dev.sro.api.Problem;
import dev.sro.api.resource.ChartReference;
import dev.sro.api.resource.ChartRepository;
import dev.sro.core.recipe.Charts;
import dev.sro.core.recipe.chart.Chart;
import dev.sro.core.recipe.chart.ChartException;
import java.io.IOException;
import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the charts that special resources name. Each is fetched when somebody asks for it first, in the background; afterwards
 * the last one that was had is given out while newer ones are looked for. Charts of one content are one object. Two repositories
 * of one name and different addresses are two. Thread-safe.
 */
public final class ChartStore implements Charts {

    /** How old an answer may be before the address is asked again. */
    private static final Duration FRESH = Duration.ofMinutes(10);

    private static final Duration FIRST_RETRY = Duration.ofSeconds(10);
    private static final Duration LONGEST_RETRY = Duration.ofMinutes(5);

    private static final Logger LOG = LoggerFactory.getLogger(ChartStore.class);

    /** What of one reference is known. Guarded by the store. */
    private static final class Entry {
        private final Set<String> askedBy = new HashSet<>();
        private boolean fetching;
        private @Nullable Answer answer;
        private Instant next = Instant.MIN;
        private Duration retry = FIRST_RETRY;
    }

    private final Map<String, ChartFetcher> fetchers;
    private final Executor executor;
    private final Clock clock;
    private final Consumer<String> changed;
    private final Map<ChartReference, Entry> entries = new HashMap<>();
    private final Map<String, Chart> byDigest = new HashMap<>();

    /**
     * @param fetchers by scheme of the address
     * @param executor fetches; its tasks block
     * @param changed is told the name of each special resource whose chart is another one now; must not block
     */
    public ChartStore(Map<String, ChartFetcher> fetchers, Executor executor, Clock clock, Consumer<String> changed) {
        this.fetchers = Map.copyOf(fetchers);
        this.executor = executor;
        this.clock = clock;
        this.changed = changed;
    }

    @Override
    public synchronized Answer find(ChartReference reference, String specialResource) {
        ChartRepository repository = reference.getRepository();
        if (reference.getName().isEmpty()
                || repository == null
                || repository.getUrl().isEmpty()) {
            return new Failed(Problem.user(
                    "InvalidChartReference",
                    "spec.chart: name, version and repository.url are all needed, for example name: simple-kmod,"
                            + " version: 0.0.1, repository: {name: example, url: \"https://charts.example.com\"}"));
        }
        ChartFetcher fetcher = fetchers.get(scheme(repository.getUrl()));
        if (fetcher == null) {
            return new Failed(Problem.user(
                    "InvalidChartReference",
                    "spec.chart.repository.url: \"" + repository.getUrl() + "\" has none of the schemes "
                            + new TreeSet<>(fetchers.keySet())));
        }
        Entry entry = entries.computeIfAbsent(reference, unused -> new Entry());
        entry.askedBy.add(specialResource);
        if (!entry.fetching && !clock.instant().isBefore(entry.next)) {
            entry.fetching = true;
            start(reference, fetcher, entry);
        }
        Answer answer = entry.answer;
        return answer == null ? new Pending(describe(reference)) : answer;
    }

    private void start(ChartReference reference, ChartFetcher fetcher, Entry entry) {
        try {
            executor.execute(() -> keep(reference, entry, fetch(reference, fetcher)));
        } catch (RejectedExecutionException e) {
            // It is being stopped: nobody waits for the answer any more.
            entry.fetching = false;
        }
    }

    private Answer fetch(ChartReference reference, ChartFetcher fetcher) {
        try {
            ChartFetcher.Fetched fetched = fetcher.fetch(reference);
            Chart chart;
            synchronized (this) {
                chart = byDigest.computeIfAbsent(fetched.chart().digest(), unused -> fetched.chart());
            }
            return new Found(chart, fetched.warnings());
        } catch (ChartException e) {
            return new Failed(e.problem());
        } catch (IOException e) {
            return new Failed(new Problem(
                    "ChartNotReachable",
                    "spec.chart: " + describe(reference) + " cannot be had: " + e.getMessage(),
                    Problem.Owner.PLATFORM,
                    true));
        } catch (RuntimeException e) {
            LOG.atError().setCause(e).log("fetching {} failed", describe(reference));
            return new Failed(new Problem(
                    "ChartNotReachable",
                    "spec.chart: " + describe(reference) + " cannot be had: " + e,
                    Problem.Owner.PLATFORM,
                    true));
        }
    }

    private void keep(ChartReference reference, Entry entry, Answer answer) {
        Set<String> tell = new TreeSet<>();
        synchronized (this) {
            entry.fetching = false;
            if (answer instanceof Failed failed) {
                entry.next = clock.instant().plus(entry.retry);
                Duration twice = entry.retry.multipliedBy(2);
                entry.retry = twice.compareTo(LONGEST_RETRY) > 0 ? LONGEST_RETRY : twice;
                if (entry.answer instanceof Found) {
                    // What was had goes on serving while the address is away.
                    LOG.atWarn()
                            .log("{}: {}", describe(reference), failed.problem().message());
                    return;
                }
            } else {
                entry.next = clock.instant().plus(FRESH);
                entry.retry = FIRST_RETRY;
            }
            if (!answer.equals(entry.answer)) {
                entry.answer = answer;
                tell.addAll(entry.askedBy);
                byDigest.values()
                        .removeIf(chart -> entries.values().stream()
                                .noneMatch(other -> other.answer instanceof Found found && found.chart() == chart));
            }
        }
        tell.forEach(changed);
    }

    private static String scheme(String url) {
        try {
            String scheme = URI.create(url).getScheme();
            return scheme == null ? "" : scheme.toLowerCase(Locale.ROOT);
        } catch (IllegalArgumentException e) {
            return "";
        }
    }

    private static String describe(ChartReference reference) {
        ChartRepository repository = reference.getRepository();
        return "chart " + reference.getName() + " " + reference.getVersion() + " from "
                + (repository == null ? "nowhere" : repository.getUrl().replaceFirst("//[^/@]*@", "//"));
    }
}
