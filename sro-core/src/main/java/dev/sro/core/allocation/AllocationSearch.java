package dev.sro.core.allocation;

import dev.sro.core.claim.DeviceTaints;
import io.fabric8.kubernetes.api.model.resource.v1.Device;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;

/**
 * Finds nodes and devices for one pod, or for all pods of a gang. One pod gets the node whose best place the policy likes best. Of a gang the widest go
 * first, and where one has no node the search goes back, to other devices and to other nodes, so often that it ends. For one search.
 */
public final class AllocationSearch {
    /** Nodes that are searched for gangs at most, one counting each time. */
    private static final int MOST_NODES = 20_000;

    /** Ways for one pod of a gang to be on one node that are tried at least before another node is. */
    private static final int LEAST_OFFERS = 16;

    /** And so many, divided by its nodes: where these are few, little else can be tried. */
    private static final int OFFERS = 1_000;

    private final FleetView fleet;
    private final List<PodDemand> pods;
    private final Room room;
    private final PlacementPolicies policies;
    private final Map<String, NodeState> states = new HashMap<>();
    private final Map<String, List<PlacedDevice>> placed = new HashMap<>();
    private final Map<String, String> nodes = new HashMap<>();
    /** Nodes that are not any more as the fleet has them, with how many pods of the search. */
    private final Map<String, Integer> touched = new HashMap<>();

    private final NodeKinds kinds;

    private int searched;
    /** Whether all was tried on each node that was looked at. */
    private boolean sure = true;

    private String stuck = "";

    /** @param pods in the order in which they choose */
    AllocationSearch(FleetView fleet, List<PodDemand> pods, Room room) {
        this.fleet = fleet;
        this.room = room;
        this.policies = fleet.policies();
        this.pods = pods;
        this.kinds = new NodeKinds(pods, fleet.taint());
    }

    /** The order in which most are placed. */
    public static List<PodDemand> widestFirst(List<PodDemand> pods) {
        return pods.stream()
                .sorted(Comparator.comparingInt((PodDemand pod) -> -devices(pod))
                        .thenComparing(PodDemand::key))
                .toList();
    }

    /** What nodes have beside devices. */
    public interface Room {
        /** Takes the place of a pod on a node, if there is one. */
        boolean take(String pod, String node);

        /** Gives it back. */
        void giveBack(String pod, String node);

        /** Nodes of which it is the same have the same left. */
        Object left(String node);
    }

    /**
     * What was found.
     *
     * @param devices by the UID of the pod; empty if not all pods can be placed
     * @param nodes by the UID of the pod
     * @param refusal why not, for people; empty if all can
     * @param sure whether there is none where none was found; the search ended before it had tried all otherwise
     * @param searched nodes that were looked at, each time that one was
     */
    public record Answer(
            Map<String, List<PlacedDevice>> devices,
            Map<String, String> nodes,
            String refusal,
            boolean sure,
            int searched) {
        /** One that was found without a search. */
        public Answer(Map<String, List<PlacedDevice>> devices, Map<String, String> nodes, String refusal) {
            this(devices, nodes, refusal, true, 0);
        }

        /** The devices of a pod; none for one that was not asked about. */
        public List<PlacedDevice> devicesOf(String pod) {
            return devices.getOrDefault(pod, List.of());
        }

        /** The node of a pod; empty for one that was not asked about. */
        public String nodeOf(String pod) {
            return nodes.getOrDefault(pod, "");
        }

        /** Whether all pods have their devices. */
        public boolean granted() {
            return refusal.isEmpty();
        }
    }

    private static int devices(PodDemand pod) {
        return pod.claims().stream()
                .flatMap(claim -> claim.asks().stream())
                .mapToInt(ask -> ask.choices().get(0).count())
                .sum();
    }

    Answer find() {
        if (pod(0)) {
            return new Answer(Map.copyOf(placed), Map.copyOf(nodes), "", true, searched);
        }
        String why = searched > MOST_NODES ? " (the search was given up)" : "";
        return new Answer(Map.of(), Map.of(), stuck + why, sure && searched <= MOST_NODES, searched);
    }

    private record Option(String node, FleetView.Found found) {}

    private boolean pod(int number) {
        if (number == pods.size()) {
            return true;
        }
        if (searched > MOST_NODES) {
            return false;
        }
        PodDemand pod = pods.get(number);
        List<Option> options = options(pod);
        if (options.isEmpty()) {
            stuck = refusal(pod);
            return false;
        }
        Set<Object> failed = new HashSet<>();
        for (Option option : options) {
            NodeState before = state(option.node());
            Object key = pods.size() == 1
                    ? option
                    : List.of(room.left(option.node()), kinds.of(option.node(), before, number));
            if (failed.contains(key) || !room.take(pod.uid(), option.node())) {
                continue;
            }
            if (on(pod, option.node(), before, number)) {
                return true;
            }
            room.giveBack(pod.uid(), option.node());
            failed.add(key);
            if (searched > MOST_NODES) {
                return false;
            }
        }
        return false;
    }

