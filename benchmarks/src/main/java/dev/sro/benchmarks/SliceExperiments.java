package dev.sro.benchmarks;

import dev.sro.core.slicing.geometry.Geometry;
import dev.sro.core.slicing.pack.Feasibility;
import dev.sro.core.slicing.policy.PlacementPolicy;
import dev.sro.core.slicing.policy.Policies;
import dev.sro.core.slicing.policy.PolicyTable;
import dev.sro.core.slicing.simulate.Mix;
import dev.sro.core.slicing.simulate.RoomMaker;
import dev.sro.core.slicing.simulate.SimulationReport;
import dev.sro.core.slicing.simulate.Simulator;
import dev.sro.core.slicing.simulate.Workload;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.LongFunction;

/**
 * The experiments of docs/slicing/policies.md: every policy on the very same requests, as Markdown tables on standard output. The
 * first argument is the number of runs per cell, 100 unless given; the second says {@code accepted}, {@code moves} or {@code testbed} if only one part
 * is wanted; the test bed, which has many cells, plays a tenth of the runs.
 */
public final class SliceExperiments {
    private static final int DEVICES = 100;
    private static final long SEED = 20_260_101;

    private final List<PolicyTable> policies = new ArrayList<>();
    private final Geometry geometry = SliceWorld.A100;
    private final Feasibility feasibility = Feasibility.of(geometry);
    private final int runs;

    private SliceExperiments(int runs) {
        this.runs = runs;
        for (PlacementPolicy policy : List.of(
                Policies.standard(),
                Policies.firstFit(),
                Policies.bestFitBestIndex(),
                Policies.longestRun(),
                Policies.minimumFragmentation(),
                Policies.worstFitBestIndex(),
                Policies.dasCompatible())) {
            policies.add(PolicyTable.of(geometry, policy));
        }
    }

    /** Runs all experiments. */
    public static void main(String[] args) {
        SliceExperiments all = new SliceExperiments(args.length > 0 ? Integer.parseInt(args[0]) : 100);
        if (args.length < 2 || args[1].equals("accepted")) {
            all.accepted();
        }
        if (args.length < 2 || args[1].equals("moves")) {
            all.moves();
        }
        if (args.length < 2 || args[1].equals("testbed")) {
            new SliceTestBed(Math.max(2, all.runs / 10)).print();
        }
    }

    private void accepted() {
        heading("Accepted share of memory units, in percent, " + runs + " runs per cell");
        for (Mix mix : Mix.published(geometry)) {
            for (double load : new double[] {0.75, 0.85, 0.95, 1.05}) {
                row(
                        "steady " + load + " " + mix.name(),
                        DEVICES,
                        seed -> Workload.lossSystem(geometry, mix, load, DEVICES, seed));
            }
        }
        for (Mix mix : Mix.published(geometry)) {
            for (double factor : new double[] {1.0, 1.1}) {
                row(
                        "fill " + factor + " " + mix.name(),
                        DEVICES,
                        seed -> Workload.fill(geometry, mix, factor, DEVICES, seed));
            }
        }
        Mix jobs = new Mix("migbench", Map.of("1g.5gb", 35.0, "2g.10gb", 25.0, "3g.20gb", 25.0, "7g.40gb", 5.0));
        System.out.print("| backlog, 8 devices: compute slices in use |");
        for (PolicyTable policy : policies) {
            SimulationReport report = run(policy, 8, RoomMaker.NONE, seed -> Workload.backlog(geometry, jobs, 8, seed));
            System.out.printf(Locale.ROOT, " %.2f |", 100 * report.meanUsedComputeSlices());
        }
        System.out.println();
        trace("openb, all tasks", 0, 6732, 6058, 5385);
        trace("openb, shared GPUs", 1, 2377, 2139, 1901);
    }

