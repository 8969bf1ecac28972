package dev.sro.core.recipe.source;

import dev.sro.api.Problem;
import dev.sro.api.resource.ChartReference;
import dev.sro.api.resource.ChartRepository;
import dev.sro.core.model.Code;
import dev.sro.core.recipe.chart.Chart;
import dev.sro.core.recipe.chart.ChartException;
import dev.sro.core.recipe.chart.ChartLoader;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Charts in registries of images: {@code oci://registry.example.com/charts}, where {@code charts/NAME:VERSION} is what
 * {@code helm push} made. An archive that was had is not fetched again. Thread-safe.
 */
public final class OciCharts implements ChartFetcher {

    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final int KEPT = 64;

    /** Of Helm: {@code pkg/registry/constants.go}. */
    private static final String CONFIG = "application/vnd.cncf.helm.config.v1+json";

    private static final List<String> CONTENT =
            List.of("application/vnd.cncf.helm.chart.content.v1.tar+gzip", "application/tar+gzip");

    /** From the distribution specification, 1.1: names and tags. */
    private static final Pattern ADDRESS =
            Pattern.compile("(?i:oci)://(?:[^@/]*@)?([A-Za-z0-9._-]+(?::\\d+)?|\\[[0-9a-fA-F:]+](?::\\d+)?)"
                    + "((?:/[a-z0-9]+(?:(?:\\.|_|__|-+)[a-z0-9]+)*)*)/?(?::([A-Za-z0-9_][A-Za-z0-9._-]{0,127}))?");

    private static final Pattern DIGEST = Pattern.compile("sha256:[0-9a-f]{64}");
    private static final Pattern WHOLE = Pattern.compile("v?\\d+\\.\\d+\\.\\d+([-+].*)?");

    private final HttpFiles http;
    private final Credentials credentials;
    private final ChartLoader loader;

    /** By the digest of the archive, which only somebody gets to know who may read the manifest. */
    private final Map<String, Chart> charts = new LinkedHashMap<>();

    /**
     * @param clients connects
     * @param files reads the Secret that a chart's repository names
     * @param loader reads archives
     */
    public OciCharts(HttpClients clients, ClusterFiles files, ChartLoader loader) {
        this(clients, files, loader, LIMIT);
    }

    OciCharts(HttpClients clients, ClusterFiles files, ChartLoader loader, Duration limit) {
        this.http = new HttpFiles(clients, limit);
        this.credentials = new Credentials(files);
        this.loader = loader;
    }

    @Override
    public Fetched fetch(ChartReference reference) throws IOException {
        ChartRepository given = Objects.requireNonNull(reference.getRepository());
        Matcher address = address(given.getUrl());
        List<String> warnings = new ArrayList<>();
        RepositoryCredentials access = credentials.of(given, login(given.getUrl()), warnings);
        OciRegistry registry = registry(access, address, reference.getName());
        String tag = reference.getVersion().replace('+', '_');
        if (!WHOLE.matcher(reference.getVersion()).matches()) {
            tag = chosen(reference, address, registry);
        }
        Map<String, Object> manifest;
        try {
            manifest = registry.manifest(tag);
        } catch (ChartException e) {
            if (!Code.CHART_NOT_FOUND.is(e.problem())) {
                throw e;
            }
            // Perhaps it is there with a v in front, or without.
            tag = chosen(reference, address, registry);
            manifest = registry.manifest(tag);
        }
        String from = shown(address, reference.getName(), tag);
        return new Fetched(Archives.check(reference, from, chart(registry, manifest, from)), warnings);
    }

    /**
     * A chart that an index names, without a login.
     *
     * @param url with name and tag of the chart
     */
    Chart tagged(String url) throws IOException {
        Matcher address = address(url);
        String path = address.group(2);
        if (address.group(3) == null || path.isEmpty()) {
            throw invalid("an index names " + url + ", which has no tag");
        }
        OciRegistry registry = new OciRegistry(http, RepositoryCredentials.NONE, address.group(1), path.substring(1));
        return chart(registry, registry.manifest(address.group(3)), url);
    }

    private OciRegistry registry(RepositoryCredentials access, Matcher address, String name) {
        if (address.group(3) != null || !ADDRESS.matcher("oci://host/" + name).matches()) {
            throw invalid(
                    "spec.chart: in a registry, the name is in small letters, and the version in spec.chart.version;"
                            + " spec.chart.repository.url has neither");
        }
        return new OciRegistry(http, access, address.group(1), (address.group(2) + "/" + name).substring(1));
    }

    private static String chosen(ChartReference reference, Matcher address, OciRegistry registry) throws IOException {
        List<String> versions =
                registry.tags().stream().map(tag -> tag.replace('_', '+')).toList();
        return VersionConstraint.choose(
                        reference.getVersion(), VersionConstraint.newestFirst(versions, tag -> tag), tag -> tag)
                .orElseThrow(() -> new ChartException(Problem.user(
                        Code.CHART_NOT_FOUND.text(),
                        "spec.chart.version: " + shown(address, reference.getName(), "")
                                + " has no tag that meets \"" + reference.getVersion() + "\"; it has "
                                + RepositoryIndex.shown(VersionConstraint.newestFirst(versions, tag -> tag)))))
                .replace('+', '_');
    }

    private Chart chart(OciRegistry registry, Map<String, Object> manifest, String from) throws IOException {
        String kind = manifest.get("config") instanceof Map<?, ?> config ? text(config.get("mediaType")) : "";
        if (!kind.equals(CONFIG)) {
            throw noChart(from, "its config has media type \"" + kind + "\" and not " + CONFIG);
        }
        String digest = "";
        if (manifest.get("layers") instanceof List<?> layers) {
            for (Object item : layers) {
                if (item instanceof Map<?, ?> layer && CONTENT.contains(text(layer.get("mediaType")))) {
                    digest = text(layer.get("digest"));
                }
            }
        }
        if (!DIGEST.matcher(digest).matches()) {
            throw noChart(from, "it has no layer of media type " + CONTENT.get(0) + " with a SHA-256 digest");
        }
        Chart known;
        synchronized (charts) {
            known = charts.get(digest);
        }
        if (known != null) {
            return known;
        }
        byte[] archive = registry.blob(digest, loader.limits().compressedBytes());
        Archives.checkDigest(from, archive, digest);
        Chart chart = loader.fromArchive(from, archive);
        synchronized (charts) {
            if (charts.size() >= KEPT) {
                charts.remove(charts.keySet().iterator().next());
            }
            charts.put(digest, chart);
        }
        return chart;
    }

    private static ChartException noChart(String from, String why) {
        return new ChartException(new Problem(
                "InvalidChart",
                from + " is no Helm chart: " + why + "; publish it by helm push",
                Problem.Owner.VENDOR,
                false));
    }

    private static Matcher address(String url) {
        Matcher matcher = ADDRESS.matcher(url);
        if (!matcher.matches()) {
            // Not the text itself: there may be a login in it.
            throw invalid("spec.chart.repository.url: not the address of a registry, such as"
                    + " oci://registry.example.com/charts");
        }
        return matcher;
    }

    private static URI login(String url) {
        try {
            return URI.create(url);
        } catch (IllegalArgumentException e) {
            throw invalid("spec.chart.repository.url: the login in it must be percent-encoded; better put it into a"
                    + " Secret");
        }
    }

    private static ChartException invalid(String message) {
        return new ChartException(Problem.user("InvalidChartReference", message));
    }

    private static String shown(Matcher address, String name, String tag) {
        return "oci://" + address.group(1) + address.group(2) + "/" + name + (tag.isEmpty() ? "" : ":" + tag);
    }

    private static String text(@Nullable Object value) {
        return value == null ? "" : value.toString();
    }
}