    /** The pod on this node, in whatever way leaves room for those that come after it. */
    private boolean on(PodDemand pod, String node, NodeState before, int number) {
        NodeSearch search = new NodeSearch(fleet, pod, node, before, policies);
        Predicate<NodeSearch.Fit> others = fit -> {
            put(pod, node, before, fit);
            if (pod(number + 1)) {
                return true;
            }
            takeBack(pod, node, before);
            return false;
        };
        int offers = Math.max(LEAST_OFFERS, OFFERS / pod.nodes().size());
        boolean found = search.find(others, offers).isPresent();
        sure &= found || !search.endedEarly();
        return found;
    }

    private void put(PodDemand pod, String node, NodeState before, NodeSearch.Fit fit) {
        states.put(node, before.with(fit.uses()));
        touched.merge(node, 1, Integer::sum);
        placed.put(pod.uid(), fit.devices());
        nodes.put(pod.uid(), node);
    }

    private void takeBack(PodDemand pod, String node, NodeState before) {
        states.put(node, before);
        touched.computeIfPresent(node, (name, pods) -> pods == 1 ? null : pods - 1);
        placed.remove(pod.uid());
        nodes.remove(pod.uid());
    }

    private List<Option> options(PodDemand pod) {
        List<Option> options = new ArrayList<>();
        Object shape = pod.shape();
        for (String node : pod.nodes()) {
            searched++;
            if (!room.take(pod.uid(), node)) {
                continue;
            }
            room.giveBack(pod.uid(), node);
            FleetView.Found found = pod.had().isEmpty() && !touched.containsKey(node)
                    ? fleet.found(node).computeIfAbsent(shape, asked -> look(pod, node))
                    : look(pod, node);
            sure &= found.sure();
            if (found.fits()) {
                options.add(new Option(node, found));
            }
        }
        options.sort(
                Comparator.comparingDouble((Option option) -> option.found().cost())
                        .thenComparingInt(option -> option.found().freeUnits())
                        .thenComparing(Option::node));
        return options;
    }

    private FleetView.Found look(PodDemand pod, String node) {
        int free = state(node).freeUnits();
        NodeSearch search = new NodeSearch(fleet, pod, node, state(node), policies);
        return search.find()
                .map(fit -> new FleetView.Found(true, fit.cost(), free, true))
                .orElseGet(() -> new FleetView.Found(false, 0, free, !search.endedEarly()));
    }

    private NodeState state(String node) {
        NodeState known = states.get(node);
        if (known == null) {
            known = NodeState.of(fleet, node);
            states.put(node, known);
        }
        return known;
    }

    private String refusal(PodDemand pod) {
        Set<String> asked = new TreeSet<>();
        pod.claims().forEach(claim -> asked.addAll(claim.texts()));
        int without = (int) pod.nodes().stream()
                .filter(node -> state(node).gpus().isEmpty())
                .count();
        Optional<String> one = pods.size() > 1 ? Optional.of("pod " + pod.key() + " of its gang: ") : Optional.empty();
        return one.orElse("") + "no room for " + String.join(", ", asked) + " on "
                + (pod.nodes().size() - without) + " nodes" + tainted(pod);
    }

    /** Devices that would do but for their taints: the first, and of how many GPUs. */
    private String tainted(PodDemand pod) {
        List<String> gpus = new ArrayList<>();
        for (String node : pod.nodes()) {
            for (FleetGpu gpu : state(node).gpus()) {
                tainted(pod, gpu).ifPresent(text -> gpus.add(text + " of GPU " + gpu.id()));
            }
        }
        int others = gpus.size() - 1;
        return gpus.isEmpty()
                ? ""
                : " (not tolerated: " + gpus.get(0)
                        + (others == 0 ? "" : ", and those of " + others + (others == 1 ? " other GPU" : " other GPUs"))
                        + ")";
    }

    private Optional<String> tainted(PodDemand pod, FleetGpu gpu) {
        List<Device> tainted = gpu.tainted(fleet.taint());
        return tainted.isEmpty()
                ? Optional.empty()
                : pod.claims().stream()
                        .flatMap(claim -> claim.asks().stream())
                        .flatMap(ask -> ask.choices().stream())
                        .flatMap(choice -> tainted.stream()
                                .filter(device ->
                                        gpu.selected(choice.selectors()).contains(device.getName()))
                                .flatMap(device ->
                                        DeviceTaints.against(device, choice.tolerations(), fleet.taint()).stream()
                                                .map(taint -> "the taint " + DeviceTaints.text(taint) + " of device "
                                                        + device.getName())))
                        .findFirst();
    }
}
