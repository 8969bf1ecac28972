package dev.sro.testkit.simulation;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sro.core.build.BuildSettings;
import dev.sro.core.lookup.MonotonicClock;
import dev.sro.testkit.EmbeddedCluster;
import dev.sro.testkit.charts.PathRenderer;
import dev.sro.testkit.operator.SroSandbox;
import dev.sro.testkit.recipes.LeastRights;
import dev.sro.testkit.server.ClusterApi;
import dev.sro.testkit.server.Gvr;
import dev.sro.testkit.server.Recording;
import dev.sro.testkit.sim.Behavior;
import dev.sro.testkit.sim.NodeProfile;
import dev.sro.testkit.sim.OsRelease;
import dev.sro.testkit.sim.SimRegistry;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The cluster of a random history, and the operator on it, which dies when it is told to. Confined to one thread. */
final class OracleWorld implements AutoCloseable {

    static final Gvr SPECIAL_RESOURCES = new Gvr("sro.openshift.io", "v1beta1", "specialresources");

    static final List<String> KERNELS = History.KERNELS.subList(0, 2);

    /** Far more turns than nine special resources need at one moment. */
    private static final int MAX_TURNS = 400;

    static final Duration SLOWEST_WATCH = Duration.ofSeconds(3);

    private static final int RELISTING = 8;

    private static final Duration SILENCE = Duration.ofMinutes(15);

    /** Of an API server whose watches are not silent: what ended is looked after all the same. */
    private static final Duration NEVER_SILENT = Duration.ofDays(1);

    private static final Set<String> NOT_STATE = Set.of("events", "events.events.k8s.io", "leases.coordination.k8s.io");

    final List<String> log = new ArrayList<>();
    final SroSandbox sandbox;
    final OracleCharts charts;
    final OracleImages images = new OracleImages();
    final OraclePlugins plugins = new OraclePlugins();
    private int previewTimes;
    private int previews;
    private int doomIn = -1;
    private boolean doomAfter;
    private @Nullable Doom doom;

    /** Whether watches that are silent are listed anew, which takes a timer per minute. */
    final boolean relists;

    private final boolean wide;

    /** How far the clock of operators that are started is off. */
    private Duration clockOff = Duration.ZERO;

    OracleWorld(long seed, OracleCharts.Shelf shelf, KubernetesSerialization serialization) {
        this(seed, shelf, null, false, serialization);
    }

