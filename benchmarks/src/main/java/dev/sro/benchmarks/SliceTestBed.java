package dev.sro.benchmarks;

import dev.sro.core.slicing.catalogue.Catalogue;
import dev.sro.core.slicing.catalogue.DeviceModel;
import dev.sro.core.slicing.geometry.Geometry;
import dev.sro.core.slicing.policy.PlacementPolicy;
import dev.sro.core.slicing.policy.Policies;
import dev.sro.core.slicing.policy.PolicyTable;
import dev.sro.core.slicing.simulate.MixedFleet;
import dev.sro.core.slicing.simulate.PolicyComparison;
import dev.sro.core.slicing.simulate.TestBed;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The test bed of docs/slicing/policies.md as Markdown tables on standard output: the default policy against the best of the others on loads
 * that are made from the model alone. See {@link SliceExperiments}.
 */
final class SliceTestBed {
    private static final int DEVICES = 100;
    private static final long SEED = 20_261_123;

    /** One model of each kind; the others of the catalogue have the same windows as one of these. */
    private static final List<String> KINDS = List.of(
            "A30-24GB",
            "A100-80GB",
            "RTXPRO6000-96GB",
            "RTXPRO5000-48GB",
            "RTXPRO5000-48GB-r580",
            "RTXPRO4500-32GB",
            "Thor-iGPU",
            "MI300X",
            "MI300A",
            "PPU-ZW810E-96GB");

    private static final List<PlacementPolicy> OTHERS = List.of(
            Policies.firstFit(),
            Policies.bestFit(),
            Policies.bestFitBestIndex(),
            Policies.minimumFragmentation(),
            Policies.longestRun());

    private final int runs;

    SliceTestBed(int runs) {
        this.runs = runs;
    }

    void print() {
        System.out.println("\nThe default against the best other policy of each cell, accepted memory units in points, "
                + runs + " runs per cell\n");
        System.out.println("| model | loads | cells | mean | worst | in | behind by more than two errors |");
        System.out.println("|---|---|---|---|---|---|---|");
        for (String kind : KINDS) {
            families(kind);
        }
        mixed("H100 and A30", 50, "H100-80GB", "A30-24GB");
        mixed(
                "seven models",
                14,
                "A30-24GB",
                "A100-40GB",
                "A100-80GB",
                "H100-80GB",
                "H100-94GB",
                "H200-141GB",
                "RTXPRO6000-96GB");
        mixed("five models", 20, "H100-94GB", "H100-96GB", "H20-96GB", "RTXPRO6000-96GB", "RTXPRO5000-48GB");
    }

    private void families(String kind) {
        DeviceModel model = Catalogue.builtin().model(kind);
        Geometry geometry = Geometry.of(model);
        PolicyTable policy = PolicyTable.of(geometry, Policies.standard());
        List<PolicyTable> others =
                OTHERS.stream().map(other -> PolicyTable.of(geometry, other)).toList();
        Map<String, List<TestBed.Cell>> families = new LinkedHashMap<>();
        families.put("steady and heavy-tailed", TestBed.steady(geometry, DEVICES));
        families.put("drifting", TestBed.drifting(geometry, DEVICES));
        families.put("overloaded", TestBed.overloaded(geometry, DEVICES));
        families.put("one profile", TestBed.single(geometry, DEVICES));
        families.put("filling", TestBed.filling(geometry, DEVICES));
        families.forEach((name, cells) -> {
            int times = name.equals("filling") ? 5 * runs : runs;
            List<PolicyComparison> results = new ArrayList<>();
            cells.forEach(cell -> results.add(PolicyComparison.of(policy, others, DEVICES, cell, times, SEED)));
            PolicyComparison worst = results.stream()
                    .min(Comparator.comparingDouble(PolicyComparison::difference))
                    .orElseThrow();
            System.out.printf(
                    Locale.ROOT,
                    "| %s | %s | %d | %+.2f | %+.2f ± %.2f | %s | %d |%n",
                    kind,
                    name,
                    cells.size(),
                    100
                            * results.stream()
                                    .mapToDouble(PolicyComparison::difference)
                                    .average()
                                    .orElse(0),
                    100 * worst.difference(),
                    100 * worst.error(),
                    worst.cell() + ", " + worst.best(),
                    results.stream()
                            .filter(result -> result.difference() < -2 * result.error() && result.difference() < -5e-4)
                            .count());
        });
    }

    private void mixed(String name, int devices, String... models) {
        MixedFleet fleet = new MixedFleet(
                List.of(models).stream().map(Catalogue.builtin()::model).toList(), devices);
        System.out.println("\nMixed fleet of " + name + ", " + devices + " of each, accepted share in percent\n");
        System.out.println(
                "| load | standard | first-fit | best-fit | best-fit-best-index | minimum-fragmentation | longest-run"
                        + " | repacked within models | and across |");
        System.out.println("|---|---|---|---|---|---|---|---|---|");
        for (double load : new double[] {0.75, 0.85, 0.95}) {
            StringBuilder row = new StringBuilder("| " + load + " |");
            List<PlacementPolicy> all = new ArrayList<>(OTHERS);
            all.add(0, Policies.standard());
            for (PlacementPolicy policy : all) {
                double sum = 0;
                for (int run = 0; run < runs; run++) {
                    sum += fleet.accepted(policy, share -> 1, load, SEED + run);
                }
                row.append(String.format(Locale.ROOT, " %.2f |", 100 * sum / runs));
            }
            for (boolean across : new boolean[] {false, true}) {
                double sum = 0;
                for (int run = 0; run < runs; run++) {
                    sum += fleet.repacked(Policies.standard(), across, share -> 1, load, SEED + run);
                }
                row.append(String.format(Locale.ROOT, " %.2f |", 100 * sum / runs));
            }
            System.out.println(row);
        }
    }
}
