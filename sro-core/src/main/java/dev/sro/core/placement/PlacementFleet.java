package dev.sro.core.placement;

import dev.sro.core.placement.SliceDemand.Wanted;
import dev.sro.core.slicing.Decision;
import dev.sro.core.slicing.SliceAllocator;
import dev.sro.core.slicing.SliceClaim;
import dev.sro.core.slicing.SliceDevice;
import dev.sro.core.slicing.SliceException;
import dev.sro.core.slicing.SliceRequest;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * All slices of a cluster and who has them: claims as the API server has them, and reservations of those that are about to be written. Front
 * ends tell it what they see, and ask it which nodes have room and which place a pod gets.
 *
 * <p>Truth is in the API server; all of this can be made again from nodes and claims. A reservation lapses unless its claim is seen
 * ({@link #hold}) before its time. Thread-safe; each call is atomic. There is no clock inside; time comes with the call.
 *
 * <p>GPUs in the same state are asked once: {@link #ask} costs a look at a table for each node, and one for each GPU of a node that changed.
 */
public final class PlacementFleet {
    private final SliceAllocator allocator;
    private final NodeBook nodes;
    private final NodeRanking ranking;
    private final Map<String, PlacedSlice> held = new LinkedHashMap<>();
    private final Map<String, Instant> reserved = new HashMap<>();
    /** Claims that the API server has and that cannot be where they say, with the reason: they go in when what is in their way goes. */
    private final Map<String, PlacedSlice> misfits = new TreeMap<>();

    private final Map<String, List<String>> byPod = new HashMap<>();
    /** One without nodes. */
    public PlacementFleet(SliceAllocator allocator) {
        this.allocator = allocator;
        this.nodes = new NodeBook(allocator);
        this.ranking = new NodeRanking(allocator, nodes);
    }

    /** What became of a claim that was seen. */
    public enum Seen {
        /** It was known, and is where it was. */
        KNOWN,
        /** It has its place now. */
        TAKEN,
        /** Its place is taken, or is none. */
        MISFIT
    }

    /**
     * Says which GPUs a node has, empty for none. GPUs that are gone and carry claims take nothing new.
     */
    public synchronized void node(String node, List<SliceDevice> gpus) {
        ranking.changed();
        Map<PlacedSlice, Optional<Instant>> displaced = new LinkedHashMap<>();
        for (String claim : nodes.displacedBy(node, gpus)) {
            Optional<Instant> until = reservedUntil(claim);
            PlacedSlice slice = release(claim);
            if (slice != null) {
                displaced.put(slice, until);
            }
        }
        nodes.replace(node, gpus);
        displaced.forEach((slice, until) -> adopt(slice, until.orElse(null)));
        retry(node);
    }

    /** Notes a claim that the API server has. */
    public synchronized Seen hold(PlacedSlice seen) {
        PlacedSlice known = held.get(seen.id());
        if (known != null && known.samePlace(seen)) {
            if (reserved.remove(seen.id()) != null) {
                allocator.confirm(seen.id());
            }
            return Seen.KNOWN;
        }
        if (known != null) {
            release(seen.id());
        }
        misfits.remove(seen.id());
        return adopt(seen, null) ? Seen.TAKEN : Seen.MISFIT;
    }

    /**
     * Notes that a claim is gone.
     *
     * @return the node where there is more room now; empty if nothing changed
     */
    public synchronized Optional<String> drop(String claim) {
        misfits.remove(claim);
        PlacedSlice gone = release(claim);
        if (gone == null) {
            return Optional.empty();
        }
        retry(gone.node());
        return Optional.of(gone.node());
    }

    /** Gives reservations of a pod back; claims that were seen stay. */
    public synchronized List<PlacedSlice> unreserve(String uid) {
        List<PlacedSlice> given = slices(uid).stream()
                .filter(slice -> reserved.containsKey(slice.id()))
                .toList();
        given.forEach(slice -> drop(slice.id()));
        return given;
    }

    /** Gives back every reservation whose time is {@code now} or before. */
    public synchronized List<String> expire(Instant now) {
        List<String> late = reserved.entrySet().stream()
                .filter(entry -> !entry.getValue().isAfter(now))
                .map(Map.Entry::getKey)
                .sorted()
                .toList();
        late.forEach(this::drop);
        return late;
    }

    /** Which of these nodes have room now. Changes nothing. */
    public NodeChoice choose(SliceDemand demand, Collection<String> names) {
        return NodeChoice.of(ask(demand, NodeNameList.of(names)));
    }

    /** How good the best place of each of these nodes would be for a pod that has nothing yet, in their order, as {@link NodeAnswers#scores()} has it. */
    public synchronized int[] score(SliceDemand demand, List<String> names) {
        return ranking.ask(demand, NodeNameList.of(names)).scores();
    }

    /** Which of these nodes have room now, and how good the best place of each is. Changes nothing. */
    public synchronized NodeAnswers ask(SliceDemand demand, NodeNameList names) {
        String had = nodeOf(demand.uid());
        return had.isEmpty() ? ranking.ask(demand, names) : NodeAnswers.onlyOn(had, names);
    }

    /** Whether nodes would answer the same to this demand now. False where that would have to be found out. */
    public synchronized boolean holds(SliceDemand demand, NodeAnswers answers) {
        return !byPod.containsKey(demand.uid()) && ranking.holds(demand, answers);
    }

    /**
     * Takes places for all slices of a pod on one of these nodes, the one that the policy likes best, until their claims are seen or
     * {@code until} comes. Asking again for the same pod gives the same places, if they are on one of the nodes.
     */
    public synchronized Placement decide(SliceDemand demand, Collection<String> names, Instant until) {
        List<PlacedSlice> had = slices(demand.uid());
        if (!had.isEmpty()) {
            return again(demand, had, names, until);
        }
        return ranking.best(demand, names)
                .map(best -> take(demand, best, until))
                .orElseGet(() -> Placement.refused("no room for " + demand.profiles() + " on " + shown(names)));
    }

    /**
     * Takes places for several pods, or for none.
     *
     * @param names candidates of each pod, in the order of the demands
     * @return in the order of the demands, all granted; or the first that has no room, refused
     */
    public synchronized List<Placement> decideAll(
            List<SliceDemand> demands, List<? extends Collection<String>> names, Instant until) {
        List<Placement> placed = new ArrayList<>();
        for (int i = 0; i < demands.size(); i++) {
            Placement placement = decide(demands.get(i), names.get(i), until);
            placed.add(placement);
            if (!placement.granted()) {
                for (int j = 0; j < i; j++) {
                    unreserve(demands.get(j).uid());
                }
                return List.of(placement);
            }
        }
        return placed;
    }

    private Placement again(SliceDemand demand, List<PlacedSlice> had, Collection<String> names, Instant until) {
        String node = had.get(0).node();
        boolean whole = had.size() == demand.slices().size();
        if (whole && names.contains(node)) {
            return new Placement(had, "");
        }
        if (had.stream().allMatch(slice -> reserved.containsKey(slice.id()))) {
            unreserve(demand.uid());
            return decide(demand, names, until);
        }
        return Placement.refused("pod " + demand.namespace() + "/" + demand.pod() + " has "
                + (whole ? "its slices" : had.size() + " of " + demand.slices().size() + " slices")
                + " on node " + node + " already; they go when the pod goes");
    }

    private Placement take(SliceDemand demand, String node, Instant until) {
        List<SliceRequest> requests = DemandRequests.of(demand, node, Optional.of(until));
        Optional<String> gpu = DemandRequests.together(demand) ? ranking.gpuFor(node, requests) : Optional.empty();
        if (DemandRequests.together(demand) && gpu.isEmpty()) {
            return Placement.refused("no room for " + demand.profiles() + " on one GPU of " + node);
        }
        Decision decision = requests.size() == 1
                ? allocator.allocate(requests.get(0))
                : allocator.allocateGang(DemandRequests.on(gpu, requests), DemandRequests.within(demand.spread()));
        if (!(decision instanceof Decision.Granted granted)) {
            return Placement.refused("no room for " + demand.profiles() + " on " + node);
        }
        List<PlacedSlice> slices = new ArrayList<>();
        for (int i = 0; i < granted.claims().size(); i++) {
            SliceClaim claim = granted.claims().get(i);
            Wanted wanted = demand.slices().get(i);
            PlacedSlice slice = new PlacedSlice(
                    demand.namespace(),
                    DemandRequests.claim(demand, node, wanted),
                    demand.pod(),
                    demand.uid(),
                    wanted.container(),
                    node,
                    claim.device(),
                    claim.profile(),
                    claim.start(),
                    nodes.size(claim.device(), claim.profile()));
            put(slice, until);
            slices.add(slice);
        }
        return new Placement(slices, "");
    }

    private boolean adopt(PlacedSlice slice, @Nullable Instant until) {
        if (!nodes.carries(slice.node(), slice.gpu())) {
            misfits.put(slice.id(), slice);
            return false;
        }
        try {
            allocator.adopt(SliceClaim.builder()
                    .id(slice.id())
                    .device(slice.gpu())
                    .profile(slice.profile())
                    .start(slice.start())
                    .reservedUntil(Optional.ofNullable(until))
                    .build());
        } catch (SliceException e) {
            misfits.put(slice.id(), slice);
            return false;
        }
        put(slice, until);
        return true;
    }

    private void put(PlacedSlice slice, @Nullable Instant until) {
        if (held.put(slice.id(), slice) == null) {
            byPod.computeIfAbsent(slice.uid(), uid -> new ArrayList<>()).add(slice.id());
        }
        if (until != null) {
            reserved.put(slice.id(), until);
        }
        nodes.changed(slice, true);
        ranking.changed();
    }

    private @Nullable PlacedSlice release(String claim) {
        PlacedSlice slice = held.remove(claim);
        if (slice == null) {
            return null;
        }
        allocator.release(claim);
        reserved.remove(claim);
        List<String> others = byPod.getOrDefault(slice.uid(), new ArrayList<>());
        others.remove(claim);
        if (others.isEmpty()) {
            byPod.remove(slice.uid());
        }
        nodes.changed(slice, false);
        ranking.changed();
        return slice;
    }

    private void retry(String node) {
        for (PlacedSlice slice : List.copyOf(misfits.values())) {
            if (slice.node().equals(node) && adopt(slice, null)) {
                misfits.remove(slice.id());
            }
        }
    }

    private String nodeOf(String uid) {
        List<String> claims = byPod.get(uid);
        PlacedSlice first = claims == null || claims.isEmpty() ? null : held.get(claims.get(0));
        return first == null ? "" : first.node();
    }

    private static String shown(Collection<String> names) {
        return names.size() == 1 ? names.iterator().next() : "any of " + names.size() + " nodes";
    }

    /** The slices that a pod has or has reserved, by name of the claim. */
    public synchronized List<PlacedSlice> slices(String uid) {
        return byPod.getOrDefault(uid, List.of()).stream()
                .flatMap(claim -> Optional.ofNullable(held.get(claim)).stream())
                .sorted(Comparator.comparing(PlacedSlice::claim))
                .toList();
    }

    /** Whether a claim is only reserved, and until when. */
    public synchronized Optional<Instant> reservedUntil(String claim) {
        return Optional.ofNullable(reserved.get(claim));
    }

    /** Everything that is held, reservations too, in the order in which it came. */
    public synchronized List<PlacedSlice> held() {
        return List.copyOf(held.values());
    }

    /** Claims of the API server that cannot be where they say, by name: two of one place, or on a GPU that is not there. */
    public synchronized List<PlacedSlice> misfits() {
        return List.copyOf(misfits.values());
    }

    /** Names of the nodes that have GPUs, sorted. */
    public synchronized List<String> nodes() {
        return nodes.names();
    }
}
