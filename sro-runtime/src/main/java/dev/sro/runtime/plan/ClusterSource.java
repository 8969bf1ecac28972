package dev.sro.runtime.plan;

import dev.sro.api.ClusterFacts;
import dev.sro.api.Outcome;
import dev.sro.api.resource.SpecialResource;
import dev.sro.core.client.ClientOperator;
import dev.sro.core.client.codec.Fabric8Codec;
import dev.sro.core.client.source.ChartSources;
import dev.sro.core.client.source.ClientImages;
import dev.sro.core.client.source.ClusterRegistries;
import dev.sro.core.engine.port.EventSink;
import dev.sro.core.engine.trip.Preview;
import dev.sro.core.outgoing.OutgoingGate;
import dev.sro.core.plugin.PluginHost;
import dev.sro.core.plugin.Plugins;
import dev.sro.core.recipe.Recipe;
import dev.sro.core.recipe.chart.CachingRenderer;
import dev.sro.core.recipe.chart.HelmRenderer;
import dev.sro.core.recipe.source.HttpClients;
import dev.sro.runtime.Clients;
import dev.sro.runtime.PluginCalls;
import dev.sro.runtime.UnusableInputException;
import dev.sro.runtime.plan.access.Access;
import dev.sro.runtime.plan.access.ClusterAccess;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Special resources and nodes of a cluster, read as the operator reads them. Writes nothing and takes no lease. */
final class ClusterSource implements PreviewSource {

    /** Until all that the plan needs is listed and fetched. */
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private static final long POLL_MILLIS = 50;

    private static final int KEPT_RENDERINGS = 64;

    private static final long KEPT_CHARACTERS = 8_000_000;

    private final String address;
    private final KubernetesClient client;
    private final Fabric8Codec codec;
    private final List<String> warnings = new ArrayList<>();
    private final HelmRenderer renderer = new HelmRenderer();
    private final ExecutorService fetches = Executors.newCachedThreadPool(task -> {
        Thread thread = new Thread(task, "sro-chart");
        thread.setDaemon(true);
        return thread;
    });
    private final List<SpecialResource> resources;
    private final PreviewImages images;
    private final PluginCalls calls;
    private final Optional<PluginHost> host;
    private final Plugins plugins;
    private final ClientOperator operator;
    private ClusterFacts facts = ClusterFacts.builder().build();

    private ClusterSource(Config config, KubernetesClient client, PreviewOptions options, List<String> names) {
        this.address = config.getMasterUrl();
        this.client = client;
        this.codec = new Fabric8Codec(client.getKubernetesSerialization());
        this.resources = resources(names, options.documents());
        this.images = options.images()
                .looks(() -> new ClientImages(
                        PreviewImages.probe(),
                        new ClusterRegistries(client, ClusterRegistries.REGISTRIES_CONF, this::isOpenShift)));
        this.calls = options.plugins().calls();
        this.host = FileSource.open(options.plugins(), resources);
        this.plugins = host.<Plugins>map(PluginHost::current).orElseGet(Plugins::of);
        this.operator = ClientOperator.builder()
                .client(client)
                .plugins(plugins)
                .guard(calls.guard())
                .driverImages(images, Runnable::run)
                .charts(
                        ChartSources.create(client, new HttpClients(OutgoingGate.open())),
                        fetches,
                        new CachingRenderer(renderer, KEPT_RENDERINGS, KEPT_CHARACTERS))
                .accounts(options.accounts())
                .writer(unused -> new NoWriter())
                // Nothing is reconciled, now or later: only previews are asked for.
                .workers(task -> {})
                .timers((delay, task) -> () -> {})
                .events(EventSink.none())
                .relistAfter(Duration.ZERO)
                .start();
    }

    static ClusterSource open(Config config, PreviewOptions options, List<String> names) {
        KubernetesClient client = Clients.plain(config);
        try {
            return new ClusterSource(config, client, options, names);
        } catch (KubernetesClientException e) {
            client.close();
            throw new UnusableInputException(config.getMasterUrl(), Clients.message(e));
        } catch (RuntimeException e) {
            client.close();
            throw e;
        }
    }

