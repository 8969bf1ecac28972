package dev.sro.core.allocation;

import dev.sro.core.allocation.ClaimDemand.Ask;
import dev.sro.core.allocation.ClaimDemand.Choice;
import dev.sro.core.dra.DraGpu;
import dev.sro.core.dra.GpuLoad;
import dev.sro.core.slicing.Spread;
import dev.sro.core.slicing.catalogue.Catalogue;
import dev.sro.core.slicing.geometry.Geometry;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceToleration;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceTolerationBuilder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;

/**
 * A few nodes with one or two GPUs each, as the fleet has them and beside it as plain lists, on which all ways of placing pods are tried. It shares with
 * the fleet what may lie together on a GPU, and nothing of how places are found. Not thread-safe.
 */
final class SmallFleet {
    static final List<String> PROFILES = List.of("1g.5gb", "1g.10gb", "2g.10gb", "3g.20gb", "4g.20gb", "7g.40gb");
    private static final Geometry GEOMETRY = Geometry.of(PublishedNodes.A100);
    private static final int PLENTY = 20;
    private static final String ILL = "xid-79";
    private static final DeviceToleration TOLERATION = new DeviceTolerationBuilder()
            .withKey(PublishedNodes.OPTIONS.driver() + "/" + ILL)
            .withOperator("Exists")
            .build();

    final AllocationFleet fleet = new AllocationFleet(PublishedNodes.OPTIONS.driver(), Catalogue.builtin());
    final List<String> nodes = new ArrayList<>();
    private final List<Gpu> gpus = new ArrayList<>();
    private final Map<String, Integer> seats = new HashMap<>();
    private final Map<String, Wish> wishes = new HashMap<>();
    /** What claims have, by their UID. */
    private final Map<String, Had> had = new HashMap<>();

    /** A GPU. */
    record Gpu(String node, DraGpu gpu, boolean ill) {}

    /** What a pod asks for: slices of one profile, perhaps of one GPU alone, perhaps of one that is ill, too. */
    record Wish(String profile, int count, String parent, boolean tolerant) {}

    private record Had(int gpu, int placement) {}

    /** What nodes have beside devices: so many pods more. For one question. */
    final class Seats implements VacatableRoom {
        private final Map<String, Integer> left = new HashMap<>(seats);

        @Override
        public boolean take(String pod, String node) {
            int free = left.getOrDefault(node, 0);
            if (free > 0) {
                left.put(node, free - 1);
            }
            return free > 0;
        }

        @Override
        public void giveBack(String pod, String node) {
            left.merge(node, 1, Integer::sum);
        }

        @Override
        public Object left(String node) {
            return left.getOrDefault(node, 0);
        }

        @Override
        public void vacate(MovablePod pod) {
            giveBack("", pod.node());
        }

        @Override
        public void restore(MovablePod pod) {
            left.merge(pod.node(), -1, Integer::sum);
        }

        /** Whether it is as it was. */
        boolean isUntouched() {
            return left.equals(seats);
        }
    }

    /** At random. */
    SmallFleet(SplittableRandom random, int count, boolean odd) {
        for (int n = 0; n < count; n++) {
            int room = odd && random.nextInt(4) == 0 ? 1 + random.nextInt(2) : PLENTY;
            List<Boolean> ill = new ArrayList<>();
            for (int g = 0; g < 1 + random.nextInt(2); g++) {
                ill.add(odd && random.nextInt(6) == 0);
            }
            node(ill, room);
        }
    }

    private SmallFleet() {}

    /** Nodes that are alike. */
    static SmallFleet ofOneGpuEach(int count) {
        SmallFleet world = new SmallFleet();
        for (int n = 0; n < count; n++) {
            world.node(List.of(false), PLENTY);
        }
        return world;
    }

    /** @param ills whether each of its GPUs is ill */
    private void node(List<Boolean> ills, int room) {
        String node = "n" + nodes.size();
        nodes.add(node);
        seats.put(node, room);
        List<DraGpu> own = new ArrayList<>();
        for (boolean ill : ills) {
            String number = Integer.toHexString(nodes.size() - 1) + own.size();
            DraGpu.Builder gpu = DraGpu.builder()
                    .pciAddress("0000:" + number + ":00.0")
                    .uuid("GPU-" + number)
                    .model(PublishedNodes.A100);
            if (ill) {
                gpu.putFaults(ILL, "it is ill");
            }
            own.add(gpu.build());
            gpus.add(new Gpu(node, own.get(own.size() - 1), ill));
        }
        fleet.pool(PublishedNodes.PUBLISHER.pool(node), PublishedNodes.slices(node, own.toArray(new DraGpu[0])));
    }

    /** A pod that asks for something at random. */
    PodDemand pod(SplittableRandom random, String uid, boolean odd) {
        String profile = PROFILES.get(random.nextInt(PROFILES.size()));
        int count = random.nextInt(3) == 0 ? 2 : 1;
        Gpu one = gpus.get(random.nextInt(gpus.size()));
        boolean pinned = odd && random.nextInt(5) == 0;
        Set<String> where = new HashSet<>(nodes);
        if (odd && random.nextInt(3) == 0) {
            where.remove(nodes.get(random.nextInt(nodes.size())));
        }
        Spread spread = count == 1 || !odd
                ? Spread.ANYWHERE
                : List.of(Spread.ANYWHERE, Spread.SAME_DEVICE, Spread.DIFFERENT_DEVICES)
                        .get(random.nextInt(3));
        return pod(
                uid,
                new Wish(profile, count, pinned ? one.gpu().pciAddress() : "", odd && random.nextInt(4) == 0),
                spread,
                where.stream().sorted().toList());
    }

