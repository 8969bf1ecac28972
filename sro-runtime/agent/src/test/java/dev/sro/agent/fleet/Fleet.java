package dev.sro.agent.fleet;

import dev.sro.agent.claims.ApiServer;
import dev.sro.agent.device.DeviceException;
import dev.sro.core.dra.DraClasses;
import dev.sro.core.slicing.catalogue.Catalogue;
import dev.sro.core.slicing.catalogue.DeviceModel;
import dev.sro.core.slicing.catalogue.SliceProfile;
import dev.sro.testkit.controlplane.RealCluster;
import dev.sro.testkit.sim.NodeProfile;
import dev.sro.testkit.sim.OsRelease;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceClass;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/** Nodes with emulated GPUs on a real control plane, whose scheduler is the one that decides. Calls from one thread. */
final class Fleet implements AutoCloseable {
    static final DeviceModel MODEL = Catalogue.builtin().model("A100-40GB");

    /** On nodes: their own name, so that pods can be kept to one. */
    static final String NODE = "kubernetes.io/hostname";

    private final RealCluster cluster;
    private final FleetWay way;
    private final Map<String, FleetNode> nodes = new HashMap<>();
    private final Queue<String> problems = new ConcurrentLinkedQueue<>();
    private final AtomicInteger writes = new AtomicInteger();
    private final SharedIndexInformer<ResourceSlice> slices;
    private final FleetPods pods;

    /**
     * Publishes the nodes; their agents are new, their GPUs empty.
     *
     * @param names of Nodes that are there
     */
    Fleet(RealCluster cluster, List<String> names, int gpus, FleetWay way, Path directory) throws Exception {
        this.cluster = cluster;
        this.way = way;
        for (SliceProfile profile : MODEL.profiles()) {
            cluster.client().resource(way.template(profile.name())).serverSideApply();
        }
        for (DeviceClass each : DraClasses.create(List.of(MODEL), FleetWay.OPTIONS, false)) {
            cluster.client().resource(each).serverSideApply();
        }
        ApiServer server = server(cluster.config(), directory);
        for (String name : names) {
            Path own = Files.createDirectories(directory.resolve(way.name()).resolve(name));
            nodes.put(name, new FleetNode(name, MODEL, gpus, way, server, own, problems::add));
        }
        slices().forEach(slice -> {
            ResourceSlice before = cluster.client().resource(slice).get();
            ResourceSlice after = way.ordered(slice);
            if (!after.equals(before)) {
                cluster.client().resource(after).update();
            }
        });
        slices = cluster.client().resources(ResourceSlice.class).inform(new WriteCounter(writes));
        pods = new FleetPods(cluster.client(), nodes);
    }

    /** Counts changes of slices that are there. */
    private record WriteCounter(AtomicInteger writes) implements ResourceEventHandler<ResourceSlice> {
        @Override
        public void onAdd(ResourceSlice slice) {}

        @Override
        public void onUpdate(ResourceSlice before, ResourceSlice after) {
            if (!before.getMetadata()
                    .getResourceVersion()
                    .equals(after.getMetadata().getResourceVersion())) {
                writes.incrementAndGet();
            }
        }

        @Override
        public void onDelete(ResourceSlice slice, boolean finalStateUnknown) {}
    }

    /** Nodes that a fleet can be on; more than one may be, one after the other. */
    static List<String> nodes(RealCluster cluster, int count) {
        return cluster.nodes().create(count, NodeProfile.of(OsRelease.UBUNTU_22));
    }

    static ApiServer server(Config config, Path directory) throws IOException {
        Path token = directory.resolve("token");
        Files.writeString(token, config.getOauthToken());
        return ApiServer.at(
                URI.create(config.getMasterUrl()), Optional.of(token), Optional.of(Path.of(config.getCaCertFile())));
    }

    private List<ResourceSlice> slices() {
        return cluster.client().resources(ResourceSlice.class).list().getItems().stream()
                .filter(slice -> nodes.containsKey(slice.getSpec().getNodeName()))
                .toList();
    }

    FleetPods pods() {
        return pods;
    }

    FleetNode node(String name) {
        return Optional.ofNullable(nodes.get(name)).orElseThrow();
    }

    /** How often slices were changed since the nodes are published. */
    int writes() {
        return writes.get();
    }

    /** A pod for one of all nodes. */
    String pod(String name, String profile) {
        return way.pod(name, profile, "kubernetes.io/os", "linux");
    }

    /** A pod for one node. */
    String pod(String name, String profile, String node) {
        return way.pod(name, profile, NODE, node);
    }

    /** What should not have happened. */
    List<String> problems() {
        return List.copyOf(problems);
    }

    /** What the hardware of all nodes has, when all that was begun is done. */
    List<String> hardware() throws Exception {
        List<String> places = new ArrayList<>();
        for (FleetNode node : nodes.values()) {
            node.quiet();
            places.addAll(hardware(node));
        }
        return places;
    }

    private static List<String> hardware(FleetNode node) throws DeviceException {
        return node.hardware();
    }

    /** Ends all pods. */
    void clear() throws Exception {
        pods.delete(pods.names());
    }

    /** Takes slices and classes away; the Nodes stay. */
    @Override
    public void close() {
        pods.close();
        slices.close();
        nodes.values().forEach(FleetNode::close);
        slices().forEach(slice -> cluster.client().resource(slice).delete());
        DraClasses.create(List.of(MODEL), FleetWay.OPTIONS, false)
                .forEach(each -> cluster.client().resource(each).delete());
    }
}
