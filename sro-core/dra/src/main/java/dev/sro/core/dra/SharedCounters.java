package dev.sro.core.dra;

import dev.sro.core.slicing.geometry.Geometry;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What the placements of one model share, as counters of {@code resource.k8s.io/v1}: a set of devices can be allocated together if no
 * counter is consumed beyond what there is of it.
 *
 * <p>Every counter is held against every legal layout of the model when this is made. One that excludes a legal layout is left out, and
 * said in {@link #notes()}; where those of NVIDIA's driver admit a set that is not legal, others are added. {@link #exact()} then says
 * whether exactly the legal layouts are admitted. Immutable and thread-safe.
 */
public final class SharedCounters {
    /**
     * One counter.
     *
     * @param name a DNS label
     * @param capacity what a GPU has of it; MiB for {@code memory}
     * @param use what each placement takes of it, by the numbers of the geometry
     */
    record Counter(String name, long capacity, List<Long> use) {
        Counter {
            use = List.copyOf(use);
        }
    }

    /**
     * A set of placements about which counters and geometry differ.
     *
     * @param placements a bit set, by the numbers of the geometry
     * @param admitted whether the counters admit it; the geometry then does not
     */
    public record Difference(long placements, boolean admitted) {}

    private final Geometry geometry;
    private final List<Counter> counters;
    private final List<String> notes;
    private final Optional<Difference> difference;

    private SharedCounters(Geometry geometry, List<Counter> counters, List<String> notes) {
        this.geometry = geometry;
        this.counters = List.copyOf(counters);
        this.notes = List.copyOf(notes);
        this.difference = difference(geometry, this.counters);
    }

    /** Works out the counters of a geometry: some ten milliseconds, once per model. */
    public static SharedCounters of(Geometry geometry) {
        CounterCandidates candidates = new CounterCandidates(geometry);
        List<Counter> known = candidates.nvidia();
        List<String> notes = new ArrayList<>(candidates.notes());
        List<Counter> counters = new ArrayList<>();
        for (Counter counter : known) {
            long excluded = excluded(geometry, counter);
            if (excluded == 0) {
                counters.add(counter);
            } else {
                notes.add("counter " + counter.name() + " is left out: its " + counter.capacity() + " would exclude "
                        + describe(geometry, excluded));
            }
        }
        for (Counter counter : candidates.others()) {
            if (difference(geometry, counters).isEmpty()) {
                break;
            }
            if (refusesMore(geometry, counters, counter)) {
                counters.add(counter);
                notes.add("counter " + counter.name() + " is added: the others admit what the device cannot carry");
            }
        }
        if (counters.size() > DraLimits.COUNTERS_PER_SET) {
            throw new IllegalArgumentException(
                    "device model " + geometry.model().key() + ": needs " + counters.size()
                            + " counters, a counter set has at most " + DraLimits.COUNTERS_PER_SET);
        }
        return new SharedCounters(geometry, counters, notes);
    }

    /** The geometry that this was made from. */
    public Geometry geometry() {
        return geometry;
    }

    /** Capacity by name of the counter; MiB for {@code memory}. */
    public Map<String, Long> capacity() {
        Map<String, Long> capacity = new LinkedHashMap<>();
        counters.forEach(counter -> capacity.put(counter.name(), counter.capacity()));
        return capacity;
    }

    /** What a placement consumes, by name of the counter; those of which it consumes nothing are left out. */
    public Map<String, Long> use(int placement) {
        Map<String, Long> use = new LinkedHashMap<>();
        counters.forEach(counter -> {
            if (counter.use().get(placement) > 0) {
                use.put(counter.name(), counter.use().get(placement));
            }
        });
        return use;
    }

    /** Which counters were left out or added, and why. */
    public List<String> notes() {
        return notes;
    }

    /** Whether the counters admit exactly the legal layouts: checked for every one of them, and for every step out of one. */
    public boolean exact() {
        return difference.isEmpty();
    }

    /** A smallest set about which counters and geometry differ; empty where there is none. */
    public Optional<Difference> difference() {
        return difference;
    }

    /** Placements for people: {@code 3g.20gb at 0, 1g.5gb at 4}. */
    static String describe(Geometry geometry, long placements) {
        List<String> parts = new ArrayList<>();
        for (long rest = placements; rest != 0; rest &= rest - 1) {
            int placement = Long.numberOfTrailingZeros(rest);
            parts.add(geometry.profile(geometry.profileOf(placement)).name() + " at " + geometry.startOf(placement));
        }
        return parts.isEmpty() ? "nothing" : String.join(", ", parts);
    }

    /** A legal layout that the counter does not admit, the smallest; 0 if there is none. */
    private static long excluded(Geometry geometry, Counter counter) {
        long smallest = 0;
        for (int layout = 0; layout < geometry.layouts(); layout++) {
            long set = geometry.placementsOf(layout);
            if (sum(counter, set) > counter.capacity()
                    && (smallest == 0 || Long.bitCount(set) < Long.bitCount(smallest))) {
                smallest = set;
            }
        }
        return smallest;
    }

    // Legal sets are closed under taking away, and so are admitted ones: whatever set is wrongly admitted has a wrongly
    // admitted part that
    // is a legal layout and one placement more.
    static Optional<Difference> difference(Geometry geometry, List<Counter> counters) {
        Difference found = null;
        for (int layout = 0; layout < geometry.layouts(); layout++) {
            long set = geometry.placementsOf(layout);
            long[] left = left(counters, set);
            if (Arrays.stream(left).anyMatch(rest -> rest < 0)) {
                found = smaller(found, new Difference(set, false));
                continue;
            }
            for (int placement = 0; placement < geometry.placements(); placement++) {
                if (!geometry.holds(layout, placement)
                        && geometry.toggle(layout, placement) == Geometry.ILLEGAL
                        && admits(counters, left, placement)) {
                    found = smaller(found, new Difference(set | 1L << placement, true));
                }
            }
        }
        return Optional.ofNullable(found);
    }

    private static Difference smaller(@Nullable Difference a, Difference b) {
        return a == null || Long.bitCount(b.placements()) < Long.bitCount(a.placements()) ? b : a;
    }

    private static boolean refusesMore(Geometry geometry, List<Counter> counters, Counter more) {
        for (int layout = 0; layout < geometry.layouts(); layout++) {
            long[] left = left(counters, geometry.placementsOf(layout));
            long rest = more.capacity() - sum(more, geometry.placementsOf(layout));
            for (int placement = 0; placement < geometry.placements(); placement++) {
                if (!geometry.holds(layout, placement)
                        && geometry.toggle(layout, placement) == Geometry.ILLEGAL
                        && more.use().get(placement) > rest
                        && admits(counters, left, placement)) {
                    return true;
                }
            }
        }
        return false;
    }

    private static long[] left(List<Counter> counters, long set) {
        return counters.stream()
                .mapToLong(counter -> counter.capacity() - sum(counter, set))
                .toArray();
    }

    private static boolean admits(List<Counter> counters, long[] left, int placement) {
        for (int i = 0; i < left.length; i++) {
            if (counters.get(i).use().get(placement) > left[i]) {
                return false;
            }
        }
        return true;
    }

    private static long sum(Counter counter, long set) {
        long sum = 0;
        for (long rest = set; rest != 0; rest &= rest - 1) {
            sum += counter.use().get(Long.numberOfTrailingZeros(rest));
        }
        return sum;
    }

    @Override
    public String toString() {
        return "SharedCounters[" + geometry.model().key() + ", " + capacity().keySet() + (exact() ? "" : ", not exact")
                + "]";
    }
}
