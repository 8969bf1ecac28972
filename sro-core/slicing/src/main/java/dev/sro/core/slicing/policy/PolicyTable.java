package dev.sro.core.slicing.policy;

import dev.sro.core.slicing.geometry.Geometry;
import java.util.Arrays;
import java.util.EnumMap;
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

    /** No rank of a profile is available. */
    public static final int NO_CHOICE = 0x00FF_FFFF;

    private final Geometry geometry;
    private final String name;
    private final boolean emptiestNodeFirst;
    private final int profiles;
    private final int words;
    private final char[] placement;
    private final char[] rank;
    private final char[] occupancyAt;
    private final char[] tieEnd;
    /** Per profile and rank: occupancy, placement above it, and the sign if the next rank is as good. */
    private final int[] choice;
    /** Per occupancy, where its bits are in the bitmaps of all profiles: from {@code markFrom} on. */
    private final int[] markFrom;

    private final int[] markWord;
    private final long[] markBit;
    private Map<Regime, PolicyTable> byRegime = Map.of();

    private PolicyTable(Geometry geometry, PlacementPolicy policy, String name) {
        this.geometry = geometry;
        this.name = name;
        this.emptiestNodeFirst = policy.emptiestNodeFirst();
        this.profiles = geometry.profiles();
        int occupancies = geometry.occupancies();
        this.words = (occupancies + 63) >>> 6;
        this.placement = filled(occupancies * profiles);
        this.rank = filled(occupancies * profiles);
        this.occupancyAt = filled(profiles * words * 64);
        this.tieEnd = filled(profiles * words * 64);
        for (int profile = 0; profile < profiles; profile++) {
            rank(profile, choose(policy, profile));
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
        EnumMap<Regime, PolicyTable> byRegime = new EnumMap<>(Regime.class);
        for (Regime regime : Regime.values()) {
            PolicyTable table = known.computeIfAbsent(
                    policy.specialise(geometry, regime), special -> new PolicyTable(geometry, special, policy.name()));
            byRegime.put(regime, table);
        }
        for (PolicyTable table : byRegime.values()) {
            table.byRegime = byRegime;
        }
        return Objects.requireNonNull(byRegime.get(Regime.FILLING));
    }

    private static char[] filled(int length) {
        char[] values = new char[length];
        Arrays.fill(values, (char) NONE);
        return values;
    }

    /** Cost of the best step per occupancy; NaN where the profile does not fit. */
    private double[] choose(PlacementPolicy policy, int profile) {
        int[] order = checked(policy.startOrder(geometry, profile), profile);
        double[] cost = new double[geometry.occupancies()];
        Arrays.fill(cost, Double.NaN);
        for (int occupancy = 0; occupancy < cost.length; occupancy++) {
            for (int candidate : order) {
                int after = geometry.add(occupancy, candidate);
                if (after == Geometry.ILLEGAL) {
                    continue;
                }
                double value = policy.cost(geometry, occupancy, candidate, after);
                if (!Double.isFinite(value)) {
                    throw new IllegalArgumentException("policy " + name + ": the cost of "
                            + geometry.profile(profile).name() + " at " + geometry.startOf(candidate) + " is " + value
                            + ", which is not a finite number");
                }
                if (Double.isNaN(cost[occupancy]) || value < cost[occupancy] - PlacementPolicy.TOLERANCE) {
                    cost[occupancy] = value;
                    placement[occupancy * profiles + profile] = (char) candidate;
                }
            }
        }
        return cost;
    }

    private int[] checked(int[] order, int profile) {
        long seen = 0;
        for (int candidate : order) {
            seen |= candidate < 0 || candidate >= geometry.placements() ? 0 : 1L << candidate;
        }
        int first = geometry.firstPlacement(profile);
        int count = geometry.firstPlacement(profile + 1) - first;
        if (order.length != count || seen != ((1L << count) - 1) << first) {
            throw new IllegalArgumentException("policy " + name + ": the start order of "
                    + geometry.profile(profile).name() + " must name each of its " + count + " placements once");
        }
        return order;
    }

    private void rank(int profile, double[] cost) {
        Integer[] fitting = new Integer[cost.length];
        int count = 0;
        for (int occupancy = 0; occupancy < cost.length; occupancy++) {
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
        }
    }

    /** The tables of the model. */
    public Geometry geometry() {
        return geometry;
    }

    /** The table of the same policy and model for a regime. */
    public PolicyTable in(Regime regime) {
        return byRegime.getOrDefault(regime, this);
    }

    /** Whether the policy places differently in different regimes. */
    public boolean adaptive() {
        for (PolicyTable table : byRegime.values()) {
            if (table != this) {
                return true;
            }
        }
        return false;
    }

    /** The policy's name. */
    public String name() {
        return name;
    }

    /**
     * Finds the best rank of a profile whose bit is set, in {@link #words()} words per profile: occupancy in the low 16 bits, placement in the
     * next 8, negative if the next rank is as good; {@link #NO_CHOICE} if no bit is set.
     */
    public int choose(long[] available, int profile) {
        int base = profile * words;
        for (int word = 0; word < words; word++) {
            long bits = available[base + word];
            if (bits != 0) {
                return choice[((base + word) << 6) + Long.numberOfTrailingZeros(bits)];
            }
        }
        return NO_CHOICE;
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

    /** How many 64-bit words hold one bit per rank. */
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

    /** The occupancy at a rank of a profile. */
    public int occupancyAt(int profile, int rank) {
        return occupancyAt[profile * words * 64 + rank];
    }

    /** The first rank behind {@code rank} that is worse, not equal. */
    public int tieEnd(int profile, int rank) {
        return tieEnd[profile * words * 64 + rank];
    }
}
