package dev.sro.core.slicing.pack;

import dev.sro.core.slicing.geometry.Geometry;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Loads that one device can carry, by count per profile: every count vector of a layout, with the first layout that shows it.
 * Numbered by number of instances and then by counts, so that numbers are equal in every process; number 0 is empty.
 * Immutable and thread-safe.
 */
public final class Multisets {
    /** Count vectors; the empty one is first. */
    final int[][] counts;
    /** The lowest layout of each vector. */
    final int[] layouts;

    private final Map<List<Integer>, Integer> index;

    private Multisets(int[][] counts, int[] layouts, Map<List<Integer>, Integer> index) {
        this.counts = counts;
        this.layouts = layouts;
        this.index = index;
    }

    /** The multisets of a geometry. */
    public static Multisets of(Geometry geometry) {
        Map<List<Integer>, Integer> first = new HashMap<>();
        List<int[]> found = new ArrayList<>();
        for (int layout = 0; layout < geometry.layouts(); layout++) {
            int[] vector = countsOf(geometry, layout);
            if (first.putIfAbsent(key(vector), layout) == null) {
                found.add(vector);
            }
        }
        found.sort(
                Comparator.comparingInt((int[] vector) -> Arrays.stream(vector).sum())
                        .thenComparing(Arrays::compare));
        int[][] counts = found.toArray(int[][]::new);
        int[] layouts = new int[counts.length];
        Map<List<Integer>, Integer> index = new HashMap<>();
        for (int i = 0; i < counts.length; i++) {
            List<Integer> key = key(counts[i]);
            layouts[i] = first.getOrDefault(key, 0);
            index.put(key, i);
        }
        return new Multisets(counts, layouts, index);
    }

    /** Instances per profile of a layout. */
    public static int[] countsOf(Geometry geometry, int layout) {
        int[] vector = new int[geometry.profiles()];
        for (long rest = geometry.placementsOf(layout); rest != 0; rest &= rest - 1) {
            vector[geometry.profileOf(Long.numberOfTrailingZeros(rest))]++;
        }
        return vector;
    }

    boolean contains(int[] vector) {
        return index.containsKey(key(vector));
    }

    /** Number of multisets. */
    public int size() {
        return counts.length;
    }

    /** Instances of a profile in a multiset. */
    public int count(int multiset, int profile) {
        return counts[multiset][profile];
    }

    /** The number of a count vector, or -1 if no device can carry it. */
    public int indexOf(int[] vector) {
        Integer at = index.get(key(vector));
        return at == null ? -1 : at;
    }

    private static List<Integer> key(int[] vector) {
        return Arrays.stream(vector).boxed().toList();
    }
}
