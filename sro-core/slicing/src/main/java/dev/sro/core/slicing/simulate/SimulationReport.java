package dev.sro.core.slicing.simulate;

import java.util.ArrayList;
import java.util.List;

/**
 * The outcome of a workload. Arrivals during warm-up are not in it.
 *
 * @param policy name of the policy
 * @param workload name of the workload
 * @param profiles per profile, in the order of the model
 * @param refusedInfeasible refusals that no rearrangement could have avoided, by the closed form
 * @param refusedFragmented all other refusals
 * @param moves slices moved to make room
 * @param triggers requests for which slices were moved
 * @param meanUsedUnits average over time of the share of memory units in use, from the end of warm-up to the last arrival
 * @param meanUsedComputeSlices the same of compute slices
 * @param meanFragmentation average over arrivals of the fragmentation score per device
 * @param decisionNanos mean time of one call of the allocator as a clock saw it, moves included; not a benchmark
 */
public record SimulationReport(
        String policy,
        String workload,
        List<Profile> profiles,
        long refusedInfeasible,
        long refusedFragmented,
        long moves,
        long triggers,
        double meanUsedUnits,
        double meanUsedComputeSlices,
        double meanFragmentation,
        double decisionNanos) {
    /**
     * Counts of one profile.
     *
     * @param name name of the profile
     * @param units memory units of one slice
     * @param requested requests
     * @param accepted requests that got a slice, at once or later
     */
    public record Profile(String name, int units, long requested, long accepted) {}

    /** Copies the list. */
    public SimulationReport {
        profiles = List.copyOf(profiles);
    }

    /** Requests in all. */
    public long requested() {
        return profiles.stream().mapToLong(Profile::requested).sum();
    }

    /** Accepted requests in all. */
    public long accepted() {
        return profiles.stream().mapToLong(Profile::accepted).sum();
    }

    /** Requested memory units. */
    public long requestedUnits() {
        return profiles.stream()
                .mapToLong(profile -> profile.requested * profile.units)
                .sum();
    }

    /** Accepted memory units. */
    public long acceptedUnits() {
        return profiles.stream()
                .mapToLong(profile -> profile.accepted * profile.units)
                .sum();
    }

    /** Accepted share of requests; 1 if there were none. Refusing wide slices makes it higher: look at units too. */
    public double acceptance() {
        return share(accepted(), requested());
    }

    /** Accepted share of requested memory units; 1 if there were none. */
    public double acceptanceByUnits() {
        return share(acceptedUnits(), requestedUnits());
    }

    /** Moves per thousand requests. */
    public double movesPerThousand() {
        return 1000 * share(moves, Math.max(1, requested()));
    }

    private static double share(long part, long whole) {
        return whole == 0 ? 1 : (double) part / whole;
    }

    /** The sum of two runs of one policy on like workloads; averages are weighted by requests. */
    public SimulationReport plus(SimulationReport other) {
        List<Profile> sum = new ArrayList<>();
        for (int i = 0; i < profiles.size(); i++) {
            Profile a = profiles.get(i);
            Profile b = other.profiles.get(i);
            sum.add(new Profile(a.name, a.units, a.requested + b.requested, a.accepted + b.accepted));
        }
        double weight = (double) requested() / Math.max(1, requested() + other.requested());
        return new SimulationReport(
                policy,
                workload,
                sum,
                refusedInfeasible + other.refusedInfeasible,
                refusedFragmented + other.refusedFragmented,
                moves + other.moves,
                triggers + other.triggers,
                mean(meanUsedUnits, other.meanUsedUnits, weight),
                mean(meanUsedComputeSlices, other.meanUsedComputeSlices, weight),
                mean(meanFragmentation, other.meanFragmentation, weight),
                mean(decisionNanos, other.decisionNanos, weight));
    }

    private static double mean(double a, double b, double weightOfA) {
        return a * weightOfA + b * (1 - weightOfA);
    }
}
