package dev.sro.testkit.operator;

import dev.sro.api.ReadinessRule;
import dev.sro.api.ReadinessRule.AllocatableAsLabelled;
import dev.sro.api.ReadinessRule.AllocatableResource;
import dev.sro.core.manifest.DesiredState;
import dev.sro.core.model.ObjectRef;
import dev.sro.testkit.server.Change;
import dev.sro.testkit.server.ClusterApi;
import dev.sro.testkit.server.Gvr;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.readiness.Readiness;
import java.math.RoundingMode;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What device plugins tell kubelets, which simulated containers do not: a node on which the DaemonSets of a state are ready offers what
 * the state waits for by {@link ReadinessRule#allocatable} or {@link AllocatableAsLabelled}, and none of it when they are not. Confined to the test's thread.
 */
final class OfferedDevices {

    private static final String DAEMON_SET = "DaemonSet";

    private final KubernetesClient kubelet;
    private final Supplier<Optional<List<DesiredState>>> states;
    /** What was offered here, by node; what nodes offer by themselves is theirs. */
    private final Map<String, Set<String>> offered = new HashMap<>();

    private boolean changed = true;

    /**
     * @param states of all special resources as they shall be; asked whenever a pod or a node changed
     */
    @SuppressWarnings("resource") // the subscription lives as long as the cluster
    OfferedDevices(ClusterApi api, KubernetesClient kubelet, Supplier<Optional<List<DesiredState>>> states) {
        this.kubelet = kubelet;
        this.states = states;
        api.subscribe(Gvr.PODS, this::observe);
        api.subscribe(Gvr.NODES, this::observe);
    }

    private void observe(Change change) {
        changed = true;
    }

    /** Tells the nodes what is new; whether there was something. */
    boolean work() {
        if (!changed) {
            return false;
        }
        changed = false;
        Optional<List<DesiredState>> known = states.get();
        List<DesiredState> all = known.orElse(List.of());
        List<Node> nodes = kubelet.nodes().list().getItems();
        Map<String, Map<String, Long>> wanted = new HashMap<>();
        // What is not known yet, for one pool or for all, is no reason to take anything back.
        boolean whole = known.isPresent() && all.stream().allMatch(DesiredState::isComplete);
        Set<String> judged = new TreeSet<>();
        for (DesiredState state : all) {
            if (state.state().readiness().stream().noneMatch(OfferedDevices::isOffered)) {
                continue;
            }
            Set<String> ready = readyNodes(state);
            for (Node node : nodes) {
                Map<String, Long> amounts = amounts(state, node);
                if (state.isComplete()) {
                    judged.addAll(amounts.keySet());
                }
                if (ready.contains(node.getMetadata().getName())) {
                    Map<String, Long> here =
                            wanted.computeIfAbsent(node.getMetadata().getName(), any -> new HashMap<>());
                    amounts.forEach((resource, amount) -> here.merge(resource, amount, Math::max));
                }
            }
        }
        boolean worked = false;
        for (Node node : nodes) {
            Map<String, Long> here = wanted.getOrDefault(node.getMetadata().getName(), Map.of());
            worked |= tell(node, here, resource -> whole || judged.contains(resource));
        }
        return worked;
    }

    private static boolean isOffered(ReadinessRule rule) {
        return rule instanceof AllocatableResource || rule instanceof AllocatableAsLabelled;
    }

    /** How much of each resource the state waits for on a node. */
    private static Map<String, Long> amounts(DesiredState state, Node node) {
        Map<String, Long> amounts = new HashMap<>();
        for (ReadinessRule rule : state.state().readiness()) {
            if (rule instanceof AllocatableResource one) {
                amounts.merge(one.resource(), one.atLeast(), Math::max);
            } else if (rule instanceof AllocatableAsLabelled labelled) {
                labelled.counts(node.getMetadata().getLabels())
                        .forEach((resource, amount) -> amounts.merge(resource, amount, Math::max));
            }
        }
        return amounts;
    }

    /** Nodes with pods of the state's DaemonSets, all of which are ready. */
    private Set<String> readyNodes(DesiredState state) {
        Map<String, Boolean> ready = new TreeMap<>();
        List<ObjectRef> sets = state.objects()
                .map(desired -> desired.object().ref())
                .filter(ref -> ref.kind().equals(DAEMON_SET))
                .toList();
        for (ObjectRef set : sets) {
            for (Pod pod : kubelet.pods().inNamespace(set.namespace()).list().getItems()) {
                boolean of = pod.getMetadata().getOwnerReferences().stream()
                        .anyMatch(owner -> owner.getKind().equals(DAEMON_SET)
                                && owner.getName().equals(set.name()));
                String node = pod.getSpec().getNodeName();
                if (of && node != null) {
                    boolean up = Readiness.isPodReady(pod) && pod.getMetadata().getDeletionTimestamp() == null;
                    ready.merge(node, up, Boolean::logicalAnd);
                }
            }
        }
        ready.values().removeIf(up -> !up);
        return ready.keySet();
    }

    /**
     * @param wanted how much of each resource is waited for where the pods that offer it are ready
     * @param judged whether it is known of a resource that is not wanted that no pod offers it
     */
    private boolean tell(Node node, Map<String, Long> wanted, Predicate<String> judged) {
        Map<String, Quantity> there = amounts(node.getStatus().getAllocatable());
        Set<String> ours = offered.computeIfAbsent(node.getMetadata().getName(), any -> new TreeSet<>());
        Map<String, Quantity> news = new HashMap<>();
        wanted.forEach((resource, atLeast) -> {
            if (amount(there.get(resource)) < atLeast) {
                long capacity = amount(amounts(node.getStatus().getCapacity()).get(resource));
                news.put(resource, new Quantity(String.valueOf(Math.max(atLeast, capacity))));
                ours.add(resource);
            }
        });
        ours.stream()
                .filter(resource -> !wanted.containsKey(resource) && amount(there.get(resource)) > 0)
                .filter(judged)
                .forEach(resource -> news.put(resource, new Quantity("0")));
        if (news.isEmpty()) {
            return false;
        }
        kubelet.nodes().withName(node.getMetadata().getName()).editStatus(live -> {
            Map<String, Quantity> allocatable =
                    new HashMap<>(amounts(live.getStatus().getAllocatable()));
            Map<String, Quantity> capacity =
                    new HashMap<>(amounts(live.getStatus().getCapacity()));
            allocatable.putAll(news);
            // A kubelet goes on counting what a device plugin had that left.
            news.forEach((resource, amount) ->
                    capacity.merge(resource, amount, (one, other) -> amount(one) >= amount(other) ? one : other));
            live.getStatus().setAllocatable(allocatable);
            live.getStatus().setCapacity(capacity);
            return live;
        });
        return true;
    }

    private static Map<String, Quantity> amounts(@Nullable Map<String, Quantity> resources) {
        return resources == null ? Map.of() : resources;
    }

    private static long amount(@Nullable Quantity quantity) {
        return quantity == null
                ? 0
                : quantity.getNumericalAmount().setScale(0, RoundingMode.DOWN).longValueExact();
    }
}
