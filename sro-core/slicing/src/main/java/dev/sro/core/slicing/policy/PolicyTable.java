package dev.sro.core.slicing.policy;

import dev.sro.core.slicing.geometry.Geometry;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Objects;

/**
 * A policy worked out for one model: for each occupancy and profile the placement that is taken, and for each profile the order of
 * occupancies from best to worst. Immutable and thread-safe; every method is one look-up.
 */
public final class PolicyTable {
    /** There is no such placement or rank. */
    public static final int NONE = 0xFFFF;

    /** No rank of a profile is available; no {@link #choice} is this. */
    public static final int NO_CHOICE = 0x00FF_FFFF;

    private final Geometry geometry;
    private final String name;
    private final boolean emptiestNodeFirst;
    private final int profiles;
    private final int words;
    private final char[] placement;
    private final char[] rank;
    private final char[] order;
    private final char[] occupancyAt;
    private final char[] tieEnd;
    /** Per profile and rank: occupancy, placement above it, and the sign if the next rank is as good. */
    private final int[] choice;
    /** Per occupancy, where its bits are in the bitmaps of all profiles: from {@code markFrom} on. */
    private final int[] markFrom;

    private final int[] markWord;
    private final long[] markBit;
    private final Family family;

    /** The tables of one policy for one model: by regime, and by what was asked for. */
    private static final class Family {
        /** So many that a load that drifts finds its way back, so few that nobody misses the memory. */
        private static final int MOST_LEARNED = 128;

        final Map<Regime, PolicyTable> byRegime = new EnumMap<>(Regime.class);
        private final Map<FleetUsage, PolicyTable> learned = new HashMap<>();
        private final PlacementPolicy policy;

        Family(PlacementPolicy policy) {
            this.policy = policy;
        }

        // What was learned depends on the usage alone, so forgetting it changes nothing but the time it takes.
        synchronized PolicyTable in(Geometry geometry, FleetUsage usage) {
            PolicyTable known = learned.get(usage);
            if (known == null) {
                if (learned.size() == MOST_LEARNED) {
                    learned.clear();
                }
                known = new PolicyTable(geometry, policy.specialise(geometry, usage), this);
                learned.put(usage, known);
            }
            return known;
        }
    }

    private PolicyTable(Geometry geometry, PlacementPolicy policy, Family family) {
        this.geometry = geometry;
        this.family = family;
        this.name = family.policy.name();
        this.emptiestNodeFirst = policy.emptiestNodeFirst();
        this.profiles = geometry.profiles();
        int occupancies = geometry.occupancies();
        this.words = (occupancies + 63) >>> 6;
        this.placement = filled(occupancies * profiles);
        this.rank = filled(occupancies * profiles);
        this.order = filled(occupancies * profiles);
        this.occupancyAt = filled(profiles * words * 64);
        this.tieEnd = filled(profiles * words * 64);
        StepCosts costs = StepCosts.of(geometry, policy, name);
        for (int profile = 0; profile < profiles; profile++) {
            rank(profile, costs);
        }
        this.choice = choices();
        this.markFrom = new int[occupancies + 1];
        int marks = 0;
        for (int at = 0; at < occupancies * profiles; at++) {
            marks += rank[at] == NONE ? 0 : 1;
            markFrom[at / profiles + 1] = marks;
        }
        this.markWord = new int[marks];
        this.markBit = new long[marks];
        for (int at = 0, mark = 0; at < occupancies * profiles; at++) {
            if (rank[at] != NONE) {
                markWord[mark] = at % profiles * words + (rank[at] >>> 6);
                markBit[mark++] = 1L << rank[at];
            }
        }
    }

    private int[] choices() {
        int[] choices = new int[occupancyAt.length];
        for (int at = 0; at < choices.length; at++) {
            int occupancy = occupancyAt[at];
            if (occupancy != NONE) {
                int profile = at / (words * 64);
                boolean tie = tieEnd[at] > at % (words * 64) + 1;
                choices[at] = occupancy | placement[occupancy * profiles + profile] << 16 | (tie ? TIE : 0);
            }
        }
        return choices;
    }

    /** Bit of {@link #choice} that is set if the next rank is as good. */
    static final int TIE = 1 << 31;

    /**
     * Asks {@code policy} about every step of {@code geometry}, in every regime. The result is that of
     * {@link Regime#FILLING}.
     *
     * @throws IllegalArgumentException if a cost is not finite or a start order is not a permutation, naming the policy
     */
    public static PolicyTable of(Geometry geometry, PlacementPolicy policy) {
        IdentityHashMap<PlacementPolicy, PolicyTable> known = new IdentityHashMap<>();
        Family family = new Family(policy);
        for (Regime regime : Regime.values()) {
            family.byRegime.put(
                    regime,
                    known.computeIfAbsent(
                            policy.specialise(geometry, regime),
                            special -> new PolicyTable(geometry, special, family)));
        }
        return Objects.requireNonNull(family.byRegime.get(Regime.FILLING));
    }