    // Fleets of 100, 90 and 80 percent of the devices that an optimal packing needs.
    private void trace(String name, int part, int... fleets) {
        Workload workload = openb(name, part);
        for (int devices : fleets) {
            System.out.print("| " + name + ", " + devices + " devices |");
            for (PolicyTable policy : policies) {
                SimulationReport report = Simulator.run(policy, feasibility, devices, RoomMaker.NONE, workload);
                System.out.printf(Locale.ROOT, " %.3f |", 100 * report.acceptanceByUnits());
            }
            System.out.println();
        }
    }

    /** Part 0 is all tasks, part 1 those that share a GPU. */
    private static Workload openb(String name, int part) {
        List<Workload.Arrival> arrivals = new ArrayList<>();
        try (BufferedReader reader = new BufferedReader(new InputStreamReader(
                Objects.requireNonNull(SliceExperiments.class.getResourceAsStream("openb.txt")),
                StandardCharsets.UTF_8))) {
            int at = 0;
            boolean digits = false;
            for (String line : reader.lines().toList()) {
                if (line.startsWith("#")) {
                    at += digits ? 1 : 0;
                    digits = false;
                } else {
                    digits = true;
                    for (int i = 0; at == part && i < line.length(); i++) {
                        arrivals.add(
                                new Workload.Arrival(arrivals.size(), line.charAt(i) - '0', Double.POSITIVE_INFINITY));
                    }
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return new Workload(name, arrivals, 0, false);
    }

    private void heading(String title) {
        System.out.println("\n" + title + "\n");
        System.out.print("| workload |");
        policies.forEach(policy -> System.out.print(" " + policy.name() + " |"));
        System.out.println("\n|---|" + "---|".repeat(policies.size()));
    }

    private void row(String name, int devices, LongFunction<Workload> workloads) {
        System.out.print("| " + name + " |");
        for (PolicyTable policy : policies) {
            System.out.printf(
                    Locale.ROOT,
                    " %.3f |",
                    100 * run(policy, devices, RoomMaker.NONE, workloads).acceptanceByUnits());
        }
        System.out.println();
    }

    private SimulationReport run(PolicyTable policy, int devices, RoomMaker mover, LongFunction<Workload> workloads) {
        SimulationReport sum = null;
        for (int run = 0; run < runs; run++) {
            SimulationReport report =
                    Simulator.run(policy, feasibility, devices, mover, workloads.apply(SEED + run * 7919L));
            sum = sum == null ? report : sum.plus(report);
        }
        if (sum == null) {
            throw new IllegalArgumentException("runs: at least one is needed");
        }
        return sum;
    }

    private void moves() {
        System.out.println("\nWith moves for requests that are stuck, load 0.85, standard policy\n");
        System.out.println(
                "| mix | most moves | accepted units % | moves per 1,000 requests | refusals proved infeasible % |");
        System.out.println("|---|---|---|---|---|");
        for (Mix mix : Mix.published(geometry)) {
            for (int most = 0; most <= 5; most++) {
                RoomMaker mover = most == 0 ? RoomMaker.NONE : RoomMaker.byDefragmenter(feasibility, most);
                moves(mix, String.valueOf(most), mover);
            }
        }
        int whole = geometry.profiles() - 1;
        RoomMaker few = RoomMaker.byDefragmenter(feasibility, 3);
        RoomMaker many = RoomMaker.byDefragmenter(feasibility, 7);
        for (Mix mix : Mix.published(geometry)) {
            moves(
                    mix,
                    "3; 7 to free a whole device",
                    (fleet, profile) -> (profile == whole ? many : few).makeRoom(fleet, profile));
        }
    }

    private void moves(Mix mix, String most, RoomMaker mover) {
        SimulationReport report =
                run(policies.get(0), DEVICES, mover, seed -> Workload.lossSystem(geometry, mix, 0.85, DEVICES, seed));
        long refused = report.refusedInfeasible() + report.refusedFragmented();
        System.out.printf(
                Locale.ROOT,
                "| %s | %s | %.3f | %.2f | %.1f |%n",
                mix.name(),
                most,
                100 * report.acceptanceByUnits(),
                report.movesPerThousand(),
                refused == 0 ? 100.0 : 100.0 * report.refusedInfeasible() / refused);
    }
}
