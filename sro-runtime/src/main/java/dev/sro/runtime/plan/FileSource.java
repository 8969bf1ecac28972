package dev.sro.runtime.plan;

import dev.sro.api.ClusterFacts;
import dev.sro.api.OsRelease;
import dev.sro.api.Outcome;
import dev.sro.api.resource.ChartReference;
import dev.sro.api.resource.SpecialResource;
import dev.sro.core.client.codec.Fabric8Codec;
import dev.sro.core.client.source.ChartSources;
import dev.sro.core.engine.Engine;
import dev.sro.core.engine.trip.Preview;
import dev.sro.core.module.AssumedVersions;
import dev.sro.core.outgoing.OutgoingGate;
import dev.sro.core.plugin.PluginHost;
import dev.sro.core.plugin.Plugins;
import dev.sro.core.recipe.ChartRecipes;
import dev.sro.core.recipe.StateFileRecipes;
import dev.sro.core.recipe.chart.CachingRenderer;
import dev.sro.core.recipe.chart.Chart;
import dev.sro.core.recipe.chart.ChartLoader;
import dev.sro.core.recipe.chart.HelmRenderer;
import dev.sro.core.recipe.source.ChartFetcher;
import dev.sro.core.recipe.source.ChartStore;
import dev.sro.core.recipe.source.Charts;
import dev.sro.core.recipe.source.HttpClients;
import dev.sro.core.recipe.source.SourceAnswer;
import dev.sro.runtime.PluginCalls;
import dev.sro.runtime.PluginOptions;
import dev.sro.runtime.UnusableInputException;
import dev.sro.runtime.plan.access.Access;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Special resources and nodes of files. Charts are fetched from where they are, but for those in ConfigMaps. */
final class FileSource implements PreviewSource {

    /** The first may fetch a chart, the next its dependencies. */
    private static final int MAX_TRIPS = 4;

    /** Rendered charts that are kept, one for each pool, and how long their texts may be together. */
    private static final int KEPT_RENDERINGS = 64;

    private static final long KEPT_CHARACTERS = 8_000_000;

    private final Fabric8Codec codec = new Fabric8Codec(new KubernetesSerialization());
    private final Clock clock = Clock.systemUTC();
    private final FileCluster cluster;
    private final List<SpecialResource> resources;
    private final FileModules modules;
    private final HelmRenderer renderer = new HelmRenderer();
    private final PreviewImages images;
    private final PluginCalls calls;
    private final Optional<PluginHost> host;
    private final Plugins plugins;
    private final Engine engine;

    private FileSource(PreviewOptions options) {
        this.cluster = new FileCluster(codec, options.isOpenShift(), options.kubernetesVersion());
        cluster.addNodes(options.nodes());
        cluster.addObserved(options.observed());
        List<Document> documents = options.documents();
        List<Document> ofModules = documents.stream()
                .filter(document -> document.kindKey().equals(FileModules.KIND_KEY))
                .toList();
        List<Document> others = documents.stream()
                .filter(document -> !FileRecipes.isMap(document) && !ofModules.contains(document))
                .toList();
        this.resources = others.isEmpty() && !ofModules.isEmpty() ? List.of() : cluster.addResources(others);
        List<Document> known = new ArrayList<>(documents);
        known.addAll(options.observed());
        cluster.addNodes(SampleNodes.create(options, resources));
        Optional<Chart> own = options.chart().map(ChartOption::load);
        this.images = options.images().looks(PreviewImages::anonymous);
        this.calls = options.plugins().calls();
        this.host = open(options.plugins(), resources);
        this.plugins = host.<Plugins>map(PluginHost::current).orElseGet(Plugins::of);
        ChartRecipes recipes = new ChartRecipes(
                charts(own, new FileMaps(known)),
                new CachingRenderer(renderer, KEPT_RENDERINGS, KEPT_CHARACTERS),
                codec::toTree);
        this.modules = new FileModules(
                ofModules, ofModules.isEmpty() ? Map.of() : kernels(options), cluster, recipes, codec, clock);
        this.engine = Engine.builder()
                .reader(cluster.caches())
                .writer(new NoWriter())
                .observer(cluster.caches())
                .plugins(plugins)
                .guard(calls.guard())
                .images(images, Runnable::run, name -> {})
                .codec(codec)
                .charts(recipes)
                .accounts(options.accounts())
                .stateFiles(new StateFileRecipes(new FileRecipes(known, clock), codec::toTree))
                .clock(clock)
                .build();
    }