    PodDemand pod(String uid, Wish wish, Spread spread, List<String> where) {
        String claim = "claim-" + uid;
        Choice plain = PublishedNodes.wants(claim, wish.profile(), wish.count())
                .asks()
                .get(0)
                .choices()
                .get(0);
        List<String> selectors = new ArrayList<>(plain.selectors());
        if (!wish.parent().isEmpty()) {
            selectors.add("device.attributes[\"" + PublishedNodes.OPTIONS.driver() + "\"].parent == \"" + wish.parent()
                    + "\"");
        }
        wishes.put(uid, wish);
        Choice choice = new Choice(
                "r", plain.deviceClass(), selectors, wish.count(), wish.tolerant() ? List.of(TOLERATION) : List.of());
        return new PodDemand(
                uid,
                "ns/" + uid,
                List.of(new ClaimDemand(
                        claim, "ns/" + claim, List.of(new Ask("r", List.of(choice))), List.of(), List.of())),
                List.of(),
                spread,
                where);
    }

    /** Has a pod of a place with one slice, if it is free and the node has a seat for it. */
    boolean hold(PodDemand pod, int gpu, String profile, int start) {
        int placement = GEOMETRY.placement(GEOMETRY.model().indexOf(profile), start);
        Gpu on = gpus.get(gpu);
        if (placement < 0 || !loads(Set.of()).get(gpu).fits(placement) || seats.getOrDefault(on.node(), 0) < 1) {
            return false;
        }
        String claim = pod.claims().get(0).uid();
        had.put(claim, new Had(gpu, placement));
        seats.merge(on.node(), -1, Integer::sum);
        fleet.reserve(List.of(new PlacedDevice(
                claim,
                "r",
                on.node(),
                "",
                PublishedNodes.PUBLISHER.pool(on.node()),
                PublishedNodes.PUBLISHER.deviceName(on.gpu(), profile, start).orElseThrow(),
                List.of())));
        return true;
    }

    int gpuCount() {
        return gpus.size();
    }

    Gpu gpu(int number) {
        return gpus.get(number);
    }

    private List<GpuLoad> loads(Set<String> without) {
        List<GpuLoad> loads = new ArrayList<>();
        gpus.forEach(gpu -> loads.add(new GpuLoad(GEOMETRY, 0, 0)));
        had.forEach((claim, place) -> {
            if (!without.contains(claim)) {
                loads.set(place.gpu(), loads.get(place.gpu()).with(place.placement()));
            }
        });
        return loads;
    }

    private Wish wish(PodDemand pod) {
        return Objects.requireNonNull(wishes.get(pod.uid()));
    }

    /** Whether there is any way of placing all of these if some have ended. */
    boolean canPlace(List<PodDemand> pods, List<MovablePod> gone) {
        Set<String> without = new HashSet<>();
        Map<String, Integer> left = new HashMap<>(seats);
        gone.forEach(pod -> {
            without.addAll(pod.claims());
            left.merge(pod.node(), 1, Integer::sum);
        });
        return new Trial(pods, loads(without), left).pod(0);
    }

    /** All ways, one after the other. */
    private final class Trial {
        private final List<PodDemand> pods;
        private final List<GpuLoad> loads;
        private final Map<String, Integer> left;
        private final Set<Object> failed = new HashSet<>();

        Trial(List<PodDemand> pods, List<GpuLoad> loads, Map<String, Integer> left) {
            this.pods = pods;
            this.loads = loads;
            this.left = left;
        }

        boolean pod(int number) {
            if (number == pods.size()) {
                return true;
            }
            Object state = List.of(number, List.copyOf(loads), Map.copyOf(left));
            if (failed.contains(state)) {
                return false;
            }
            for (String node : pods.get(number).nodes()) {
                int free = left.getOrDefault(node, 0);
                if (free > 0) {
                    left.put(node, free - 1);
                    boolean placed = slice(number, node, List.of());
                    left.put(node, free);
                    if (placed) {
                        return true;
                    }
                }
            }
            failed.add(state);
            return false;
        }

        private boolean slice(int number, String node, List<Integer> taken) {
            PodDemand pod = pods.get(number);
            Wish wish = wish(pod);
            if (taken.size() == wish.count()) {
                return pod(number + 1);
            }
            for (int g = 0; g < gpus.size(); g++) {
                Gpu gpu = gpus.get(g);
                int own = g;
                boolean may = gpu.node().equals(node)
                        && (!gpu.ill() || wish.tolerant())
                        && (wish.parent().isEmpty()
                                || wish.parent().equals(gpu.gpu().pciAddress()))
                        && (pod.spread() != Spread.SAME_DEVICE || taken.stream().allMatch(other -> other == own))
                        && (pod.spread() != Spread.DIFFERENT_DEVICES
                                || taken.stream().noneMatch(other -> other == own));
                if (may && onGpu(number, node, taken, g)) {
                    return true;
                }
            }
            return false;
        }

        private boolean onGpu(int number, String node, List<Integer> taken, int gpu) {
            String profile = wish(pods.get(number)).profile();
            GpuLoad before = loads.get(gpu);
            for (int placement = 0; placement < GEOMETRY.placements(); placement++) {
                boolean of =
                        GEOMETRY.profile(GEOMETRY.profileOf(placement)).name().equals(profile);
                if (of && before.fits(placement)) {
                    List<Integer> more = new ArrayList<>(taken);
                    more.add(gpu);
                    loads.set(gpu, before.with(placement));
                    boolean placed = slice(number, node, more);
                    loads.set(gpu, before);
                    if (placed) {
                        return true;
                    }
                }
            }
            return false;
        }
    }
}
