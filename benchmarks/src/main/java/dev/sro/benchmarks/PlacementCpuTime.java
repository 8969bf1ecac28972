package dev.sro.benchmarks;

import dev.sro.core.placement.NodeAnswers;
import dev.sro.core.placement.NodeNameList;
import dev.sro.core.placement.Placement;
import dev.sro.core.placement.PlacementFleet;
import dev.sro.core.placement.SliceDemand;
import dev.sro.core.placement.extender.ExtenderAnswers;
import dev.sro.core.slicing.SliceAllocator;
import dev.sro.core.slicing.SliceDevice;
import dev.sro.core.slicing.Spread;
import dev.sro.core.slicing.catalogue.Catalogue;
import dev.sro.core.slicing.catalogue.DeviceModel;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.charset.StandardCharsets;
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
 * go at 80 % of the units, mix small-heavy of DAS's measurements. Once from the bytes of the requests to those of the answers, and once the decision alone,
 * the names of the nodes read and no answer written. Without HTTP, and without the requests of the binding.
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
    private final ExtenderPods requests = new ExtenderPods();
    private final ExtenderAnswers extender = new ExtenderAnswers(fleet, requests);
    private final ThreadMXBean clock = ManagementFactory.getThreadMXBean();
    private long spent;
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
        System.out.println("| nodes of 8 GPUs | µs for a pod, bytes to bytes | the decision alone | pods | refused |");
        System.out.println("|---|---|---|---|---|");
        for (int nodes : sizes) {
            PlacementCpuTime bytes = new PlacementCpuTime(nodes);
            PlacementCpuTime names = new PlacementCpuTime(nodes);
            double ofBytes = bytes.measure(nodes, bytes::placeByBytes);
            double ofNames = names.measure(nodes, names::placeByNames);
            System.out.println(String.format(
                    Locale.ROOT,
                    "| %,d | %.1f | %.1f | %,d | %,d |",
                    nodes,
                    ofBytes,
                    ofNames,
                    MEASURED,
                    bytes.refused));
        }
    }

    /** One way of placing a pod on one of these nodes. */
    private interface Way {
        void place(SliceDemand demand, List<String> asked);
    }

    private double measure(int nodes, Way way) {
        long most = 8L * GPUS * nodes * 8 / 10;
        while (units < most) {
            placeByNames(demand(), names);
        }
        for (int i = 0; i < WARM_UP; i++) {
            end(most);
            way.place(demand(), asSchedulersAsk());
        }
        refused = 0;
        spent = 0;
        for (int i = 0; i < MEASURED; i++) {
            end(most);
            way.place(demand(), asSchedulersAsk());
        }
        return spent / 1000.0 / MEASURED;
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

    private SliceDemand demand() {
        String pod = "pod-" + pods++;
        return SliceDemand.of(pod, "ns", pod, "main", List.of(profile()), Spread.ANYWHERE);
    }

    private void placeByNames(SliceDemand demand, List<String> asked) {
        byte[] array = ExtenderPods.array(asked).getBytes(StandardCharsets.UTF_8);
        NodeNameList list = NodeNameList.read(array, 0).orElseThrow();
        long before = clock.getCurrentThreadCpuTime();
        NodeAnswers answers = fleet.ask(demand, list);
        NodeAnswers fitting = answers.part(answers.fitting());
        int[] scores = fitting.scores();
        spent += clock.getCurrentThreadCpuTime() - before;
        int at = 0;
        for (int i = 1; i < scores.length; i++) {
            at = scores[i] > scores[at] ? i : at;
        }
        take(demand, scores.length == 0 ? List.of() : List.of(fitting.names().name(at)));
    }

    private void placeByBytes(SliceDemand demand, List<String> asked) {
        String pod = requests.json(demand);
        byte[] toFilter = ExtenderPods.request(pod, ExtenderPods.array(asked));
        long before = clock.getCurrentThreadCpuTime();
        byte[] filtered = extender.filter(toFilter);
        spent += clock.getCurrentThreadCpuTime() - before;
        String fitting = between(new String(filtered, StandardCharsets.UTF_8), "\"NodeNames\":", ",\"FailedNodes\"");
        if (fitting.equals("[]")) {
            refused++;
            return;
        }
        byte[] toPrioritise = ExtenderPods.request(pod, fitting);
        before = clock.getCurrentThreadCpuTime();
        byte[] scored = extender.prioritize(toPrioritise);
        spent += clock.getCurrentThreadCpuTime() - before;
        take(demand, List.of(best(new String(scored, StandardCharsets.UTF_8))));
    }

    /** The first of those with the highest score. */
    private static String best(String scores) {
        int end = -1;
        for (int score = 10; end < 0; score--) {
            end = scores.indexOf("\",\"Score\":" + score + "}");
        }
        return scores.substring(scores.lastIndexOf('"', end - 1) + 1, end);
    }

    private static String between(String text, String before, String after) {
        int from = text.indexOf(before) + before.length();
        return text.substring(from, text.indexOf(after, from));
    }

    private void take(SliceDemand demand, List<String> node) {
        long before = clock.getCurrentThreadCpuTime();
        Placement placement = fleet.decide(demand, node, LATER);
        spent += clock.getCurrentThreadCpuTime() - before;
        if (!placement.granted()) {
            refused++;
            return;
        }
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
