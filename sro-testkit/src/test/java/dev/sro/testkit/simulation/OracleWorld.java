package dev.sro.testkit.simulation;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sro.testkit.EmbeddedCluster;
import dev.sro.testkit.charts.PathRenderer;
import dev.sro.testkit.operator.SroSandbox;
import dev.sro.testkit.server.ClusterApi;
import dev.sro.testkit.server.Gvr;
import dev.sro.testkit.server.Recording;
import dev.sro.testkit.sim.Behavior;
import dev.sro.testkit.sim.NodeProfile;
import dev.sro.testkit.sim.OsRelease;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
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

    private static final Set<String> NOT_STATE = Set.of("events", "events.events.k8s.io", "leases.coordination.k8s.io");

    final List<String> log = new ArrayList<>();
    final SroSandbox sandbox;
    final OracleCharts charts;
    final OracleImages images = new OracleImages();
    final OraclePlugins plugins = new OraclePlugins();
    private int doomIn = -1;
    private boolean doomAfter;
    private @Nullable Doom doom;

    /** Whether watches that are silent are listed anew, which takes a timer per minute. */
    final boolean relists;

    OracleWorld(long seed, OracleCharts.Shelf shelf, KubernetesSerialization serialization) {
        relists = seed % RELISTING == 0;
        charts = new OracleCharts(shelf);
        sandbox = SroSandbox.create(
                        EmbeddedCluster.builder()
                                .seed(seed)
                                .serialization(serialization)
                                .randomDelivery(SLOWEST_WATCH),
                        plugins)
                .maxTurns(MAX_TURNS)
                .charts(Map.of("file", charts), new PathRenderer())
                .driverImages(images)
                .relistAfter(relists ? SILENCE : Duration.ZERO)
                .writer(writer -> {
                    doom = new Doom(writer, doomIn, doomAfter);
                    return doom;
                });
        sandbox.simulation().registry().onlyPushed("registry.example/kmod:*");
        loaderPodsEnd();
        serveWidgets();
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
        sandbox.client()
                .resource(new ConfigMapBuilder()
                        .withNewMetadata()
                        .withNamespace("recipe")
                        .withName("recipe")
                        .endMetadata()
                        .withData(Map.of("1000-driver.yaml", """
                            apiVersion: apps/v1
                            kind: DaemonSet
                            metadata:
                              name: {{.SpecialResource.Name}}-driver
                              annotations: {specialresource.openshift.io/state: "driver-container"}
                            spec:
                              selector: {matchLabels: {app: {{.SpecialResource.Name}}-driver}}
                              template:
                                metadata: {labels: {app: {{.SpecialResource.Name}}-driver}}
                                spec: {containers: [{name: c, image: "registry.example/recipe:%d"}]}
                            """.formatted(version)))
                        .build())
                .createOr(existing -> existing.update());
    }

    /** Lets time pass; a process that died is started again. */
    void pass(Duration time) {
        sandbox.run(time);
        if (!sandbox.isRunning() || (doom != null && doom.isDead())) {
            log.add("the operator is started again");
            doomIn = -1;
            restart();
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
