package dev.sro.benchmarks;

import dev.sro.core.placement.NodeChoice;
import dev.sro.core.placement.Placement;
import dev.sro.core.placement.PlacementFleet;
import dev.sro.core.placement.SliceDemand;
import dev.sro.core.slicing.SliceAllocator;
import dev.sro.core.slicing.SliceDevice;
import dev.sro.core.slicing.Spread;
import dev.sro.core.slicing.catalogue.Catalogue;
import dev.sro.core.slicing.catalogue.DeviceModel;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.SplittableRandom;

/**
 * Processor time of placing a pod with one slice as a scheduler's extender does it: filter all nodes, score those with room, take a place. Pods come and
 * go at 80 % of the units, mix small-heavy of DAS's measurements. Without HTTP and JSON.
 */
public final class PlacementCpuTime {
    private static final DeviceModel A100 = Catalogue.builtin().model("A100-40GB");
    private static final int GPUS = 8;
    private static final int WARM_UP = 30_000;
    private static final int MEASURED = 20_000;
    private static final Instant LATER = Instant.parse("2100-01-01T00:00:00Z");
    private static final String[] MIX = {"1g.5gb", "1g.10gb", "2g.10gb", "3g.20gb", "4g.20gb", "7g.40gb"};
    private static final int[] SHARE = {40, 15, 25, 10, 5, 5};

    private final PlacementFleet fleet = new PlacementFleet(SliceAllocator.create());
    private final List<String> names = new ArrayList<>();
    private final ArrayDeque<Placement> live = new ArrayDeque<>();
    private final SplittableRandom random = new SplittableRandom(11);
    private final Random order = new Random(13);
    private long pods;
    private long units;
    private long refused;

    private PlacementCpuTime(int nodes) {
        for (int node = 0; node < nodes; node++) {
            String name = "node-" + node;
            names.add(name);
            List<SliceDevice> gpus = new ArrayList<>();
            for (int gpu = 0; gpu < GPUS; gpu++) {
                gpus.add(SliceDevice.of("GPU-" + node + "-" + gpu, A100, name));
            }
            fleet.node(name, gpus);
        }
    }

    /** Prints a table; arguments are numbers of nodes. */
    public static void main(String[] args) {
        int[] sizes = args.length == 0
                ? new int[] {1, 100, 1000}
                : Arrays.stream(args).mapToInt(Integer::parseInt).toArray();
        System.out.println("| nodes of 8 GPUs | µs for a pod | pods | refused |\n|---|---|---|---|");
        for (int nodes : sizes) {
            System.out.println(new PlacementCpuTime(nodes).row(nodes));
        }
    }

    private String row(int nodes) {
        long most = 8L * GPUS * nodes * 8 / 10;
        while (units < most) {
            place(names);
        }
        for (int i = 0; i < WARM_UP; i++) {
            churn(most);
        }
        ThreadMXBean clock = ManagementFactory.getThreadMXBean();
        refused = 0;
        long time = 0;
        for (int i = 0; i < MEASURED; i++) {
            end(most);
            List<String> asked = asSchedulersAsk();
            long before = clock.getCurrentThreadCpuTime();
            place(asked);
            time += clock.getCurrentThreadCpuTime() - before;
        }
        return String.format(
                Locale.ROOT, "| %,d | %.1f | %,d | %,d |", nodes, time / 1000.0 / MEASURED, MEASURED, refused);
    }

    private void churn(long most) {
        end(most);
        place(asSchedulersAsk());
    }

    /** All nodes in no order, under names that were just read: a scheduler looks at nodes in parallel, from another one on each time. */
    private List<String> asSchedulersAsk() {
        List<String> asked = new ArrayList<>(names);
        Collections.shuffle(asked, order);
        asked.replaceAll(name -> new String(name.toCharArray()));
        return asked;
    }

    private void end(long most) {
        while (units >= most && !live.isEmpty()) {
            Placement gone = live.removeFirst();
            gone.slices().forEach(slice -> {
                units -= slice.size();
                fleet.drop(slice.id());
            });
        }
    }

    private void place(List<String> asked) {
        String pod = "pod-" + pods++;
        SliceDemand demand = SliceDemand.of(pod, "ns", pod, "main", List.of(profile()), Spread.ANYWHERE);
        NodeChoice choice = fleet.choose(demand, asked);
        if (choice.fitting().isEmpty()) {
            refused++;
            return;
        }
        int[] scores = fleet.score(demand, choice.fitting());
        int at = 0;
        for (int i = 1; i < scores.length; i++) {
            at = scores[i] > scores[at] ? i : at;
        }
        String best = choice.fitting().get(at);
        Placement placement = fleet.decide(demand, List.of(best), LATER);
        placement.slices().forEach(slice -> units += slice.size());
        live.addLast(placement);
    }

    private String profile() {
        int draw = random.nextInt(100);
        for (int i = 0; i < MIX.length; i++) {
            draw -= SHARE[i];
            if (draw < 0) {
                return MIX[i];
            }
        }
        return MIX[0];
    }
}
