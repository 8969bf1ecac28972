package dev.sro.testkit.sim;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sro.testkit.EmbeddedCluster;
import dev.sro.testkit.server.Change;
import dev.sro.testkit.server.ClusterApi;
import dev.sro.testkit.server.DeleteOptions;
import dev.sro.testkit.server.Gvr;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Predicate;

/** A stepped cluster with simulated machines and a namespace {@code ns}, and short ways to act on it. */
final class SimWorld implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();

    final SimulationFactory factory;
    final EmbeddedCluster cluster;
    final Simulation sim;
    final ClusterApi api;
    final CountingApi counting;
    final List<Change> changes = new ArrayList<>();

    SimWorld() {
        this(SimTimings.DEFAULTS, 1);
    }

    SimWorld(SimTimings timings) {
        this(timings, 1);
    }

    SimWorld(SimTimings timings, long seed) {
        factory = new SimulationFactory().timings(timings).seed(seed);
        List<CountingApi> made = new ArrayList<>();
        cluster = EmbeddedCluster.builder()
                .openShift(true)
                .seed(seed)
                .controller((a, clock) -> {
                    CountingApi counted = new CountingApi(a);
                    made.add(counted);
                    return factory.create(counted, clock);
                })
                .build();
        counting = made.get(0);
        sim = factory.simulation();
        api = cluster.api();
        api.create(Gvr.NAMESPACES, json("{'apiVersion':'v1','kind':'Namespace','metadata':{'name':'ns'}}"));
        cluster.settle();
        api.subscribe(null, changes::add);
    }

    static ObjectNode json(String text) {
        try {
            return (ObjectNode) JSON.readTree(text.replace('\'', '"'));
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException(text, e);
        }
    }

    SimWorld node(String name) {
        sim.nodes().create(name, NodeProfile.of(OsRelease.UBUNTU_22).withLabel("pool", "a"));
        return this;
    }

    SimWorld advance(String duration) {
        cluster.advance(Duration.parse(duration));
        return this;
    }

    static String podTemplate(String podSpec) {
        return "{'metadata':{'labels':{'app':'a'}},'spec':" + podSpec + "}";
    }

    static String podSpec(String image, String more) {
        return "{'nodeSelector':{'pool':'a'},'containers':[{'name':'c','image':'" + image + "'}]" + more + "}";
    }

    ObjectNode daemonSet(String name, String image, String moreSpec) {
        return api.create(
                Gvr.DAEMONSETS,
                json("{'apiVersion':'apps/v1','kind':'DaemonSet','metadata':{'name':'" + name
                        + "','namespace':'ns'},'spec':{'selector':{'matchLabels':{'app':'a'}},'template':"
                        + podTemplate(podSpec(image, "")) + moreSpec + "}}"));
    }

    ObjectNode deployment(String name, int replicas, String moreSpec) {
        return api.create(
                Gvr.DEPLOYMENTS,
                json("{'apiVersion':'apps/v1','kind':'Deployment','metadata':{'name':'" + name
                        + "','namespace':'ns'},'spec':{'replicas':" + replicas
                        + ",'selector':{'matchLabels':{'app':'a'}},'template':" + podTemplate(podSpec("img:1", ""))
                        + moreSpec + "}}"));
    }

    ObjectNode job(String name, String containerMore, String moreSpec) {
        return api.create(
                Gvr.JOBS,
                json("{'apiVersion':'batch/v1','kind':'Job','metadata':{'name':'" + name
                        + "','namespace':'ns'},'spec':{'template':{'spec':{'restartPolicy':'Never','containers':[{"
                        + "'name':'c','image':'img:1'" + containerMore + "}]}}" + moreSpec + "}}"));
    }

    ObjectNode pod(String name, String spec) {
        return api.create(
                Gvr.PODS,
                json("{'apiVersion':'v1','kind':'Pod','metadata':{'name':'" + name + "','namespace':'ns'},'spec':"
                        + spec + "}"));
    }

    void edit(Gvr type, String name, Consumer<ObjectNode> change) {
        api.update(type, type.equals(Gvr.NODES) ? null : "ns", name, null, o -> {
            change.accept(o);
            return o;
        });
    }

    void setImage(Gvr type, String name, String image) {
        edit(
                type,
                name,
                o -> ((ObjectNode) JsonNodes.at(o, "spec", "template", "spec", "containers")
                                .get(0))
                        .put("image", image));
    }

    void delete(Gvr type, String name) {
        api.delete(type, "ns", name, DeleteOptions.with(DeleteOptions.Propagation.BACKGROUND));
    }

    ObjectNode get(Gvr type, String name) {
        return api.get(type, type.equals(Gvr.NODES) ? null : "ns", name).orElseThrow();
    }

    JsonNode status(Gvr type, String name) {
        return get(type, name).path("status");
    }

    /** The integers of a status, by name; what is absent is absent. */
    String counters(Gvr type, String name) {
        TreeMap<String, Integer> out = new TreeMap<>();
        status(type, name).properties().forEach(e -> {
            if (e.getValue().isInt() || e.getValue().isLong()) {
                out.put(e.getKey(), e.getValue().asInt());
            }
        });
        return out.toString();
    }

    List<ObjectNode> pods() {
        return api.list(Gvr.PODS);
    }

    ObjectNode podOn(String node) {
        List<ObjectNode> all = api.podsOnNode(node);
        if (all.size() != 1) {
            throw new AssertionError("not one pod on " + node + ": " + all.size());
        }
        return all.get(0);
    }

    static String waiting(ObjectNode pod) {
        return JsonNodes.text(JsonNodes.at(pod, "status", "containerStatuses").path(0), "state", "waiting", "reason");
    }

    /** What happened since the last {@code changes.clear()}, of one type. */
    List<Change> changesOf(Gvr type, Predicate<Change> which) {
        return changes.stream()
                .filter(c -> c.type().equals(type) && which.test(c))
                .toList();
    }

    /** Every object of the cluster, as text. */
    String dump() {
        StringBuilder sb = new StringBuilder();
        for (Gvr type : List.of(
                Gvr.NODES,
                Gvr.PODS,
                Gvr.DAEMONSETS,
                Gvr.DEPLOYMENTS,
                Gvr.REPLICASETS,
                Gvr.JOBS,
                Gvr.CONTROLLERREVISIONS)) {
            api.list(type).forEach(o -> sb.append(o).append('\n'));
        }
        return sb.toString();
    }

    @Override
    public void close() {
        cluster.close();
    }
}
