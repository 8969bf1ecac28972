package dev.sro.testkit.sim;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sro.testkit.server.ApiException;
import dev.sro.testkit.server.Change;
import dev.sro.testkit.server.ClusterApi;
import dev.sro.testkit.server.Controller;
import dev.sro.testkit.server.Gvr;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Effects of operands' pods on their nodes, which simulated containers do not have by themselves: a device plugin offers a resource,
 * a feature discovery labels the node. Pods are known by their label {@code app}.
 *
 * <pre>{@code
 * EmbeddedCluster.builder().controller(SimOperands.create(
 *         SimOperands.devicePlugin("acme-device-plugin", "acme.com/device", 4),
 *         SimOperands.labeller("acme-discovery", Map.of("acme.com/device.count", "4"))));
 * }</pre>
 *
 * <p>Like the kubelet, it goes on counting a resource whose plugin left in the node's capacity, and sets what is allocatable to 0.
 * Labels go with the pod. Driven by the cluster, as every {@link Controller}.
 */
public final class SimOperands implements Controller {

    /**
     * The effect of a ready pod. Immutable.
     *
     * @param app value of the pod's label {@code app}
     * @param resources by name, with their quantity
     * @param labels of the node
     */
    public record Effect(String app, Map<String, String> resources, Map<String, String> labels) {
        public Effect {
            resources = Map.copyOf(resources);
            labels = Map.copyOf(labels);
        }
    }

    private final ClusterApi kubelet;
    private final ClusterApi discovery;
    private final List<Effect> effects;
    private final Queue<String> changed = new ConcurrentLinkedQueue<>();

    private SimOperands(ClusterApi api, List<Effect> effects) {
        this.kubelet = api.as("kubelet");
        this.discovery = api.as("nfd-master");
        this.effects = effects;
    }

    /** For {@link dev.sro.testkit.EmbeddedCluster.Builder#controller}. */
    @SuppressWarnings("resource") // the registration lives as long as the cluster
    public static Controller.Factory create(Effect... effects) {
        List<Effect> all = List.of(effects);
        return (api, clock) -> {
            SimOperands operands = new SimOperands(api, all);
            api.subscribe(Gvr.PODS, operands::observe);
            return operands;
        };
    }

    /** Offers this many of a resource on the node of each ready pod. */
    public static Effect devicePlugin(String app, String resource, int count) {
        return new Effect(app, Map.of(resource, String.valueOf(count)), Map.of());
    }

    /** Labels the node of each ready pod. */
    public static Effect labeller(String app, Map<String, String> labels) {
        return new Effect(app, Map.of(), labels);
    }

    private void observe(Change change) {
        String node = JsonNodes.text(change.object(), "spec", "nodeName");
        String app = JsonNodes.text(change.object(), "metadata", "labels", "app");
        if (!node.isEmpty() && effects.stream().anyMatch(effect -> effect.app().equals(app))) {
            changed.add(node);
        }
    }

    @Override
    public boolean work() {
        TreeSet<String> nodes = new TreeSet<>();
        for (String node = changed.poll(); node != null; node = changed.poll()) {
            nodes.add(node);
        }
        nodes.forEach(this::update);
        return !nodes.isEmpty();
    }

    private void update(String node) {
        Map<Effect, Boolean> there = new LinkedHashMap<>();
        for (Effect effect : effects) {
            there.put(effect, isReady(node, effect.app()));
        }
        try {
            kubelet.update(Gvr.NODES, null, node, "status", found -> {
                there.forEach((effect, ready) -> offer(found, effect, ready));
                return found;
            });
            discovery.update(Gvr.NODES, null, node, null, found -> {
                there.forEach((effect, ready) -> label(found, effect, ready));
                return found;
            });
        } catch (ApiException gone) {
            Pods.ignoreMissing(gone);
        }
    }

    private boolean isReady(String node, String app) {
        return kubelet.podsOnNode(node).stream()
                .anyMatch(
                        pod -> JsonNodes.text(pod, "metadata", "labels", "app").equals(app)
                                && Pods.ready(pod)
                                && !JsonNodes.deleting(pod));
    }

    private static void offer(ObjectNode node, Effect effect, boolean ready) {
        effect.resources().forEach((name, quantity) -> {
            if (ready) {
                JsonNodes.child(node, "status", "capacity").put(name, quantity);
                JsonNodes.child(node, "status", "allocatable").put(name, quantity);
            } else if (JsonNodes.has(node, "status", "allocatable", name)) {
                JsonNodes.child(node, "status", "allocatable").put(name, "0");
            }
        });
    }

    private static void label(ObjectNode node, Effect effect, boolean ready) {
        ObjectNode labels = JsonNodes.child(node, "metadata", "labels");
        effect.labels().forEach((name, value) -> {
            if (ready) {
                labels.put(name, value);
            } else {
                labels.remove(name);
            }
        });
    }
}
