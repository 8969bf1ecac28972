package dev.sro.core.recipe.source;

import dev.sro.api.Problem;
import dev.sro.api.resource.ChartReference;
import dev.sro.api.resource.ChartRepository;
import dev.sro.core.model.Code;
import dev.sro.core.recipe.chart.Chart;
import dev.sro.core.recipe.chart.ChartException;
import dev.sro.core.recipe.chart.ChartLoader;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Charts in a ConfigMap: {@code cm://NAMESPACE/NAME}, where data has {@code index.yaml} and binaryData the archives that the
 * index names. For a cluster that reaches no repository. Keeps no state; thread-safe.
 */
public final class ConfigMapCharts implements ChartFetcher {

    private static final String INDEX = "index.yaml";
    private static final Pattern MAP = Pattern.compile("(?i:cm|configmap)://([^/?#]+)/([^/?#]+)/?");
    private static final Pattern KEY = Pattern.compile("((?i:cm|configmap)://[^/?#]+/[^/?#]+)/([^/?#]+)");
    private static final Pattern NAME = Pattern.compile("[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?");

    private record Content(String url, Map<String, byte[]> files) {
        String at(String key) {
            return url + "/" + key;
        }

        byte[] get(String key) {
            byte[] file = files.get(key);
            if (file == null) {
                throw new ChartException(Problem.user(
                        Code.CHART_NOT_FOUND.text(),
                        "the ConfigMap of spec.chart.repository.url " + url + " has no key " + key + "; it has "
                                + RepositoryIndex.shown(List.copyOf(new TreeSet<>(files.keySet())))));
            }
            return file;
        }
    }

    private final ClusterFiles files;
    private final ChartLoader loader;

    /**
     * @param files reads the ConfigMap
     * @param loader reads the archive in it
     */
    public ConfigMapCharts(ClusterFiles files, ChartLoader loader) {
        this.files = files;
        this.loader = loader;
    }

    /** By the index; without one, the only archive that is there. */
    @Override
    public Fetched fetch(ChartReference reference) throws IOException {
        ChartRepository repository = Objects.requireNonNull(reference.getRepository());
        Content content = read(repository.getUrl());
        if (!content.files.containsKey(INDEX)) {
            return new Fetched(onlyOne(reference, content), List.of());
        }
        RepositoryIndex.Entry entry =
                RepositoryIndex.read(content.at(INDEX), content.get(INDEX)).choose(reference);
        String url = entry.urls().get(0);
        Matcher absolute = KEY.matcher(url);
        Content holder = content;
        String key = url.startsWith("./") ? url.substring(2) : url;
        if (absolute.matches()) {
            holder = absolute.group(1).equals(content.url) ? content : read(absolute.group(1));
            key = absolute.group(2);
        } else if (key.contains("/")) {
            throw RepositoryIndex.invalid(
                    content.at(INDEX),
                    "the archive of chart " + reference.getName() + " " + entry.version() + " is at " + url
                            + "; it must be a key of the ConfigMap, such as " + reference.getName() + "-"
                            + entry.version() + ".tgz");
        }
        Chart chart = Archives.open(loader, reference, holder.at(key), holder.get(key), entry.digest());
        return new Fetched(chart, List.of());
    }

    private Chart onlyOne(ChartReference reference, Content content) {
        List<String> archives = content.files.keySet().stream()
                .filter(key -> key.endsWith(".tgz"))
                .sorted()
                .toList();
        if (archives.size() != 1) {
            throw new ChartException(Problem.user(
                    Code.CHART_NOT_FOUND.text(),
                    "the ConfigMap of spec.chart.repository.url " + content.url + " has neither the key " + INDEX
                            + " nor exactly one archive (.tgz); it has "
                            + RepositoryIndex.shown(List.copyOf(new TreeSet<>(content.files.keySet())))
                            + ". \"helm repo index\" makes the index"));
        }
        String key = archives.get(0);
        return Archives.open(loader, reference, content.at(key), content.get(key), "");
    }

    private Content read(String url) throws IOException {
        Matcher matcher = MAP.matcher(url);
        if (!matcher.matches()
                || !NAME.matcher(matcher.group(1)).matches()
                || !NAME.matcher(matcher.group(2)).matches()) {
            throw new ChartException(Problem.user(
                    "InvalidChartReference",
                    "spec.chart.repository.url: \"" + url + "\" must name one ConfigMap, as cm://NAMESPACE/NAME"));
        }
        String plain = url.endsWith("/") ? url.substring(0, url.length() - 1) : url;
        return new Content(
                plain,
                files.configMap(matcher.group(1), matcher.group(2))
                        .orElseThrow(() -> new ChartException(Problem.user(
                                Code.CHART_NOT_FOUND.text(),
                                "spec.chart.repository.url: there is no ConfigMap " + matcher.group(2)
                                        + " in namespace " + matcher.group(1)))));
    }
}
