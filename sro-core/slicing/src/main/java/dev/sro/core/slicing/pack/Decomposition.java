package dev.sro.core.slicing.pack;

/**
 * Proves that the inequalities of a block are sufficient: that each integer point of {@code k} times the one-device
 * polytope is a sum of {@code k} integer points of it (the integer decomposition property).
 *
 * <p>For a polytope of dimension {@code d} with integer vertices this holds for every {@code k} as soon as it holds
 * for {@code k < d}: see docs/slicing/mathematics.md. What is left is finite, and is searched here without gaps. As every
 * smaller multiset of a legal one is legal, only points that nothing can be added to need a look.
 */
final class Decomposition {
    /** Points to look at before giving up; the largest known device needs far fewer. */
    private static final long MAX_POINTS = 20_000_000;

    private final long[][] facets;
    private final int[][] points;
    private final int dimension;
    private final long[] slack;
    private final int[] current;
    private long visited;

    Decomposition(long[][] facets, int[][] points, int dimension) {
        this.facets = facets;
        this.points = points;
        this.dimension = dimension;
        this.slack = new long[facets.length];
        this.current = new int[dimension];
    }

    /** Whether the property is proved; false also if the search would take too long. */
    boolean proved() {
        for (int devices = 1; devices < Math.max(2, dimension); devices++) {
            for (int f = 0; f < slack.length; f++) {
                slack[f] = facets[f][dimension] * devices;
            }
            if (!holds(0)) {
                return false;
            }
        }
        return true;
    }

    private boolean holds(int column) {
        if (column == dimension) {
            return ++visited <= MAX_POINTS && (!full() || splits());
        }
        boolean good = holds(column + 1);
        int added = 0;
        while (good && fits(column)) {
            add(column, 1);
            added++;
            good = holds(column + 1);
        }
        add(column, -added);
        return good;
    }

    private void add(int column, int count) {
        current[column] += count;
        for (int f = 0; f < slack.length; f++) {
            slack[f] -= facets[f][column] * count;
        }
    }

    private boolean fits(int column) {
        for (int f = 0; f < slack.length; f++) {
            if (slack[f] < facets[f][column]) {
                return false;
            }
        }
        return true;
    }

    private boolean full() {
        for (int c = 0; c < dimension; c++) {
            if (fits(c)) {
                return false;
            }
        }
        return true;
    }

    // One device takes what it can of a maximal multiset; the rest must be in the polytope of one device less.
    private boolean splits() {
        for (int[] point : points) {
            boolean good = true;
            for (int f = 0; f < facets.length && good; f++) {
                long room = slack[f] - facets[f][dimension];
                for (int c = 0; c < dimension; c++) {
                    room += facets[f][c] * Math.min(current[c], point[c]);
                }
                good = room >= 0;
            }
            if (good) {
                return true;
            }
        }
        return false;
    }
}