    /** Those of the nodes with the version of their operating system, or those that were named. */
    private Map<String, String> kernels(PreviewOptions options) {
        Map<String, String> kernels = new TreeMap<>();
        if (options.kernels().isEmpty()) {
            cluster.caches()
                    .nodes()
                    .forEach(node -> kernels.put(
                            node.facts().kernel().raw(), rhel(node.facts().os())));
        } else {
            options.kernels().forEach(kernel -> kernels.put(kernel, AssumedVersions.systemOf(kernel)));
        }
        if (kernels.isEmpty()) {
            throw new UnusableInputException(
                    "--nodes",
                    "no node says which kernel it runs, and a SpecialResourceModule is looked at for kernels; give"
                            + " --kernel RELEASE for each instead");
        }
        return kernels;
    }

    /** Modules know of no other systems than RHEL and what is made of it. */
    private static String rhel(OsRelease os) {
        return os.id().equals("rhel") || os.id().equals("rhcos") ? os.version() : "";
    }

    static FileSource open(PreviewOptions options) {
        return new FileSource(options);
    }

    /** Who has charts alone needs no plugins. */
    static Optional<PluginHost> open(PluginOptions options, List<SpecialResource> resources) {
        boolean needed = options.directory().isPresent()
                || resources.stream()
                        .anyMatch(resource ->
                                resource.getSpec() == null || resource.getSpec().getPlugin() != null);
        return needed ? Optional.of(options.open()) : Optional.empty();
    }

    private Charts charts(Optional<Chart> own, FileMaps maps) {
        HttpClients clients = new HttpClients(OutgoingGate.open());
        ChartStore store =
                new ChartStore(ChartSources.create(maps, clients, new ChartLoader()), Runnable::run, clock, name -> {});
        return (ChartReference reference, String name) -> own.filter(
                        chart -> chart.metadata().name().equals(reference.getName()))
                .map(chart -> SourceAnswer.found(new ChartFetcher.Fetched(chart, List.of())))
                .orElseGet(() -> store.find(reference, name));
    }

    @Override
    public List<PreviewedResource> previews() {
        List<PreviewedResource> all = new ArrayList<>(
                DependencyPreviews.with(resources.stream().map(this::preview).toList(), codec, this::preview));
        all.addAll(modules.previews());
        return all;
    }

    private PreviewedResource preview(SpecialResource resource) {
        Preview preview = images.settled(() -> trips(resource));
        if (preview.obstacle().isPresent() && preview.obstacle().get() instanceof Outcome.Waiting waiting) {
            throw new UnusableInputException(resource.getMetadata().getName(), waiting.on());
        }
        return new PreviewedResource(
                resource,
                preview,
                Optional.of(cluster.nodeCount()),
                IdleReason.of(resource, preview, engine.forecasts().nodes()));
    }

    private Preview trips(SpecialResource resource) {
        Preview preview = engine.preview(resource);
        for (int i = 1; i < MAX_TRIPS && isUnknown(preview); i++) {
            preview = engine.preview(resource);
        }
        return preview;
    }

    private static boolean isUnknown(Preview preview) {
        return preview.obstacle().isPresent() || DependencyPreviews.arePending(preview);
    }

    @Override
    public ClusterFacts facts() {
        return cluster.caches().cluster();
    }

    @Override
    public List<String> warnings() {
        return cluster.warnings();
    }

    @Override
    public Plugins plugins() {
        return plugins;
    }

    @Override
    public Access access() {
        return Access.none("no cluster is asked with --nodes and --kernel");
    }

    @Override
    public Fabric8Codec codec() {
        return codec;
    }

    @Override
    public void close() {
        calls.close();
        host.ifPresent(PluginHost::close);
        renderer.close();
    }
}
