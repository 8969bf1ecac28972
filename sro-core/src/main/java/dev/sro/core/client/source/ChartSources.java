package dev.sro.core.client.source;

import dev.sro.core.recipe.chart.ChartLoader;
import dev.sro.core.recipe.source.ChartFetcher;
import dev.sro.core.recipe.source.ClusterFiles;
import dev.sro.core.recipe.source.ConfigMapCharts;
import dev.sro.core.recipe.source.FileCharts;
import dev.sro.core.recipe.source.HttpCharts;
import dev.sro.core.recipe.source.HttpClients;
import dev.sro.core.recipe.source.OciCharts;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.Map;

/** From where charts can come, for the operator. Stateless. */
public final class ChartSources {

    private ChartSources() {}

    /**
     * Files, ConfigMaps, web servers and registries.
     *
     * @param client reads ConfigMaps, and the Secrets that repositories name; with verb get, by name
     * @param clients connects to web servers and registries
     * @return by scheme of the address
     */
    public static Map<String, ChartFetcher> create(KubernetesClient client, HttpClients clients) {
        return create(new ClientFiles(client), clients, new ChartLoader());
    }

    /** The same where ConfigMaps and Secrets come from somewhere else than a cluster, or from nowhere. */
    public static Map<String, ChartFetcher> create(ClusterFiles files, HttpClients clients, ChartLoader loader) {
        ChartFetcher web = new HttpCharts(clients, files, loader);
        ChartFetcher maps = new ConfigMapCharts(files, loader);
        return Map.of(
                "file", new FileCharts(loader),
                "http", web,
                "https", web,
                "oci", new OciCharts(clients, files, loader),
                "cm", maps,
                "configmap", maps);
    }
}