    private static char[] filled(int length) {
        char[] values = new char[length];
        Arrays.fill(values, (char) NONE);
        return values;
    }

    private void rank(int profile, StepCosts costs) {
        double[] cost = new double[geometry.occupancies()];
        Integer[] fitting = new Integer[cost.length];
        int count = 0;
        for (int occupancy = 0; occupancy < cost.length; occupancy++) {
            cost[occupancy] = costs.cost(occupancy, profile);
            placement[occupancy * profiles + profile] = (char) costs.placement(occupancy, profile);
            if (!Double.isNaN(cost[occupancy])) {
                fitting[count++] = occupancy;
            }
        }
        // Stable, so that equal costs stay in the order of occupancies.
        Arrays.sort(fitting, 0, count, (a, b) -> Double.compare(cost[a], cost[b]));
        int base = profile * words * 64;
        int end = count;
        for (int at = count - 1; at >= 0; at--) {
            if (at + 1 < count && cost[fitting[at + 1]] - cost[fitting[at]] > PlacementPolicy.TOLERANCE) {
                end = at + 1;
            }
            rank[fitting[at] * profiles + profile] = (char) at;
            occupancyAt[base + at] = (char) (int) fitting[at];
            tieEnd[base + at] = (char) end;
            order[fitting[at] * profiles + profile] = (char) end;
        }
    }

    /** The tables of the model. */
    public Geometry geometry() {
        return geometry;
    }

    /** The table of the same policy and model for a regime, as long as nothing is known of the requests. */
    public PolicyTable in(Regime regime) {
        return family.byRegime.getOrDefault(regime, this);
    }

    /**
     * The table of the same policy and model for what is known of its usage. It is worked out when it is asked for first, which takes
     * some ten milliseconds, and kept; that of a policy that does not learn is {@link #in(Regime)}. Thread-safe.
     */
    public PolicyTable in(FleetUsage usage) {
        return learns() ? family.in(geometry, usage) : in(usage.regime());
    }

    /** Whether the policy places differently where other profiles are asked for. */
    public boolean learns() {
        return family.policy.learns();
    }

    /** Whether the policy places differently in different regimes, or as it learns. */
    public boolean adaptive() {
        return learns() || family.byRegime.values().stream().anyMatch(table -> table != this);
    }

    /** The policy's name. */
    public String name() {
        return name;
    }

    /**
     * The meaning of a bit of a bitmap that has {@link #words()} words per profile and a bit per rank: occupancy in the low 16 bits,
     * placement in the next 8, negative if the next rank is as good.
     */
    public int choice(int bit) {
        return choice[bit];
    }

    /** Sets or clears the bits of an occupancy in the bitmaps of all profiles. */
    public void mark(long[] available, int occupancy, boolean present) {
        int end = markFrom[occupancy + 1];
        if (present) {
            for (int mark = markFrom[occupancy]; mark < end; mark++) {
                available[markWord[mark]] |= markBit[mark];
            }
        } else {
            for (int mark = markFrom[occupancy]; mark < end; mark++) {
                available[markWord[mark]] &= ~markBit[mark];
            }
        }
    }

    /** See {@link PlacementPolicy#emptiestNodeFirst()}; a fleet, which knows no nodes, does not heed it. */
    public boolean emptiestNodeFirst() {
        return emptiestNodeFirst;
    }

    /** The number of 64-bit words that hold one bit per rank. */
    public int words() {
        return words;
    }

    /** The placement taken for a profile on a device in an occupancy; {@link #NONE} if it does not fit. */
    public int placement(int occupancy, int profile) {
        return placement[occupancy * profiles + profile];
    }

    /** Place of an occupancy in the order of a profile, 0 the best; {@link #NONE} if the profile does not fit. */
    public int rank(int occupancy, int profile) {
        return rank[occupancy * profiles + profile];
    }

    /** As {@link #rank}, but equal where the policy sees no difference; {@link #NONE} if the profile does not fit. */
    public int order(int occupancy, int profile) {
        return order[occupancy * profiles + profile];
    }

    /** The occupancy at a rank of a profile. */
    public int occupancyAt(int profile, int rank) {
        return occupancyAt[profile * words * 64 + rank];
    }

    /** The first rank behind {@code rank} that is worse, not equal. */
    public int tieEnd(int profile, int rank) {
        return tieEnd[profile * words * 64 + rank];
    }
}
