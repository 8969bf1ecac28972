package dev.sro.core.slicing;

import dev.sro.core.slicing.geometry.Geometry;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Finds a joint placement of many slices on given devices if there is one, without trying permutations: devices in the same layout
 * that may serve the same requests are one class, and what a set of classes can take is the set of its best count vectors, which
 * grows class by class. Exact, and polynomial for a fixed number of kinds of requests.
 */
final class GangSearch {
    /** Most partial gangs looked at: product of (count + 1) over kinds of requests. */
    static final long MAX_STATES = 4_000_000;

    /** Requests that differ in name only. {@code profileOf} has the profile index per pool that offers it. */
    record Kind(SliceRequest sample, Map<ModelDevices, Integer> profileOf, int count) {}

    /** One slice of a solution. */
    record Piece(int kind, ModelDevices pool, int device, int placement) {}

    private record Alike(ModelDevices pool, int layout, List<Boolean> eligible) {}

    /** How a count vector was reached: from {@code before}, by what {@code filling} puts on {@code device}. */
    private static final class Reached {
        final int[] counts;
        final @Nullable Reached before;
        final ModelDevices pool;
        final int device;
        final long[] filling;

        Reached(int[] counts, @Nullable Reached before, ModelDevices pool, int device, long[] filling) {
            this.counts = counts;
            this.before = before;
            this.pool = pool;
            this.device = device;
            this.filling = filling;
        }
    }

    private final List<Kind> kinds;
    private final int[] wanted;
    private final boolean oneEach;

    GangSearch(List<Kind> kinds, boolean oneEach) {
        this.kinds = kinds;
        this.wanted = kinds.stream().mapToInt(Kind::count).toArray();
        this.oneEach = oneEach;
        long states = 1;
        for (int count : wanted) {
            states = Math.min(Long.MAX_VALUE / 2, states * (count + 1L));
            if (states > MAX_STATES) {
                throw new SliceException(
                        SliceException.Code.INVALID_REQUEST,
                        "gang: its kinds of requests make more than " + MAX_STATES
                                + " partial gangs; use fewer kinds or smaller gangs");
            }
        }
    }

    /** A placement of everything on these devices, or null if there is none. */
    @Nullable List<Piece> solve(List<Registry.Address> devices) {
        Map<Alike, List<Registry.Address>> classes = new LinkedHashMap<>();
        for (Registry.Address address : devices) {
            SliceDevice device = address.pool().device(address.number());
            if (device == null || address.pool().fleet().cordoned(address.number())) {
                continue;
            }
            List<Boolean> eligible = kinds.stream()
                    .map(kind ->
                            kind.profileOf.containsKey(address.pool()) && CandidateSearch.fulfils(device, kind.sample))
                    .toList();
            if (eligible.contains(true)) {
                Alike key = new Alike(address.pool(), address.pool().fleet().layoutOf(address.number()), eligible);
                classes.computeIfAbsent(key, k -> new ArrayList<>()).add(address);
            }
        }
        List<Reached> best = new ArrayList<>();
        best.add(new Reached(new int[wanted.length], null, devices.get(0).pool(), -1, new long[0]));
        for (Map.Entry<Alike, List<Registry.Address>> entry : classes.entrySet()) {
            Map<List<Integer>, long[]> fillings = new Filler(entry.getKey()).fillings();
            for (Registry.Address address : entry.getValue()) {
                List<Reached> next = extend(best, fillings, address);
                if (Arrays.equals(next.get(0).counts, wanted)) {
                    return pieces(next.get(0));
                }
                if (next.size() == best.size() && next.containsAll(best)) {
                    break;
                }
                best = next;
            }
        }
        return null;
    }

    /** All best vectors after one more device; the full one comes first if it is reached. */
    private List<Reached> extend(List<Reached> best, Map<List<Integer>, long[]> fillings, Registry.Address address) {
        List<Reached> next = new ArrayList<>(best);
        for (Reached reached : best) {
            for (Map.Entry<List<Integer>, long[]> filling : fillings.entrySet()) {
                int[] counts = reached.counts.clone();
                for (int i = 0; i < counts.length; i++) {
                    counts[i] = Math.min(wanted[i], counts[i] + filling.getKey().get(i));
                }
                if (next.stream().noneMatch(other -> dominates(other.counts, counts))) {
                    next.removeIf(other -> dominates(counts, other.counts));
                    next.add(new Reached(counts, reached, address.pool(), address.number(), filling.getValue()));
                    if (Arrays.equals(counts, wanted)) {
                        return List.of(next.get(next.size() - 1));
                    }
                }
            }
        }
        return next;
    }

    private static boolean dominates(int[] more, int[] less) {
        for (int i = 0; i < more.length; i++) {
            if (more[i] < less[i]) {
                return false;
            }
        }
        return true;
    }

    // A filling may hold more than is still wanted; what is left out of a legal set leaves a legal set.
    private List<Piece> pieces(Reached last) {
        List<Piece> pieces = new ArrayList<>();
        int[] left = wanted.clone();
        for (Reached at = last; at.before != null; at = at.before) {
            for (int kind = 0; kind < left.length; kind++) {
                for (long rest = at.filling[kind]; rest != 0 && left[kind] > 0; rest &= rest - 1) {
                    pieces.add(new Piece(kind, at.pool, at.device, Long.numberOfTrailingZeros(rest)));
                    left[kind]--;
                }
            }
        }
        return pieces;
    }

    /** What one device can take: per maximal count vector, the placements per kind. */
    private final class Filler {
        private final Alike of;
        private final Geometry geometry;
        private final Map<List<Integer>, long[]> found = new LinkedHashMap<>();
        private final Map<Long, List<List<Integer>>> seen = new HashMap<>();

        Filler(Alike of) {
            this.of = of;
            this.geometry = of.pool.geometry;
        }

        Map<List<Integer>, long[]> fillings() {
            fill(of.layout, new int[wanted.length], new long[wanted.length]);
            found.keySet()
                    .removeIf(vector -> found.keySet().stream()
                            .anyMatch(other -> !other.equals(vector) && dominates(array(other), array(vector))));
            return found;
        }

        private void fill(int layout, int[] counts, long[] filling) {
            List<Integer> vector = Arrays.stream(counts).boxed().toList();
            List<List<Integer>> known = seen.computeIfAbsent((long) layout, key -> new ArrayList<>());
            if (known.contains(vector)) {
                return;
            }
            known.add(vector);
            boolean any = Arrays.stream(counts).anyMatch(count -> count > 0);
            if (any) {
                found.putIfAbsent(vector, filling.clone());
            }
            if (any && oneEach) {
                return;
            }
            for (int kind = 0; kind < counts.length; kind++) {
                Integer profile = kinds.get(kind).profileOf.get(of.pool);
                if (profile == null || !of.eligible.get(kind) || counts[kind] == wanted[kind]) {
                    continue;
                }
                for (int placement = geometry.firstPlacement(profile);
                        placement < geometry.firstPlacement(profile + 1);
                        placement++) {
                    int after = geometry.toggle(layout, placement);
                    if (!geometry.holds(layout, placement) && after != Geometry.ILLEGAL) {
                        counts[kind]++;
                        filling[kind] |= 1L << placement;
                        fill(after, counts, filling);
                        filling[kind] &= ~(1L << placement);
                        counts[kind]--;
                    }
                }
            }
        }

        private int[] array(List<Integer> vector) {
            return vector.stream().mapToInt(Integer::intValue).toArray();
        }
    }
}
