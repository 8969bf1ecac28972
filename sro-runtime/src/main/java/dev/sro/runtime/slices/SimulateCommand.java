package dev.sro.runtime.slices;

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
import dev.sro.runtime.ExitCodes;
import dev.sro.runtime.OutputForm;
import dev.sro.runtime.Progress;
import dev.sro.runtime.UnusableInputException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Compares policies on a generated load or a trace. */
@Command(
        name = "simulate",
        mixinStandardHelpOptions = true,
        description = {
            "Compares placement policies on the very same requests.",
            "",
            "Runs a load against empty devices of one model, once for each policy, and reports what was accepted: by"
                    + " count and by memory units, because refusing wide slices makes the first look good.",
            ""
        },
        footer = {
            "",
            "A trace has lines of time,profile,holding; holding is inf for a slice that stays.",
            "Exit codes: 0 the simulation ran; 2 wrong arguments or input that cannot be read.",
            "",
            "Example:",
            "  sro slices simulate --model A100-40GB --mix skew-small --load 0.85 --seeds 5 --max-moves 3"
        })
final class SimulateCommand implements Callable<Integer> {
    private static final int MOST_DEVICES = 1_000_000;

    /** Where requests come from. */
    enum Kind {
        /** Poisson arrivals, exponential holding times; what does not fit is lost. */
        LOSS,
        /** Arrivals without departures until the load is asked for. */
        FILL,
        /** A backlog that waits. */
        BACKLOG
    }

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private Inputs inputs = new Inputs();

    @Option(names = "--model", required = true, paramLabel = "MODEL", description = "Key, product name or PCI id.")
    private String name = "";

    @Option(
            names = "--devices",
            paramLabel = "N",
            defaultValue = "100",
            description = "Number of devices. Default: ${DEFAULT-VALUE}.")
    private int devices;

    @Option(
            names = "--kind",
            paramLabel = "KIND",
            defaultValue = "loss",
            description = "loss, fill or backlog. Default: ${DEFAULT-VALUE}.")
    private Kind kind = Kind.LOSS;

    @Option(
            names = "--mix",
            paramLabel = "MIX",
            defaultValue = "uniform",
            description = "uniform, skew-small, skew-big, bimodal, or weights P=W,... Default: ${DEFAULT-VALUE}.")
    private String mix = "";

    @Option(
            names = "--load",
            paramLabel = "X",
            defaultValue = "0.85",
            description = "Offered memory units as a share of those of all devices. Default: ${DEFAULT-VALUE}.")
    private double load;

    @Option(names = "--trace", paramLabel = "FILE", description = "Replay this instead of a generated load.")
    private @Nullable Path trace;

    @Option(
            names = "--policy",
            paramLabel = "NAME",
            description = "A policy; may be given more than once. Default: all.")
    private List<String> policies = new ArrayList<>();

    @Option(
            names = "--max-moves",
            paramLabel = "N",
            defaultValue = "0",
            description = "Most moves to make room for a request that is stuck. Default: ${DEFAULT-VALUE}.")
    private int maxMoves;

    @Option(
            names = "--seeds",
            paramLabel = "N",
            defaultValue = "1",
            description = "Number of runs with different requests, added up. Default: ${DEFAULT-VALUE}.")
    private int seeds;

    @Mixin
    private OutputForm output = new OutputForm();

    @Override
    public Integer call() {
        check("--devices", devices, 1, MOST_DEVICES);
        check("--seeds", seeds, 1, 10_000);
        check("--max-moves", maxMoves, 0, 10);
        if (!(load > 0 && load <= 100)) {
            throw new UnusableInputException("--load", load + " is not between 0 and 100");
        }
        Geometry geometry = Geometry.of(inputs.catalogue().resolve(name));
        List<PlacementPolicy> chosen = policies.isEmpty()
                ? Policies.all()
                : policies.stream().map(Simulations::policy).toList();
        List<SimulationReport> reports = run(geometry, chosen);
        output.print(
                () -> text(reports),
                () -> reports.stream().map(SimulateCommand::tree).toList());
        return ExitCodes.OK;
    }

