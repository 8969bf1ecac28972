package dev.sro.core.recipe.source;

import dev.sro.api.Problem;
import dev.sro.api.resource.ChartReference;
import dev.sro.api.resource.ChartRepository;
import dev.sro.core.lookup.BackgroundLookups;
import dev.sro.core.lookup.Lookup;
import dev.sro.core.lookup.LookupOptions;
import dev.sro.core.lookup.LookupPace;
import dev.sro.core.recipe.chart.Chart;
import dev.sro.core.recipe.chart.ChartException;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the charts that special resources name. Each is fetched when somebody asks for it first, in the background; afterwards
 * the last one that was had is given out while newer ones are looked for. Charts of one content are one object. Two repositories
 * of one name and different addresses are two. What nobody asks for any more is forgotten. Thread-safe.
 */
public final class ChartStore implements Charts {

    /** How old an answer may be before the address is asked again. */
    private static final Duration FRESH = Duration.ofMinutes(10);

    /** An archive may be large, and the line slow; connections have shorter limits of their own. */
    private static final LookupPace PACE = new LookupPace(
            Duration.ofSeconds(10),
            Duration.ofMinutes(5),
            Duration.ofMinutes(10),
            LookupPace.UNLIMITED,
            1,
            Duration.ofHours(1));

    /** Trips of a special resource without a word of a chart, after which it does not ask for it any more. */
    private static final int TRIPS = 3;

    private static final Logger LOG = LoggerFactory.getLogger(ChartStore.class);

    private final Map<String, ChartFetcher> fetchers;
    private final BackgroundLookups<ChartReference, SourceAnswer<ChartFetcher.Fetched>> lookups;
    private final Map<String, WeakReference<Chart>> byDigest = new HashMap<>();

    /**
     * @param fetchers by scheme of the address
     * @param executor fetches; its tasks block
     * @param clock never goes back
     * @param changed is told the name of each special resource whose chart was looked for; must not block
     */
    public ChartStore(Map<String, ChartFetcher> fetchers, Executor executor, Clock clock, Consumer<String> changed) {
        this.fetchers = Map.copyOf(fetchers);
        this.lookups = new BackgroundLookups<>(new Fetching(), executor, PACE, clock, changed);
    }

    @Override
    public SourceAnswer<ChartFetcher.Fetched> find(ChartReference reference, String specialResource) {
        ChartRepository repository = reference.getRepository();
        if (reference.getName().isEmpty()
                || repository == null
                || repository.getUrl().isEmpty()) {
            return SourceAnswer.failed(Problem.user(
                    "InvalidChartReference",
                    "spec.chart: name, version and repository.url are all needed, for example name: simple-kmod,"
                            + " version: 0.0.1, repository: {name: example, url: \"https://charts.example.com\"}"));
        }
        if (!fetchers.containsKey(scheme(repository.getUrl()))) {
            return SourceAnswer.failed(Problem.user(
                    "InvalidChartReference",
                    "spec.chart.repository.url: \"" + repository.getUrl() + "\" has none of the schemes "
                            + new TreeSet<>(fetchers.keySet())));
        }
        return lookups.start(reference, specialResource, LookupOptions.refreshed(FRESH))
                .answer()
                .orElseGet(() -> SourceAnswer.pending(describe(reference)));
    }

    @Override
    public Instant settle(String specialResource) {
        Instant again = lookups.settle(specialResource, reference -> true);
        lookups.leave(specialResource, TRIPS);
        return again;
    }

    @Override
    public void gone(String specialResource) {
        lookups.leave(specialResource, 0);
    }

    /** How many references are known. */
    int size() {
        return lookups.size();
    }

    /** Fetches one. */
    private final class Fetching implements Lookup<ChartReference, SourceAnswer<ChartFetcher.Fetched>> {

        @Override
        public SourceAnswer<ChartFetcher.Fetched> look(ChartReference reference) throws IOException {
            String url = Objects.requireNonNull(reference.getRepository()).getUrl();
            ChartFetcher fetcher = Objects.requireNonNull(fetchers.get(scheme(url)));
            try {
                ChartFetcher.Fetched fetched = fetcher.fetch(reference);
                return SourceAnswer.found(new ChartFetcher.Fetched(only(fetched.chart()), fetched.warnings()));
            } catch (ChartException e) {
                return told(reference, e.problem());
            }
        }

        @Override
        public SourceAnswer<ChartFetcher.Fetched> failed(ChartReference reference, Throwable cause) {
            String why = cause instanceof IOException || cause instanceof TimeoutException
                    ? String.valueOf(cause.getMessage())
                    : cause.toString();
            return told(
                    reference,
                    new Problem(
                            "ChartNotReachable",
                            "spec.chart: " + describe(reference) + " cannot be had: " + why,
                            Problem.Owner.PLATFORM,
                            true));
        }

        private SourceAnswer<ChartFetcher.Fetched> told(ChartReference reference, Problem problem) {
            if (lookups.peek(reference).filter(SourceAnswer::isFound).isPresent()) {
                // What was had goes on serving while the address is away.
                LOG.atWarn().log("{}: {}", describe(reference), problem.message());
            }
            return SourceAnswer.failed(problem);
        }

        @Override
        public boolean isSuccess(ChartReference reference, SourceAnswer<ChartFetcher.Fetched> answer) {
            return answer.isFound();
        }
    }

    /** Of one content there is one chart, as long as anybody has it. */
    private synchronized Chart only(Chart fetched) {
        byDigest.values().removeIf(kept -> kept.get() == null);
        WeakReference<Chart> kept = byDigest.get(fetched.digest());
        Chart known = kept == null ? null : kept.get();
        if (known != null) {
            return known;
        }
        byDigest.put(fetched.digest(), new WeakReference<>(fetched));
        return fetched;
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