    /**
     * @param registry for preflights, modules and builds, on OpenShift; without it, there are none
     * @param limited whether operators have the rights of an installation, and recipes accounts of their own
     */
    OracleWorld(
            long seed,
            OracleCharts.Shelf shelf,
            @Nullable OracleRegistry registry,
            boolean limited,
            KubernetesSerialization serialization) {
        relists = seed % RELISTING == 0;
        wide = registry != null;
        charts = new OracleCharts(shelf);
        sandbox = SroSandbox.create(
                        EmbeddedCluster.builder()
                                .seed(seed)
                                .openShift(wide)
                                .serialization(serialization)
                                .randomDelivery(SLOWEST_WATCH),
                        plugins)
                .maxTurns(MAX_TURNS)
                .charts(Map.of("file", charts), new PathRenderer())
                .driverImages(images)
                .relistAfter(relists ? SILENCE : NEVER_SILENT)
                .writer(writer -> {
                    doom = new Doom(writer, doomIn, doomAfter);
                    return doom;
                });
        sandbox.simulation().registry().onlyPushed("registry.example/kmod:*");
        loaderPodsEnd();
        serveWidgets();
        if (registry != null) {
            widen(registry);
        }
        if (limited) {
            LeastRights.of(sandbox, OracleRightSteps.OF_PLUGINS, OracleRightSteps.OF_RECIPES);
        }
        sandbox.client()
                .resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName("recipe")
                        .endMetadata()
                        .build())
                .create();
        sandbox.cluster().recording().start();
        restart();
    }

    private void widen(OracleRegistry registry) {
        SimRegistry images = sandbox.simulation().registry();
        images.onlyPushed(OracleImages.BUILT + "*");
        this.images.pushed(images::exists);
        sandbox.preflights(registry.images(), registry.mirrors())
                .driverImages(this.images)
                .modules(registry.resolver())
                .builds(BuildSettings.DEFAULTS)
                .clock(this::clock);
        sandbox.serve("cluster.open-cluster-management.io", "v1", "ManagedCluster", "managedclusters", false);
    }

    /** As a process has it: it follows the time of day, which somebody may set, and never goes back. */
    private Clock clock() {
        Clock cluster = sandbox.cluster().clock();
        return MonotonicClock.of(
                new Clock() {
                    @Override
                    public Instant instant() {
                        return cluster.instant().plus(clockOff);
                    }

                    @Override
                    public ZoneId getZone() {
                        return ZoneOffset.UTC;
                    }

                    @Override
                    public Clock withZone(ZoneId zone) {
                        return this;
                    }
                },
                () -> TimeUnit.MILLISECONDS.toNanos(cluster.millis()));
    }

    /** Somebody sets the clock of the operator's machine by this much. */
    void setClock(Duration by) {
        clockOff = clockOff.plus(by);
    }

    /** Another operator, while the one that runs goes on. */
    void takeOver() {
        doomIn = -1;
        try {
            sandbox.takeOver();
        } catch (KubernetesClientException e) {
            log.add("cannot start");
        }
    }

    /** Makes or changes any object, as a user would. */
    void apply(String yaml) {
        try {
            sandbox.client()
                    .resource(sandbox.client()
                            .getKubernetesSerialization()
                            .unmarshal(yaml, GenericKubernetesResource.class))
                    .serverSideApply();
        } catch (KubernetesClientException e) {
            log.add("refused: " + e.getMessage());
        }
    }

    private void loaderPodsEnd() {
        sandbox.simulation()
                .behaviors()
                .add(Behavior.succeedAfter(Duration.ofSeconds(2)).container("driver-load"));
    }

    /** A kind of somebody else's that a chart has an object of. */
    void serveWidgets() {
        if (widgets().get() == null) {
            sandbox.serve("widgets.example.com", "v1", "Widget", "widgets", true);
        }
    }

    void removeWidgets() {
        widgets().delete();
    }

    private Resource<CustomResourceDefinition> widgets() {
        return sandbox.client()
                .apiextensions()
                .v1()
                .customResourceDefinitions()
                .withName("widgets.widgets.example.com");
    }

    void createNode(String name, String kernel, boolean device, boolean gpu, boolean zone) {
        NodeProfile profile = NodeProfile.of(OsRelease.RHEL_9).withKernel(kernel);
        profile = device ? profile.withLabel("example.com/device", "true") : profile;
        profile = gpu ? profile.withLabel("example.com/gpu", "true").withResource("example.com/gpu", "4") : profile;
        profile = zone ? profile.withLabel("zone", "a") : profile;
        sandbox.nodes().create(name, profile);
    }

    List<String> nodes() {
        return names(Gvr.NODES);
    }

    /** Whether there are preflights and modules. */
    boolean isWide() {
        return wide;
    }

    /** Of charts that special resources of this history may have. */
    List<String> chartNames() {
        return wide ? OracleResources.WIDE_CHARTS : OracleResources.CHARTS;
    }

    /** Of special resources that this history may have. */
    List<String> resourceNames() {
        return wide ? OracleResources.WIDE_NAMES : OracleResources.NAMES;
    }

    List<String> resources() {
        return names(SPECIAL_RESOURCES);
    }

    private List<String> names(Gvr type) {
        return new ArrayList<>(new TreeSet<>(sandbox.cluster().api().list(type).stream()
                .map(object -> object.at("/metadata/name").asText())
                .toList()));
    }

    /** The recipe of the special resource that has neither plugin nor chart. */
    void recipe(int version) {
        recipe(Map.of("1000-driver.yaml", driver("registry.example/recipe:" + version, "")));
    }

    /** The same, with a driver that is built in the cluster. */
    void recipeWithBuild(int version) {
        String image = SimRegistry.OPENSHIFT_INTERNAL + "/recipe/driver:v{{.KernelFullVersion}}";
        recipe(Map.of(
                "0000-build.yaml",
                """
                apiVersion: image.openshift.io/v1
                kind: ImageStream
                metadata: {name: driver}
                ---
                apiVersion: build.openshift.io/v1
                kind: BuildConfig
                metadata:
                  name: driver-build
                  annotations: {specialresource.openshift.io/driver-container-vendor: vendor}
                spec:
                  source: {type: Git, git: {uri: "https://git.example.com/driver.git", ref: "v%d"}}
                  strategy: {type: Docker, dockerStrategy: {}}
                  output: {to: {kind: ImageStreamTag, name: "driver:v{{.KernelFullVersion}}"}}
                  triggers: [{type: ConfigChange}]
                """.formatted(version),
                "1000-driver.yaml",
                driver(image, ", specialresource.openshift.io/driver-container-vendor: vendor")));
    }

    private static String driver(String image, String annotations) {
        return """
            apiVersion: apps/v1
            kind: DaemonSet
            metadata:
              name: {{.SpecialResource.Name}}-driver
              annotations: {specialresource.openshift.io/state: "driver-container"%2$s}
            spec:
              selector: {matchLabels: {app: {{.SpecialResource.Name}}-driver}}
              template:
                metadata: {labels: {app: {{.SpecialResource.Name}}-driver}}
                spec: {containers: [{name: c, image: "%1$s"}]}
            """.formatted(image, annotations);
    }

    private void recipe(Map<String, String> files) {
        sandbox.client()
                .resource(new ConfigMapBuilder()
                        .withNewMetadata()
                        .withNamespace("recipe")
                        .withName("recipe")
                        .endMetadata()
                        .withData(files)
                        .build())
                .createOr(existing -> existing.update());
    }

    /** Lets time pass; a process that died is started again. */
    void pass(Duration time) {
        preview();
        sandbox.run(time);
        preview();
        if (!sandbox.isRunning() || (doom != null && doom.isDead())) {
            log.add("the operator is started again");
            doomIn = -1;
            restart();
        }
    }

    /** Each special resource is previewed as often before and after time passes. */
    void previewed(int times) {
        previewTimes = times;
    }

    /** How many previews there were. */
    int previews() {
        return previews;
    }

    private void preview() {
        for (int i = 0; i < previewTimes; i++) {
            for (String name : resourceNames()) {
                previews += sandbox.plan(name).isPresent() ? 1 : 0;
            }
        }
    }

    void restartDoomed(int writes, boolean afterEffect) {
        doomIn = writes;
        doomAfter = afterEffect;
        restart();
    }

    void restart() {
        sandbox.kill();
        try {
            sandbox.start();
        } catch (KubernetesClientException e) {
            log.add("cannot start");
        }
    }

    /** The process that runs now does not die any more; one that did is started again. */
    void dieNoMore() {
        if (!sandbox.isRunning() || doomIn >= 0) {
            doomIn = -1;
            restart();
        }
    }

    /** What containers do is decided when they start, so the ones that misbehave are started anew. */
    void mendOperands() {
        sandbox.simulation().behaviors().clear();
        loaderPodsEnd();
        ClusterApi api = sandbox.cluster().api();
        for (ObjectNode pod : api.list(Gvr.PODS)) {
            boolean ready = false;
            for (JsonNode condition : pod.at("/status/conditions")) {
                ready |= condition.at("/type").asText().equals("Ready")
                        && condition.at("/status").asText().equals("True");
            }
            if (!ready && pod.at("/metadata/ownerReferences/0/kind").asText().equals("DaemonSet")) {
                sandbox.client()
                        .pods()
                        .inNamespace(pod.at("/metadata/namespace").asText())
                        .withName(pod.at("/metadata/name").asText())
                        .delete();
            }
        }
    }

    /** Requests of the operator since the recording began anew, what is no state of the cluster apart. */
    List<Recording.Entry> requests() {
        return sandbox.cluster()
                .recording()
                .entries(e -> e.userAgent().equals("sro") && !NOT_STATE.contains(e.resource()));
    }

    @Override
    public void close() {
        sandbox.close();
    }
}
