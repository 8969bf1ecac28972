package dev.sro.core.recipe.source;

import dev.sro.api.Problem;
import dev.sro.api.resource.ChartReference;
import dev.sro.api.resource.ChartRepository;
import dev.sro.core.model.Digests;
import dev.sro.core.recipe.chart.Chart;
import dev.sro.core.recipe.chart.ChartException;
import dev.sro.core.recipe.chart.ChartLoader;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Charts of repositories on web servers: {@code https://charts.example.com}, where index.yaml is. What did not change since it was
 * fetched last is not fetched again. Thread-safe.
 */
public final class HttpCharts implements ChartFetcher {

    /** How long one answer may take. */
    private static final Duration LIMIT = Duration.ofSeconds(60);

    private static final int KEPT_REPOSITORIES = 64;
    private static final int KEPT_CHARTS = 64;

    /** Two users with different credentials are two: neither gets what the other one may see. */
    private record Key(URI base, RepositoryCredentials access) {}

    private record Archive(String etag, String modified, String digest, Chart chart) {}

    /** What is known of one repository. Guarded by itself. */
    private static final class Repository {
        private @Nullable RepositoryIndex index;
        private String etag = "";
        private String modified = "";
        private final Map<URI, Archive> archives = recent(KEPT_CHARTS);
    }

    private final HttpFiles http;
    private final Credentials credentials;
    private final ChartLoader loader;
    private final OciCharts oci;
    private final Map<Key, Repository> repositories = recent(KEPT_REPOSITORIES);

    /**
     * @param clients connects
     * @param files reads the Secret that a chart's repository names
     * @param loader reads archives
     */
    public HttpCharts(HttpClients clients, ClusterFiles files, ChartLoader loader) {
        this(clients, files, loader, LIMIT);
    }

    HttpCharts(HttpClients clients, ClusterFiles files, ChartLoader loader, Duration limit) {
        this.http = new HttpFiles(clients, limit);
        this.credentials = new Credentials(files);
        this.loader = loader;
        this.oci = new OciCharts(clients, files, loader, limit);
    }

    @Override
    public Fetched fetch(ChartReference reference) throws IOException {
        ChartRepository given = Objects.requireNonNull(reference.getRepository());
        URI uri = address(given.getUrl());
        List<String> warnings = new ArrayList<>();
        RepositoryCredentials access = credentials.of(given, uri, warnings);
        URI base = folder(HttpFiles.withoutLogin(uri));
        Repository repository;
        synchronized (repositories) {
            repository = repositories.computeIfAbsent(new Key(base, access), unused -> new Repository());
        }
        synchronized (repository) {
            RepositoryIndex index = index(repository, base, access);
            RepositoryIndex.Entry entry = index.choose(reference);
            return new Fetched(archive(repository, reference, base, entry, access), warnings);
        }
    }

    private RepositoryIndex index(Repository repository, URI base, RepositoryCredentials access) throws IOException {
        Map<String, String> headers = new HashMap<>();
        if (repository.index != null) {
            conditions(headers, repository.etag, repository.modified);
        }
        URI uri = within(base, base.resolve("index.yaml"));
        HttpFiles.Answer answer = http.get(uri, access.tls(), access.basic(), headers, IndexReader.MAX_BYTES)
                .orFail("spec.chart.repository.url must be the folder that has index.yaml");
        if (answer.status() == HttpFiles.NOT_MODIFIED && repository.index != null) {
            return repository.index;
        }
        RepositoryIndex index = RepositoryIndex.read(HttpFiles.shown(uri), answer.body());
        repository.index = index;
        repository.etag = answer.header("ETag");
        repository.modified = answer.header("Last-Modified");
        return index;
    }

    private Chart archive(
            Repository repository,
            ChartReference reference,
            URI base,
            RepositoryIndex.Entry entry,
            RepositoryCredentials access)
            throws IOException {
        URI uri = archiveAddress(reference, base, entry);
        if ("oci".equalsIgnoreCase(uri.getScheme())) {
            return Archives.check(reference, uri.toString(), oci.tagged(uri.toString()));
        }
        String from = HttpFiles.shown(uri);
        Archive known = repository.archives.get(uri);
        String digest = Archives.plain(entry.digest());
        if (known != null && !digest.isEmpty() && known.digest.equals(digest)) {
            return Archives.check(reference, from, known.chart);
        }
        Map<String, String> headers = new HashMap<>();
        if (known != null && digest.isEmpty()) {
            conditions(headers, known.etag, known.modified);
        }
        String login = HttpFiles.sameServer(base, uri) ? access.basic() : "";
        HttpFiles.Answer answer = http.get(
                        uri, access.tls(), login, headers, loader.limits().compressedBytes())
                .orFail("The index names this archive, and it is not there: make the index anew");
        if (answer.status() == HttpFiles.NOT_MODIFIED && known != null) {
            return Archives.check(reference, from, known.chart);
        }
        Chart chart = Archives.open(loader, reference, from, answer.body(), digest);
        repository.archives.put(
                uri,
                new Archive(
                        answer.header("ETag"), answer.header("Last-Modified"), Digests.sha256(answer.body()), chart));
        return chart;
    }

    /** As Helm does it: relative to the folder of the index, with the query of the repository's address. */
    private static URI archiveAddress(ChartReference reference, URI base, RepositoryIndex.Entry entry) {
        String url = entry.urls().get(0);
        String index = HttpFiles.shown(base.resolve("index.yaml"));
        try {
            URI given = URI.create(url);
            URI uri = given.isAbsolute() ? HttpFiles.withoutLogin(given) : within(base, base.resolve(given));
            if (HttpFiles.isHttp(uri) || "oci".equalsIgnoreCase(uri.getScheme())) {
                return uri;
            }
        } catch (IllegalArgumentException e) {
            throw RepositoryIndex.invalid(index, url + " is no URL");
        }
        throw RepositoryIndex.invalid(
                index,
                "the archive of chart " + reference.getName() + " " + entry.version() + " is at " + url
                        + "; only http, https and oci are followed from there");
    }

    private static void conditions(Map<String, String> headers, String etag, String modified) {
        if (!etag.isEmpty()) {
            headers.put("If-None-Match", etag);
        }
        if (!modified.isEmpty()) {
            headers.put("If-Modified-Since", modified);
        }
    }

    private static URI within(URI base, URI uri) {
        return base.getRawQuery() == null || uri.getRawQuery() != null
                ? uri
                : URI.create(uri + "?" + base.getRawQuery());
    }

    private static URI folder(URI uri) {
        String path = uri.getRawPath() == null ? "" : uri.getRawPath();
        String query = uri.getRawQuery() == null ? "" : "?" + uri.getRawQuery();
        return path.endsWith("/") ? uri : URI.create(HttpFiles.shown(uri) + "/" + query);
    }

    private static URI address(String url) {
        try {
            URI uri = URI.create(url);
            if (HttpFiles.isHttp(uri)) {
                return uri;
            }
        } catch (IllegalArgumentException e) {
            // Said below.
        }
        // The message of the exception would have the whole text, with a login that may be in it.
        throw new ChartException(Problem.user(
                "InvalidChartReference",
                "spec.chart.repository.url: not the address of a web server, such as https://charts.example.com"));
    }

    private static <K, V> Map<K, V> recent(int kept) {
        return new LinkedHashMap<>(16, 0.75f, true) {
            private static final long serialVersionUID = 1L;

            @Override
            protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
                return size() > kept;
            }
        };
    }
}
