package dev.sro.core.placement;

import dev.sro.core.slicing.Spread;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Slices that one pod asks for, all on one node. Immutable.
 *
 * @param uid of the pod
 * @param namespace of the pod
 * @param pod its name
 * @param slices by profile, then container; one at least
 * @param spread how its slices lie to each other on the node
 */
public record SliceDemand(String uid, String namespace, String pod, List<Wanted> slices, Spread spread) {
    /**
     * One slice.
     *
     * @param profile name or alias
     * @param container for which it is
     * @param number among the slices of that container, from 0
     */
    public record Wanted(String profile, String container, int number) {}

    /** Sorts the slices. */
    public SliceDemand {
        slices = slices.stream()
                .sorted(Comparator.comparing(Wanted::profile)
                        .thenComparing(Wanted::container)
                        .thenComparingInt(Wanted::number))
                .toList();
        if (slices.isEmpty()) {
            throw new IllegalArgumentException("pod " + namespace + "/" + pod + " asks for no slice");
        }
    }

    /** For one container, of these profiles. */
    public static SliceDemand of(
            String uid, String namespace, String pod, String container, List<String> profiles, Spread spread) {
        List<Wanted> slices = new ArrayList<>();
        for (int i = 0; i < profiles.size(); i++) {
            slices.add(new Wanted(profiles.get(i), container, i));
        }
        return new SliceDemand(uid, namespace, pod, slices, spread);
    }

    /** The profile of each slice. */
    public List<String> profiles() {
        // Asked for each pod several times.
        if (slices.size() == 1) {
            return List.of(slices.get(0).profile());
        }
        return slices.stream().map(Wanted::profile).toList();
    }

    /** {@code namespace/name}. */
    public String reference() {
        return namespace + "/" + pod;
    }

    /** What demands with the same answer have in common. */
    Shape shape() {
        return new Shape(profiles(), spread);
    }

    /** Profiles and how they lie to each other. */
    record Shape(List<String> profiles, Spread spread) {}
}
