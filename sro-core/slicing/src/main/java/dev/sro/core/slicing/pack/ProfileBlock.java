package dev.sro.core.slicing.pack;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Profiles that share devices with each other and with no others, with the inequalities that hold for the devices that
 * carry them. A profile that always has a device for itself belongs to the first block as a <em>whole</em>: it takes
 * every inequality's right side once.
 *
 * <p>Profiles that can replace each other in every layout (<em>twins</em>) are one column of the polytope.
 */
final class ProfileBlock {
    /** Column of each profile of the model; {@link #WHOLE} for a device of its own, {@link #ABSENT} for other blocks. */
    final int[] columnOf;
    /** Undominated counts per column. */
    final int[][] points;
    /** Inequalities {@code sum(row[p] * counts[p]) <= bounds[row] * devices} over all profiles of the model. */
    final long[][] rows;

    final long[] bounds;

    private final BooleanSupplier proof;
    private @Nullable Boolean exact;

    static final int WHOLE = -1;
    static final int ABSENT = -2;

    private ProfileBlock(int[] columnOf, int[][] points, long[][] rows, long[] bounds, BooleanSupplier proof) {
        this.columnOf = columnOf;
        this.points = points;
        this.rows = rows;
        this.bounds = bounds;
        this.proof = proof;
    }

    /**
     * Whether the polytope has the integer decomposition property, so that the inequalities are sufficient. The proof
     * takes most of the time that the whole block takes, and few ask for it: it is made when one does.
     */
    synchronized boolean exact() {
        if (exact == null) {
            exact = proof.getAsBoolean();
        }
        return exact;
    }

    /** The blocks of a device; at least one. */
    static List<ProfileBlock> of(Multisets sets, int profiles) {
        int[] group = groups(sets, profiles);
        boolean[] whole = wholes(sets, profiles);
        Set<Integer> names = new LinkedHashSet<>();
        for (int p = 0; p < profiles; p++) {
            if (!whole[p]) {
                names.add(group[p]);
            }
        }
        List<ProfileBlock> blocks = new ArrayList<>();
        for (int name : names.isEmpty() ? Set.of(-1) : names) {
            boolean first = blocks.isEmpty();
            boolean[] member = new boolean[profiles];
            for (int p = 0; p < profiles; p++) {
                member[p] = !whole[p] && group[p] == name;
            }
            blocks.add(block(sets, member, first ? whole : new boolean[profiles]));
        }
        return blocks;
    }

    private static ProfileBlock block(Multisets sets, boolean[] member, boolean[] whole) {
        int[] columnOf = columns(sets, member);
        int columns = Math.max(-1, Arrays.stream(columnOf).max().orElse(-1)) + 1;
        for (int p = 0; p < whole.length; p++) {
            columnOf[p] = whole[p] ? WHOLE : columnOf[p];
        }
        int[][] points = undominated(sets, columnOf, columns);
        long[][] all = columns == 0 ? new long[][] {{1}} : DoubleDescription.facets(points, columns);
        BooleanSupplier proof = () -> all.length > 0 && new Decomposition(all, points, columns).proved();
        long[][] facets = all.length > 0 ? all : simple(points, columns);
        long[][] rows = new long[facets.length][columnOf.length];
        long[] bounds = new long[facets.length];
        for (int f = 0; f < facets.length; f++) {
            bounds[f] = facets[f][columns];
            for (int p = 0; p < columnOf.length; p++) {
                rows[f][p] = columnOf[p] == WHOLE ? bounds[f] : columnOf[p] == ABSENT ? 0 : facets[f][columnOf[p]];
            }
        }
        return new ProfileBlock(columnOf, points, rows, bounds, proof);
    }

    // Only for models beyond the bounds of the double description: the most of each column alone. Valid, not
    // sufficient.
    private static long[][] simple(int[][] points, int columns) {
        long[][] rows = new long[columns][columns + 1];
        for (int c = 0; c < columns; c++) {
            rows[c][c] = 1;
            for (int[] point : points) {
                rows[c][columns] = Math.max(rows[c][columns], point[c]);
            }
        }
        return rows;
    }

    private static int[] groups(Multisets sets, int profiles) {
        int[] group = new int[profiles];
        for (int p = 0; p < profiles; p++) {
            group[p] = p;
        }
        for (int[] set : sets.counts) {
            int first = -1;
            for (int p = 0; p < profiles; p++) {
                if (set[p] > 0) {
                    first = first < 0 ? p : first;
                    int from = group[p];
                    int to = group[first];
                    Arrays.setAll(group, i -> group[i] == from ? to : group[i]);
                }
            }
        }
        return group;
    }

    private static boolean[] wholes(Multisets sets, int profiles) {
        boolean[] whole = new boolean[profiles];
        Arrays.fill(whole, true);
        for (int[] set : sets.counts) {
            if (Arrays.stream(set).sum() > 1) {
                for (int p = 0; p < profiles; p++) {
                    whole[p] &= set[p] == 0;
                }
            }
        }
        return whole;
    }

    private static int[] columns(Multisets sets, boolean[] member) {
        int[] columnOf = new int[member.length];
        Arrays.fill(columnOf, ABSENT);
        int columns = 0;
        for (int p = 0; p < member.length; p++) {
            for (int q = 0; member[p] && q < p && columnOf[p] == ABSENT; q++) {
                if (member[q] && replaces(sets, p, q) && replaces(sets, q, p)) {
                    columnOf[p] = columnOf[q];
                }
            }
            if (member[p] && columnOf[p] == ABSENT) {
                columnOf[p] = columns++;
            }
        }
        return columnOf;
    }

    private static boolean replaces(Multisets sets, int by, int what) {
        for (int[] set : sets.counts) {
            if (set[what] > 0) {
                int[] other = set.clone();
                other[what]--;
                other[by]++;
                if (!sets.contains(other)) {
                    return false;
                }
            }
        }
        return true;
    }

    private static int[][] undominated(Multisets sets, int[] columnOf, int columns) {
        List<int[]> points = new ArrayList<>();
        for (int i = sets.counts.length - 1; i >= 0; i--) {
            int[] point = new int[columns];
            boolean foreign = false;
            for (int p = 0; p < columnOf.length; p++) {
                if (columnOf[p] >= 0) {
                    point[columnOf[p]] += sets.counts[i][p];
                } else {
                    foreign |= sets.counts[i][p] > 0;
                }
            }
            if (!foreign && points.stream().noneMatch(known -> covers(known, point))) {
                points.add(point);
            }
        }
        return points.toArray(int[][]::new);
    }

    private static boolean covers(int[] big, int[] small) {
        for (int c = 0; c < small.length; c++) {
            if (big[c] < small[c]) {
                return false;
            }
        }
        return true;
    }
}
