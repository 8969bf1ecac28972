package dev.sro.core.dra;

import dev.sro.core.slicing.catalogue.Catalogue;
import dev.sro.core.slicing.catalogue.DeviceModel;
import dev.sro.core.slicing.geometry.Geometry;
import dev.sro.core.slicing.policy.Regime;
import dev.sro.core.slicing.simulate.Mix;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;

/**
 * Pods come and go on nodes whose slices a stock scheduler reads: on each node first-fit over what is listed, and of the nodes that with the
 * earliest alternative and, among those, the fewest pods. Before a pod comes, others leave at random until it is within the load; one that cannot
 * be placed goes away. Publishing takes no time.
 */
final class ChurnModel {
    private static final DeviceModel MODEL = Catalogue.builtin().model("A100-40GB");
    private static final Geometry GEOMETRY = Geometry.of(MODEL);

    /** How slices are published, and how pods ask. */
    enum Way {
        /** As NVIDIA's driver lists devices: profiles by name, starts ascending, for ever. */
        NVIDIA,
        /** Our order for an empty GPU, for ever. */
        STATIC,
        /** Our order for what is on the GPU. */
        ADVISORY,
        /** Our order, pods with templates by loss class, which are written along with orders alone. */
        STALE_CLASSES,
        /** Our order, pods with templates by loss class, which are kept true. */
        LOSS_CLASSES;

        boolean follows() {
            return this != NVIDIA && this != STATIC;
        }

        boolean byClass() {
            return this == STALE_CLASSES || this == LOSS_CLASSES;
        }

        Set<DraDetail> details() {
            return this == LOSS_CLASSES ? EnumSet.of(DraDetail.LOSS_CLASSES) : Set.of();
        }
    }

    /**
     * A cluster and what is asked of it.
     *
     * @param load units in use in percent, with the pod that comes
     */
    record Scene(int nodes, int gpus, int load, Mix mix) {
        @Override
        public String toString() {
            return nodes + "x" + gpus + ", " + load + " %, " + mix.name();
        }
    }

    /** What came of it, after the cluster was full. */
    record Result(int offered, int rejected, int writes) {
        double rejectedPercent() {
            return 100.0 * rejected / offered;
        }

        double writesPerPod() {
            return (double) writes / (offered - rejected);
        }

        Result plus(Result other) {
            return new Result(offered + other.offered, rejected + other.rejected, writes + other.writes);
        }
    }

    private record Pod(ChurnNode node, ChurnNode.Place place) {}

    private final Scene scene;
    private final Way way;
    private final Random requests;
    private final Random departures;
    private final List<ChurnNode> nodes = new ArrayList<>();
    private final List<Pod> pods = new ArrayList<>();
    private int used;
    private boolean full;

    private ChurnModel(Scene scene, Way way, long seed) {
        this.scene = scene;
        this.way = way;
        this.requests = new Random(seed);
        this.departures = new Random(~seed);
        ModelTables tables = tables(Regime.STEADY);
        for (int i = 0; i < scene.nodes(); i++) {
            nodes.add(node(tables, scene.gpus(), way));
        }
    }

    private static DraOptions options(Regime regime) {
        return DraOptions.builder().server(new DraServer(36, 2)).regime(regime).build();
    }

    static ModelTables tables(Regime regime) {
        return ModelTables.of(MODEL, options(regime));
    }

    static ChurnNode node(ModelTables tables, int gpus, Way way) {
        // What tables were made for is in them.
        return new ChurnNode(tables, options(Regime.STEADY), gpus, way);
    }

    static int profile(String name) {
        return GEOMETRY.model().indexOf(name);
    }

    static List<Mix> mixes() {
        return Mix.published(GEOMETRY);
    }

    /** Fills the cluster, lets a fifth of the pods come and go that nobody counts, and then so many. */
    static Result play(Scene scene, Way way, long seed, int pods) {
        ChurnModel model = new ChurnModel(scene, way, seed);
        while (!model.full) {
            model.come();
        }
        for (int i = 0; i < pods / 5; i++) {
            model.come();
        }
        int rejected = 0;
        int before = model.writes();
        for (int i = 0; i < pods; i++) {
            rejected += model.come() ? 0 : 1;
        }
        return new Result(pods, rejected, model.writes() - before);
    }

    private int writes() {
        return nodes.stream().mapToInt(ChurnNode::writes).sum();
    }

    /** A pod comes; false if there is no place for it. */
    private boolean come() {
        int profile = profile();
        int size = GEOMETRY.sizeOf(profile);
        int most = scene.nodes() * scene.gpus() * GEOMETRY.units() * scene.load() / 100;
        while (used + size > most) {
            full = true;
            Pod gone = pods.remove(departures.nextInt(pods.size()));
            gone.node().release(gone.place());
            used -= GEOMETRY.sizeOf(GEOMETRY.profileOf(gone.place().placement()));
        }
        for (int step = way.byClass() ? 0 : PlacementRanking.LAST_CLASS; step <= PlacementRanking.LAST_CLASS; step++) {
            if (place(profile, step)) {
                used += size;
                return true;
            }
        }
        return false;
    }

    private boolean place(int profile, int lossClass) {
        Optional<Pod> best = Optional.empty();
        for (ChurnNode node : nodes) {
            if (best.isEmpty() || node.pods() < best.get().node().pods()) {
                Optional<Pod> before = best;
                best = node.find(profile, lossClass)
                        .map(place -> new Pod(node, place))
                        .or(() -> before);
            }
        }
        best.ifPresent(pod -> {
            pod.node().allocate(pod.place());
            pods.add(pod);
        });
        return best.isPresent();
    }

    private int profile() {
        double rest = requests.nextDouble()
                * scene.mix().weights().values().stream()
                        .mapToDouble(weight -> weight)
                        .sum();
        int profile = -1;
        for (Map.Entry<String, Double> weight : scene.mix().weights().entrySet()) {
            profile = GEOMETRY.model().indexOf(weight.getKey());
            rest -= weight.getValue();
            if (rest < 0) {
                break;
            }
        }
        return profile;
    }
}