    private List<SpecialResource> resources(List<String> names, List<Document> files) {
        List<SpecialResource> all = new ArrayList<>();
        if (!files.isEmpty()) {
            SpecialResources.read(files, codec, warnings).forEach(given -> all.add(inPlace(given)));
        }
        if (files.isEmpty() && names.isEmpty()) {
            client.resources(SpecialResource.class).list().getItems().stream()
                    .sorted(Comparator.comparing(
                            resource -> resource.getMetadata().getName()))
                    .forEach(all::add);
        }
        for (String name : names) {
            SpecialResource one =
                    client.resources(SpecialResource.class).withName(name).get();
            if (one == null) {
                throw new UnusableInputException("NAME", "there is no special resource " + name);
            }
            all.add(one);
        }
        return all;
    }

    /** As it would be once it is applied over what the cluster has of this name. */
    private SpecialResource inPlace(SpecialResource given) {
        SpecialResource live = client.resources(SpecialResource.class)
                .withName(given.getMetadata().getName())
                .get();
        if (live == null) {
            given.getMetadata().setUid(SpecialResources.NO_UID);
        } else {
            given.getMetadata().setUid(live.getMetadata().getUid());
            given.getMetadata().setCreationTimestamp(live.getMetadata().getCreationTimestamp());
            given.getMetadata().setDeletionTimestamp(live.getMetadata().getDeletionTimestamp());
            given.getMetadata().setFinalizers(live.getMetadata().getFinalizers());
            given.setStatus(live.getStatus());
        }
        return given;
    }

    @Override
    public List<PreviewedResource> previews() {
        try {
            return DependencyPreviews.with(
                    resources.stream().map(this::preview).toList(), codec, needed -> preview(inPlace(needed)));
        } catch (KubernetesClientException e) {
            throw new UnusableInputException(address, Clients.message(e));
        }
    }

    private PreviewedResource preview(SpecialResource resource) {
        Preview preview = images.settled(() -> await(resource));
        preview.recipe().map(Recipe::context).ifPresent(context -> facts = context.cluster());
        return new PreviewedResource(
                resource,
                preview,
                Optional.empty(),
                IdleReason.of(resource, preview, operator.engine().forecasts().nodes()));
    }

    private boolean isOpenShift() {
        return operator.engine().forecasts().cluster().isOpenShift();
    }

    private Preview await(SpecialResource resource) {
        long end = System.nanoTime() + PATIENCE.toNanos();
        Preview preview = operator.engine().preview(resource);
        while (preview.obstacle().isPresent() || DependencyPreviews.arePending(preview)) {
            Outcome obstacle = preview.obstacle().orElse(Outcome.ready());
            if (obstacle instanceof Outcome.Failed failed) {
                throw new UnusableInputException(
                        address,
                        failed.problem().code() + ": " + failed.problem().message());
            }
            if (System.nanoTime() > end) {
                if (preview.obstacle().isEmpty()) {
                    return preview;
                }
                throw new UnusableInputException(
                        address,
                        "after " + PATIENCE.toSeconds() + " s this is still not known: "
                                + ((Outcome.Waiting) obstacle).on());
            }
            try {
                Thread.sleep(POLL_MILLIS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new UnusableInputException(address, "was interrupted");
            }
            preview = operator.engine().preview(resource);
        }
        return preview;
    }

    @Override
    public ClusterFacts facts() {
        return facts;
    }

    @Override
    public List<String> warnings() {
        return warnings;
    }

    @Override
    public Plugins plugins() {
        return plugins;
    }

    @Override
    public Access access() {
        return new ClusterAccess(client);
    }

    @Override
    public Fabric8Codec codec() {
        return codec;
    }

    @Override
    public void close() {
        operator.close();
        client.close();
        fetches.shutdownNow();
        calls.close();
        host.ifPresent(PluginHost::close);
        renderer.close();
    }
}