    private static void check(String option, int value, int least, int most) {
        if (value < least || value > most) {
            throw new UnusableInputException(option, value + " is not between " + least + " and " + most);
        }
    }

    private List<SimulationReport> run(Geometry geometry, List<PlacementPolicy> chosen) {
        Feasibility feasibility = Feasibility.of(geometry);
        RoomMaker roomMaker = maxMoves == 0 ? RoomMaker.NONE : RoomMaker.byDefragmenter(feasibility, maxMoves);
        List<PolicyTable> tables =
                chosen.stream().map(policy -> PolicyTable.of(geometry, policy)).toList();
        List<SimulationReport> reports = new ArrayList<>();
        int runs = trace == null ? seeds : 1;
        try (Progress progress =
                Progress.of(spec.commandLine().getErr(), (long) runs * chosen.size(), output.isText())) {
            for (int seed = 1; seed <= runs; seed++) {
                Workload workload = workload(geometry, seed);
                for (int i = 0; i < tables.size(); i++) {
                    progress.draw(tables.get(i).name());
                    SimulationReport report = Simulator.run(tables.get(i), feasibility, devices, roomMaker, workload);
                    if (seed == 1) {
                        reports.add(report);
                    } else {
                        reports.set(i, reports.get(i).plus(report));
                    }
                    progress.step(tables.get(i).name());
                }
            }
        }
        return reports;
    }

    private Workload workload(Geometry geometry, long seed) {
        if (trace != null) {
            return Simulations.trace(geometry, trace);
        }
        Mix weights = Simulations.mix(geometry, mix);
        return switch (kind) {
            case LOSS -> Workload.lossSystem(geometry, weights, load, devices, seed);
            case FILL -> Workload.fill(geometry, weights, load, devices, seed);
            case BACKLOG -> Workload.backlog(geometry, weights, devices, seed);
        };
    }

    private static String text(List<SimulationReport> reports) {
        List<List<String>> rows = new ArrayList<>();
        List<String> head = new ArrayList<>(List.of(
                "POLICY", "REQUESTS", "ACCEPTED %", "UNITS %", "INFEASIBLE", "FRAGMENTED", "MOVES/1000", "USED %"));
        reports.stream()
                .findFirst()
                .ifPresent(report -> asked(report).forEach(profile -> head.add(profile.name() + " %")));
        rows.add(head);
        for (SimulationReport report : reports) {
            List<String> row = new ArrayList<>(List.of(
                    report.policy(),
                    "" + report.requested(),
                    percent(report.acceptance()),
                    percent(report.acceptanceByUnits()),
                    "" + report.refusedInfeasible(),
                    "" + report.refusedFragmented(),
                    String.format(Locale.ROOT, "%.1f", report.movesPerThousand()),
                    percent(report.meanUsedUnits())));
            asked(report).forEach(profile -> row.add(percent((double) profile.accepted() / profile.requested())));
            rows.add(row);
        }
        return (reports.isEmpty() ? "" : reports.get(0).workload() + "\n") + Output.table(rows);
    }

    /** The same of every report, as all see the same requests. */
    private static List<SimulationReport.Profile> asked(SimulationReport report) {
        return report.profiles().stream()
                .filter(profile -> profile.requested() > 0)
                .toList();
    }

    private static String percent(double share) {
        return String.format(Locale.ROOT, "%.2f", 100 * share);
    }

    private static Map<String, Object> tree(SimulationReport report) {
        return Output.object(
                "policy",
                report.policy(),
                "workload",
                report.workload(),
                "requested",
                report.requested(),
                "accepted",
                report.accepted(),
                "acceptance",
                report.acceptance(),
                "acceptanceByUnits",
                report.acceptanceByUnits(),
                "refusedInfeasible",
                report.refusedInfeasible(),
                "refusedFragmented",
                report.refusedFragmented(),
                "moves",
                report.moves(),
                "meanUsedUnits",
                report.meanUsedUnits(),
                "meanFragmentation",
                report.meanFragmentation(),
                "profiles",
                report.profiles().stream()
                        .map(profile -> Output.object(
                                "name",
                                profile.name(),
                                "requested",
                                profile.requested(),
                                "accepted",
                                profile.accepted()))
                        .toList());
    }
}
